"""Tags as numbers of values, and back: what is known, what is not, and treebanks that lack columns."""

from __future__ import annotations

from array import array

import pytest
from treewright.treebank.blocks.block import Block, Layout

from treewright.kinds.network.inputs import tags as tags_module
from treewright.kinds.network.inputs.tags import (
    TagReader,
    TagWriter,
    column_of,
    right_values,
    rule_from,
    rule_text,
    tag_numbers,
    tag_values,
)
from treewright.kinds.tagger.lemmas.lemma_rules import CAPITAL, Affixes, LemmaRule, rule_for
from treewright.treebank.formats.conllu import CONLLU

WORDS = (
    ("Dogs", "dog", "NOUN", "NNS", "Number=Plur"),
    ("cats", "cat", "NOUN", "NNS", "Case=Nom|Number=Plur"),
    ("ate", "eat", "VERB", "VBD", "_"),
    ("hens", "hen", "NOUN", "NNS", "Number=Plur"),
    ("A", "a", "DET", "_", "Style=Odd=1"),
    ("owl", "owl", "X", "NN", "Number=Sing"),
)
#: columns whose numbers begin at 0, such that the first of a layout counts, too
BACKWARDS = {name: Layout(name, (name, "FORM")) for name in ("UPOS", "XPOS", "FEATS", "LEMMA")}
ENDING, SAME, LOWERED = (rule_text(rule_for(*pair)) for pair in (("cats", "cat"), ("owl", "owl"), ("A", "a")))


def block_of(*words: tuple[str, ...]) -> Block:
    rows = ("\t".join((str(n), *word, "0", "root", "_", "_")) for n, word in enumerate(words, 1))
    return Block("".join(f"{row}\n" for row in rows).encode("utf-8", "surrogateescape") + b"\n", CONLLU)


def column(name: str, values: list[str]) -> Block:
    """Return a block of a layout with one column of tags, the first."""
    return Block("".join(f"{value}\tword\n" for value in values).encode() + b"\n", BACKWARDS[name])


def test_values_are_those_of_the_treebank_the_most_frequent_first() -> None:
    first, second = block_of(*WORDS[:4]), block_of(*WORDS[4:])
    assert tag_values([first, second]) == {
        "UPOS": ["NOUN", "VERB", "DET", "X"],
        "XPOS": ["NNS", "VBD", "_", "NN"],
        "FEATS:Number": ["Plur", "_", "Sing"],
        "FEATS:Case": ["_", "Nom"],
        "FEATS:Style": ["_", "Odd=1"],
    }  # each rule but one is of a single word


def test_rules_need_two_words_and_columns_two_values() -> None:
    values = tag_values([block_of(*WORDS, *WORDS[:2], *WORDS[4:])])
    assert values["LEMMA"] == [rule_text(rule_for(*word[:2])) for word in (WORDS[1], WORDS[0], *WORDS[4:])]
    assert "LEMMA" not in tag_values([block_of(*WORDS[1:2] * 3, WORDS[5])])
    assert list(tag_values([block_of(WORDS[0], WORDS[0])])) == []


@pytest.mark.parametrize("name", ["UPOS", "XPOS"])
def test_a_layout_with_one_column_of_tags(name: str) -> None:
    block = column(name, ["B", "A", "B"])
    assert tag_values([block]) == {name: ["B", "A"]}
    assert tag_numbers([block, block], {name: ["A", "B"]}) == {name: array("i", [1, 0, 1, 1, 0, 1])}
    written = TagWriter({name: ["A", "B"]}).written(block, {name: array("i", [0, 0, 1])})
    assert written.data == column(name, ["A", "A", "B"]).data


def test_a_layout_with_features_or_lemmas_alone() -> None:
    block = column("FEATS", ["aa=1|B=_", "_", "B=1", "B=_"])
    assert tag_values([block]) == {"FEATS:aa": ["_", "1"], "FEATS:B": ["_", "1"]}
    values = {"FEATS:B": ["_", "1"], "FEATS:aa": ["_", "1"]}
    numbers = tag_numbers([block], values)
    assert numbers == {"FEATS:B": array("i", [0, 0, 1, 0]), "FEATS:aa": array("i", [1, 0, 0, 0])}
    numbers["FEATS:B"][0] = 1
    assert TagWriter(values).written(block, numbers).data == column("FEATS", ["aa=1|B=1", "_", "B=1", "_"]).data
    assert tag_numbers([column("FEATS", ["C=2=1"])], {"FEATS:C": ["2=1"]}) == {"FEATS:C": array("i", [0])}
    lemmas = column("LEMMA", ["word", "wor", "word"])
    same = rule_text(rule_for("word", "word"))
    assert tag_numbers([lemmas], {"LEMMA": ["", same]}) == {"LEMMA": array("i", [1, -1, 1])}
    assert tag_values([column("LEMMA", ["word", "wor", "wor", "word"])])["LEMMA"][0] == same
    written = TagWriter({"LEMMA": [ENDING, same]}).written(lemmas, {"LEMMA": array("i", [0, 0, 1])})
    assert written.data == column("LEMMA", ["wor", "wor", "word"]).data


def test_what_is_not_known_is_minus_one() -> None:
    values = {"UPOS": ["VERB", "NOUN"], "FEATS:Case": ["Nom", "Acc"], "FEATS:Number": ["_", "Plur"], "LEMMA": [ENDING]}
    assert tag_numbers([block_of(*WORDS)], values) == {
        "UPOS": array("i", [1, 1, 0, 1, -1, -1]),
        "FEATS:Case": array("i", [-1, 0, -1, -1, -1, -1]),
        "FEATS:Number": array("i", [1, 1, 0, 1, 0, -1]),
        "LEMMA": array("i", [-1, 0, -1, 0, -1, -1]),
    }


def test_columns_that_a_layout_lacks() -> None:
    bare = Block(b"cats\nowl\n\n", Layout("bare", ("FORM",)))
    values = {"UPOS": ["X"], "XPOS": ["Y"], "FEATS:Case": ["Nom", "_"], "FEATS:Number": ["Sing"], "LEMMA": [SAME]}
    missing = array("i", [-1, -1])
    assert tag_numbers([bare], values) == {**dict.fromkeys(values, missing), "FEATS:Case": array("i", [1, 1])}
    assert tag_values([bare]) == {}
    assert TagWriter(values).written(bare, dict.fromkeys(values, array("i", [0, 0]))).data == bare.data


def test_tags_are_written_where_the_words_are() -> None:
    block = Block(block_of(*WORDS[:2], ("B\udcff", "b", "X", "_", "_")).data, CONLLU, "a name", 7)
    values = {"UPOS": ["N\udcfe"], "FEATS:b": ["_", "1"], "FEATS:A": ["\udcfd", "_"], "LEMMA": [ENDING, SAME, LOWERED]}
    tags = {"UPOS": [0, 0, 0], "FEATS:b": [1, 0, 0], "FEATS:A": [0, 1, 0], "LEMMA": [0, 1, 2]}
    writer = TagWriter(values)
    for _ in range(2):  # the second time, from what it remembers
        written = writer.written(block, {name: array("i", numbers) for name, numbers in tags.items()})
        assert (written.source, written.first_line, written.layout) == ("a name", 7, CONLLU)
        rows = (
            ("Dogs", "Dog", "N\udcfe", "NNS", "A=\udcfd|b=1"),
            ("cats", "cats", "N\udcfe", "NNS", "_"),
            ("B\udcff", "b\udcff", "N\udcfe", "_", "A=\udcfd"),
        )
        assert written.data == block_of(*rows).data


def test_a_lemma_without_characters_is_the_form() -> None:
    nothing = rule_text(LemmaRule(0, Affixes(0, "", 4, "", "")))
    written = TagWriter({"LEMMA": [nothing]}).written(block_of(WORDS[1]), {"LEMMA": array("i", [0])})
    assert written.value(0, CONLLU.lemma) == b"cats"


def test_rules_are_read_as_they_are_written() -> None:
    for rule in (LemmaRule(CAPITAL, Affixes(1, "a", 2, "b", "")), LemmaRule(0, Affixes(0, "", 0, "", "whole"))):
        assert rule_from(rule_text(rule)) == rule
    assert rule_text(LemmaRule(CAPITAL, Affixes(1, "a", 3, "b", "c"))) == "2\t1\ta\t3\tb\tc"


def test_what_is_remembered_is_forgotten_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tags_module, "MOST_REMEMBERED", 1)
    block = block_of(*WORDS)
    values = {**tag_values([block]), "LEMMA": [ENDING, SAME, LOWERED]}
    reader, writer = TagReader(values), TagWriter(values)
    numbers = reader.numbers(block)
    assert numbers["FEATS:Number"].tolist() == [0, 0, 1, 0, 1, 2]
    assert numbers["LEMMA"].tolist() == [-1, 0, -1, 0, 2, 1]
    assert max(len(reader._feats), len(reader._rules)) <= 2
    tags = {**numbers, "LEMMA": array("i", [1, 0, 1, 0, 2, 1])}
    lemmas = [writer.written(block, tags).value(word, CONLLU.lemma) for word in range(6)]
    assert lemmas == [b"Dogs", b"cat", b"ate", b"hen", b"a", b"owl"]
    assert len(writer._lemmas) <= 2


def test_right_values_are_counted_by_column() -> None:
    gold = block_of(*WORDS)
    words = [list(word) for word in WORDS]
    words[0][1], words[0][2], words[1][2], words[2][4] = "dogs", "X", "X", "Tense=Past"
    found = right_values([block_of(*map(tuple, words)), gold], [gold, gold])
    assert found == {"LEMMA": 11, "UPOS": 10, "XPOS": 12, "FEATS": 11}
    backwards = column("UPOS", ["A", "B"])
    assert right_values([backwards], [column("UPOS", ["A", "A"])]) == {"UPOS": 1}
    assert right_values([gold], [Block(b"cats\n\n", Layout("bare", ("FORM",)))]) == {}
    assert (column_of("FEATS:Case"), column_of("XPOS")) == ("FEATS", "XPOS")
