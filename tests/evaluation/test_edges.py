"""Evaluation at its edges: nothing to count, files that end early, texts that differ late, large seeds."""

from __future__ import annotations

import pytest
from treewright.evaluation.comparison import FLAGS
from treewright.treebank.blocks.block import Block

import treewright as tw
from treewright.errors import TreewrightError
from treewright.evaluation import bootstrap, compare_systems, evaluate, mcnemar
from treewright.evaluation.attachment import Convention, check_convention
from treewright.evaluation.breakdown import breakdown, sentence_scores
from treewright.evaluation.graph_significance import compare_graph_systems
from treewright.evaluation.graphs import ArcScore, evaluate_graphs
from treewright.evaluation.stretches import name_of
from treewright.treebank.formats.conllu import CONLLU


def text(*sentences: str) -> bytes:
    """Return sentences as CoNLL-U; every word hangs on the first, with the relation a:x."""
    rows = (
        "".join(
            f"{i}\t{form}\t_\tX\t_\t_\t{int(i > 1)}\t{'a:x' if i > 1 else 'root'}\t_\t_\n"
            for i, form in enumerate(sentence.split(), 1)
        )
        for sentence in sentences
    )
    return ("\n".join(rows) + "\n").encode()


def one_by_one(data: bytes, source: str) -> list[Block]:
    """Return a block for each sentence, with the line that it begins at."""
    blocks, line = [], 1
    for part in data.removesuffix(b"\n\n").split(b"\n\n"):
        blocks.append(Block(part + b"\n\n", CONLLU, source, line))
        line += part.count(b"\n") + 2
    return blocks


# Nothing to count


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f1"),
    [
        ((0, 0, 0), 0, 0, 0),
        ((4, 0, 0), 0, 0, 0),
        ((0, 4, 0), 0, 0, 0),
        ((4, 4, 3), 75, 75, 75),
        ((2, 4, 1), 25, 50, pytest.approx(100 / 3)),
    ],
)
def test_scores_of_arcs(counts, precision, recall, f1):
    score = ArcScore(*counts)
    assert (score.precision, score.recall, score.f1) == (precision, recall, f1)


def test_gold_without_graphs_is_named(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_bytes(text("A b"))
    with pytest.raises(TreewrightError, match=r"trees\.conllu.*has no graphs"):
        evaluate_graphs(path, path)


# Statistics


def test_mcnemar_keeps_its_counts_above_a_thousand_words():
    found = mcnemar(700, 500)
    assert (found.only_first, found.only_second) == (700, 500)


@pytest.mark.parametrize("seed", [2**64 + 7, 7 - 2**64])
def test_seeds_count_modulo_two_to_the_64(seed):
    first, second, weights = [1, 3, 0, 2, 5], [0, 3, 1, 2, 1], [4, 5, 3, 2, 9]
    found, plain = (bootstrap(first, second, weights, resamples=50, seed=each) for each in (seed, 7))
    assert (found.low, found.high, found.p_value) == (plain.low, plain.high, plain.p_value)
    assert found.seed == seed


def test_a_comparison_uses_its_seed_and_its_number_of_resamples():
    gold = text("A b c", "D e", "F g h i", "J k")
    first = gold.replace(b"\t1\ta:x", b"\t1\tb", 1)
    second = gold.replace(b"\t1\ta:x\t_\t_\n\n", b"\t1\tc\t_\t_\n\n")
    found = [compare_systems(gold, first, second, resamples=20, seed=seed).bootstrap for seed in range(1, 9)]
    assert {sample.resamples for sample in found} == {20}
    assert [sample.seed for sample in found] == list(range(1, 9))
    assert len({sample.low for sample in found}) > 1


def test_comparisons_say_what_they_count():
    gold = text("A b")
    assert "\n  McNemar (exact binomial): only first" in str(compare_systems(gold, gold, gold, resamples=1))
    graphs = gold.replace(b"root\t_", b"root\t0:root").replace(b"a:x\t_", b"a:x\t1:a")
    for labelled, word in ((True, "labelled"), (False, "unlabelled")):
        shown = str(compare_graph_systems(graphs, graphs, graphs, labelled=labelled, resamples=1))
        assert shown.startswith(f"{word} F1 over 2 gold arcs, 1 sentences\n")
        assert "\n  McNemar over gold arcs (exact binomial): only first" in shown


# Conventions


def test_heads_alone_are_right_for_uas():
    gold, system = text("A b c"), text("A b c").replace(b"a:x", b"y")
    assert Convention("uas", "all", "full").right_flags == FLAGS["head"] != Convention("las", "all", "full").right_flags
    assert compare_systems(gold, system, gold, metric="uas", resamples=1).first_score == 100
    assert compare_systems(gold, system, gold, metric="las", resamples=1).first_score == pytest.approx(100 / 3)


def test_relations_without_subtypes():
    gold = text("A b c")
    system = gold.replace(b"a:x", b"a:y")
    for relation, las in (("full", pytest.approx(100 / 3)), ("universal", 100)):
        assert [score.las for score in sentence_scores(gold, system, relation=relation)] == [las]


def test_an_unknown_choice_is_named_with_what_it_is_a_choice_of():
    for name in ("punctuation", "relation", "average"):
        with pytest.raises(TreewrightError, match=f"unknown {name} 'x'"):
            check_convention(**{name: "x"})
    check_convention()
    with pytest.raises(TreewrightError, match="unknown breakdown 'x'"):
        breakdown(b"", b"", "x")


def test_what_a_source_is_called(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(text("A"))
    assert name_of(path) == name_of(str(path)) == name_of(tw.read(path)) == str(path)
    assert name_of(Block(text("A"), CONLLU, "here")) == "here"
    assert name_of(text("A")) == ""


# Files that do not belong together


def test_trees_with_several_roots_are_compared_word_by_word():
    gold = text("A b").replace(b"\t1\t", b"\t0\t")
    assert compare_systems(gold, gold, gold, resamples=1).first_score == 100


def test_the_file_that_ends_is_named(tmp_path):
    short, long = tmp_path / "short.conllu", tmp_path / "long.conllu"
    short.write_bytes(text("A"))
    long.write_bytes(text("A", "B"))
    for pair in ((short, long), (long, short)):
        with pytest.raises(TreewrightError, match=r"short\.conllu ends, but .*long\.conllu continues at line 3"):
            compare_systems(*pair, pair[0])


def test_a_file_without_sentences_is_named(tmp_path):
    empty, full = tmp_path / "empty.conllu", tmp_path / "full.conllu"
    empty.write_bytes(b"")
    full.write_bytes(text("A"))
    with pytest.raises(TreewrightError, match=r"empty\.conllu ends, but .*full\.conllu continues at line 1"):
        evaluate(empty, full)


def told_of(gold: bytes, system: bytes, cut: bool) -> list[str]:
    """Return the lines of the error; ``cut``: with blocks of one sentence, which are joined to look further."""
    sources = (one_by_one(gold, "gold"), one_by_one(system, "system")) if cut else (gold, system)
    with pytest.raises(TreewrightError, match="texts of the two files differ") as error:
        evaluate(*sources)
    return [line.split(":", 1)[1] for line in str(error.value).splitlines()[1:3]]


@pytest.mark.parametrize("cut", [False, True])
def test_the_place_where_texts_differ_is_told(cut):
    told = told_of(text("A b", "C d", "E f"), text("A b", "C d", "E x"), cut)
    assert [line.partition(">>>")[0].split(":")[0] for line in told] == ["8", "8"]
    assert [line.partition(">>>")[2] for line in told] == [" f", " x"]


@pytest.mark.parametrize("cut", [False, True])
def test_a_text_that_ends_early_ends_at_its_last_sentence(cut):
    assert told_of(text("A b", "C d", "E"), text("A b", "C d", "Ef g"), cut) == ["7: E >>> (end)", "7: >>> Ef g"]


def test_a_text_that_ends_where_the_last_words_differ_ends_too_early():
    longer, shorter = text("A b", "C"), text("Ab")
    assert told_of(longer, shorter, True) == ["4: A b >>> C", "1: Ab >>> (end)"]
    assert told_of(shorter, longer, True) == ["1: Ab >>> (end)", "4: A b >>> C"]


def test_lines_are_counted_from_the_first_one_of_the_file_though_it_is_empty():
    """The second sentence has no border in common, so that it is read again together with the third."""
    gold, system = b"\n" + text("A b", "C d", "E f"), text("A b", "Cd", "E x")
    sources = []
    for data, source in ((gold, "gold"), (system, "system")):
        start = data.rindex(b"1\tE")
        line = 1 + data[:start].count(b"\n")
        sources.append([Block(data[:start], CONLLU, source, 1), Block(data[start:], CONLLU, source, line)])
    with pytest.raises(TreewrightError, match=r"gold:9: .*>>> f\n.*system:7: .*>>> x"):
        evaluate(*sources)


# Blocks


def test_where_blocks_end_changes_no_official_score():
    one, many = text("A b c d e f g h i j k l"), text("A b", "c d", "e f", "g h", "i j", "k l")
    for gold, system in ((one, many), (many, one)):
        whole = evaluate(gold, system).ud
        assert whole["Words"].f1 == 100 > whole["UAS"].f1
        for cut in ((one_by_one(gold, ""), system), (gold, one_by_one(system, ""))):
            assert evaluate(*cut).ud == whole


def test_where_blocks_end_changes_no_comparison():
    gold = text("A b c", "D e", "F g h")
    worse = gold.replace(b"a:x", b"y", 2)
    whole = compare_systems(gold, worse, gold, resamples=9)
    assert (whole.mcnemar.only_first, whole.mcnemar.only_second) == (0, 2)
    assert compare_systems(gold, one_by_one(worse, ""), gold, resamples=9) == whole
