"""Elimination: a parser without a template parses as one whose weights for it are gone."""

from pathlib import Path

import pytest

from tests.outside import module_at
from treewright.apps.tuning.bench import Bench
from treewright.features.language import parse_model
from treewright.training.gathering import gather

ELIMINATION = module_at("benchmarks/elimination.py")
Ablation, eliminate = ELIMINATION.Ablation, ELIMINATION.eliminate

TOY = Path(__file__).parents[3] / "examples" / "toy"
OPTIONS = {"iterations": 2, "prune": False, "calibration": "none"}
MODEL = """\
[split]
[moves labels]
p(stack[0]) & p(input[0])
w(stack[0]) & p(input[0])
w(input[1])
[moves]
p(stack[1]) & p(stack[0]) & p(input[0]) & p(input[1])
x(stack[1])
"""


@pytest.fixture(scope="module")
def bench():
    return Bench("toy", gather(str(TOY / "train.conllu")), gather(str(TOY / "dev.conllu")))


def test_nothing_taken_out_is_the_parser_itself(bench):
    options = {**OPTIONS, "features": MODEL}
    ablation = Ablation(bench.parser(options), bench.dev.blocks)
    assert ablation.las(parse_model(MODEL)) == pytest.approx(bench.outcome(options).las)


def test_a_template_is_missed_by_what_it_brings(bench):
    ablation = Ablation(bench.parser({**OPTIONS, "features": MODEL}), bench.dev.blocks)
    full = ablation.las(parse_model(MODEL))
    needed = ablation.las(parse_model(MODEL.replace("p(stack[0]) & p(input[0])\n", "", 1)))
    empty = ablation.las(parse_model(MODEL.replace("x(stack[1])\n", "")))  # the toy treebank has no XPOS
    assert needed < full - 5
    assert abs(empty - full) < 5


def test_models_become_smaller_and_cheaper(bench):
    stages = list(eliminate(parse_model(MODEL, "all"), [bench], OPTIONS, share=0.4, least=2))
    costs = [stage.nanoseconds for stage in stages]
    assert len(stages) >= 3
    assert costs == sorted(costs, reverse=True)
    assert "p(stack[0])" in str(stages[-1].model)
    assert len(stages[-1].model.templates) <= 2
