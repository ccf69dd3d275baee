"""What parsers share around their search: texts of trees, blocks, limits, certificates, cards."""

from __future__ import annotations

import re
from array import array
from types import SimpleNamespace

import pytest
from treewright.treebank.blocks.block import Block

from tests.toy import toy_parser
from treewright.errors import TreewrightError
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.kinds.transition.engines.beam_partition import aspects, partition
from treewright.steps import blocks, sentence_limit
from treewright.steps.best_trees import BestTree, k_best_text, with_comments
from treewright.steps.blocks import block_of, gathered, missing_columns
from treewright.steps.certificate import Certificate
from treewright.steps.documents import with_contexts
from treewright.steps.model_card import card_of
from treewright.steps.parser import Trees, empty_trees, one_sentence
from treewright.steps.sentence_limit import check_sentences
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.writing import Changed
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence

TEXT = b"# a = 1\n1\tA\t_\tX\t_\t_\t_\t_\t_\t_\n2\tB\t_\tX\t_\t_\t_\t_\t_\tM=1\n\n1\tC\t_\tX\t_\t_\t_\t_\t_\t_\n\n"
RELATIONS = ["root", "obj"]


def made() -> Block:
    return Block(TEXT, CONLLU, "a file", 11)


# Trees as text


def test_heads_relations_and_confidences_are_written_and_all_else_stays():
    trees = Trees(made(), array("i", [0, 1, 0]), array("i", [0, 2, 0]), array("f", [1, 0.25, 0.5]), ("new",))
    assert trees.text(RELATIONS) == (
        b"# a = 1\n1\tA\t_\tX\t_\t_\t0\troot\t_\tConfidence=1.000\n"
        b"2\tB\t_\tX\t_\t_\t1\tnew\t_\tM=1|Confidence=0.250\n\n"
        b"1\tC\t_\tX\t_\t_\t0\troot\t_\tConfidence=0.500\n\n"
    )
    assert b"Confidence" not in trees._replace(confidences=None).text(RELATIONS)


def test_a_given_relation_that_is_not_text_is_written_as_it_was():
    trees = Trees(made(), array("i", [0, 1, 0]), array("i", [0, 2, 0]), None, ("a\udcff",))
    assert b"\t1\ta\xff\t" in trees.text(RELATIONS)


def test_room_for_trees():
    trees = empty_trees(made(), True)
    assert (list(trees.heads), list(trees.labels), list(trees.confidences or ())) == ([0] * 3, [0] * 3, [0.0] * 3)
    assert empty_trees(made(), False).confidences is None


def test_one_sentence_keeps_its_source_and_line():
    alone = one_sentence(made(), 1)
    assert (alone.n_sentences, alone.n_words, alone.source) == (1, 1, "a file")
    assert alone.line_of_word(0) == made().line_of_word(2) == 15


def test_the_best_trees_of_a_sentence_follow_each_other_with_rank_score_and_probability():
    trees = [
        BestTree(array("i", [0, 1]), array("i", [0, 1]), 2.5, 0.75),
        BestTree(array("i", [2, 0]), array("i", [1, 0]), -1.00004, None),
    ]
    rows = "1\tA\t_\tX\t_\t_\t{}\t{}\t_\t_\n2\tB\t_\tX\t_\t_\t{}\t{}\t_\tM=1\n\n"
    assert k_best_text(made(), 0, trees, RELATIONS).decode() == (
        "# a = 1\n# k_best = 1\n# score = 2.5000\n# probability = 0.7500\n" + rows.format(0, "root", 1, "obj") +
        "# a = 1\n# k_best = 2\n# score = -1.0000\n" + rows.format(2, "obj", 0, "root")
    )  # fmt: skip


def test_a_sentence_without_trees_is_written_as_it_is():
    assert k_best_text(made(), 1, [], RELATIONS) == b"1\tC\t_\tX\t_\t_\t_\t_\t_\t_\n\n"


def test_comments_go_behind_those_of_the_sentence():
    assert with_comments(b"# a\n#b\n1\tx\n# no comment\n", b"# new\n") == b"# a\n#b\n# new\n1\tx\n# no comment\n"
    assert with_comments(b"1\tx\n", b"# new\n") == b"# new\n1\tx\n"


# Blocks


def test_a_sentence_is_a_sentence_a_text_or_a_list_of_words():
    sentence = Sentence.from_words(["A", "b"])
    texts = {block_of(form).data for form in (sentence, sentence.to_conllu(), ["A", "b"], ("A", "b"))}
    assert texts == {sentence.to_conllu().encode()}
    assert block_of(["A"]).source == "text"


@pytest.mark.parametrize(("size", "sizes"), [(0, [1, 1, 1, 1]), (1, [2, 2]), (2, [3, 1]), (4, [4])])
def test_sentences_are_gathered_into_blocks_above_a_size(monkeypatch, size, sizes):
    """A block ends with the sentence that takes it above the limit."""
    sentence = Sentence.from_words(["A"])
    monkeypatch.setattr(blocks, "BLOCK_BYTES", size * len(sentence.to_conllu()))
    found = list(gathered([sentence] * 4))
    assert [block.n_sentences for block in found] == sizes
    assert b"".join(block.data for block in found) == sentence.to_conllu().encode() * 4
    assert {block.source for block in found} == {"sentences"}
    assert list(gathered([])) == []


def test_columns_that_are_missing():
    rows = {"upos": "N\t_", "xpos": "_\tNN", "none": "_\t_"}
    made = {key: Block(f"1\tw\t_\t{tags}\t_\t0\troot\t_\t_\n\n".encode(), CONLLU, "x") for key, tags in rows.items()}
    asked = ["FORM", "UPOS", "XPOS", "LEMMA"]
    assert missing_columns(made["upos"], asked) == ["XPOS", "LEMMA"]
    assert missing_columns(made["xpos"], asked) == ["LEMMA"]  # XPOS may stand in for UPOS
    assert missing_columns(made["none"], asked) == ["UPOS", "XPOS", "LEMMA"]
    assert missing_columns(made["upos"], ["NOTHING"]) == ["NOTHING"]
    (tab,) = read_blocks(b"A\tX\n\n", "malt-tab")
    assert missing_columns(tab, asked) == ["XPOS", "LEMMA"]


def test_formats_without_trees_become_conllu(tmp_path):
    path = tmp_path / "two-columns.tab"
    path.write_text("A\tX\nb\tY\n\n")
    (block,) = read_blocks(path, "malt-tab")
    assert Changed(block, b"").layout is CONLLU
    (tree,) = read_blocks(b"A\tX\t0\troot\n\n", "malt-tab")
    assert Changed(tree, b"").layout is tree.layout
    assert tree.layout is not CONLLU
    parsed = blocks.with_columns(block)
    assert (parsed.n_words, parsed.layout, parsed.source, parsed.first_line) == (2, CONLLU, block.source, 1)
    later = Block(block.data, block.layout, block.source, 41)
    assert blocks.with_columns(later).first_line == 41
    assert blocks.with_columns(tree) is tree


# Limits of parsers that compare all pairs of words


@pytest.mark.parametrize(("words", "allowed"), [(1, True), (2, True), (3, False)])
def test_the_longest_sentence_that_is_allowed(words, allowed):
    rows = "".join(f"{i}\tw\t_\tX\t_\t_\t_\t_\t_\t_\n" for i in range(1, words + 1))
    block = Block(f"1\tw\t_\tX\t_\t_\t_\t_\t_\t_\n\n# sent_id = long\n{rows}\n".encode(), CONLLU, "a file", 5)
    if allowed:
        check_sentences(block, 2)
        return
    with pytest.raises(TreewrightError, match=r"a sentence of 3 words.*up to 2 words") as error:
        check_sentences(block, 2)
    assert (error.value.source, error.value.line, error.value.sent_id) == ("a file", block.line_of(1), "long")


def test_limits_are_set_by_memory():
    assert (sentence_limit.MOST_WORDS, sentence_limit.MOST_WITH_GRANDPARENTS) == (5000, 2000)


# Certificates and cards


def test_a_gap_is_what_another_tree_could_gain():
    def certificate(score, objective):
        return Certificate(score, objective, False, False, "bounds", 6, 5, 4, 3, 2)

    assert certificate(1.0, 3.5).gap == 2.5
    assert certificate(3.5, 3.5).gap == 0
    assert certificate(3.5, 3.4).gap == 0  # rounding
    shown = certificate(1.0, 3.5)._repr_html_()
    cells = re.findall(r">([^<>]+)<", shown)
    assert cells[0] == "Certificate"
    assert cells[1:10:2] == ["optimal", "by", "score", "bound", "gap"]
    assert cells[11::2] == ["parts", "scored", "added", "iterations", "programmes"]
    assert [cells[4], cells[10], *cells[12::2]] == ["bounds", "2.50", "6", "5", "4", "3", "2"]


def test_a_card_shows_what_is_known_of_a_model():
    parser = toy_parser()
    assert "arc-eager" in card_of(parser)
    assert "licence" not in card_of(parser)
    info = {"recipe": {"system": "arc-x"}, "licence": "CC", "treebank": "", "dev": {"name": "d", "las": 8.5, "by": {}}}
    made = SimpleNamespace(
        info=info,
        _details=lambda: {"steps": ["tagger", "parser"]},
        origin=SimpleNamespace(path="/m.tw"),
        relations=["a", "b", "c"],
        capabilities={"trees", "beam"},
    )
    shown = card_of(made)  # type: ignore[arg-type]
    for text in ("/m.tw", "tagger, parser", "arc-x", "CC", "dev name", "dev las", "8.5", "beam, trees", ">3<"):
        assert text in shown
    assert "dev by" not in shown
    assert ">treebank<" not in shown


# What beams remember: parts of a feature model


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("w(stack[0])", set()),
        ("p(input[2])", set()),
        ("w(stack[1])", {("stack", 1)}),
        ("l(stack[0])", {("stack", 0)}),
        ("w(ld(stack[0]))", {("stack", 0)}),
        ("w(h(h(input[0])))", {("input", 0)}),
        ("valency(left, input[0])", {("input", 0)}),
        ("distance(stack[0], input[0])", set()),
        ("distance(stack[1], input[0])", {("stack", 1)}),
        ("exists(stack[0])", set()),
    ],
)
def test_what_a_feature_looks_at(function, expected):
    (template,) = parse_model(function, "x").templates
    assert aspects(template.functions[0]) == expected


@pytest.mark.parametrize("name", ["malt", "zhang-nivre", "lean", "rich"])
def test_the_parts_of_a_feature_model_are_four_and_all_of_it(name):
    templates = load_feature_model(name).templates
    parts = partition(templates)
    assert len(parts) == 4
    assert sorted(map(str, templates)) == sorted(str(template) for part in parts for template in part)
    looks = [{frozenset(a for f in t.functions for a in aspects(f)) for t in part} for part in parts]
    assert looks[0] <= {frozenset()}
    assert all(len(part) <= 1 for part in looks[1:3])
    assert not (looks[3] & (looks[0] | looks[1] | looks[2]))


def test_words_with_most_templates_get_a_part_of_their_own():
    """Of words with as many templates, the one nearer to the top; what looks at two words is left to the last part."""
    text = "w(stack[2])\nw(stack[3])\np(stack[3])\nw(stack[1])\nw(stack[0])\nw(stack[1]) & w(stack[3])"
    parts = partition(parse_model(text, "x").templates)
    assert [[str(template) for template in part] for part in parts] == [
        ["w(stack[0])"],
        ["w(stack[3])", "p(stack[3])"],
        ["w(stack[1])"],
        ["w(stack[2])", "w(stack[1]) & w(stack[3])"],
    ]
    assert partition(()) == [[], [], [], []]


# Texts from a table


def test_a_table_is_told_by_its_columns_whatever_it_calls_them():
    batch = SimpleNamespace(to_pylist=lambda: [{"text": TEXT, "id": 7}])
    table = SimpleNamespace(column_names=["id", "text"], to_batches=lambda max_chunksize: [batch])
    [(text, row)] = with_contexts(table, False, None)
    assert (text, row["id"]) == (TEXT, 7)
