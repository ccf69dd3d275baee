"""What is wrong with graphs, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.treebank.blocks.block import Block

from treewright.apps.cli import main
from treewright.errors import TreebankError
from treewright.treebank.checks.fixing import apply_policy
from treewright.treebank.checks.validation import check_block
from treewright.treebank.formats.conllu import CONLLU


def text(*deps):
    rows = []
    for number, arcs in enumerate(deps, 1):
        head, relation = ("0", "root") if number == 1 else ("1", "dep")
        rows.append("\t".join([str(number), "w", *"____", head, relation, arcs, "_"]) + "\n")
    return "".join(rows) + "\n"


def block_of(*sentences):
    return Block("".join(sentences).encode(), CONLLU, "x.conllu")


def problems(*sentences):
    return check_block(block_of(*sentences), graphs=True)


def applied(on_error, *sentences):
    block = block_of(*sentences)
    return apply_policy(block, check_block(block, need_tree=False, graphs=True), on_error)


def test_good_graphs_have_no_problems():
    assert (
        problems(
            text("0:root|2:ref", "1:obj"),
            text("_", "_"),
            text("0:root", "1.1:x").replace("2\tw", "1.1\te\t_\t_\t_\t_\t_\t_\t1:conj\t_\n2\tw"),
        )
        == []
    )


@pytest.mark.parametrize(
    ("deps", "code", "severity", "line"),
    [
        (("0:root", "5:obj"), "bad-deps", "error", 5),
        (("0:root", "1:"), "bad-deps", "error", 5),
        (("0:root", "1:obj|2:x"), "self-arc", "error", 5),
        (("0:root", "3:a", "2:b"), "unreached", "warning", 5),
        (("_", "1:a"), "unreached", "warning", 4),
    ],
)
def test_each_problem_has_its_line(deps, code, severity, line):
    (problem,) = problems(text("0:root", "1:obj"), text(*deps))
    assert (problem.code, problem.severity, problem.line, problem.sentence) == (code, severity, line, 1)
    assert str(problem).startswith(f"x.conllu:{line}: ")


def test_the_command_line_looks_at_graphs_when_asked(tmp_path, capsys):
    path = tmp_path / "t.conllu"
    path.write_text(text("0:root", "7:obj"))
    assert main(["validate", str(path)]) == 0
    assert main(["validate", "--graph", str(path)]) == 1
    assert "an arc in DEPS `7:obj` has no head in the sentence" in capsys.readouterr().out


GOOD = text("0:root|2:ref", "1:obj")
EMPTY_NODE = "1.1\te\t_\t_\t_\t_\t_\t_\t{}\t_\n2\tw"
BAD = [
    (("0:root", "9:obj|1:obj"), ("0:root", "1:obj")),
    (("0:root", "1:|1:obj"), ("0:root", "1:obj")),
    (("0:root", "2:x|1:obj|1:obj"), ("0:root", "1:obj")),
    (("0:root", "3.1:x|1:obj"), ("0:root", "1:obj")),
    (("0:root", "9:obj"), ("0:root", "_")),
    (("0:root", ""), ("0:root", "_")),
    (("0:root", "9" * 5000 + ":obj|1:obj"), ("0:root", "1:obj")),
]


@pytest.mark.parametrize(("deps", "fixed"), BAD)
def test_bad_arcs_fail_are_skipped_or_removed(deps, fixed):
    with pytest.raises(TreebankError, match="DEPS"):
        applied("fail", GOOD, text(*deps))
    outcome = applied("skip", GOOD, text(*deps), GOOD)
    assert (outcome.block.data.decode(), outcome.summary()) == (GOOD * 2, "1 sentence left out")
    outcome = applied("fix", GOOD, text(*deps), GOOD)
    assert (outcome.block.data.decode(), outcome.summary()) == (GOOD + text(*fixed) + GOOD, "1 sentence fixed")


@pytest.mark.parametrize("deps", [("1:x", "2:x"), ("5:x", "_")])
def test_a_graph_without_usable_arcs_is_left_out(deps):
    outcome = applied("fix", text(*deps), GOOD)
    assert (outcome.block.data.decode(), outcome.summary()) == (GOOD, "1 sentence left out")
    assert {problem.sentence for problem in outcome.left_out} == {0}


@pytest.mark.parametrize(("node", "kept"), [("2:conj", "_"), ("8:conj", "_"), ("1:conj", "1.1:x"), ("2:a|1:b", "_")])
def test_an_arc_through_an_empty_node_must_lead_to_another_word_of_the_sentence(node, kept):
    sentence = text("0:root", "1.1:x").replace("2\tw", EMPTY_NODE.format(node))
    outcome = applied("fix", sentence)
    assert outcome.block.data.decode() == sentence.replace("\t1.1:x", f"\t{kept}")
    assert outcome.fixed == (kept == "_")


def test_trees_and_graphs_are_fixed_independently():
    both = text("0:root", "2:x|1:obj").replace("\t1\tdep", "\t7\tdep")
    block = block_of(both)
    outcome = apply_policy(block, check_block(block, graphs=True), "fix")
    assert outcome.block.data.decode() == text("0:root", "1:obj")
    assert apply_policy(block, check_block(block), "fix").block.data.decode() == text("0:root", "2:x|1:obj")
    assert apply_policy(block, check_block(block, need_tree=False), "fix").block.data == block.data


@given(st.lists(st.lists(st.sampled_from(["_", "", "0:r", "1:a|1:a", "2:b", "3:c", "4:d|1:e", "x"]), max_size=3)))
def test_after_skip_or_fix_no_error_is_left(forest):
    block = block_of(*(text(*deps) for deps in forest if deps))
    for policy in ("skip", "fix"):
        outcome = apply_policy(block, check_block(block, need_tree=False, graphs=True), policy)
        left = check_block(outcome.block, need_tree=False, graphs=True)
        assert [problem.code for problem in left if problem.severity == "error"] == []
        assert outcome.block.n_sentences == block.n_sentences - outcome.skipped
