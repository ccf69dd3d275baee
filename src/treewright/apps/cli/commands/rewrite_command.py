"""Change a treebank by rules in Grew's notation: patterns with commands, applied as a strategy says.

What no rule touches stays as it was, byte for byte. --dry-run shows what would change, and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from treewright.apps.cli.inputs import Input, Job, code_after, expanded, jobs_for, note_failure
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_from, add_number, add_output_or_folder, add_quiet
from treewright.errors import CombinationError, TreewrightError

if TYPE_CHECKING:
    from treewright.query.rewriting.rewriter import Change, Rewriter
    from treewright.treebank.blocks.block import Block
    from treewright.treebank.files.writing import Changed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("rules", metavar="RULES", help="file of rules (.grs)")
    parser.add_argument("files", nargs="*", metavar="TREEBANK", help="what to change (default: standard input)")
    add_output_or_folder(parser, "standard output")
    parser.add_argument(
        "--strategy", metavar="NAME", help="strategy, rule or package to apply, Onf(NAME) (default: main)"
    )
    add_number(parser, "--most-steps", 10_000, "steps that a sentence may take")
    parser.add_argument("--dry-run", action="store_true", help="show what would change")
    parser.add_argument("--tree", action="store_true", help="rules see the tree alone, without DEPS and empty nodes")
    add_from(parser, "treebanks")
    add_quiet(parser, "do not say what was changed")


def run(arguments: argparse.Namespace) -> int:
    """Rewrite each input, or all to one file."""
    from treewright.query.rewriting.grs import read_rules
    from treewright.query.rewriting.rewriter import Rewriter

    if arguments.most_steps < 1:
        raise TreewrightError(f"--most-steps {arguments.most_steps}: give 1 or more")
    if arguments.dry_run and arguments.output is not None:
        raise CombinationError("--dry-run writes nothing: leave out -o")
    rules = read_rules(arguments.rules)
    rewriter = Rewriter(rules, arguments.strategy, tree=arguments.tree, most_steps=arguments.most_steps)
    inputs = expanded(arguments.files or ["-"])
    counts: Counter[str] = Counter()
    if arguments.dry_run:
        changes = _all_changes(rewriter, inputs, arguments.format)
        sentences = sum(_show(change, block, counts) for change, block in changes)
        _tell(sentences, counts, "would change")
        return 0
    jobs = jobs_for(inputs, arguments.output or "-", None)
    failed: list[Job] = []
    for job in jobs:
        try:
            sentences = _write(rewriter, job, arguments.format, counts)
        except TreewrightError as error:
            note_failure(jobs, failed, job, error)
            continue
        if not arguments.quiet:
            _tell(sentences, counts, "changed")
        counts.clear()
    return code_after(jobs, failed)


def _blocks(inputs: list[Input] | tuple[Input, ...], format: str | None) -> Iterator[Block]:
    from treewright.treebank.files.reading import read_blocks

    for given in inputs:
        yield from read_blocks(given.source, format)


def _all_changes(rewriter: Rewriter, inputs: list[Input], format: str | None) -> Iterator[tuple[Change, Block]]:
    for block in _blocks(inputs, format):
        for change in rewriter.changes(block):
            yield change, block


def _write(rewriter: Rewriter, job: Job, format: str | None, counts: Counter[str]) -> int:
    """Write the inputs of a job after the rules; return how many sentences have changed."""
    from treewright.query.rewriting.rewriter import with_changes
    from treewright.treebank.files.writing import Changed, write_pieces
    from treewright.treebank.formats.registry import format_for_path

    sentences = 0

    def pieces() -> Iterator[Changed]:
        nonlocal sentences
        for block in _blocks(job.inputs, format):
            changes = list(rewriter.changes(block))
            sentences += len(changes)
            for change in changes:
                counts.update(change.rules)
            yield Changed(block, with_changes(block, changes))

    write_pieces(pieces(), job.output, format_for_path(job.output))
    return sentences


def _show(change: Change, block: Block, counts: Counter[str]) -> bool:
    """Print the lines that would change, and the tree with the new arcs marked where the words stay."""
    from difflib import ndiff

    from treewright.treebank.sentences.sentence import Sentence

    counts.update(change.rules)
    old, new = (
        Sentence(data, block.layout, block.source, block.line_of(change.number))
        for data in (change.before, change.after)
    )
    rules = ", ".join(f"{name} {times}×" if times > 1 else name for name, times in change.rules.items())
    print(f"{old.source}:{old.line} {old.sent_id}: {rules}".replace(" :", ":"))
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (change.before, change.after))
    print("\n".join(line.rstrip() for line in ndiff(before, after) if line[:1] in "+-"))
    words = [word.form for word in old] == [word.form for word in new]
    if words and (old.heads != new.heads or old.deprels != new.deprels):
        from treewright.apps.cli.tree_printer import TreePrinter
        from treewright.display.difference import picture_of_difference

        picture = picture_of_difference(new, old, "upos", right_tags=False)
        TreePrinter(sys.stdout).show(replace(picture, notes=()))
    print()
    return True


def _tell(sentences: int, counts: Counter[str], what: str) -> None:
    rules = ", ".join(f"{name} {times:,}×" for name, times in counts.most_common())
    say(f"{sentences:,} sentence{'s' * (sentences != 1)} {what}{': ' if rules else ''}{rules}")
