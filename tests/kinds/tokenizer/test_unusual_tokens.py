"""Tokens that a treebank may lack: abbreviations before numbers, names of files, versions, dates."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.kinds.tokenizer.test_foreign_text import names, sentences_of
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken, label, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.kinds.tokenizer.unusual_tokens import (
    KINDS,
    _may_be_replaced,
    date,
    file_name,
    kinds_kept_whole,
    numbered,
    with_unusual_tokens,
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([names()] * 4, TokenizerRecipe(iterations=6, seeds=1))


@pytest.mark.parametrize(
    "text",
    [
        "We saw No. 5 near the lake .",
        "We saw .NET near the lake .",
        "We saw 2024-01-05 near the lake .",
        "We saw v2.0.1 near the lake .",
        "We saw main.py near the lake .",
        "U.S.A. saw Anna near the lake .",
        "We saw e.g. Anna near the lake .",
        "We saw Prof. Anna near the lake .",
        "We saw J.-P. Anna near the lake .",
    ],
)
def test_they_are_one_token_and_end_no_sentence(text: str, tokenizer: Tokenizer) -> None:
    assert sentences_of(tokenizer, text.replace("lake .", "lake.")) == [text.split()]


@pytest.mark.parametrize("maker", KINDS, ids=lambda maker: maker.__name__)
def test_what_is_made_looks_as_its_kind(maker) -> None:
    chance = random.Random(1)
    for word in ("house", "Čekat", "жена", "ilçede"):
        for _ in range(20):
            forms = maker(word, chance)
            assert KINDS[maker].fullmatch(forms[0]), forms


class Always(random.Random):
    """Draws the least or the largest number every time."""

    def __init__(self, which: Callable[[int, int], int]) -> None:
        self.which = which

    def randint(self, a: int, b: int) -> int:
        return self.which(a, b)


def test_numbers_and_dates_are_usual_ones() -> None:
    assert [maker("figure", Always(min)) for maker in (numbered, date)] == [["fi.", "1"], ["1950-01-01"]]
    assert [maker("figure", Always(max)) for maker in (numbered, date)] == [["figu.", "300"], ["2049-12-28"]]


def test_only_words_between_spaces_are_replaced_and_never_the_last_token() -> None:
    """The first word may be, whatever ends the sentence."""
    tokens = [
        SurfaceToken(form, (form,), space)
        for form, space in (("First", False), ("glued", True), ("spaced", True), ("l8ng", True), ("last", False))
    ]
    double = SurfaceToken("double", ("dou", "ble"), True)
    replaced = [_may_be_replaced([*tokens[:4], double, tokens[4]], place) for place in range(6)]
    assert replaced == [True, False, True, False, False, False]


def test_what_the_treebank_cuts_is_not_made() -> None:
    def sentence(*forms: str) -> SurfaceSentence:
        tokens = [SurfaceToken(form, (form,), form[-1] == "5") for form in forms]
        return SurfaceSentence([*tokens, SurfaceToken("end", ("end",), True)])

    assert kinds_kept_whole([]) == list(KINDS)
    assert date not in kinds_kept_whole([sentence("2024", "-", "01", "-", "05")])
    assert kinds_kept_whole([sentence("2024-01-05")]) == list(KINDS)
    cut_twice = [sentence("2024", "-", "01", "-", "05")] * 2
    assert date not in kinds_kept_whole([*cut_twice, sentence("2024-01-05")])
    assert date in kinds_kept_whole([*cut_twice, *[sentence("2024-01-05")] * 2])
    assert file_name in kinds_kept_whole(cut_twice)


def test_copies_are_three_sentences_with_labels() -> None:
    sentences = list(surface_sentences([names()] * 4))
    made = list(with_unusual_tokens(sentences, random.Random(3)))
    assert len(made) % 3 == 0
    assert made
    for before, changed, after in zip(made[::3], made[1::3], made[2::3], strict=True):
        assert (before.starts_paragraph, changed.starts_paragraph, after.starts_paragraph) == (True, False, False)
        assert changed.tokens not in [sentence.tokens for sentence in sentences]
        assert sum(map(bool, label(changed).labels)) == len(changed.tokens)
        assert all(token.words == (token.form,) for token in changed.tokens)
    assert list(with_unusual_tokens(sentences[:2], random.Random(3))) == []
