"""Learn from raw text how words stand beside each other: a language model, for `train --pretrained`.

Texts, JSON Lines, Parquet and treebanks, compressed or not, are read as a stream; paragraphs that come again are left
out. Ctrl-C ends training early and keeps the best so far.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.commands.corpus_command import TABLES
from treewright.apps.cli.commands.train_command import check_target, report
from treewright.apps.cli.declared_arguments import add_option_arguments, given_options
from treewright.apps.cli.shared_arguments import add_from, add_json, add_quiet, add_required_output
from treewright.errors import TreewrightError
from treewright.options.option import options_of

COMMON = ("passes", "time_limit", "threads", "seed")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    from treewright.kinds.language_model.recipe import LanguageModelRecipe
    from treewright.options.topics import LEARNING, NEURAL, WORDS

    parser.usage = "%(prog)s RAW [RAW ...] -o MODEL [options]"
    parser.add_argument("raw", nargs="+", metavar="RAW", help="texts and tables to learn from: files, globs or folders")
    add_required_output(parser, "MODEL", "model file to write")
    parser.add_argument("--tokenizer", metavar="MODEL", help="split text as this model does (default: by Unicode)")
    parser.add_argument("--init-from", metavar="MODEL", help="go on from a language model")
    add_from(parser)
    parser.add_argument(
        "--text-field", default="text", metavar="NAME", help="JSON Lines, Parquet: field of the text (default: text)"
    )
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the model, kept in it")
    parser.add_argument("--description", default="", metavar="TEXT", help="a line about the model, kept in it")
    add_json(parser, "print the result as JSON")
    add_quiet(parser)
    topics = {LEARNING: (WORDS[LEARNING], LEARNING), NEURAL: ("network", "network")}
    add_option_arguments(parser, LanguageModelRecipe, topics, COMMON)


def run(arguments: argparse.Namespace) -> int:
    """Learn and save."""
    from treewright import load
    from treewright.apps.cli.inputs import STDIN, expanded
    from treewright.apps.cli.progress.pretraining_progress import PretrainingProgress
    from treewright.apps.corpus.plan import Header
    from treewright.apps.corpus.planner import Source
    from treewright.apps.corpus.raw_sentences import raw_sentences
    from treewright.kinds.language_model.recipe import LanguageModelRecipe
    from treewright.kinds.language_model.splitting import Seen
    from treewright.kinds.language_model.training import pretrain

    check_target(arguments.output)
    recipe = LanguageModelRecipe(**given_options(arguments, options_of(LanguageModelRecipe)))
    recipe.check()
    if STDIN in arguments.raw:
        raise TreewrightError("standard input (-) cannot be learnt from: give files")
    files = expanded(arguments.raw, more=TABLES)
    tokenizer = load(arguments.tokenizer) if arguments.tokenizer else None
    base = load(arguments.init_from) if arguments.init_from else None
    seen = Seen()
    sources = [Source(str(each.source), "") for each in files]
    name = " + ".join(each.name for each in files[:5]) + (f" and {len(files) - 5} more" if len(files) > 5 else "")

    def about() -> dict[str, Any]:
        tokens = {"tokenizer": os.path.basename(arguments.tokenizer)} if arguments.tokenizer else {}
        more = {"licence": arguments.licence, "description": arguments.description, **tokens}
        return more if base is None else {**more, "continued_from": base.info}

    with PretrainingProgress(arguments.quiet) as observer:
        observer.reading()
        sentences = raw_sentences(sources, Header(text_field=arguments.text_field), arguments.format, tokenizer, seen)
        model = pretrain(sentences, name, recipe, base, observer, about, lambda: seen.notes)
    model.save(arguments.output)
    report(model.info, arguments)
    return 0
