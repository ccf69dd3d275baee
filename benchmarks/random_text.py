"""Random Unicode text through a pipeline: nothing may crash, and no character may get lost.

    python benchmarks/random_text.py [MODEL] [--texts 1000000] [--seed 1]

Texts are random characters of all planes, of punctuation and spaces, of emoji and accents, mixed. Each one is split,
tagged and parsed; forms and the spaces in MISC must give it back. Text of spaces only has no tokens. Many texts are
parsed at once, as paragraphs of one text; every thousandth is parsed alone too.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from treewright.kinds.tokenizer.restoring import restored_text
from treewright.treebank.blocks.normal_text import normal_form

POOLS = (
    "abcdefghijklmnopqrstuvwxyz ABC .,!?'\"-",
    " \t\r\n\x0b\x0c\x1c\x85\xa0\u1680\u2003\u2028\u2029\u3000\ufeff",
    "…«»“”„‟「」『』（）【】¿¡—–‐•§¶†|\\_#@:/&%$€£¥",
    "中文字好。，！日本語かなカナ한국어ไทยລາວ",
    "👩‍🚀👍🏽🇬🇷🇫🇷❤️#️⃣👨‍👩‍👧‍👦🏴\U000e0067\U000e0062",
    "e\u0301a\u0308\u0300\u200d\u200c\u200b\u2060אבג\u05b0ابت\u064bहिन्दी",
    "0123456789.,:/-½²Ⅳ٣",
)
LONGEST = 40


def random_text(chance: random.Random) -> str:
    """Return a random text: of one or two pools of characters, or of all planes; never half a character."""
    pools = chance.choices((*POOLS, ""), k=2)
    return "".join(_character(chance, chance.choice(pools)) for _ in range(chance.randint(1, LONGEST)))


def _character(chance: random.Random, pool: str) -> str:
    if pool:
        return chance.choice(pool)
    code = chance.randrange(chance.choice((0x100, 0x3000, 0x10000, 0x110000)))
    return "?" if 0xD800 <= code < 0xE000 else chr(code)


def lost(split: Callable[[str], str], text: str) -> str | None:
    """Return what is wrong with a text that was split into CoNLL-U; None if it comes back as it was."""
    conllu = split(text)
    if not conllu:
        return None if all(_is_space(character) for character in normal_form(text)) else "no sentences"
    found = restored_text(conllu)
    if found == text:
        return None
    at = next((k for k, (a, b) in enumerate(zip(found, text, strict=False)) if a != b), min(len(found), len(text)))
    return f"character {at}: {found[at : at + 20]!r} instead of {text[at : at + 20]!r}"


def _is_space(character: str) -> bool:
    return character.isspace() or character < "!" or character == "\x7f" or normal_form(f"a{character}") == "a"


def main() -> None:
    """Parse random texts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="english")
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    import treewright as tw

    model = tw.load(arguments.model) if arguments.model != "english" else tw.load()
    chance = random.Random(arguments.seed)
    start, done, alone = time.perf_counter(), 0, 0

    def split(text: str) -> str:
        return "".join(sentence.to_conllu() for sentence in model.parse_text(text))

    while done < arguments.texts:
        texts = [random_text(chance) for _ in range(min(1000, arguments.texts - done))]
        for text in ("\n\n".join(texts), texts[0]):
            wrong = lost(split, text)
            if wrong is not None:
                raise SystemExit(f"text {done}: {wrong}")
        done, alone = done + len(texts), alone + 1
    print(f"{done:,} texts, {alone:,} of them alone: none lost, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
