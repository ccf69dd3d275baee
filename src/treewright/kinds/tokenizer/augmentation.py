"""Variants of the treebank's text to learn from: other spacing, no capitals, no punctuation.

A treebank shows its text in one spacing only. Other text has spaces where it has none, lacks them after full stops, or
lacks capitals and punctuation altogether. The tokeniser learns from the text as it is, and from copies like these.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from treewright.kinds.tokenizer.raw_text import (
    INSIDE,
    SENTENCE_END,
    LabelledText,
    SurfaceSentence,
    SurfaceToken,
    label,
    paragraphs,
)
from treewright.kinds.tokenizer.unusual_tokens import with_unusual_tokens

SPACED = 0.5  # share of sentences with a space after them, in text without spaces between sentences
STRAY = 0.02  # share of tokens with a space after them, in such text
GLUED = 0.02  # share of sentences without the space after their full stop
INITIALS = 0.05  # share of sentences with initials in place of a name, or before it
MERGED = 0.5  # share of paragraphs that are joined to the one before, in text without punctuation
LONGEST_PART = 20  # sentences of a stretch of such text
CAPITALS = 0.3  # share of sentences that begin with a capital, in scripts that have them
HELD_OUT = 8  # one of this many such stretches is held out
NO_CAPITALS, NO_STOPS = 1, 2  # marks of sentences that a text may lack
NO_SPACES = 1  # the same, in scripts that have neither capitals nor spaces between words


class Variant(NamedTuple):
    """A stretch of text to learn from."""

    part: LabelledText
    lacking: int = 0  # marks of sentences: NO_CAPITALS, NO_STOPS
    held_out: bool = False  # to choose by, not to learn from


def variants(sentences: list[SurfaceSentence], seed: int) -> Iterator[Variant]:
    """Yield the text of a treebank, then copies in which it varies."""
    chance = random.Random(seed)
    yield from map(Variant, paragraphs(sentences))
    if is_unspaced(sentences):
        yield from map(Variant, respaced(sentences, chance))
        spaced = [unpunctuated(each, chance.random() < SPACED) for each in sentences]
        yield from _unpunctuated_parts(spaced, 0, chance)
        yield from _unpunctuated_parts([unpunctuated(each, False) for each in sentences], NO_SPACES, chance)
        return
    yield from map(Variant, glued(sentences, chance))
    if begins_with_capitals(sentences):
        yield from map(Variant, paragraphs(initialled(sentences, chance)))
    yield from map(Variant, paragraphs(with_unusual_tokens(sentences, chance)))
    texts = [(0, sentences)]
    if begins_with_capitals(sentences):
        texts.append((NO_CAPITALS, [lowered(sentence) for sentence in sentences]))
        for part in paragraphs(texts[1][1]):
            yield Variant(part, NO_CAPITALS)
    for small, kept in texts:
        yield from _unpunctuated_parts(map(unpunctuated, kept), small, chance)


def _unpunctuated_parts(sentences: Iterable[SurfaceSentence], small: int, chance: random.Random) -> Iterator[Variant]:
    """Yield stretches of text without punctuation, some of them held out; ``small``: what else it lacks."""
    bare = [each for each in sentences if each.tokens]
    for number, part in enumerate(paragraphs(cut(merged(bare, chance, MERGED)))):
        yield Variant(part, NO_STOPS | small, held_out=number % HELD_OUT == 0)


def is_unspaced(sentences: Iterable[SurfaceSentence]) -> bool:
    """Say whether the sentences of a text follow each other without spaces."""
    spaces = [sentence.tokens[-1].space_after for sentence in sentences]
    return 2 * sum(spaces) < len(spaces)


def begins_with_capitals(sentences: Iterable[SurfaceSentence]) -> bool:
    """Say whether sentences usually begin with a capital; Hebrew has no capitals."""
    first = [sentence.tokens[0].form[:1].isupper() for sentence in sentences]
    return CAPITALS * len(first) < sum(first)


def respaced(sentences: Iterable[SurfaceSentence], chance: random.Random) -> Iterator[LabelledText]:
    """Yield text without spaces with some: after sentences, and here and there after a token."""
    for part in paragraphs(sentences):
        text: list[str] = []
        labels = bytearray()
        for character, value in zip(part.text, part.labels, strict=True):
            text.append(character)
            labels.append(value)
            if chance.random() < (SPACED if value == SENTENCE_END else STRAY if value else 0):
                text.append(" ")
                labels.append(INSIDE)
        yield LabelledText("".join(text), labels)


def glued(sentences: Iterable[SurfaceSentence], chance: random.Random) -> Iterator[LabelledText]:
    """Yield stretches of two sentences without a space between them: after a full stop, before a capital."""
    before: LabelledText | None = None
    for sentence in sentences:
        found = label(sentence)
        if before is not None and _may_be_glued(before.text, found.text) and chance.random() < GLUED:
            yield LabelledText(before.text + found.text, before.labels + found.labels)
        before = found if found.text else None


def _may_be_glued(before: str, after: str) -> bool:
    return len(before) > 2 and before[-1] in ".!?" and after[:1].isupper()


def initialled(sentences: list[SurfaceSentence], chance: random.Random) -> Iterator[SurfaceSentence]:
    """Yield pairs of sentences, the first with initials: a treebank may have few, and other text has many.

    In all treebanks that we have seen they are one token with their full stops.
    """
    letters = sorted({form[0] for form in _names(sentences)})
    for sentence, after in pairwise(sentences):
        names = [place for place, token in enumerate(sentence.tokens[1:-1], 1) if _is_name(token.form)]
        if not names or chance.random() >= INITIALS:
            continue
        place = chance.choice(names)
        name = sentence.tokens[place]
        many = chance.random() < 0.5
        form = "".join(chance.choice(letters) + "." for _ in range(chance.randint(2, 4) if many else 1))
        tokens = list(sentence.tokens)
        if many:
            tokens[place] = SurfaceToken(form, (form,), name.space_after)
        else:
            tokens.insert(place, SurfaceToken(form, (form,), True))
        yield SurfaceSentence(tokens, "", True)
        yield replace(after, starts_paragraph=False)


def _names(sentences: Iterable[SurfaceSentence]) -> Iterator[str]:
    return (token.form for sentence in sentences for token in sentence.tokens[1:-1] if _is_name(token.form))


def _is_name(form: str) -> bool:
    return len(form) > 2 and form.isalpha() and form[0].isupper() and form[1:].islower()


def merged(sentences: Iterable[SurfaceSentence], chance: random.Random, share: float) -> Iterator[SurfaceSentence]:
    """Yield the sentences, some of those that begin a paragraph without its mark."""
    for sentence in sentences:
        if sentence.starts_paragraph and chance.random() < share:
            yield replace(sentence, starts_paragraph=False)
        else:
            yield sentence


def cut(sentences: Iterable[SurfaceSentence]) -> Iterator[SurfaceSentence]:
    """Yield the sentences, with the beginning of a paragraph where there would be none for long."""
    length = 0
    for sentence in sentences:
        length = 0 if sentence.starts_paragraph else length + 1
        if length == LONGEST_PART:
            length = 0
            yield replace(sentence, starts_paragraph=True)
        else:
            yield sentence


def lowered(sentence: SurfaceSentence) -> SurfaceSentence:
    """Return a sentence without capitals."""
    tokens = [
        SurfaceToken(_lower(token.form), tuple(map(_lower, token.words)), token.space_after)
        for token in sentence.tokens
    ]
    return SurfaceSentence(tokens, _lower(sentence.text), sentence.starts_paragraph)


def _lower(text: str) -> str:
    """Lower-case a text, keeping its length."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def unpunctuated(sentence: SurfaceSentence, spaced: bool = True) -> SurfaceSentence:
    """Return a sentence without tokens of punctuation, and with a space at its end if ``spaced``."""
    tokens: list[SurfaceToken] = []
    for token in sentence.tokens:
        if not _is_punctuation(token.form):
            tokens.append(token)
        elif tokens and (token.space_after or tokens[-1].space_after):
            tokens[-1] = tokens[-1]._replace(space_after=True)
    if tokens:
        tokens[-1] = tokens[-1]._replace(space_after=spaced)
    return SurfaceSentence(tokens, "", sentence.starts_paragraph)


@lru_cache(1 << 16)
def _is_punctuation(form: str) -> bool:
    return all(unicodedata.category(character)[0] in "PS" for character in form)
