"""Show a parse step by step: configurations, legal moves, scores, costs, choices.

With a trained model, its moves; with the name of a system and a gold tree, those of an oracle; or any moves that you
give.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from treewright.errors import CombinationError, TreebankError, TreewrightError

if TYPE_CHECKING:
    from treewright.treebank.sentence import Sentence

FORMS = ("text", "json", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("parser", metavar="model|system", help="model file, or the name of a transition system")
    parser.add_argument("sentence", help="words with spaces between them, or a treebank file (-: standard input)")
    parser.add_argument("--sentence", dest="number", type=int, default=1, metavar="N", help="of a treebank (default 1)")
    parser.add_argument("--tags", help="parts of speech of the words (UPOS), with spaces or commas between them")
    parser.add_argument("--heads", help="gold tree: the head of every word, 0 for the root, e.g. 2,0,2")
    parser.add_argument("--relations", help="relations of the gold tree, e.g. nsubj,root,obj")
    parser.add_argument("--moves", help='moves to make first, e.g. "SHIFT LEFT(nsubj) REDUCE"')
    parser.add_argument("--follow", metavar="NAME", help="who chooses (then): model, static or dynamic (oracle)")
    parser.add_argument("--features", action="store_true", help="show the weightiest features of every chosen move")
    parser.add_argument("--top", type=int, default=8, metavar="N", help="with --features: how many (default 8)")
    parser.add_argument("--root", choices=("first", "last"), help="of a system: where arc-eager has its root")
    parser.add_argument("--no-single-root", dest="single_root", action="store_false", help="of a system: several roots")
    parser.add_argument("--to", choices=FORMS, help="form of the output (default: by the file's name, else text)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="file to write (default: standard output)")
    parser.add_argument("--format", metavar="NAME", help="format of the treebank, if it is not to be guessed")


def run(arguments: argparse.Namespace) -> int:
    """Trace, and write it down."""
    from treewright.tracing.tracer import trace
    from treewright.treebank.output import open_output

    if arguments.features and arguments.top < 1:
        raise CombinationError(f"--top {arguments.top}: at least one feature is needed")
    done = trace(
        arguments.parser,
        _sentence(arguments),
        heads=_numbers(arguments.heads),
        relations=_list(arguments.relations),
        moves=arguments.moves,
        follow=arguments.follow,
        features=arguments.top if arguments.features else 0,
        root=arguments.root,
        single_root=arguments.single_root,
    )
    form = arguments.to or _form_of(arguments.output)
    if form == "text":
        terminal = arguments.output == "-" and sys.stdout.isatty()
        text = done.to_text(_width() if terminal else 100, terminal and "NO_COLOR" not in os.environ)
    else:
        text = done.to_json() if form == "json" else done.to_html()
    with open_output(arguments.output) as output:
        output.write((text.rstrip("\n") + "\n").encode("utf-8", "replace"))
    return 0


def _sentence(arguments: argparse.Namespace) -> Sentence:
    """Return the sentence: words as given, or one of a treebank."""
    from treewright.treebank.sentence import Sentence

    given = arguments.sentence
    if given != "-" and not os.path.isfile(given):
        if given.endswith((".conllu", ".conll", ".gz", ".xz", ".bz2")) and " " not in given:
            raise TreebankError("no such file", source=given, remedy="Check the path.")
        words = given.split()
        tags = _list(arguments.tags)
        if tags is not None and len(tags) != len(words):
            raise CombinationError(f"{len(words)} words need as many tags, not {len(tags)}")
        if not words:
            raise TreewrightError("a sentence without words has nothing to trace")
        pairs = zip(words, tags or ["_"] * len(words), strict=True)
        return Sentence.from_words([{"form": word, "upos": tag} for word, tag in pairs])
    if arguments.tags is not None:
        raise CombinationError("--tags go with words, and a treebank has tags of its own: leave them out")
    from treewright.treebank.treebank import read

    if arguments.number < 1:
        raise CombinationError(f"--sentence {arguments.number}: sentences are counted from 1")
    count = 0
    for count, sentence in enumerate(read(given, format=arguments.format), 1):
        if count == arguments.number:
            return sentence
    raise TreebankError(f"{count} sentences, and sentence {arguments.number} was asked for", source=given)


def _list(text: str | None) -> list[str] | None:
    return None if text is None else text.replace(",", " ").split()


def _numbers(text: str | None) -> list[int] | None:
    try:
        return None if text is None else [int(head) for head in _list(text) or []]
    except ValueError:
        raise CombinationError(f"--heads {text}: heads are numbers of words, e.g. 2,0,2") from None


def _form_of(path: str) -> str:
    ending = os.path.splitext(path)[1].lstrip(".").lower()
    return {"htm": "html"}.get(ending, ending if ending in FORMS else "text")


def _width() -> int:
    import shutil

    return shutil.get_terminal_size().columns
