"""What is wrong with graphs, and where."""

import pytest

from treewright.cli import main
from treewright.treebank.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.graph_validation import check_graphs


def text(*deps):
    rows = []
    for number, arcs in enumerate(deps, 1):
        head, relation = ("0", "root") if number == 1 else ("1", "dep")
        rows.append("\t".join([str(number), "w", *"____", head, relation, arcs, "_"]) + "\n")
    return "".join(rows) + "\n"


def problems(*sentences):
    return list(check_graphs(Block("".join(sentences).encode(), CONLLU, "x.conllu")))


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
    assert "DEPS '7:obj' has an arc without a head" in capsys.readouterr().out
