"""Write the toy treebank: ``python examples/make_toy_treebank.py [FOLDER]``.

The sentences are made by the grammar in toy_grammar.py from the words in toy_words.py. The seed is
fixed: the files come out the same on every machine, and a test holds us to that.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))

from toy_grammar import Grammar, Word

SEED = 20
PARTS = {"train": 400, "dev": 60, "test": 60}
LONGEST = 24


def text_of(words: list[Word]) -> str:
    """Return the sentence as it is printed."""
    return "".join(word.form + ("" if word.glued else " ") for word in words).rstrip()


def conllu(words: list[Word], sent_id: str) -> str:
    """Return a sentence in CoNLL-U, with the blank line after it."""
    number = {id(word): str(place) for place, word in enumerate(words, 1)}
    lines = [f"# sent_id = {sent_id}", f"# text = {text_of(words)}"]
    for word in words:
        head = "0" if word.head is None else number[id(word.head)]
        misc = "SpaceAfter=No" if word.glued else "_"
        row = [number[id(word)], word.form, word.lemma, word.upos, "_", word.feats]
        lines.append("\t".join([*row, head, word.deprel, "_", misc]))
    return "\n".join(lines) + "\n\n"


def treebank() -> dict[str, str]:
    """Return the three parts as text. No sentence occurs twice, within a part or across them."""
    grammar = Grammar(Random(SEED))
    seen: set[str] = set()
    parts: dict[str, str] = {}
    for part, size in PARTS.items():
        sentences: list[str] = []
        while len(sentences) < size:
            words = grammar.sentence()
            text = text_of(words)
            if text in seen or len(words) > LONGEST:
                continue
            seen.add(text)
            sentences.append(conllu(words, f"toy-{part}-{len(sentences) + 1}"))
        parts[part] = "".join(sentences)
    return parts


def main() -> None:
    """Write train.conllu, dev.conllu and test.conllu."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "toy"
    folder.mkdir(parents=True, exist_ok=True)
    for part, text in treebank().items():
        (folder / f"{part}.conllu").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
