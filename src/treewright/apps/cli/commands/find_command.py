"""Find a pattern, in Grew's notation, in treebanks.

A pattern is text, such as 'pattern { V [upos=VERB]; V -[nsubj]-> S }', or a file that ends with .req. The exit code is
0 if there is a match, 1 if there is none, 2 if something is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from treewright.apps.cli.shared_arguments import add_choice, add_from, add_number, add_output
from treewright.errors import CombinationError, TreewrightError

if TYPE_CHECKING:
    from treewright.query.finding import Found
    from treewright.query.language.pattern import Pattern
    from treewright.query.matching import Match

#: what is written → endings of files
FORMS = {
    "kwic": (".txt",),
    "conllu": (".conllu",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "json": (".json",),
    "parquet": (".parquet",),
    "trees": (),
    "html": (".html", ".htm"),
    "svg": (".svg",),
}
TABLES = ("csv", "tsv", "json", "parquet")
DRAWINGS = ("trees", "html", "svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("pattern", metavar="PATTERN", help="pattern, or a file of patterns (.req)")
    parser.add_argument("files", nargs="*", metavar="TREEBANK", help="where to look (default: standard input)")
    parser.add_argument("--count", action="store_true", help="print the number of matches alone")
    parser.add_argument(
        "--count-by", nargs="+", metavar="KEY", help="count matches by V.lemma, e.label, delta(X,Y), X#Y, X -> Y, …"
    )
    parser.add_argument(
        "--columns", nargs="+", metavar="KEY", help="columns of a table: keys, V.id, sent_id, text, file"
    )
    parser.add_argument("--show", action="store_true", help="draw the trees, with the match marked")
    parser.add_argument("--invert", action="store_true", help="the sentences without a match")
    parser.add_argument("--limit", type=int, metavar="N", help="stop after so many matches, or sentences of --invert")
    parser.add_argument("--sample", type=int, metavar="N", help="so many matches by chance")
    add_number(parser, "--seed", 1, "seed of --sample")
    parser.add_argument("--tree", action="store_true", help="words and the tree alone, without DEPS and empty nodes")
    add_choice(
        parser, "--to", tuple(FORMS), "what is written", usual="by the name of the output, else kwic", metavar="FORM"
    )
    add_output(parser)
    add_number(parser, "--threads", 1, "threads")
    add_from(parser, "treebanks")


def run(arguments: argparse.Namespace) -> int:
    """Find, and write what was found."""
    from treewright.apps.cli.find_output import Writing

    _check(arguments)
    patterns = _patterns(arguments)
    with Writing(arguments.form, arguments.output, arguments.columns, arguments.tree) as writing:
        if arguments.count:
            return writing.numbers((pattern.name, _count(arguments, pattern)) for pattern in patterns)
        if arguments.count_by:
            found = _found(arguments, patterns[0])
            return writing.counts(arguments.count_by, found.count_by(*arguments.count_by))
        for pattern in patterns:
            if arguments.invert:
                writing.sentences(islice(_found(arguments, pattern).without(), arguments.limit))
            else:
                writing.matches(pattern, _chosen(arguments, pattern))
    return writing.code


def _count(arguments: argparse.Namespace, pattern: Pattern) -> int:
    """Return the number of matches, or of sentences without one."""
    found = _found(arguments, pattern)
    return sum(1 for _ in islice(found.without(), arguments.limit)) if arguments.invert else found.count()


def _check(arguments: argparse.Namespace) -> None:
    """Choose what is written, and reject options that contradict each other or have no effect."""
    arguments.form = form_of(arguments)
    alone = [name for name in ("count", "count_by", "invert", "show", "sample", "columns") if getattr(arguments, name)]
    for one, others in {
        "count": ("count_by", "show", "sample", "columns"),
        "count_by": ("invert", "show", "sample", "columns"),
        "invert": ("columns", "sample"),
    }.items():
        clash = [other for other in others if one in alone and other in alone]
        if clash:
            raise CombinationError(f"{_flag(one)} and {_flag(clash[0])} do not go together: leave one out")
    for name in ("limit", "sample"):
        value = getattr(arguments, name)
        if value is not None and value < 0:
            raise TreewrightError(f"--{name} {value}: it counts matches, from 0")
    if arguments.limit is not None and arguments.sample is not None:
        raise CombinationError("--limit and --sample both say how many matches are wanted: leave one out")
    if arguments.columns and arguments.form not in TABLES:
        raise CombinationError(f"--columns is about tables: choose --to from {', '.join(TABLES)}")
    if arguments.count and arguments.form not in ("kwic", "json"):
        raise CombinationError("--count prints numbers: leave out --to, or choose json")
    if arguments.count_by and arguments.form not in ("kwic", *TABLES):
        raise CombinationError(f"--count-by prints a table: leave out --to, or choose from {', '.join(TABLES)}")
    if arguments.invert and arguments.form in TABLES:
        raise CombinationError("a table has a row for each match, and --invert shows sentences without any")
    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: give 1 or more")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def form_of(arguments: argparse.Namespace) -> str:
    """Return what is written: as an option says, or the ending of the output."""
    import os

    from treewright.treebank.formats.registry import uncompressed_name

    if arguments.show and arguments.to not in (None, *DRAWINGS):
        raise CombinationError(f"--show draws trees, and --to {arguments.to} does not: leave one out")
    ending = os.path.splitext(uncompressed_name(arguments.output.lower()))[1]
    named = next((form for form, endings in FORMS.items() if ending in endings), None)
    if named == "kwic" or (named is None and ending == ""):
        named = None
    elif named is None and not arguments.to and arguments.output != "-":
        known = ", ".join(each for endings in FORMS.values() for each in endings)
        raise TreewrightError(f"{arguments.output}: the ending {ending} says no form. Give --to, or one of {known}")
    if arguments.show and named not in (None, *DRAWINGS):
        raise CombinationError(f"--show draws trees, and {arguments.output} is none: give .html, .svg or .txt")
    return str(arguments.to or named or ("trees" if arguments.show else "kwic"))


def _patterns(arguments: argparse.Namespace) -> list[Pattern]:
    from treewright.query.pattern_files import given_patterns

    patterns = given_patterns(arguments.pattern)
    if len(patterns) > 1:
        if arguments.files in ([], ["-"]):
            raise TreewrightError("standard input can be read once, and there are several patterns: give a file")
        if arguments.count_by or (arguments.form in (*TABLES, "svg") and not arguments.count):
            raise CombinationError(f"{len(patterns)} patterns have different nodes: give one for a table or a drawing")
    return patterns


def _found(arguments: argparse.Namespace, pattern: Pattern) -> Found:
    from treewright.apps.cli.inputs import paths_of
    from treewright.query.finding import find

    files = paths_of(arguments.files or ["-"])
    tree, threads = arguments.tree, arguments.threads
    limit = None if arguments.invert else arguments.limit  # of the sentences without a match, not of matches
    return find(files, pattern, format=arguments.format, tree=tree, limit=limit, threads=threads)


def _chosen(arguments: argparse.Namespace, pattern: Pattern) -> Iterator[list[Match]]:
    """Yield the matches to write, by sentence."""
    from treewright.query.finding import grouped
    from treewright.query.keys import usual_keys

    found = _found(arguments, pattern)
    if arguments.form in TABLES:
        found = found.with_keys(arguments.columns or usual_keys(pattern))
    yield from grouped(found if arguments.sample is None else found.sample(arguments.sample, arguments.seed))
