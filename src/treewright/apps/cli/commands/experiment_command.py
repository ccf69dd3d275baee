"""Run a grid of trainings that a file describes, and compare what they give.

Cells that are finished are not done again: after Ctrl-C or an error, the same command goes on.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_quiet
from treewright.apps.worker_process import available_cores
from treewright.errors import TreewrightError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", metavar="FILE.toml", help="what to try: treebanks and grids of options")
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", help="folder of the results (default: the file's name with -results)"
    )
    parser.add_argument(
        "--treebanks", metavar="FOLDER", help="where relative names of treebanks are (default: beside the file)"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="trainings at a time (default: the number of cores)")
    parser.add_argument("--quick", action="store_true", help="the small variant that the file has in [quick]")
    parser.add_argument("--list", action="store_true", help="print the cells and which of them are finished, no more")
    parser.add_argument("--report", action="store_true", help="write the results that there are so far; train nothing")
    parser.add_argument(
        "--to", metavar="FORMATS", help="results to write, with commas: csv, json, parquet, md, html (default: all)"
    )
    parser.add_argument("--keep-models", action="store_true", help="keep the model of every cell in FOLDER/models")
    parser.add_argument("--keep-parses", action="store_true", help="keep the parsed test sets in FOLDER/parses")
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run what is left to do."""
    from treewright.apps.cli.progress.experiment_progress import ExperimentProgress
    from treewright.apps.experiments.plan import read_plan
    from treewright.apps.experiments.runner import Run
    from treewright.apps.experiments.store import Store
    from treewright.apps.experiments.writing import FORMATS, check_formats

    if arguments.jobs is not None and arguments.jobs < 1:
        raise TreewrightError(f"--jobs {arguments.jobs}: at least one is needed")
    formats = tuple(name.strip() for name in arguments.to.split(",")) if arguments.to else FORMATS
    check_formats(formats)
    if arguments.list and arguments.report:
        raise TreewrightError("--list and --report each say what to do instead of training: give one of them")
    if (arguments.list or arguments.report) and (arguments.keep_models or arguments.keep_parses):
        raise TreewrightError("nothing is trained with --list or --report: leave out --keep-models and --keep-parses")
    plan = read_plan(arguments.file, arguments.treebanks, arguments.quick)
    ending = "quick" if arguments.quick else "results"
    store = Store(arguments.output or f"{Path(arguments.file).stem}-{ending}")
    if arguments.list:
        _list(plan.cells, store)
        return 0
    if arguments.report:
        return _report(plan, store, formats)
    if arguments.keep_models:
        _warn_of_finished(plan.cells, store, "models", ".tw")
    if arguments.keep_parses:
        _warn_of_finished(plan.cells, store, "parses", ".conllu.gz")
    jobs = arguments.jobs or available_cores()
    try:
        with ExperimentProgress(jobs, plan.varied, arguments.quiet) as observer:
            failures = Run(store, jobs, arguments.keep_models, arguments.keep_parses, observer).run(plan.cells)
    except KeyboardInterrupt:
        say(f"finished cells are kept in {store.folder}: the same command goes on with the others")
        raise
    if failures:
        say(f"{failures} of {len(plan.cells)} cells failed: the same command tries them again")
    return _report(plan, store, formats)


def _report(plan: Any, store: Any, formats: tuple[str, ...]) -> int:
    """Write the results and say where they are; 1 if cells failed."""
    from treewright.apps.experiments.groups import load_results
    from treewright.apps.experiments.tables import state_of
    from treewright.apps.experiments.writing import write_results

    results = load_results(plan, store)
    if not results.groups:
        raise TreewrightError(f"{store.folder}: no cell is finished, so there is nothing to report")
    written, notes = write_results(results, store.folder, formats)
    for note in notes:
        say(note)
    print(state_of(results))
    for path in written:
        print(path)
    return 1 if results.failures else 0


def _warn_of_finished(cells: tuple[Any, ...], store: Any, name: str, ending: str) -> None:
    """Say how many cells were finished without keeping what is wanted now."""
    from treewright.apps.experiments.tables import in_number

    kept = store.folder / name
    lost = sum(store.is_done(cell) and not (kept / f"{cell.key}{ending}").exists() for cell in cells)
    if lost:
        cells_lost = in_number(lost, "cell")
        say(f"no {name} of the {cells_lost} finished before without --keep-{name}: another --output has all")


def _list(cells: tuple[Any, ...], store: Any) -> None:
    for cell in cells:
        kept = store.load(cell)
        state = "" if kept is None else kept["status"]
        print(f"{cell.key}  {state:6}  {cell.treebank.name}, {cell.label()}, seed {cell.seed}")
