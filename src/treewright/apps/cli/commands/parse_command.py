"""Parse text or a treebank.

HEAD and DEPREL are replaced; everything else in a treebank stays as it was. Raw text is split and tagged first, by a
model trained with --pipeline. Without a model, the bundled English one is used.
"""

from __future__ import annotations

import argparse
import glob
import os
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.declared_arguments import add_option_arguments, given_options
from treewright.apps.cli.inputs import Input, Job, code_after, expanded, is_parsed, jobs_for, note_failure, readable
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_from, add_number, add_output_or_folder, add_quiet, add_to
from treewright.apps.cli.text_arguments import add_given_borders, add_maybe_with_value, format_given
from treewright.errors import TreewrightError
from treewright.options.option import options_of
from treewright.steps.call import BEAM, CERTIFICATE, CONFIDENCE, GIVEN_ARCS, K_BEST, PLAIN, TAGS, TEXT, Call

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from treewright.apps.cli.progress.byte_progress import ByteBar
    from treewright.steps.step import Step

#: what ends a sentence in some scripts; Chinese and Japanese have no blanks to know a text by
SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
_TREES, _TEXT, _EXACT = ("trees", "trees"), ("text", "raw text"), ("exact", "exact parsers")
_STEPS = ("steps", "steps of the model")
#: what an option needs of the model → the topic of its argument
TOPICS = {
    BEAM: _TREES,
    K_BEST: _TREES,
    CONFIDENCE: _TREES,
    GIVEN_ARCS: _TREES,
    TAGS: _TREES,
    TEXT: _TEXT,
    CERTIFICATE: _EXACT,
}
COMMON = frozenset(("beam", "k_best", "confidence", "keep_arcs", "tag", "newlines"))


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "model",
        nargs="?",
        metavar="MODEL",
        help="model file that `treewright train` wrote, or the name of a model (default: english)",
    )
    parser.add_argument(
        "input",
        nargs="*",
        metavar="INPUT",
        help="texts or treebanks: files, globs or folders; or the text itself (default: standard input)",
    )
    add_output_or_folder(parser, "standard output; on a terminal, drawn trees")
    add_from(parser)
    add_to(parser, usual="by its name, else as the input")
    add_number(parser, "--threads", 1, "threads that share the model")
    add_quiet(parser, "show no progress and no summary")
    add_option_arguments(parser, Call, TOPICS, COMMON)
    steps = parser.topic(*_STEPS)
    steps.add("--steps", metavar="LIST", help="do these steps of the model alone, such as tokenizer,tagger")
    steps.add("--without", metavar="LIST", help="leave steps of the model out, such as parser")
    text = parser.topic(*_TEXT)
    add_given_borders(text)
    what = "answer standard input as it comes, by the line (default) or by the paragraph"
    add_maybe_with_value(text, "--flush", ("line", "paragraph"), what, "UNIT")
    text.add("--check", action="store_true", help="say how much of the input the model knows, instead of parsing it")
    text.add("--id-prefix", default="", metavar="TEXT", help="begin each sent_id with this")
    parser.topic(*_EXACT).add("--stats", action="store_true", help="show certificate and cost of each sentence")


def run(arguments: argparse.Namespace) -> int:
    """Parse texts or treebanks into a file, or each into one of a folder; say how fast it went."""
    from treewright.steps.files import parse_files

    step, inputs = _model_and_inputs(arguments)
    options = given_options(arguments, options_of(Call))
    report = None
    if arguments.stats:
        from treewright.kinds.exact.stats import StatsReport

        report = StatsReport(say)
        options["certified"] = report.add
    call = step._checked(options)
    if arguments.flush is not None:
        from treewright.apps.cli.answering import answer

        answer(step, call, arguments.flush, arguments.to)
        return 0
    if sys.stdin is not None and sys.stdin.isatty() and not arguments.quiet:
        _say_what_is_awaited(inputs)
    if arguments.check:
        from treewright.apps.cli.familiarity_report import check_familiarity

        return check_familiarity(step, inputs, arguments.format, call)
    if arguments.output is None and arguments.to is None and sys.stdout.isatty() and call.k_best is None:
        return _draw(step, arguments, inputs, call)
    jobs, unread = jobs_for(inputs, arguments.output or "-", arguments.to), 0
    if len(jobs) == 1 and len(inputs) > 1:
        good, unread = readable(inputs, lambda given: _read_through(step, arguments, given))
        jobs = [Job(tuple(good), jobs[0].output)]
    start, sentences, words = time.perf_counter(), 0, 0
    failed: list[Job] = []
    is_watched = not arguments.quiet and sys.stderr.isatty()
    with _bar(arguments, inputs) if is_watched else nullcontext() as advance:
        for job in jobs:
            try:
                sources, names = zip(*job.inputs, strict=True)
                counts = parse_files(
                    *(step, sources, job.output, call),
                    format=arguments.format,
                    to=arguments.to,
                    id_prefix=arguments.id_prefix,
                    names=names,
                    threads=arguments.threads,
                    progress=advance,
                )
            except TreewrightError as error:
                note_failure(jobs, failed, job, error)
                continue
            sentences, words = sentences + counts.sentences, words + counts.words
        code = code_after(jobs, failed) if failed else unread
    seconds = time.perf_counter() - start
    if is_watched and not isinstance(inputs[0].source, bytes):
        say(f"{sentences:,} sentences, {words:,} words, {words / max(seconds, 1e-9):,.0f} words/s")
    if report is not None:
        report.finish()
    return code


def _check_flush(arguments: argparse.Namespace, inputs: list[Input]) -> None:
    """Reject what would have no effect where standard input is answered piece by piece."""
    if any(given.source != "-" for given in inputs):
        raise TreewrightError("--flush answers standard input as it comes: leave out the other input")
    for name in ("output", "format", "id_prefix", "presegmented", "pretokenized", "stats"):
        if getattr(arguments, name):
            raise TreewrightError(f"--{name.replace('_', '-')} does not go with --flush: leave one of them out")
    if arguments.threads > 1:
        raise TreewrightError("--flush parses one piece at a time: leave out --threads")


def _say_what_is_awaited(inputs: list[Input]) -> None:
    """Tell a person at a terminal that the program waits for input."""
    if any(given.source == "-" for given in inputs):
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        say(f"type a text or paste one; {end} on an empty line ends it (--flush line answers each line at once)")


def _model_and_inputs(arguments: argparse.Namespace) -> tuple[Step, list[Input]]:
    """Return the steps that are wanted of a model, and what they are to read."""
    from treewright.steps.loading import load_step
    from treewright.steps.named_models import find_model

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    model, inputs = _sort_out(arguments.model, arguments.input)
    if arguments.flush is not None:
        _check_flush(arguments, inputs)
    step = load_step(find_model(model))
    if arguments.steps is not None or arguments.without is not None:
        from treewright.steps.pipeline import chosen_steps

        step = chosen_steps(step, _names(arguments.steps), _names(arguments.without))
    arguments.format = _format(step, arguments, inputs)
    return step, inputs


def _names(listed: str | None) -> list[str] | None:
    return None if listed is None else [name.strip() for name in listed.split(",") if name.strip()]


def _read_through(step: Step, arguments: argparse.Namespace, given: Input) -> None:
    from treewright.steps.reader import blocks_of
    from treewright.treebank.files.sentence_names import SentenceNames

    for _ in blocks_of(step, given.source, arguments.format, PLAIN, SentenceNames(arguments.id_prefix)):
        pass


def _draw(step: Step, arguments: argparse.Namespace, inputs: list[Input], call: Call) -> int:
    """Draw the trees: a person is watching. Pipes and files get the treebank."""
    from treewright.apps.cli.tree_printer import TreePrinter
    from treewright.display.from_sentence import picture_of
    from treewright.steps.in_order import parsed_in_order
    from treewright.steps.reader import blocks_of
    from treewright.treebank.files.sentence_names import SentenceNames
    from treewright.treebank.sentences.document import Document

    printer = TreePrinter(sys.stdout)
    for given in inputs:
        names = SentenceNames(arguments.id_prefix, given.document)
        blocks = blocks_of(step, given.source, arguments.format, call, names)
        for parsed in parsed_in_order(step, blocks, arguments.threads, call):
            for sentence in Document(parsed.text, parsed.layout):
                printer.show(picture_of(sentence, graph=False))
            sys.stdout.flush()
    return 0


def _sort_out(model: str | None, words: list[str]) -> tuple[str, list[Input]]:
    """Return model and inputs: either may be left out, and an input may be the text itself."""
    from treewright.steps.named_models import DEFAULT, path_of

    if model is not None and path_of(model) is None and (model == "-" or not _is_model(model, bool(words))):
        words = [model, *words]
        model = None
    if model is None:
        _check_order(words)
    inputs = []
    for word in words or ["-"]:
        if _is_text(word):
            inputs.append(Input(word.encode("utf-8", "surrogateescape")))
        else:
            inputs += expanded([word])
            if word.isalpha() and not os.path.exists(word):
                remedy = f"Check the path; a single word is a text with a full stop, or from a pipe: echo {word} |"
                raise TreewrightError(f"{word}: no such file. {remedy} treewright parse")
    return model or DEFAULT, inputs


def _check_order(words: list[str]) -> None:
    """Reject a model behind what it should parse."""
    from treewright.steps.named_models import path_of

    for word in words:
        if word.endswith(".tw") or (path_of(word) is not None and not os.path.exists(word)):
            raise TreewrightError(
                f"{word} is a model, and stands behind what it should parse. Give the model first:"
                f" treewright parse {word} {' '.join(other for other in words if other != word)}"
            )


def _is_text(words: str) -> bool:
    """Say whether an argument is itself what to parse: several words, one that ends a sentence, or none; no file."""
    many = len(words.split()) != 1 or words.endswith(SENTENCE_ENDS)
    return many and not os.path.exists(words)


def _is_model(name: str, with_inputs: bool) -> bool:
    """Say whether a word means a model: a file that begins like one, or neither a text nor any file."""
    from treewright.steps.named_models import is_model_file

    if _is_text(name) or os.path.isdir(name) or (glob.has_magic(name) and not os.path.exists(name)):
        return False
    if name.endswith(".tw") or not os.access(name, os.R_OK):
        return True  # the error that loading it gives says why
    # A file that comes first is taken for a model, unless its ending says that it is to be parsed.
    return is_model_file(name) or (with_inputs and not is_parsed(name))


def _format(step: Step, arguments: argparse.Namespace, inputs: list[Input]) -> str | None:
    """Return the format to read, where it is given."""
    for name in ("presegmented", "pretokenized"):
        if getattr(arguments, name) and {TAGS, TEXT} <= step.lacks.keys():
            raise TreewrightError(f"--{name}: {step.lacks[TEXT]}")
        if getattr(arguments, name) and getattr(arguments, "newlines", None) is not None:
            raise TreewrightError(f"--{name} says what lines are, so --newlines has no effect: give one of them")
    format = format_given(arguments)
    if format is not None:
        return format
    for each in inputs:
        if not isinstance(each.source, bytes) or not _is_plain(each.source):
            return None
    return "text"


def _is_plain(text: bytes) -> bool:
    """Say whether an argument is plain text; only what is a treebank beyond doubt is taken for one."""
    if b"\t" not in text:
        return True
    from treewright.treebank.files.text_format import is_treebank
    from treewright.treebank.formats.registry import Sample

    return not is_treebank(Sample(text, ""))


def _bar(arguments: argparse.Namespace, inputs: list[Input]) -> AbstractContextManager[ByteBar | None]:
    """Return a bar where it does not get into the output."""
    if arguments.output in (None, "-"):
        return nullcontext()
    from treewright.apps.cli.progress.byte_progress import ByteBar
    from treewright.treebank.formats.registry import COMPRESSIONS

    paths = [each.source for each in inputs if isinstance(each.source, str) and os.path.isfile(each.source)]
    plain = len(paths) == len(inputs) and not any(path.endswith(COMPRESSIONS) for path in paths)
    return ByteBar(map(os.path.getsize, paths)) if plain else nullcontext()
