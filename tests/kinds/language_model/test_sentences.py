"""Sentences go to disk and come back in random order, a few are held out."""

from __future__ import annotations

import random

import pytest

from tests.kinds.language_model.raw import sentences
from treewright.errors import TreebankError
from treewright.kinds.language_model import sentences as module
from treewright.kinds.language_model.guesses import Guesses
from treewright.kinds.language_model.sentences import SentenceFile, length_of


def lines_of(text: list[list[str]]) -> list[bytes]:
    return ["\t".join(words).encode() for words in text]


def test_all_sentences_come_back_in_groups_of_similar_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STRETCH", 200)
    monkeypatch.setattr(module, "STRETCHES", 3)
    text = [words * (1 + number % 4) for number, words in enumerate(sentences(300))]
    file = SentenceFile.of("text", text)
    held_out = [line.rstrip(b"\n") for line in file.held_out]
    assert 0.01 < len(held_out) / len(text) < 0.04
    groups = list(file.groups(100, random.Random(1)))
    assert sorted([line for group in groups for line in group] + held_out) == sorted(lines_of(text))
    assert all(len(group) * max(map(length_of, group)) <= 100 for group in groups)
    assert file.own_size == (
        len(text) - len(held_out),
        sum(map(length_of, [x for g in groups for x in g])) - file.n_sentences,
    )
    again = list(file.groups(100, random.Random(1)))
    assert groups == again
    assert groups != list(file.groups(100, random.Random(2)))


def test_the_longer_the_text_the_rarer_what_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_OUT", 50)
    text = sentences(5000)
    file = SentenceFile.of("text", text)
    words = sum(length_of(line) - 1 for line in file.held_out)
    assert 25 <= words <= 100
    places = [lines_of(text).index(line.rstrip(b"\n")) for line in file.held_out]
    assert max(places) > len(text) // 2


def test_words_are_counted_in_lower_case_and_rare_ones_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KINDS", 6)
    file = SentenceFile.of("text", [["The", "the", "a"], *([f"x{number}"] for number in range(20))])
    assert file.counts["the"] == 2
    assert len(file.counts) <= 7


def test_long_sentences_are_cut_and_words_are_on_one_line() -> None:
    file = SentenceFile.of("text", [["a\tb", "\n", *["c"] * 200]])
    lines = list(file.stretch(0))
    assert lines[0].startswith(b"a b\t_\tc\t")
    assert [length_of(line) - 1 for line in lines] == [80, 80, 42]


def test_a_short_text_is_held_out_too_and_none_is_refused() -> None:
    file = SentenceFile.of("text", [["a"] * 12])
    assert file.held_out
    with pytest.raises(TreebankError, match="no text to learn from"):
        SentenceFile.of("text", [["a"]])


def test_rare_words_are_guessed_by_their_longest_known_ending() -> None:
    counts = {"the": 10, "walking": 1, "talking": 1, "singing": 1, "xy": 1}
    guesses = Guesses.of(counts, ["the"], 3, 4)
    assert guesses.endings == ["ing", "ng", "g"]
    numbers = [guesses.numbers[form] for form in (b"The", b"Ringing", b"bang", b"q", b"g")]
    assert numbers == [2, 3, 4, 0, 0]
    assert abs(sum(2.718281828459045**value for value in guesses.logs) - 1) < 1e-5
    assert guesses.logs[2] > guesses.logs[1] > guesses.logs[3] > guesses.logs[0]
