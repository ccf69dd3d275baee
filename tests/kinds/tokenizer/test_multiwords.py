"""Multiword tokens: remembered, and split by rule."""

from __future__ import annotations

import pytest
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from treewright.kinds.tokenizer.writer import ConlluWriter, label_given

from treewright.errors import ModelFileError
from treewright.kinds.tokenizer.multiwords.multiword_context import TEMPLATES
from treewright.kinds.tokenizer.multiwords.multiword_rules import (
    LONGEST_AFFIX,
    NO_SPLIT,
    affixes,
    multiword_settings,
    prefix_rule,
    suffix_rule,
)
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


def test_one_capital_is_no_word_of_capitals() -> None:
    assert split(table_of(o=("ab", "cd")), "o", "O") == [["ab", "cd"], ["Ab", "cd"]]


@pytest.mark.parametrize(
    ("text", "layout"), [(b"a b ", "horizontal"), (b"a b\n", "horizontal"), (b"a\nb\n", "vertical")]
)
def test_the_last_given_token_ends_a_sentence_whatever_follows(text: bytes, layout: str) -> None:
    labels = bytearray(4)
    label_given(Characters(text), labels, layout)
    assert labels[2] == labels[0] + 1


def test_a_token_with_spaces_escapes_what_begins_an_escape() -> None:
    text = Characters(b"a  |\\b")
    written = ConlluWriter(None).write(text, bytes([0, 0, 0, 0, 2]), len(text)).decode()
    assert "SpacesInToken=a\\s\\s\\p\\\\b" in written


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


def test_an_ending_says_what_the_first_word_keeps() -> None:
    """At least two characters, not all of them, and the ending is not too long."""
    long = "a" * (LONGEST_AFFIX + 1)
    for form, words, rule in (
        ("falle", ("fare", "le"), ((0, -3, "re"), (0, 0, "le"))),
        ("fille", ("fare", "le"), NO_SPLIT),
        ("fa", ("fare", "le"), NO_SPLIT),
        (f"fa{long[1:]}", ("fare", "le"), ((0, -LONGEST_AFFIX, "re"), (0, 0, "le"))),
        (f"fa{long}", ("fare", "le"), NO_SPLIT),
    ):
        assert suffix_rule(SurfaceToken(form, words, True)) == rule


def test_a_beginning_says_what_the_last_word_keeps() -> None:
    assert prefix_rule(SurfaceToken("algato", ("a", "el", "gato"), True)) == ((0, 0, "a"), (0, 0, "el"), (2, None, ""))


def test_affixes_leave_a_character() -> None:
    assert affixes("abc", backwards=True) == ["c", "bc"]
    assert affixes("abc", backwards=False) == ["a", "ab"]
    assert [len(affix) for affix in affixes("abcdefghijkl", backwards=False)] == [*range(1, LONGEST_AFFIX + 1)]


def test_a_form_is_split_as_it_is_most_often() -> None:
    ways = [("can", "not")] * 3 + [("ca", "nnot")] * 2 + [("cannot",)]
    found = multiword_settings([SurfaceSentence([SurfaceToken("cannot", words, True)]) for words in ways])
    assert found["splits"][found["forms"]["cannot"]] == [[0, 3, ""], [3, None, ""]]


CUT = {"splits": [[], [[0, -1, ""], [-1, None, ""]], [[0, 1, ""], [1, None, ""]]], "suffixes": {}, "prefixes": {}}


def test_endings_go_before_beginnings() -> None:
    table = MultiwordTable({**CUT, "forms": {}, "contexts": {}, "suffixes": {"z": 1}, "prefixes": {"a": 2}})
    assert split(table, "abcz", "abc", "bcz", "bc") == [["abc", "z"], ["a", "bc"], ["bc", "z"], ["bc"]]


@pytest.mark.parametrize(
    ("template", "counts"), [*zip(TEMPLATES, ("abcd", "wxyz", "bcd", "xyz", "cd", "yz"), strict=True)]
)
def test_the_words_beside_a_form_decide_whole_and_by_their_ends(template: str, counts: str) -> None:
    """The form is split where the sum of weights is above 0, not where it is 0."""
    for own, bias, found in ((3, -2, ["d", "s"]), (2, -2, ["ds"]), (-1, 1, ["ds"]), (0, 1, ["d", "s"])):
        contexts = {"ds": {"b": bias, f"{template}{counts}": own}}
        table = MultiwordTable({**CUT, "forms": {"ds": 1}, "contexts": contexts})
        assert split(table, "abcd", "ds", "wxyz")[1] == found
        if template not in "pn":  # other words that end alike
            assert split(table, "..bcd", "ds", "..xyz")[1] == found
