"""Check a treebank and say what is wrong where, with a remedy.

The exit code is 1 if there are errors that were neither skipped nor fixed.
"""

from __future__ import annotations

import argparse
import json

from treewright.cli.program import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="file", help="treebank to check")
    parser.add_argument("--no-single-root", dest="single_root", action="store_false", help="allow several roots")
    parser.add_argument("--no-tree", dest="tree", action="store_false", help="do not look at HEAD and DEPREL")
    parser.add_argument("--graph", action="store_true", help="look at the graphs in DEPS, too")
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="show so many problems of a kind (default 20)"
    )
    parser.add_argument("--on-error", choices=("skip", "fix"), help="with -o: write it without bad sentences, or fixed")
    parser.add_argument("-o", "--output", metavar="FILE", help="file for the treebank after --on-error")
    parser.add_argument("--format", metavar="NAME", help="format (default: guessed)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check every file."""
    from treewright.errors import TreewrightError
    from treewright.treebank.reading import read_blocks
    from treewright.treebank.validation import Report, check_block

    if arguments.limit < 0:
        raise TreewrightError(f"--limit {arguments.limit}: it counts problems, from 0")
    if (arguments.on_error is None) != (arguments.output is None):
        raise TreewrightError("--on-error and -o go together: give both, or neither")
    if arguments.output is not None:
        return _fix(arguments)
    failed = False
    reports = {}
    for name in arguments.files:
        report = Report(arguments.limit)
        for block in read_blocks(name, arguments.format):
            found = check_block(
                block, need_tree=arguments.tree, single_root=arguments.single_root, graphs=arguments.graph
            )
            for problem in report.add(block, found):
                if not arguments.json:
                    print(problem)
        failed = failed or report.errors > 0
        reports[name] = report.as_dict()
        if not arguments.json:
            print(f"{name}: {report.summary()}")
    if arguments.json:
        print(json.dumps(reports, ensure_ascii=False, indent=2))
    return 1 if failed else 0


def _fix(arguments: argparse.Namespace) -> int:
    """Write the treebank with bad sentences left out or fixed."""
    from collections.abc import Iterator

    from treewright.errors import TreewrightError
    from treewright.treebank.block import Block
    from treewright.treebank.fixing import apply_policy
    from treewright.treebank.reading import read_blocks
    from treewright.treebank.validation import check_block
    from treewright.treebank.writing import write

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
