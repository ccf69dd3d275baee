"""Where tokens are in a text, in characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from treewright.treebank.sentences.token import Token


class Span(NamedTuple):
    """The characters of a text from ``start`` up to, but not including, ``end``."""

    start: int
    end: int


def spans_in(text: str, tokens: Iterable[Token], position: int = 0) -> list[Span]:
    """Return the span of each token, in the order of the file, in a text that is read from a position."""
    return spans_of([(token["ID"], token.form) for token in tokens], text, position)


def spans_of(tokens: Sequence[tuple[str, str]], text: str, position: int = 0) -> list[Span]:
    """Return the span of each token, given as ID and form, in a text that is read from a position.

    Words of a multiword token have their part of its span if they are written as in the token ("can", "not"), else all
    of it. An empty node has none of its own: it stands where the token before it ends.
    """
    spans: list[Span] = []
    within: dict[str, Span] = {}  # words of multiword tokens
    for place, (number, form) in enumerate(tokens):
        if "." in number:
            span = Span(position, position)
        elif number in within:
            span = within[number]
        else:
            span = _span_of(form, text, position)
            position = span.end
            if "-" in number:
                first, _, last = number.partition("-")
                numbers = [str(each) for each in range(int(first), int(last) + 1)]
                words = (form for each, form in islice(tokens, place + 1, None) if each.isdecimal())
                within.update(_within(span, form, numbers, list(islice(words, len(numbers)))))
        spans.append(span)
    return spans


def _within(span: Span, token: str, numbers: Sequence[str], forms: Sequence[str]) -> dict[str, Span]:
    """Return the spans of the words of a multiword token, by their numbers."""
    if "".join(forms) != token or span.end - span.start != len(token):
        return dict.fromkeys(numbers, span)
    ends = list(accumulate(map(len, forms), initial=span.start))
    return {number: Span(*ends[n : n + 2]) for n, number in enumerate(numbers)}


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
