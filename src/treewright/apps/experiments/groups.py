"""Groups of cells that differ only in the seed, and their comparison with a baseline."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any

from treewright.apps.experiments.cell import label_of, meaningful
from treewright.apps.experiments.plan import ExperimentPlan
from treewright.apps.experiments.store import DONE, CellResult, Store
from treewright.evaluation.significance import Bootstrap, bootstrap

#: scores to show in tables, by kind of parser
SHOWN_OF_TREES = ("uas", "las", "clas")
SHOWN_OF_GRAPHS = ("unlabelled_f1", "labelled_f1", "secondary_f1")
NAMES = {
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
    "unlabelled_f1": "unlabelled F1",
    "labelled_f1": "labelled F1",
    "secondary_f1": "secondary F1",
    "uas_without_punctuation": "UAS without punctuation",
    "las_without_punctuation": "LAS without punctuation",
    "exact_match": "exact match",
    "label_accuracy": "label accuracy",
    "root_accuracy": "root accuracy",
}
RESAMPLES = 10_000
_RIGHT_ARCS = {"labelled_f1": "labelled", "unlabelled_f1": "unlabelled"}


@dataclass(frozen=True)
class CellGroup:
    """The finished cells of one treebank with the same options, by seed."""

    treebank: str
    options: Mapping[str, Any]
    results: Mapping[int, CellResult]

    def values(self, metric: str, part: str | None = None) -> list[float]:
        """Return a score for every seed; if a part of the test set is named, the score on it."""
        return [value for _, value in sorted(self.by_seed(metric, part).items())]

    def by_seed(self, metric: str, part: str | None = None) -> dict[int, float]:
        """Return a score by seed."""
        scores = {}
        for seed, result in self.results.items():
            value = part_score(result, metric, part) if part is not None else result["scores"].get(metric)
            if value is not None:
                scores[seed] = float(value)
        return scores

    def mean(self, metric: str, part: str | None = None) -> float | None:
        """Return the mean over seeds."""
        values = self.values(metric, part)
        return statistics.fmean(values) if values else None

    def spread(self, metric: str, part: str | None = None) -> float | None:
        """Return the standard deviation over seeds if there are several."""
        values = self.values(metric, part)
        return statistics.stdev(values) if len(values) > 1 else None

    def measured(self, *names: str) -> float | None:
        """Return the mean of another measurement, e.g. ``measured("parsing", "tokens_per_second")``."""
        values = []
        for result in self.results.values():
            value: Any = result
            for name in names:
                value = value.get(name) if isinstance(value, dict) else None
            if value is not None:
                values.append(float(value))
        return statistics.fmean(values) if values else None

    @cached_property
    def first(self) -> CellResult:
        """One of the results."""
        return self.results[min(self.results)]

    @property
    def parts(self) -> list[str]:
        """The parts of the test set that are scored separately."""
        return list(self.first["cell"].get("parts", ()))


@dataclass(frozen=True)
class GroupDifference:
    """How much better a group is than its baseline, over the seeds that both have.

    The test is a paired bootstrap over sentences. The right words or arcs of a sentence are summed over seeds.
    """

    value: float
    seeds: int
    test: Bootstrap | None


@dataclass
class Results:
    """The results of an experiment so far."""

    plan: ExperimentPlan
    groups: list[CellGroup]
    failures: list[tuple[str, str]]  # what failed, and why
    missing: int
    _differences: dict[tuple[int, str, str | None], GroupDifference | None] = field(default_factory=dict)

    @property
    def treebanks(self) -> list[str]:
        """Names of treebanks with results."""
        return list(dict.fromkeys(group.treebank for group in self.groups))

    @property
    def metric(self) -> str:
        """The main score."""
        for name in (self.plan.metric, "las"):
            if any(name in group.first["scores"] for group in self.groups):
                return name
        return "labelled_f1"

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that tables show."""
        usual = SHOWN_OF_TREES if any("las" in group.first["scores"] for group in self.groups) else SHOWN_OF_GRAPHS
        return usual if self.metric in usual else (*usual, self.metric)

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The options that distinguish groups."""
        return self.plan.varied

    def label(self, options: Mapping[str, Any]) -> str:
        """Return the name of a row."""
        whole = {"train_fraction": 1}  # implied for a cell that uses the whole treebank
        return label_of({name: options.get(name, whole.get(name)) for name in self.varied})

    @property
    def labels(self) -> list[str]:
        """Names of rows, in the order of the file."""
        return list(dict.fromkeys(self.label(group.options) for group in self.groups))

    def of(self, treebank: str) -> list[CellGroup]:
        """Return the groups of a treebank."""
        return [group for group in self.groups if group.treebank == treebank]

    def find(self, treebank: str, label: str) -> CellGroup | None:
        """Return a group by treebank and name."""
        return next((group for group in self.of(treebank) if self.label(group.options) == label), None)

    def baseline_of(self, group: CellGroup) -> CellGroup | None:
        """Return the group to compare with: it has the same options, except those that the baseline sets."""
        for baseline in self.plan.baselines:
            wanted = meaningful({**group.options, **baseline})
            for other in self.groups:
                if other.treebank == group.treebank and dict(other.options) == dict(wanted):
                    return None if other is group else other
        return None

    def family(self, options: Mapping[str, Any]) -> str:
        """Return the name that a row shares with its baseline: the options that the baseline does not set."""
        fixed = {name for baseline in self.plan.baselines for name in baseline}
        # Options that do not apply to the baseline, such as those of another learner, are not shared with it.
        shared = meaningful({**options, **self.plan.baselines[0]}) if self.plan.baselines else options
        return label_of({name: shared.get(name) for name in self.varied if name not in fixed})

    def difference(self, group: CellGroup, metric: str, part: str | None = None) -> GroupDifference | None:
        """Return how much better a group is than its baseline."""
        key = (id(group), metric, part)
        if key not in self._differences:
            other = self.baseline_of(group)
            self._differences[key] = compare(group, other, metric, part) if other is not None else None
        return self._differences[key]


def load_results(plan: ExperimentPlan, store: Store) -> Results:
    """Gather the finished cells of an experiment."""
    finished: dict[tuple[str, str], tuple[dict[str, Any], dict[int, CellResult]]] = {}
    failures, missing = [], 0
    for cell in plan.cells:
        result = store.load(cell)
        if result is None:
            missing += 1
        elif result["status"] != DONE:
            failures.append((f"{cell.treebank.name}, {cell.label()}, seed {cell.seed}", str(result.get("error"))))
        else:
            key = (cell.treebank.name, json.dumps(cell.options, sort_keys=True))
            finished.setdefault(key, (dict(cell.options), {}))[1][cell.seed] = result
    groups = [CellGroup(treebank, options, by_seed) for (treebank, _), (options, by_seed) in finished.items()]
    return Results(plan, groups, failures, missing)


def compare(group: CellGroup, other: CellGroup, metric: str, part: str | None = None) -> GroupDifference | None:
    """Compare two groups over the seeds that both have."""
    ours, theirs = group.by_seed(metric, part), other.by_seed(metric, part)
    seeds = sorted(set(ours) & set(theirs))
    if not seeds:
        return None
    value = statistics.fmean(ours[seed] - theirs[seed] for seed in seeds)
    pair = [[g.results[seed] for seed in seeds] for g in (group, other)]
    test = _graph_test(pair, metric) if metric in _RIGHT_ARCS else _tree_test(pair, metric, part)
    return GroupDifference(value, len(seeds), test)


def _tree_test(pair: list[list[CellResult]], metric: str, part: str | None) -> Bootstrap | None:
    right = _right_words(metric)
    if right is None:
        return None
    ours, theirs = (_pooled(results, right, part) for results in pair)
    if ours is None or theirs is None or ours[1] != theirs[1]:
        return None
    return bootstrap(ours[0], theirs[0], ours[1], resamples=RESAMPLES)


def _graph_test(pair: list[list[CellResult]], metric: str) -> Bootstrap | None:
    """Test a difference of F1 by the contribution of each sentence: F1 is not a mean over sentences.

    To first order, F1 = 2 Σ right / Σ arcs changes by (2 right − F1 · arcs) / mean of arcs for a sentence.
    """
    if any("graph_sentences" not in result for results in pair for result in results):
        return None
    shares: list[list[float]] = []
    for results in pair:
        counts = [result["graph_sentences"] for result in results]
        right, gold, system = (
            [sum(values) for values in zip(*(count[name] for count in counts), strict=True)]
            for name in (_RIGHT_ARCS[metric], "gold", "system")
        )
        arcs = [g + s for g, s in zip(gold, system, strict=True)]
        if not sum(arcs):
            return None
        f1, mean = 2 * sum(right) / sum(arcs), statistics.fmean(arcs)
        shares.append([f1 + (2 * r - f1 * a) / mean for r, a in zip(right, arcs, strict=True)])
    if len(shares[0]) != len(shares[1]):
        return None
    return bootstrap(shares[0], shares[1], [1] * len(shares[0]), resamples=RESAMPLES)


def part_score(result: CellResult, metric: str, part: str) -> float | None:
    """Return UAS or LAS of a part of the test set."""
    right = _right_words(metric)
    pooled = _pooled([result], right, part) if right else None
    return 100 * sum(pooled[0]) / sum(pooled[1]) if pooled and sum(pooled[1]) else None


def part_words(result: CellResult, part: str) -> int:
    """Return how many words a part of the test set has; a part without sentences has none."""
    pooled = _pooled([result], "both", part)
    return sum(pooled[1]) if pooled else 0


def _right_words(metric: str) -> str | None:
    return {"uas": "heads", "las": "both"}.get(metric)


def _pooled(results: Sequence[CellResult], right: str, part: str | None) -> tuple[list[int], list[int]] | None:
    """Return the right words and all words of every sentence, summed over results."""
    if any("sentences" not in result for result in results):
        return None
    counts = [result["sentences"] for result in results]
    keep = [p == part for p in counts[0].get("part", ())] if part is not None else [True] * len(counts[0]["words"])
    rights = map(sum, zip(*(count[right] for count in counts), strict=True))
    words = map(sum, zip(*(count["words"] for count in counts), strict=True))
    return list(compress(rights, keep)), list(compress(words, keep))
