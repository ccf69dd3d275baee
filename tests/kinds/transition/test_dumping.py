"""Instances in the forms of other tools: what every file says, from three instances."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import keys
from treewright.learners.problem import Problem
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

from tests.optional import needs
from treewright.errors import CombinationError, MissingExtraError, TreewrightError
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.kinds.transition import dumping
from treewright.kinds.transition.dumping import FeatureNames, check_dump, dump, form_of
from treewright.systems import make_system
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.formats.parquet import Sink

WORDS = b"1\tIt is\tit\tPRON\t_\tA=1|B=2\t2\tnsubj\t_\t_\n2\tso\tso\tADV\t_\t_\t0\troot\t_\t_\n\n"
BLOCK = Block(WORDS, CONLLU, "two words")
MODEL = parse_model("w(input[0])\nw(stack[0]) & p(input[1])\n", "mine")
TEMPLATES = [str(template) for template in MODEL.templates]
DECISIONS = ["SHIFT", "LEFT:a"]


@pytest.fixture
def names() -> FeatureNames:
    """What the features of three configurations show: those of two words, and those after the last."""
    found = FeatureNames(Extractor(MODEL, ["root"]), [BLOCK])
    found.texts = {11: "it", 12: "-&ADV", 13: "so"}
    found.templates = {11: TEMPLATES[0], 12: TEMPLATES[1], 13: TEMPLATES[0]}
    return found


@pytest.fixture
def problem() -> Problem:
    made = Problem(2)
    for row, decision in (([11, 12], 0), ([13, 12], 1), ([99, 12], 0)):
        made.add_instance(row, decision)
    return made


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.libsvm", "libsvm"),
        ("a.svm", "libsvm"),
        ("a.parquet", "parquet"),
        ("a.timbl", "timbl"),
        ("a.tsv", "timbl"),
        ("a.tsv.gz", "timbl"),
        ("a.svm.bz2", "libsvm"),
        ("a.timbl.xz", "timbl"),
        ("a.timbl.zst", "timbl"),
    ],
)
def test_the_ending_of_a_name_says_the_form(name: str, form: str) -> None:
    assert form_of(name) == form_of(Path("folder") / name) == form


def test_another_ending_is_refused() -> None:
    with pytest.raises(CombinationError, match=r"cannot go to folder/a\.csv: .*\.libsvm, \.svm, \.parquet, \.timbl"):
        form_of(Path("folder/a.csv"))


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    malt, rich = load_feature_model("malt"), load_feature_model("rich")
    check_dump(tmp_path / "a.timbl", malt)
    check_dump(tmp_path / "a.libsvm", rich)
    with pytest.raises(CombinationError, match=r"^timbl has a fixed number of columns, and the feature model rich"):
        check_dump(tmp_path / "a.timbl", rich)
    with pytest.raises(TreewrightError, match="does not exist"):
        check_dump(tmp_path / "missing" / "a.timbl", malt)


def test_a_table_needs_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check_dump(tmp_path / "a.timbl", MODEL)
    with pytest.raises(MissingExtraError, match=r"a Parquet file needs pyarrow.*treewright\[parquet\]"):
        check_dump(tmp_path / "a.parquet", MODEL)


@pytest.mark.parametrize("at_once", [1, 2, 20_000])
def test_rows_of_text(
    tmp_path: Path, problem: Problem, names: FeatureNames, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dumping, "AT_ONCE", at_once)
    dump(tmp_path / "a.timbl.gz", problem, MODEL.templates, names, DECISIONS)
    rows = gzip.decompress((tmp_path / "a.timbl.gz").read_bytes()).decode().splitlines()
    assert rows == ["it\t-&ADV\tSHIFT", "so\t-&ADV\tLEFT:a", "?\t-&ADV\tSHIFT"]


def test_rows_of_numbers_and_a_file_of_names(tmp_path: Path, problem: Problem, names: FeatureNames) -> None:
    dump(tmp_path / "a.svm", problem, MODEL.templates, names, DECISIONS)
    assert (tmp_path / "a.svm").read_text() == "0 1:1 2:1\n1 2:1 3:1\n0 2:1 4:1\n"
    assert (tmp_path / "a.svm.names").read_text().splitlines() == [
        "decision\t0\tSHIFT",
        "decision\t1\tLEFT:a",
        f"feature\t1\tit\t{TEMPLATES[0]}",
        f"feature\t2\t-&ADV\t{TEMPLATES[1]}",
        f"feature\t3\tso\t{TEMPLATES[0]}",
        "feature\t4\t?\t?",
    ]


@needs("pyarrow")
def test_a_table_with_a_column_for_every_template(tmp_path: Path, problem: Problem, names: FeatureNames) -> None:
    import pyarrow.parquet

    path = tmp_path / "a.parquet"
    check_dump(path, MODEL)
    dump(path, problem, MODEL.templates, names, DECISIONS)
    table = pyarrow.parquet.read_table(path)
    assert table.column_names == [*TEMPLATES, "decision"]
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("it", "-&ADV", "SHIFT"),
        ("so", "-&ADV", "LEFT:a"),
        ("?", "-&ADV", "SHIFT"),
    ]


def test_what_is_written_is_taken_once() -> None:
    sink = Sink()
    assert (sink.writable(), sink.tell()) == (True, 0)
    assert (sink.write(b"abc"), sink.write(memoryview(b"de"))) == (3, 2)
    assert (sink.tell(), sink.taken(), sink.taken()) == (5, b"abcde", b"")


def test_a_problem_without_instances_has_no_features(names: FeatureNames) -> None:
    assert names.in_order(Problem(1)) == names.templates_in_order(Problem(1)) == [""]


def test_a_feature_is_called_what_its_template_showed_first() -> None:
    model = parse_model("w(input[0])\nw(stack[0]) & p(input[1])\neach(feats(input[0]))\n", "mine")
    extractor = Extractor(model, ["root"])
    empty = Block(b"", CONLLU, "no words")
    names = FeatureNames(extractor, [BLOCK, empty, Block(WORDS * 2, CONLLU, "twice")])
    assert [number for _, number in names.places] == [0, 0, 1]
    parse = Parse(make_system("arc-eager", root="last"), 2)
    names(parse, 2)
    word, pair, feats = keys(extractor, parse, BLOCK, 0)
    assert names.texts == {word[0]: "It_is", pair[0]: "-&ADV", feats[0]: "A=1|B=2/1", feats[1]: "A=1|B=2/2"}
    assert [names.templates[key] for key in (word[0], pair[0], *feats)] == [
        "w(input[0])",
        "w(stack[0]) & p(input[1])",
        *["each(feats(input[0]))"] * 2,
    ]
