"""Copies of sentences with tokens that other text has and a treebank may lack: abbreviations, names of files, dates.

A kind of token is made up only where the treebank does not cut such tokens: most keep "2024-01-05" whole, some may not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken

UNUSUAL = 0.05  # share of sentences that are copied with such a token
FIRST = 0.2  # share of these copies with the token at the beginning
LETTER = r"[^\W\d_]"

#: makes forms of a word of the treebank, which they replace; the word's letters are those that the language has
Maker = Callable[[str, random.Random], list[str]]


def numbered(word: str, chance: random.Random) -> list[str]:
    """Return an abbreviation before a number, as "No. 5" and "Fig. 12"."""
    return [word[: min(chance.randint(2, 4), len(word) - 2)] + ".", str(chance.randint(1, 300))]


def shortened(word: str, chance: random.Random) -> list[str]:
    """Return an abbreviation before the word, as "Prof. Keller" and "approx. half"."""
    made = _letters(word, chance, 2, 4)
    return [f"{made.title() if word[0].isupper() else made}.", word]


def initials(word: str, chance: random.Random) -> list[str]:
    """Return initials with a hyphen, as "J.-P.", before the word."""
    return [".-".join(_letters(word, chance, 2, 2).upper()) + ".", word]


def dotted(word: str, chance: random.Random) -> list[str]:
    """Return an abbreviation of small letters and full stops before the word, as "e.g. this"."""
    return [".".join(_letters(word, chance, 2, 3)) + ".", word]


def capitals(word: str, chance: random.Random) -> list[str]:
    """Return capitals with full stops, as "U.S.A."."""
    return [".".join(_letters(word, chance, 2, 4).upper()) + "."]


def file_name(word: str, chance: random.Random) -> list[str]:
    """Return a name with a full stop inside, as "main.py"."""
    return [f"{word}.{_letters(word, chance, 2, 4)}"]


def ending(word: str, chance: random.Random) -> list[str]:
    """Return a name that begins with a full stop, as ".NET" and ".txt"."""
    made = _letters(word, chance, 2, 4)
    return [f".{made.upper() if chance.random() < 0.5 else made}"]


def version(word: str, chance: random.Random) -> list[str]:
    """Return numbers with full stops between them, as "2.0.1" and "v2.0.1"."""
    return [chance.choice(("", "v")) + ".".join(str(chance.randint(0, 20)) for _ in range(3))]


def date(word: str, chance: random.Random) -> list[str]:
    """Return a date as ISO 8601 writes it."""
    return [f"{chance.randint(1950, 2049)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"]


def _letters(word: str, chance: random.Random, least: int, most: int) -> str:
    return "".join(chance.choice(word.lower()) for _ in range(chance.randint(least, most)))


#: what makes a kind of token → how such tokens look
KINDS: dict[Maker, re.Pattern[str]] = {
    numbered: re.compile(rf"{LETTER}{{2,4}}\."),
    shortened: re.compile(rf"{LETTER}{{2,4}}\."),
    initials: re.compile(rf"{LETTER}\.-{LETTER}\."),
    dotted: re.compile(rf"(?:{LETTER}\.){{2,}}"),
    capitals: re.compile(rf"(?:{LETTER}\.){{2,}}"),
    file_name: re.compile(rf"{LETTER}{{2,}}\.{LETTER}{{2,4}}"),
    ending: re.compile(rf"\.{LETTER}{{2,}}"),
    version: re.compile(r"v?\d+\.\d+\.\d+"),
    date: re.compile(r"\d{4}-\d\d-\d\d"),
}


def kinds_kept_whole(sentences: Sequence[SurfaceSentence]) -> list[Maker]:
    """Return the kinds of tokens that the treebank does not cut, as a rule; those that it lacks are among them."""
    balance = dict.fromkeys(KINDS, 0)
    for sentence in sentences:
        for stretch in _stretches(sentence):
            text = "".join(stretch)
            if "." in text or "-" in text:
                for maker, pattern in KINDS.items():
                    if pattern.fullmatch(text):
                        balance[maker] += 1 if len(stretch) == 1 else -1
    return [maker for maker, count in balance.items() if count >= 0]


def _stretches(sentence: SurfaceSentence) -> Iterator[list[str]]:
    """Yield the tokens between spaces; those at the end of the sentence are left out, where a full stop ends it."""
    stretch: list[str] = []
    for token in sentence.tokens:
        stretch.append(token.form)
        if token.space_after and token is not sentence.tokens[-1]:
            yield stretch
            stretch = []


def with_unusual_tokens(sentences: list[SurfaceSentence], chance: random.Random) -> Iterator[SurfaceSentence]:
    """Yield three sentences at a time, with a made-up token in the second one."""
    makers = kinds_kept_whole(sentences)
    if not makers:
        return
    for (before, sentence), (_, after) in pairwise(pairwise(sentences)):
        words = [place for place in range(len(sentence.tokens)) if _may_be_replaced(sentence.tokens, place)]
        if not words or chance.random() >= UNUSUAL:
            continue
        place = 0 if words[0] == 0 and chance.random() < FIRST else chance.choice(words)
        old = sentence.tokens[place]
        forms = chance.choice(makers)(old.form, chance)
        made = [SurfaceToken(form, (form,), True) for form in forms]
        made[-1] = made[-1]._replace(space_after=old.space_after)
        yield replace(before, starts_paragraph=True)
        yield SurfaceSentence([*sentence.tokens[:place], *made, *sentence.tokens[place + 1 :]])
        yield replace(after, starts_paragraph=False)


def _may_be_replaced(tokens: Sequence[SurfaceToken], place: int) -> bool:
    """Say whether a token is a word of some length with a space before it; the last one may have its full stop."""
    token = tokens[place]
    return (
        len(token.form) > 3
        and len(token.words) == 1
        and token.form.isalpha()
        and (place == 0 or tokens[place - 1].space_after)
        and place < len(tokens) - 1
    )
