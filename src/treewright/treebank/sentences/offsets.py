"""Where tokens are in a text, in characters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from treewright.treebank.sentences.token import Token


class Span(NamedTuple):
    """The characters of a text from ``start`` up to, but not including, ``end``."""

    start: int
    end: int


def spans_in(text: str, tokens: Iterable[Token], position: int = 0) -> list[Span]:
    """Return the span of each token, in the order of the file, in a text that is read from a position.

    Words of a multiword token have their part of its span if they are written as in the token ("can", "not"), else all
    of it. An empty node has none of its own: it stands where the token before it ends.
    """
    spans: list[Span] = []
    listed = list(tokens)
    within: dict[int, Span] = {}  # words of multiword tokens
    for place, token in enumerate(listed):
        if token.is_empty:
            span = Span(position, position)
        elif token.is_word and token.id in within:
            span = within[token.span.start]
        else:
            span = _span_of(token.form, text, position)
            position = span.end
            if token.is_multiword:
                words = [word for word in listed[place + 1 :] if word.is_word][: len(token.span)]
                within.update(_within(span, token, words))
        spans.append(span)
    return spans


def _within(span: Span, token: Token, words: list[Token]) -> dict[int, Span]:
    """Return the spans of the words of a multiword token, by their numbers."""
    forms = [word.form for word in words]
    if "".join(forms) != token.form or span.end - span.start != len(token.form):
        return dict.fromkeys(token.span, span)
    ends = list(accumulate(map(len, forms), initial=span.start))
    return {number: Span(*ends[n : n + 2]) for n, number in enumerate(token.span)}


def _span_of(form: str, text: str, position: int) -> Span:
    """Return where a form is next in a text; an empty span if it is not there."""
    while position < len(text) and text[position].isspace():
        position += 1
    if text.startswith(form, position):
        return Span(position, position + len(form))
    return _without_spaces(form, text, position) or _further_on(form, text, position)


def _without_spaces(form: str, text: str, position: int) -> Span | None:
    """Return where a form is, white space aside: a text may have other spaces than the form."""
    end = position
    for character in form:
        if character.isspace():
            continue
        while end < len(text) and text[end].isspace():
            end += 1
        if end >= len(text) or text[end] != character:
            return None
        end += 1
    return Span(position, end)


def _further_on(form: str, text: str, position: int) -> Span:
    """Return where a form is after something that no token has, such as an invisible character."""
    start = text.find(form, position, position + len(form) + 100)
    return Span(position, position) if start < 0 else Span(start, start + len(form))
