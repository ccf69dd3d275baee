"""Multiword tokens: remembered, and split by rule."""

from __future__ import annotations

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.kinds.tokenizer.writer import ConlluWriter, label_given

from treewright.errors import ModelFileError
from treewright.kinds.tokenizer.multiwords.multiword_rules import multiword_settings
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken


def split(table: MultiwordTable, *tokens: str) -> list[list[str]]:
    """The words of each token."""
    text = Characters(" ".join(tokens).encode())
    labels = bytearray(len(text))
    label_given(text, labels, "horizontal")
    found: list[list[str]] = []
    left = 0
    for line in ConlluWriter(table).write(text, labels, len(text)).decode().split("\n"):
        columns = line.split("\t")
        if len(columns) < 2:
            continue
        if "-" in columns[0]:
            first, last = map(int, columns[0].split("-"))
            left = last - first + 1
            found.append([])
        elif left:
            found[-1].append(columns[1])
            left -= 1
        else:
            found.append([columns[1]])
    return found


def table_of(**tokens: tuple[str, ...]) -> MultiwordTable:
    forms = {name.replace("_", "'"): words for name, words in tokens.items()}
    made = [SurfaceToken(form, words or (form,), True) for form, words in forms.items()]
    return MultiwordTable(multiword_settings([SurfaceSentence(made * 2)]))


ENGLISH = table_of(
    John_s=("John", "'s"),
    dog_s=("dog", "'s"),
    cat_s=("cat", "'s"),
    dont=("do", "nt"),
    it_s=("it", "'s"),
    the=(),
    cats=(),
    gas=(),
    du=("de", "le"),
    vederlo=("vedere", "lo"),
    prenderlo=("prendere", "lo"),
    solo=(),
    quello=(),
    bello=(),
)


def test_known_forms_keep_their_case() -> None:
    assert split(ENGLISH, "John's", "DON't", "Dont", "the") == [["John", "'s"], ["DON't"], ["Do", "nt"], ["the"]]
    assert split(ENGLISH, "du", "Du", "DU") == [["de", "le"], ["De", "le"], ["DE", "LE"]]


def test_endings_of_unknown_forms() -> None:
    assert split(ENGLISH, "Zebra's", "zebras") == [["Zebra", "'s"], ["zebras"]]
    assert split(ENGLISH, "spenderlo", "pollo") == [["spendere", "lo"], ["pollo"]]


def test_beginnings_of_unknown_forms() -> None:
    table = table_of(wabit=("w", "abit"), wdar=("w", "dar"), wkitab=("w", "kitab"), dar=(), abit=())
    assert split(table, "wqalam", "qalam") == [["w", "qalam"], ["qalam"]]


def test_a_treebank_without_multiword_tokens_has_none() -> None:
    assert split(table_of(a=(), b=()), "a's", "b") == [["a's"], ["b"]]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"splits": [[], [[0, 1, ""]]], "forms": {}, "suffixes": {}, "prefixes": {}},
        {"splits": [[]], "forms": {"a": 3}, "suffixes": {}, "prefixes": {}},
        {"splits": [[], [[0, 0, "a\tb"], [0, 0, "c"]]], "forms": {}, "suffixes": {}, "prefixes": {}},
    ],
)
def test_damaged_settings_are_refused(broken: dict[str, object]) -> None:
    with pytest.raises(ModelFileError):
        MultiwordTable(broken)
