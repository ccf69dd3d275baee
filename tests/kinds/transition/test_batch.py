"""Training with learners that learn from all instances at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from treewright.features.extractor import Extractor
from treewright.features.inspection import extracted, keys
from treewright.systems.system import Parse

import treewright
from tests.optional import needs
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError
from treewright.features.bundled import load_feature_model
from treewright.features.program import in_key_order
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks

pytestmark = needs("liblinear", "libsvm", "sklearn")


def trained(**choices: Any) -> Parser:
    return treewright.train(TRAIN, DEV, **{"features": "malt", **choices})


def parsed(parser: Parser, path: Path) -> bytes:
    parser.parse_file(TEST, path)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("liblinear", ""),
        ("liblinear", "-s 0 -B 1"),
        ("libsvm", "-t 2 -g 0.1 -c 5"),
        ("timbl", "-k 3 -m O -w 1 -d Z"),
    ],
)
def test_learners_learn_and_survive_a_file(learner: str, options: str, tmp_path: Path) -> None:
    if learner == "timbl":
        pytest.importorskip("timblapi")
    parser = treewright.train(
        TRAIN if learner == "liblinear" else DEV,
        TEST,
        features="malt",
        learner=learner,
        learner_options=options,
        calibration="none",
    )
    assert parser.info["dev"]["las"] > (90 if learner == "liblinear" else 70)
    parser.save(tmp_path / "model.tw")
    again = treewright.load(str(tmp_path / "model.tw"))
    assert parsed(parser, tmp_path / "one") == parsed(again, tmp_path / "two")
    again.save(tmp_path / "again.tw")
    assert (tmp_path / "again.tw").read_bytes() == (tmp_path / "model.tw").read_bytes()


def test_splitting_by_a_feature(tmp_path: Path) -> None:
    choices = {"learner": "libsvm", "split_on": "p(input[0])", "split_threshold": 100}
    parser = trained(**choices)
    assert parser.info["dev"]["las"] > 90
    parser.save(tmp_path / "model.tw")
    parts = parser.weights.machine.texts
    assert len(parts) > 2
    again = treewright.load(str(tmp_path / "model.tw"))
    assert parsed(parser, tmp_path / "one") == parsed(again, tmp_path / "two")
    with pytest.raises(CombinationError, match=r"not a template of the feature model malt.*p\(input\[0\]\)"):
        trained(**{**choices, "split_on": "w(stack[3])"})
    with pytest.raises(CombinationError, match="does not split"):
        trained(learner="liblinear", split_on="p(input[0])")


def test_linear_classifiers_of_scikit_learn_are_tables(tmp_path: Path) -> None:
    from sklearn.linear_model import SGDClassifier

    estimator = SGDClassifier(loss="hinge", max_iter=20, random_state=1)
    parser = trained(learner=estimator)
    assert not hasattr(estimator, "coef_")  # a clone was fitted
    assert parser.info["dev"]["las"] > 90
    assert "SGDClassifier" in parser.info["recipe"]["learner_options"]
    parser.save(tmp_path / "model.tw")
    assert parsed(parser, tmp_path / "one") == parsed(treewright.load(str(tmp_path / "model.tw")), tmp_path / "two")


class PartialOnly:
    """Has partial_fit and predict_proba, and nothing else."""

    def __init__(self) -> None:
        from sklearn.naive_bayes import MultinomialNB

        self._model = MultinomialNB(alpha=0.01)

    def partial_fit(self, x: Any, y: Any, classes: Any) -> PartialOnly:
        self._model.partial_fit(x, y, classes)
        self.classes_ = self._model.classes_
        return self

    def predict_proba(self, x: Any) -> Any:
        return self._model.predict_proba(x)


def test_other_classifiers_parse_and_cannot_be_saved(tmp_path: Path) -> None:
    parser = treewright.train(DEV, features="malt", learner=PartialOnly())
    parser.parse_file(TEST, tmp_path / "out")
    assert treewright.evaluate(TEST, str(tmp_path / "out")).las > 60
    with pytest.raises(CombinationError, match=r"PartialOnly cannot be saved.*pickle"):
        parser.save(tmp_path / "model.tw")
    assert not (tmp_path / "model.tw").exists()


class Failing(PartialOnly):
    def predict_proba(self, x: Any) -> Any:
        raise RuntimeError("out of order")


def test_what_goes_wrong_in_a_classifier_is_raised(tmp_path: Path) -> None:
    parser = treewright.train(DEV, features="malt", learner=Failing())
    with pytest.raises(RuntimeError, match="out of order"):
        parser.parse_file(TEST, tmp_path / "out")
    with pytest.raises(CombinationError, match="lacks fit or partial_fit"):
        treewright.train(DEV, features="malt", learner=object())


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"learner": "nobody"}, "unknown learner 'nobody'.*Choose from perceptron, liblinear, libsvm, timbl"),
        ({"learner": "liblinear", "decision": "split"}, "choose decision joint"),
        ({"learner": "liblinear", "policy": "explore"}, "the policy dagger"),
        ({"learner": "liblinear", "policy": "ambiguity"}, "the policy dagger"),
        ({"learner": "perceptron", "policy": "dagger"}, "the policy explore"),
        ({"learner": "perceptron", "learner_options": "-c 1"}, "--learner"),
        ({"learner": "perceptron", "split_on": "p(input[0])"}, "--learner"),
        ({"learner": "perceptron", "dump_instances": "x.timbl"}, "--learner"),
        ({"learner": "liblinear", "dump_instances": "x.csv"}, ".parquet"),
        ({"learner": "liblinear", "features": "rich", "dump_instances": "x.timbl"}, ".libsvm"),
        ({"learner": "timbl", "features": "rich"}, "--features malt"),
        ({"learner": "sklearn"}, "from Python"),
        ({"learner": "libsvm", "split_threshold": 0}, "must be at least 1"),
        ({"learner": "liblinear", "policy": "dagger", "dagger_rounds": 0}, "1 to 100"),
        ({"calibration": "magic"}, "temperature"),
    ],
)
def test_combinations_without_sense_are_refused(choices: dict[str, Any], reason: str) -> None:
    with pytest.raises(CombinationError, match=reason.replace("(", r"\(")):
        treewright.train(DEV, **{"features": "malt", **choices})


def test_a_batch_learner_cannot_go_on_from_a_model() -> None:
    base = treewright.train(DEV, features="malt", iterations=1)
    with pytest.raises(CombinationError, match="--init-from"):
        treewright.train(DEV, features="malt", learner="liblinear", init_from=base)
    batch = treewright.train(DEV, features="malt", learner="libsvm")
    with pytest.raises(CombinationError, match="linear model"):
        treewright.train(DEV, features="malt", init_from=batch)


def test_dagger_visits_what_the_model_visits() -> None:
    static = treewright.train(DEV, TEST, features="malt", learner="liblinear")
    dagger = treewright.train(DEV, TEST, features="malt", learner="liblinear", policy="dagger", dagger_rounds=2)
    assert dagger.info["recipe"]["policy"] == "dagger"
    assert dagger.info["training"]["rounds"] == 3
    assert dagger.info["dev"]["las"] >= static.info["dev"]["las"]  # the best round is kept; the first is static's


def dumped(path: Path, **choices: Any) -> Path:
    treewright.train(DEV, features="malt", learner="liblinear", dump_instances=path, **choices)
    return path


def test_instances_in_three_forms(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    timbl = [line.split("\t") for line in dumped(tmp_path / "a.timbl").read_text("utf-8").splitlines()]
    table = pyarrow.parquet.read_table(dumped(tmp_path / "a.parquet"))
    libsvm = dumped(tmp_path / "a.libsvm").read_text("utf-8").splitlines()
    names = [line.split("\t") for line in (tmp_path / "a.libsvm.names").read_text("utf-8").splitlines()]
    templates = [str(template) for template in in_key_order(load_feature_model("malt"))]
    assert table.column_names == [*templates, "decision"]
    assert [list(row.values()) for row in table.to_pylist()] == timbl
    decisions = {number: name for what, number, name, *_ in names if what == "decision"}
    features = {number: text for what, number, text, *_ in names if what == "feature"}
    template_of = {number: template for what, number, *_, template in names if what == "feature"}
    assert len(libsvm) == len(timbl) > 1000
    for sparse, symbolic in zip(libsvm, timbl, strict=True):
        decision, *found = sparse.split(" ")
        assert decisions[decision] == symbolic[-1]
        assert sorted(features[one.removesuffix(":1")] for one in found) == sorted(symbolic[:-1])
        by_template = {template_of[one.removesuffix(":1")]: features[one.removesuffix(":1")] for one in found}
        assert by_template == dict(zip(templates, symbolic[:-1], strict=True))
    assert timbl[0][-1] == "SHIFT"
    assert {"LEFT:nsubj", "REDUCE"} <= {row[-1] for row in timbl}


def test_the_order_of_keys_is_that_of_the_templates() -> None:
    model = load_feature_model("malt")
    block = next(iter(read_blocks(DEV)))
    extractor = Extractor(model, ["root"])
    from treewright.systems import make_system

    parse = Parse(make_system("arc-eager"), len(block.words_of(0))).apply("SHIFT")
    one_by_one = dict(zip(map(str, model.templates), keys(extractor, parse, block, 0), strict=True))
    together, _ = extracted(extractor, parse, block, 0)
    assert together == [one_by_one[str(template)][0] for template in in_key_order(model)]
