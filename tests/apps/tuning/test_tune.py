"""Tuning on the toy treebank: trials that are remembered, a budget, Ctrl-C, and a file that train reads."""

from pathlib import Path

import pytest

from treewright.apps.cli import main
from treewright.apps.experiments.store import Store
from treewright.apps.tuning.bench import Bench, TrialOutcome
from treewright.apps.tuning.tuner import Tuner, TuningObserver
from treewright.errors import CombinationError
from treewright.recipes.toml_file import read_config
from treewright.training.gathering import gather

TOY = Path(__file__).parents[3] / "examples" / "toy"
WORDS = (10,) * 60


@pytest.fixture(scope="module")
def toy():
    return gather(str(TOY / "train.conllu")), gather(str(TOY / "dev.conllu"))


class MadeUpBench(Bench):
    """A bench that trains nothing: ``worth`` says how many words of a sentence are right."""

    def __init__(self, toy, worth):
        super().__init__("made up", *toy)
        self.worth = worth

    def _tried(self, trial):
        if self.guard is not None:
            self.guard()
        self.trials += 1
        return TrialOutcome(tuple(min(10, self.worth(trial.options) + n % 2) for n in range(60)), WORDS, 0.0)


def test_a_trial_is_remembered(toy, tmp_path):
    store = Store(tmp_path)
    store.create()
    options = {"iterations": 1, "features": "lean", "seed": 1}
    first = Bench("toy", *toy, store)
    outcome = first.outcome(options)
    assert first.trials == 1
    assert 50 < outcome.las < 100
    again = Bench("toy", *toy, store)
    assert again.outcome(options).right == outcome.right
    assert again.trials == 0
    assert again.outcome({**options, "seed": 2}).right != outcome.right or again.trials == 1


def test_the_defaults_win_where_nothing_is_better(toy):
    found = Tuner(MadeUpBench(toy, lambda options: 5), budget=60).run()
    assert found.keeps_start
    assert found.finished
    assert found.confirmed is None
    assert found.options == {}


def test_what_is_better_is_found_and_confirmed(toy):
    found = Tuner(MadeUpBench(toy, lambda options: 7 if options.get("lifting") == "path" else 5), budget=60).run()
    assert found.options["lifting"] == "path"
    assert found.confirmed is not None
    assert found.confirmed.is_sure
    assert found.las - found.start_las == pytest.approx(20)


def test_luck_with_the_seeds_that_chose_is_not_believed(toy):
    def worth(options):
        return 7 if options.get("cutoff") == 5 and options["seed"] in (1, 2) else 5

    found = Tuner(MadeUpBench(toy, worth), budget=60).run()
    assert found.keeps_start
    assert found.confirmed is not None
    assert not found.confirmed.is_sure


def test_fixed_options_stay(toy):
    seen = []
    bench = MadeUpBench(toy, lambda options: seen.append(dict(options)) or 5)
    Tuner(bench, 60, fixed={"system": "arc-standard", "features": "lean"}).run()
    assert {options["system"] for options in seen} == {"arc-standard"}
    assert {options["features"] for options in seen} == {"lean"}


def test_speed_is_a_limit(toy):
    seen = []
    bench = MadeUpBench(toy, lambda options: seen.append(options.get("features")) or 5)
    found = Tuner(bench, 60, speed=3.0, fixed={"iterations": 2}).run()
    assert "rich" not in seen
    assert None not in seen
    assert found.options["features"] != "rich"
    with pytest.raises(CombinationError, match="--least-speed 1000: too much"):
        Tuner(bench, 60, speed=1000).run()


def test_ctrl_c_keeps_the_best(toy):
    class Impatient(TuningObserver):
        def took(self, what, las):
            raise KeyboardInterrupt

    bench = MadeUpBench(toy, lambda options: 7 if options.get("iterations") == 25 else 5)
    found = Tuner(bench, 60, observer=Impatient()).run()
    assert not found.finished
    assert found.confirmed is None


def test_a_spent_budget_ends_the_search(toy):
    found = Tuner(MadeUpBench(toy, lambda options: 5), budget=0.0).run()
    assert not found.finished
    assert found.keeps_start


def test_other_parsers_are_rejected(toy):
    with pytest.raises(CombinationError, match="tune is for greedy transition parsers"):
        Tuner(MadeUpBench(toy, lambda options: 5), 60, fixed={"beam": 4})


def test_the_command_writes_what_train_reads(tmp_path, capsys):
    target, model = tmp_path / "tuned.toml", tmp_path / "tuned.tw"
    given = [str(TOY / "train.conllu"), "--dev", str(TOY / "dev.conllu")]
    few = ["--features", "lean", "--system", "arc-eager", "--lifting", "head", "--decision", "split", "--cutoff", "2"]
    assert main(["tune", *given, "-o", str(target), "--time-limit", "2s", *few, "-q"]) == 0
    assert "on dev" in capsys.readouterr().out
    assert read_config(target)["features"] == "lean"
    assert (tmp_path / "tuned-trials" / "cells").is_dir()
    assert main(["train", *given, "--config", str(target), "--iterations", "1", "-q", "-o", str(model)]) == 0


@pytest.mark.parametrize("budget", ["soon", "0m", "-3s", "5d", ""])
def test_a_budget_is_a_time(budget, tmp_path, capsys):
    toml = str(tmp_path / "x.toml")
    given = ["tune", str(TOY / "train.conllu"), "--dev", str(TOY / "dev.conllu"), "-o", toml, f"--time-limit={budget}"]
    assert main(given) == 2
    assert "must be a time such as 90s, 10m or 1h" in capsys.readouterr().err
