"""What a file describes: treebanks, grids of options, and the cells that result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from treewright.apps.experiments.cell import (
    DATA_OPTIONS,
    GRAPH_SCORES,
    OF_SECOND_ORDER,
    TRAINING_OPTIONS,
    TREE_SCORES,
    Cell,
    idle_options,
    meaningful,
)
from treewright.apps.experiments.treebank_files import TreebankFiles, treebank_from
from treewright.errors import TreewrightError, unknown
from treewright.features.bundled import load_feature_model
from treewright.options.option import SHORT_NAMES
from treewright.recipes.catalogue import current_names, recipe_class
from treewright.recipes.papers import paper_named
from treewright.recipes.presets import without_presets
from treewright.recipes.synonyms import SYNONYMS
from treewright.recipes.toml_file import read_toml

_TOP = ("title", "description", "baseline", "metric", "plots", "treebanks", "grid", "quick")
#: options that --quick sets in every grid; others only replace what a grid names itself
_QUICK_EVERYWHERE = ("seeds", "iterations", "treebanks", "train_sentences", "dev_sentences", "test_sentences")

TAGS = ("gold", "predicted")
ON_ERROR = ("fix", "skip", "fail")
SEARCHES = ("greedy", "beam", "viterbi", "collins-2002")
_COUNTS = ("train_sentences", "dev_sentences", "test_sentences", "solver_sentences", "solver_longest")


@dataclass(frozen=True)
class ExperimentPlan:
    """An experiment: its cells in the order of the file, and how they are to be compared."""

    title: str
    description: str
    cells: tuple[Cell, ...]
    baselines: tuple[dict[str, Any], ...]  # options of the row to compare with; the first that there is
    metric: str
    plots: dict[str, Any]
    overrides: dict[str, Any] = field(default_factory=dict)  # what [quick] set

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The options that tell cells from each other, in the order of the file."""
        names = tuple(dict.fromkeys(name for cell in self.cells for name in cell.options))
        # Where other options make one void, it has no value; elsewhere, leaving it out may be a choice of its own.
        few = tuple(name for name in names if len(self._values(name, not self._is_idle_somewhere(name))) > 1)
        different = {repr(sorted(cell.options.items())) for cell in self.cells}
        if len({repr([cell.options.get(name) for name in few]) for cell in self.cells}) == len(different):
            return few
        return tuple(name for name in names if len(self._values(name)) > 1)

    def _is_idle_somewhere(self, name: str) -> bool:
        """Do the other options of some cell make this one void?"""
        return any(name in idle_options(cell.options) or name in OF_SECOND_ORDER for cell in self.cells)

    def _values(self, name: str, left_out: bool = True) -> set[str]:
        """Return the values of an option; that it is left out may be one, too."""
        return {repr(cell.options.get(name)) for cell in self.cells if left_out or name in cell.options}


def read_plan(path: str | os.PathLike[str], treebanks: str | None = None, quick: bool = False) -> ExperimentPlan:
    """Read an experiment from a TOML file.

    Relative names of treebanks are in the folder ``treebanks``, or beside the file. With ``quick``, the values of
    its [quick] replace those of the grids.
    """
    name = os.fspath(path)
    table = read_toml(name)
    strange = sorted(set(table) - set(_TOP))
    if strange:
        raise TreewrightError(f"{name}: there is no {', '.join(strange)}; there are: {', '.join(_TOP)}")
    if quick and not table.get("quick"):
        raise TreewrightError(f"{name}: there is no [quick] in it. Run it without --quick")
    try:
        return _plan_of(table, Path(treebanks or os.path.dirname(name) or "."), Path(name).stem, quick)
    except TreewrightError as error:
        raise TreewrightError(f"{name}: {error}") from None


def _plan_of(table: dict[str, Any], base: Path, stem: str, quick: bool) -> ExperimentPlan:
    grids = table.get("grid", [])
    named = table.get("treebanks", {})
    if not isinstance(grids, list) or not all(isinstance(grid, dict) for grid in grids) or not grids:
        raise TreewrightError("no grid in it: write [[grid]] with lists of options")
    if not isinstance(named, dict) or not named:
        raise TreewrightError("no treebanks in it: write [treebanks] with lines such as english = 'en_ewt'")
    overrides = table["quick"] if quick else {}
    _check_names(overrides, "quick")
    baseline = table.get("baseline", [])
    baselines = tuple(baseline if isinstance(baseline, list) else [baseline])
    for values in baselines:
        _check_names(values, "baseline")
    metric, plots = table.get("metric") or _metric_of_paper(grids), table.get("plots", {})
    if metric not in (*TREE_SCORES, *GRAPH_SCORES):
        raise TreewrightError(f"there is no metric {metric!r}; there are: {', '.join((*TREE_SCORES, *GRAPH_SCORES))}")
    _check_plots(plots)
    files: dict[str, TreebankFiles] = {}
    cells: dict[str, Cell] = {}
    for number, grid in enumerate(grids, start=1):
        _check_names(grid, f"grid {number}")
        for treebank, seed, options in _product(_overridden(grid, overrides), list(named), number):
            if treebank not in files:
                files[treebank] = treebank_from(treebank, named[treebank], base)
            cell = Cell(files[treebank], seed, meaningful(options))
            cells.setdefault(cell.key, cell)
    if not cells:
        raise TreewrightError("the grids have no cell: a list of options is empty")
    _check_metric(table.get("metric"), cells.values())
    if not quick:  # which may leave the baseline out
        _check_baselines(baselines, list(cells.values()))
    return ExperimentPlan(
        str(table.get("title", stem)),
        str(table.get("description", "")).strip(),
        tuple(cells.values()),
        baselines,
        metric,
        plots,
        dict(overrides),
    )


def _metric_of_paper(grids: list[dict[str, Any]]) -> str:
    """Return the score that the paper of the first grid reports; LAS if it follows none."""
    named = current_names({name: value for name, value in grids[0].items() if name in ("as", "as_paper")})
    paper = named.get("as_paper")
    return paper_named(paper).metric if isinstance(paper, str) else "las"


def _check_metric(wanted: str | None, cells: Iterable[Cell]) -> None:
    """Refuse a score that no cell has."""
    for scores, graphs in ((TREE_SCORES, False), (GRAPH_SCORES, True)):
        if wanted in scores and not any(cell.builds_graphs == graphs for cell in cells):
            kind, others = ("graphs", TREE_SCORES) if graphs else ("trees", GRAPH_SCORES)
            listed = ", ".join(others)
            raise TreewrightError(f"the metric {wanted} is of {kind}, which no grid has; choose one of {listed}")


def _check_baselines(baselines: tuple[dict[str, Any], ...], cells: list[Cell]) -> None:
    """Refuse baselines that nothing can be compared with: a slip of the pen would silently drop all tests."""
    rows = {(cell.treebank.name, repr(sorted(cell.options.items()))) for cell in cells}
    for cell in cells if baselines else ():
        for baseline in baselines:
            other = (cell.treebank.name, repr(sorted(meaningful({**cell.options, **baseline}).items())))
            if other in rows and other[1] != repr(sorted(cell.options.items())):
                return
    if baselines:
        listed = " or ".join(str(baseline) for baseline in baselines)
        raise TreewrightError(
            f"baseline {listed}: no row of the grids is the same as another but for these values, so that nothing would"
            " be compared. Add such rows, or leave the baseline out"
        )


def _check_names(options: Any, where: str) -> None:
    """Reject unknown options before hours of work."""
    if not isinstance(options, dict):
        raise TreewrightError(f"{where}: names with values, not {options!r}")
    known = (*TRAINING_OPTIONS, *DATA_OPTIONS, *SHORT_NAMES, "seeds", "treebanks")
    for name in options:
        if name not in known:
            raise TreewrightError(f"{where}: {unknown('option', name, sorted(known), SYNONYMS)}")


def _check_plots(plots: Any) -> None:
    pair = plots.get("heat_map", ["p", "k"]) if isinstance(plots, dict) and set(plots) <= {"heat_map"} else None
    if not isinstance(pair, list) or len(pair) != 2 or not set(pair) <= {*TRAINING_OPTIONS, *DATA_OPTIONS}:
        raise TreewrightError("plots: there is heat_map = [across, up], with the names of two options")


def _check_values(options: Mapping[str, Any], number: int) -> None:
    """Refuse values that no option has."""
    for name, value in options.items():
        if not isinstance(value, (str, int, float, bool)):
            raise TreewrightError(f"grid {number}: {name} is {value!r}. Options are text or numbers, or lists of them")
    if not isinstance(options["seeds"], int):
        raise TreewrightError(f"grid {number}: seeds are numbers, not {options['seeds']!r}")
    try:
        system = without_presets(options).get("system", "arc-eager")
    except TreewrightError as error:
        raise TreewrightError(f"grid {number}: {error}") from None
    for name, value in options.items():
        if name in TRAINING_OPTIONS:
            check_option(name, value, system, f"grid {number}")
    for name in _COUNTS:
        value = options.get(name, 1)
        if not isinstance(value, int) or value < 1:
            counted = "words" if name == "solver_longest" else "sentences"
            raise TreewrightError(f"grid {number}: {name} counts {counted}, and is not {value!r}")
    if "solver_sentences" in options and system != "exact":
        raise TreewrightError(f'grid {number}: only system = "exact" solves programmes: leave solver_sentences out')
    fraction = options.get("train_fraction", 1)
    if not isinstance(fraction, (int, float)) or not 0 < fraction <= 1:
        raise TreewrightError(f"grid {number}: train_fraction is more than 0 and at most 1, not {fraction!r}")
    if "tagger_search" in options and options.get("tags") != "predicted":
        raise TreewrightError(f'grid {number}: tagger_search is for tags = "predicted": leave it out')
    for name, choices in (("tags", TAGS), ("on_error", ON_ERROR), ("tagger_search", SEARCHES)):
        value = options.get(name, choices[0])
        if value not in choices:
            raise TreewrightError(f"grid {number}: {name} is one of {', '.join(choices)}, not {value!r}")


@lru_cache(maxsize=None, typed=True)  # a grid has the same values again and again
def check_option(name: str, value: Any, system: Any, where: str) -> None:
    """Reject a value that the option never has with a system; combinations that make no sense fail as cells."""
    try:
        kind = recipe_class(system, value if name == "learner" else None)
        declared = kind.options().get(name)
        if declared is None or name == "system":
            return  # of another kind of parser: the training says so
        declared.check(value)
        if name == "features" and kind.kind != "exact":
            load_feature_model(str(value))
    except TreewrightError as error:
        raise TreewrightError(f"{where}: {error}") from None


def _overridden(grid: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return a grid with the values of [quick]."""
    result = dict(grid)
    for name, value in overrides.items():
        if name == "treebanks":
            wanted = _listed(value)
            result[name] = [each for each in _listed(grid.get(name, wanted)) if each in wanted]
        elif name in grid or name in _QUICK_EVERYWHERE:
            result[name] = value
    return result


def _product(grid: Mapping[str, Any], treebanks: list[str], number: int) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield the cells of a grid; what it names first changes last."""
    axes = {name: _listed(value) for name, value in grid.items()}
    axes.setdefault("treebanks", treebanks)
    axes.setdefault("seeds", [1])
    unknown = [name for name in axes["treebanks"] if name not in treebanks]
    if unknown:
        raise TreewrightError(f"grid {number}: there is no treebank {unknown[0]!r}; there are: {', '.join(treebanks)}")
    for values in product(*axes.values()):
        options = current_names(dict(zip(axes, values, strict=True)))
        if "as_paper" in options:
            options.setdefault("system", paper_named(options["as_paper"]).system)
        _check_values(options, number)
        yield options.pop("treebanks"), int(options.pop("seeds")), options


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]
