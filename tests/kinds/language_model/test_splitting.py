"""Raw text becomes sentences of words, each paragraph once."""

from __future__ import annotations

import pytest

import treewright as tw
from tests.kinds.language_model.raw import paragraphs
from tests.toy import TRAIN
from treewright.errors import CombinationError
from treewright.kinds.language_model.splitting import Seen, new_paragraphs, split


def test_paragraphs_that_come_again_are_left_out() -> None:
    seen = Seen()
    assert list(new_paragraphs(["a b", "", " a b ", "c", "a b"], seen)) == ["a b", "c"]
    assert seen.again == 2
    assert seen.notes == ["2 paragraphs that came again left out"]
    assert Seen().notes == []


def test_many_different_paragraphs_are_all_new() -> None:
    seen, text = Seen(), paragraphs(5000)
    assert list(new_paragraphs(text, seen)) == text
    assert list(new_paragraphs(text, seen)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two. Three four!", [["One", "two", "."], ["Three", "four", "!"]]),
        ("He said: “Go!” Then he went.", [["He", "said", ":", "“", "Go", "!", "”"], ["Then", "he", "went", "."]]),
        ("It costs 3.5 or so. and more", [["It", "costs", "3.5", "or", "so", ".", "and", "more"]]),
        ("Well … 1 more?! Yes", [["Well", "…"], ["1", "more", "?", "!"], ["Yes"]]),
        ("", []),
    ],
)
def test_sentences_by_unicode(text: str, expected: list[list[str]]) -> None:
    assert list(split([text], None)) == expected


def test_a_tokeniser_splits_as_it_always_does() -> None:
    tokenizer = tw.train(TRAIN, step="tokenizer", tokenizer_seeds=1, tokenizer_iterations=2)
    text = [f"The dog sees the cat . A cat sees {number} dogs ." for number in range(3000)]
    found = list(split(text, tokenizer))
    data = tokenizer.split("\n\n".join(text), tw.steps.call.PLAIN, tw.treebank.files.sentence_names.PLAIN_NAMES)[0]
    forms = [line.split("\t")[1] for line in data.decode().splitlines() if line[:1].isdigit()]
    assert [word for words in found for word in words] == forms


def test_a_parser_alone_splits_nothing() -> None:
    parser = tw.train(TRAIN, iterations=1, features="tiny")
    with pytest.raises(CombinationError, match="splits no text"):
        list(split(["a"], parser))
