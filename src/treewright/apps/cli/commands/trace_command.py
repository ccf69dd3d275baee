"""Show a parse step by step: configurations, legal moves, scores, costs, choices.

A trained model traces its own moves. A system, given by name with a gold tree or graph, traces those of an oracle. Or
you give the moves.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING

from treewright.apps.cli.output_forms import FORMS, form_of, write_document
from treewright.apps.cli.shared_arguments import add_choice, add_from, add_output, add_to
from treewright.errors import CombinationError, TreebankError

if TYPE_CHECKING:
    from treewright.apps.tracing.traced_model import TracedModel
    from treewright.treebank.sentences.sentence import Sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("parser", metavar="MODEL|SYSTEM", help="model file, or the name of a transition system")
    parser.add_argument(
        "sentence",
        metavar="SENTENCE",
        help="words separated by spaces (for a pipeline: text), or a treebank file (-: standard input)",
    )
    parser.add_argument(
        "--sentence",
        dest="number",
        type=int,
        default=1,
        metavar="N",
        help="number of the sentence in a treebank or text (default: 1)",
    )
    parser.add_argument(
        "--tags", metavar="LIST", help="parts of speech of the words (UPOS), separated by spaces or commas"
    )
    parser.add_argument("--heads", metavar="LIST", help="gold tree, the head of every word: 2,0,2 (0: the root)")
    parser.add_argument("--relations", metavar="LIST", help="relations of the gold tree: nsubj,root,obj")
    parser.add_argument(
        "--deps", metavar="LIST", help='gold graph, DEPS of every word: "2:nsubj|4:nsubj 0:root 4:cc 2:conj"'
    )
    parser.add_argument("--moves", metavar="LIST", help='moves to make first: "SHIFT LEFT(nsubj) REDUCE"')
    parser.add_argument("--follow", metavar="NAME", help="what chooses other moves: model, static or dynamic (oracle)")
    parser.add_argument("--top", type=int, metavar="N", help="show the N features of every chosen move that weigh most")
    add_choice(parser, "--root", ("first", "last"), "where arc-eager has its root, for a system", usual="last")
    parser.add_argument(
        "--no-single-root", dest="single_root", action="store_false", help="allow several roots, for a system"
    )
    add_to(parser, usual="by its name, else text", choices=FORMS)
    add_output(parser)
    add_from(parser, "treebank")


def run(arguments: argparse.Namespace) -> int:
    """Trace a sentence and write the trace."""
    from treewright.apps.tracing.tracer import ALL_SYSTEMS, model_named, trace

    if arguments.top is not None and arguments.top < 1:
        raise CombinationError(f"--top {arguments.top}: at least one feature is needed")
    model = None if arguments.parser in ALL_SYSTEMS else model_named(arguments.parser)
    sentence, number = _sentence(arguments, model)
    done = trace(
        model or arguments.parser,
        sentence,
        heads=_numbers(arguments.heads),
        relations=_list(arguments.relations),
        graph=arguments.deps,
        moves=arguments.moves,
        follow=arguments.follow,
        features=arguments.top or 0,
        root=arguments.root,
        single_root=arguments.single_root,
        number=number,
    )
    form = arguments.to or form_of(arguments.output)
    if form == "text":
        terminal = arguments.output == "-" and sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else 100
        text = done.to_text(width, terminal and "NO_COLOR" not in os.environ)
    else:
        text = done.to_json() if form == "json" else done.to_html()
    write_document(text, arguments.output)
    return 0


def _sentence(arguments: argparse.Namespace, model: TracedModel | None) -> tuple[Sentence | str, int]:
    """Return the sentence, and its number in what is returned: text may hold several."""
    given = arguments.sentence
    if given != "-" and not os.path.isfile(given):
        if given.endswith((".conllu", ".conll", ".txt", ".gz", ".xz", ".bz2", ".zst")) and " " not in given:
            raise TreebankError("no such file", source=given, remedy="Check the path.")
        return (given if arguments.tags is None else _with_tags(given, arguments.tags)), arguments.number
    if arguments.tags is not None:
        raise CombinationError("--tags are for words on the command line; a file has its own: leave them out")
    from treewright.apps.tracing.tracer import nth
    from treewright.treebank.files.treebank import read

    sentences = read(given, format=arguments.format) if model is None else model.read(given, arguments.format)
    return nth(sentences, arguments.number, given), 1


def _with_tags(given: str, tags: str) -> Sentence:
    from treewright.treebank.sentences.sentence import Sentence

    words, names = given.split(), _list(tags) or []
    if len(names) != len(words):
        raise CombinationError(f"{len(words)} words need as many tags, not {len(names)}")
    pairs = zip(words, names, strict=True)
    return Sentence.from_words([{"form": word, "upos": tag} for word, tag in pairs])


def _list(text: str | None) -> list[str] | None:
    return None if text is None else text.replace(",", " ").split()


def _numbers(text: str | None) -> list[int] | None:
    try:
        return None if text is None else [int(head) for head in _list(text) or []]
    except ValueError:
        raise CombinationError(f"--heads {text}: heads are word numbers, e.g. 2,0,2") from None
