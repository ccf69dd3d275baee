"""Check a treebank and say what is wrong where, with a remedy.

The exit code is 1 if there are errors that were neither skipped nor fixed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_from, add_json, add_number
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.query.checks import PatternChecks
    from treewright.treebank.checks.validation import Problem, Report

#: from this level on the official validator runs
OFFICIAL = 3
NOT_UD = "UD's tags and relations: not checked, most values are others (--level 2 checks them)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="TREEBANK", help="treebank to check")
    parser.add_argument(
        "--level",
        type=int,
        choices=range(1, 6),
        metavar="N",
        help="1: form and trees; 2: with what UD requires of every treebank; 3 to 5: UD's official validator"
        " (default: 2 where tags and relations are UD's)",
    )
    parser.add_argument("--lang", metavar="CODE", help="language, for --level 4 and 5: fr, en, …")
    parser.add_argument("--no-single-root", dest="single_root", action="store_false", help="allow several roots")
    parser.add_argument("--no-tree", dest="tree", action="store_false", help="do not check HEAD and DEPREL")
    parser.add_argument("--graph", action="store_true", help="check the graphs in DEPS, too")
    parser.add_argument("--checks", action="append", metavar="FILE", help="patterns that must not match (.req)")
    add_number(parser, "--limit", 20, "problems to show, of each kind")
    parser.add_argument(
        "--on-error",
        choices=("skip", "fix"),
        metavar="NAME",
        help="with -o: write the treebank without bad sentences (skip), or with what can be fixed (fix)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file for the treebank after --on-error")
    add_from(parser, "treebanks")
    add_json(parser, "print the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check every file."""
    _reject_idle(arguments)
    if arguments.output is not None:
        return _fix(arguments)
    check = _official(arguments) if (arguments.level or 0) >= OFFICIAL else _own
    failed = False
    reports = {}
    for name in arguments.files:
        report, note = check(arguments, name)
        failed = failed or report.errors > 0
        reports[name] = report.as_dict()
        if not arguments.json:
            print(f"{name}: {report.summary()}{note}")
    if arguments.json:
        print_json(reports)
    return 1 if failed else 0


def _reject_idle(arguments: argparse.Namespace) -> None:
    """Reject options that contradict each other or have no effect."""
    if arguments.limit < 0:
        raise TreewrightError(f"--limit {arguments.limit}: it counts problems, from 0")
    if (arguments.on_error is None) != (arguments.output is None):
        raise TreewrightError("--on-error and -o go together: give both, or neither")
    if arguments.on_error is not None and arguments.level is not None:
        raise TreewrightError("--level with --on-error has no effect: only trees and graphs are fixed or skipped")
    official = (arguments.level or 0) >= OFFICIAL
    if arguments.lang is not None and not official:
        raise TreewrightError(f"--lang has no effect below --level {OFFICIAL}: the official validator uses it")
    if arguments.checks and arguments.output is not None:
        raise TreewrightError("--checks with --on-error has no effect: only trees and graphs are fixed or skipped")
    ours = {
        "--no-single-root": not arguments.single_root,
        "--no-tree": not arguments.tree,
        "--graph": arguments.graph,
        "--checks": arguments.checks,
    }
    idle = [name for name, given in {**ours, "--from": arguments.format}.items() if given]
    if official and idle:
        raise TreewrightError(f"{idle[0]} has no effect with --level {arguments.level}: the official validator decides")


def _own(arguments: argparse.Namespace, name: str) -> tuple[Report, str]:
    """Check a file with our own checks; a note says whether those of UD were left out."""
    from treewright.treebank.checks.ud_checks import UDChecks, is_ud
    from treewright.treebank.checks.validation import Report, check_block
    from treewright.treebank.files.reading import read_blocks

    report = Report(arguments.limit)
    patterns = _patterns(arguments)
    ud, note = None, ""
    for block in read_blocks(name, arguments.format):
        if ud is None and arguments.level != 1 and (arguments.level or block.layout.name.startswith("conllu")):
            ud = UDChecks(arguments.level is not None or is_ud(block), arguments.level is not None, arguments.tree)
            note = "" if ud.values else f"\n  {NOT_UD}"
        problems = check_block(
            block, need_tree=arguments.tree, single_root=arguments.single_root, graphs=arguments.graph, ud=ud
        )
        for checks in patterns:
            problems += checks.find(block)
        for problem in report.add(block, problems):
            _show(arguments, problem)
    return report, note


def _patterns(arguments: argparse.Namespace) -> list[PatternChecks]:
    """Return the checks of the files that --checks names."""
    if not arguments.checks:
        return []
    from treewright.query.checks import PatternChecks

    return [PatternChecks.of_file(path) for path in arguments.checks]


def _official(arguments: argparse.Namespace) -> Callable[[argparse.Namespace, str], tuple[Report, str]]:
    """Return a check of files by the official validator, which also compares the files with each other."""
    from treewright.treebank.checks.official_validation import OfficialValidator

    validator = OfficialValidator(arguments.level, arguments.lang)

    def check(arguments: argparse.Namespace, name: str) -> tuple[Report, str]:
        return validator.check(name, arguments.limit, lambda problem: _show(arguments, problem)), ""

    return check


def _show(arguments: argparse.Namespace, problem: Problem) -> None:
    if not arguments.json:
        print(f"{problem} (warning)" if problem.severity == "warning" else problem)


def _fix(arguments: argparse.Namespace) -> int:
    """Write the treebank with bad sentences left out or fixed."""
    from collections.abc import Iterator

    from treewright.treebank.blocks.block import Block
    from treewright.treebank.checks.fixing import apply_policy
    from treewright.treebank.checks.validation import check_block
    from treewright.treebank.files.reading import read_blocks
    from treewright.treebank.files.writing import write

    if len(arguments.files) != 1:
        raise TreewrightError("--on-error takes one file at a time")
    fixed = skipped = 0

    def fixed_blocks() -> Iterator[Block]:
        nonlocal fixed, skipped
        for block in read_blocks(arguments.files[0], arguments.format):
            problems = check_block(
                block, need_tree=arguments.tree, single_root=arguments.single_root, graphs=arguments.graph
            )
            outcome = apply_policy(block, problems, arguments.on_error)
            fixed, skipped = fixed + outcome.fixed, skipped + outcome.skipped
            yield outcome.block

    write(fixed_blocks(), arguments.output)
    say(f"wrote {arguments.output}: {fixed:,} sentences fixed, {skipped:,} left out")
    return 0
