"""Selection of templates: costs, changes, and choices that can be predicted because the outcomes are made up."""

import pytest

from treewright.apps.tuning.bench import TrialOutcome
from treewright.apps.tuning.candidates import Change, additions, pool, removals, start
from treewright.apps.tuning.cost import nanoseconds, work_of
from treewright.apps.tuning.selection import TemplateSelection, gain_of
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model

WORDS = (10,) * 100


class MadeUp:
    """A bench where every template brings a known number of right words a sentence, whatever else the model has."""

    name, feats_per_word, seconds, trials = "made up", 1.5, 0.0, 0

    def __init__(self, worth):
        self.worth, self.asked = worth, []

    def outcome(self, options):
        model = parse_model(options["features"], "asked")
        self.asked.append((options["features"], options["seed"]))
        right = 3 + sum(self.worth.get(str(template), 0) for template in model.templates)
        return TrialOutcome(tuple(min(10, right + number % 2) for number in range(len(WORDS))), WORDS, 0.1)


BASE = parse_model("[split]\n[moves]\np(stack[0]) & p(input[0])\n", "base")


def test_growing_takes_what_helps_and_nothing_else():
    bench = MadeUp({"w(stack[0])": 2, "w(input[0])": 1})
    steps = list(TemplateSelection([bench], {}).grow(BASE, ["w(stack[0])", "w(input[0])", "w(input[1])"], limit=1e9))
    assert [step.change.template for step in steps] == ["w(stack[0])", "w(input[0])"]
    assert steps[-1].las == pytest.approx(65)
    assert all(step.gain.is_sure for step in steps)
    assert "w(input[1])" not in str(steps[-1].model)


def test_growing_prefers_the_cheaper_parts():
    """The made-up worth is the same for moves, labels and both: moves alone cost least, as they need no row."""
    steps = list(TemplateSelection([MadeUp({"w(stack[0])": 2})], {}).grow(BASE, ["w(stack[0])"], limit=1e9))
    assert [step.change.parts for step in steps] == [("moves",)]


def test_growing_stays_below_the_limit():
    bench = MadeUp({"w(stack[0])": 2, "w(input[0])": 1})
    limit = nanoseconds(BASE, 1.5)
    assert list(TemplateSelection([bench], {}).grow(BASE, ["w(stack[0])"], limit=limit)) == []


def test_shrinking_takes_out_what_brings_nothing():
    model = parse_model("[split]\n[moves]\np(stack[0]) & p(input[0])\nw(stack[0])\nw(input[0])\n", "model")
    bench = MadeUp({"p(stack[0]) & p(input[0])": 2, "w(stack[0])": 2})
    steps = list(TemplateSelection([bench], {}).shrink(model, price=0.001))
    assert [step.change for step in steps] == [Change("w(input[0])", ())]


def test_the_race_asks_the_second_treebank_about_the_better_half_only():
    first, second = MadeUp({"w(stack[0])": 2}), MadeUp({"w(stack[0])": 2})
    selection = TemplateSelection([first, second], {}, seeds=(1,))
    changes = [Change(text, ("moves",)) for text in ("w(stack[0])", "w(input[0])", "w(input[1])", "w(input[2])")]
    assert [waiting.change for waiting in selection.sweep(BASE, changes)] == changes[:1]
    asked = "".join(text for text, _ in second.asked)
    assert "w(stack[0])" in asked
    assert "w(input[2])" not in asked


def test_a_treebank_weighs_the_same_whatever_its_size():
    small, large = TrialOutcome((1, 1), (2, 2), 0), TrialOutcome((100,) * 50, (200,) * 50, 0)
    better = TrialOutcome((2, 2), (2, 2), 0)
    assert gain_of([better, large], [small, large]).las == pytest.approx(25)
    assert gain_of([small, large], [small, large]).las == 0
    assert not gain_of([small, large], [small, large]).is_sure


def test_costs_grow_with_templates_and_fall_with_split_decisions():
    lean, rich = load_feature_model("lean"), load_feature_model("rich")
    assert nanoseconds(lean) < nanoseconds(rich) / 2
    both = "p(stack[0])\nw(input[0])\n"
    assert work_of(parse_model("[split]\n" + both)).rows < work_of(parse_model(both)).rows
    each = parse_model("each(feats(stack[0])) & each(feats(input[0]))\np(stack[0])\n")
    assert work_of(each, 3.0).keys > work_of(each, 1.0).keys


def test_changes_apply_and_revert():
    model = start()
    for change in additions(model, ["w(input[2])"]):
        assert str(Change("w(input[2])", ()).applied(change.applied(model))) == str(model)
    only = parse_model("[moves]\np(stack[0])\n", "only")
    assert list(removals(only)) == [], "a model must decide the kind of move"
    assert not Change("p(stack[0])", ("moves",)).is_possible(only)


@pytest.mark.parametrize("system", ["arc-eager", "arc-standard", "arc-hybrid", "easy-first"])
def test_the_pool_parses_for_every_system(system):
    templates = pool(system)
    assert len(templates) == len(set(templates)) > 100
    assert len(parse_model("\n".join(templates), "pool").templates) == len(templates)
