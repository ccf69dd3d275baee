"""What UD does not allow in DEPS: found by us, and by its validator where that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.optional import needs
from treewright.treebank.blocks.block import Block

from treewright.apps.cli import main
from treewright.treebank.checks.ud_checks import UDChecks
from treewright.treebank.checks.validation import check_block
from treewright.treebank.formats.conllu import CONLLU

GOOD = """\
# sent_id = a
# text = Ann sees figs and Bob pears
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tsees\tsee\tVERB\t_\tMood=Ind|VerbForm=Fin\t0\troot\t0:root\t_
3\tfigs\tfig\tNOUN\t_\t_\t2\tobj\t2:obj\t_
4\tand\tand\tCCONJ\t_\t_\t5\tcc\t4.2:cc|5:cc\t_
4.1\t_\tthe\tDET\t_\t_\t_\t_\t5:det\t_
4.2\tsees\tsee\tVERB\t_\t_\t_\t_\t2:conj:and\tCopyOf=2
5\tBob\tBob\tPROPN\t_\t_\t2\tconj\t4.2:nsubj|4.2:nsubj:outer\t_
6\tpears\tpear\tNOUN\t_\t_\t5\torphan\t4.2:obj\t_

"""
#: of the official validator → ours
SAME = {
    **dict.fromkeys(("unsorted-deps", "unsorted-deps-2", "repeated-deps"), "deps-order"),
    **dict.fromkeys(("misplaced-empty-node", "empty-node-nonempty-field"), "empty-node"),
    **dict.fromkeys(("enhanced-0-is-not-root", "enhanced-root-is-not-0"), "root-relation"),
    "unknown-eudeprel": "unknown-relation",
    "deps-self-loop": "self-arc",
    "unconnected-egraph": "unreached",
}
DAMAGE = [
    ("4.2:cc|5:cc", "5:cc|4.2:cc", 6, "deps-order"),
    ("4.2:nsubj|4.2:nsubj:outer", "4.2:nsubj:outer|4.2:nsubj", 9, "deps-order"),
    ("4.2:cc|5:cc", "5:cc|5:cc", 6, "deps-order"),
    ("\t2:obj\t", "\t2:object\t", 5, "unknown-relation"),
    ("\t2:obj\t", "\t2:ref\t", 5, None),
    ("0:root", "0:parataxis", 4, "root-relation"),
    ("\t2:obj\t", "\t2:root\t", 5, "root-relation"),
    ("5:det\t", "0:det\t", 7, "root-relation"),
    ("4.1\t_", "4.3\t_", 7, "empty-node"),
    ("_\t_\t5:det", "5\t_\t5:det", 7, "empty-node"),
    ("_\t_\t5:det", "_\tdet\t5:det", 7, "empty-node"),
    ("\t2:obj\t", "\t3:obj\t", 5, "self-arc"),
    ("0:root", "3:ccomp", 3, "unreached"),
]


def ours(text: str) -> list[tuple[int, str]]:
    block = Block(text.encode(), CONLLU, "x")
    return [(problem.line, problem.code) for problem in check_block(block, graphs=True, ud=UDChecks())]


def test_a_good_graph_has_no_problems() -> None:
    assert ours(GOOD) == []
    assert ours(GOOD.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(("old", "new", "line", "code"), DAMAGE)
def test_each_problem_has_its_line(old: str, new: str, line: int, code: str | None) -> None:
    assert GOOD.count(old) == 1
    found = ours(GOOD.replace(old, new))
    assert (line, code) in found if code else not found
    assert {of for _, of in found} <= {code, "unreached"}  # who has no other head is not reached, either


@needs("udtools")
@pytest.mark.parametrize(("old", "new", "line", "code"), [("", "", 0, None), *DAMAGE])
def test_the_validator_of_ud_finds_the_same(tmp_path: Path, old: str, new: str, line: int, code: str | None) -> None:
    from treewright.treebank.checks.official_validation import OfficialValidator

    (tmp_path / "x.conllu").write_text(GOOD.replace(old, new) if old else GOOD, encoding="utf-8")
    report = OfficialValidator(3, None).check(str(tmp_path / "x.conllu"), 5, lambda problem: None)
    assert {SAME[name] for name in report.counts if name in SAME} >= ({code} if code else set())
    if code is None:
        assert not set(report.counts) & set(SAME)


def test_other_kinds_of_graphs_have_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where values are not UD's, DEPS is not checked for them; nor without --graph."""
    path = tmp_path / "x.conllu"
    path.write_text(GOOD.replace("\t2:obj\t", "\t2:object\t"), encoding="utf-8")
    assert main(["validate", str(path)]) == 0
    assert main(["validate", "--graph", str(path)]) == 1
    assert "unknown-relation: 1" in capsys.readouterr().out
    assert main(["validate", "--graph", "--level", "1", str(path)]) == 0
