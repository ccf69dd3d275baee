"""The labels of a sentence's characters, counted from the lengths of forms or found by comparing them."""

from __future__ import annotations

from itertools import product

import pytest

from treewright.kinds.tokenizer.raw_text import (
    SENTENCE_END,
    LabelledText,
    SurfaceSentence,
    SurfaceToken,
    _align,
    _count,
    label,
)


def sentence_of(forms: tuple[str, ...], spaces: tuple[bool, ...], text: str = "") -> SurfaceSentence:
    tokens = [SurfaceToken(form, (form,), space) for form, space in zip(forms, spaces, strict=True)]
    return SurfaceSentence(tokens, text)


def made(sentence: SurfaceSentence) -> str:
    return "".join(token.form + " " * token.space_after for token in sentence.tokens).strip()


def test_counting_says_what_comparing_says() -> None:
    """Of all short sentences: forms that are empty, or begin, end or are cut with a space, are left to comparing."""
    counted = 0
    for n in range(4):
        for forms in product(("", "a", "aa", "b c", " a", "a ", " "), repeat=n):
            for spaces in product((False, True), repeat=n):
                sentence = sentence_of(forms, spaces)
                found = _count(made(sentence), sentence.tokens)
                counted += found is not None
                assert found is None or found == _align(made(sentence), sentence.tokens)
                assert label(sentence) == (_align(made(sentence), sentence.tokens) or LabelledText("", bytearray()))
    assert counted > 400


@pytest.mark.parametrize("text", ["a b", "a  b", "ab", "other"], ids=["as made", "two spaces", "no space", "another"])
def test_the_comment_counts_where_it_fits(text: str) -> None:
    found = label(sentence_of(("a", "b"), (True, True), text))
    assert found.text == ("a b" if text == "other" else text)
    assert found.labels[-1] == SENTENCE_END
