"""Parse a corpus of any size, on one machine or many, in parts that are finished once.

`plan` cuts the inputs into parts, `run` parses those that are not finished, `status` says how far it is, `merge`
joins the parts.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.corpus_arguments import add_merge, add_plan, add_run, add_status
from treewright.apps.cli.declared_arguments import given_options
from treewright.apps.cli.program import say
from treewright.apps.cli.progress.byte_progress import ByteBar
from treewright.apps.cli.text_arguments import format_given
from treewright.apps.worker_process import available_cores
from treewright.errors import TreewrightError
from treewright.options.option import flag_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treewright.apps.corpus.driver import Driver, Observer
    from treewright.apps.corpus.plan import Part
    from treewright.apps.corpus.planner import Source

ACTIONS = {
    "plan": (add_plan, "cut inputs into parts, and write what they are"),
    "run": (add_run, "parse the parts of a plan that are not finished"),
    "status": (add_status, "say what is done, failed and left"),
    "merge": (add_merge, "join the parts, in order"),
}
#: text and table files that `plan` takes from a folder, besides treebanks
TABLES = (".jsonl", ".ndjson", ".parquet", ".pq")
TABLE_KINDS = {"jsonl", "parquet"}
PART_SIZE = "8M"
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
SET_ASIDE = 1  # exit code: all that can be parsed is parsed, and something was set aside


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.usage = "%(prog)s plan|run|status|merge …"
    actions = parser.add_subparsers(prog=parser.prog, dest="action", metavar="ACTION", required=True)
    for name, (declare, text) in ACTIONS.items():
        declare(actions.add_parser(name, help=text, description=f"{text.capitalize()}."))


def run(arguments: argparse.Namespace) -> int:
    """Run the action."""
    return {"plan": _plan, "run": _run, "status": _status, "merge": _merge}[arguments.action](arguments)


# plan


def _plan(arguments: argparse.Namespace) -> int:
    from treewright.apps.corpus.plan import CorpusPlan, Header
    from treewright.apps.corpus.planner import Planner, layout_of, numbered, write_plan
    from treewright.apps.corpus.storage import size_of

    format = _format(arguments)
    parser, digest = _parser_of(arguments.model)
    if arguments.number and parser is None:
        raise TreewrightError("--number counts sentences with a model: give it with --model")
    if arguments.newlines != "auto" and format not in (None, "text"):
        raise TreewrightError(f"--newlines is for raw text, and the input is {format}: leave it out")
    if arguments.whole_files and arguments.part_size:
        raise TreewrightError("--whole-files does not cut, so --part-size has no effect: give one of them")
    sources = _sources(arguments.input)
    header = Header(
        layout=layout_of(format),
        newlines=arguments.newlines,
        id_prefix=arguments.id_prefix,
        text_field=arguments.text_field or "text",
        id_field=arguments.id_field or "",
        numbered_by=digest if arguments.number else "",
    )
    _check_header(header)
    with ByteBar((size_of(source.path) for source in sources), arguments.quiet) as advance:
        planner = Planner(header, _bytes(arguments.part_size or PART_SIZE), format, arguments.whole_files, advance)
        parts = _without_idle_options(planner.parts(sources), arguments)
        if arguments.number and parser is not None:
            parts = numbered(parts, parser, header)
        write_plan(arguments.output, header, parts)
    _tell_plan(CorpusPlan.open(arguments.output), parser, len(sources))
    return 0


def _without_idle_options(parts: Iterator[Part], arguments: argparse.Namespace) -> Iterator[Part]:
    """Yield the parts; at the end, reject options that changed nothing because no input was of their kind."""
    kinds = set()
    for part in parts:
        kinds.add(part.kind)
        yield part
    for option, of in (("text_field", TABLE_KINDS), ("id_field", TABLE_KINDS)):
        if getattr(arguments, option) and not kinds & of:
            raise TreewrightError(f"{flag_of(option)} is for JSON Lines and Parquet, and no input is")
    if arguments.newlines != "auto" and kinds == {"treebank"}:
        raise TreewrightError("--newlines is for raw text, and all inputs are treebanks: leave it out")


def _tell_plan(plan: Any, parser: Any, n_files: int) -> None:
    from treewright.apps.corpus.estimate import estimate

    guess = estimate(plan, parser)
    files = f"{n_files:,} file{'s' * (n_files != 1)}"
    print(f"{plan.path}: {plan.n_parts:,} parts of {files}, {plan.n_bytes:,} bytes, about {guess.words:,.0f} words")
    if guess.core_hours is None:
        print("with --model MODEL, a sample is parsed to estimate the core-hours")
    else:
        hours = f"about {guess.core_hours:,.3g}" if guess.core_hours >= 0.001 else "less than 0.001"
        print(f"{hours} core-hours with this model, by a sample parsed on this machine")


def _check_header(header: Any) -> None:
    from treewright.steps.call import call_from
    from treewright.treebank.files.sentence_names import SentenceNames

    SentenceNames(header.id_prefix)
    call_from({"newlines": header.newlines})


def _format(arguments: argparse.Namespace) -> str | None:
    from treewright.treebank.files.text_format import TEXT_FORMATS
    from treewright.treebank.formats.registry import format_named

    format = format_given(arguments)
    if format is not None and format not in (*TEXT_FORMATS, "jsonl", "parquet"):
        format_named(format)
    return format


def _parser_of(model: str | None) -> tuple[Any, str]:
    """Return a parser and the digest of its file."""
    if model is None:
        return None, ""
    from treewright.apps.corpus.run_part import model_digest, model_of, model_path

    digest = model_digest(model_path(model))
    return model_of(model, digest), digest


def _sources(words: list[str]) -> list[Source]:
    from treewright.apps.cli.inputs import STDIN, expanded
    from treewright.apps.corpus.planner import Source
    from treewright.apps.corpus.storage import is_remote, plain, remote_files

    sources = []
    for word in words:
        if word == STDIN:
            raise TreewrightError("standard input (-) cannot be planned: workers read parts of files by themselves")
        if is_remote(word):
            sources += [Source(path, _document(name)) for path, name in remote_files(word)]
        else:
            inputs = expanded([plain(word)], more=TABLES)
            sources += [Source(os.path.abspath(str(each.source)), _document(each.name)) for each in inputs]
    return sources


def _document(name: str) -> str:
    from treewright.apps.cli.inputs import Input

    document = Input(b"", name).document
    for ending in TABLES:
        document = document.removesuffix(ending)
    return document


def _bytes(text: str) -> int:
    number, unit = (text[:-1], text[-1:].upper()) if text[-1:].upper() in UNITS else (text, "")
    if not number.isdigit() or int(number) < 1:
        raise TreewrightError(f"--part-size {text}: a number of bytes, such as 500K, 8M or 1G")
    return int(number) * UNITS[unit]


# run


def _run(arguments: argparse.Namespace) -> int:
    from treewright.apps.corpus.engines import make_engine

    driver = _driver(arguments)
    name = arguments.engine or ("serial" if arguments.shard and arguments.jobs is None else "local")
    workers = available_cores() if arguments.jobs is None else arguments.jobs
    if workers < 1:
        raise TreewrightError(f"--jobs {arguments.jobs}: at least one is needed")
    if arguments.jobs is not None and (arguments.scheduler or arguments.cluster):
        raise TreewrightError("--jobs is for workers on this machine: a cluster has its own")
    try:
        with make_engine(name, workers, scheduler=arguments.scheduler, cluster=arguments.cluster) as engine:
            progress = driver.run(engine)
    except KeyboardInterrupt:
        say(f"finished parts are kept in {arguments.output}: the same command goes on with the others")
        raise
    if progress.failed or progress.set_aside:
        what = [f"{progress.failed} of {progress.parts} parts"] * bool(progress.failed)
        what += [f"{progress.set_aside} sentences or rows"] * bool(progress.set_aside)
        retry = "; --retry-failed tries the parts again" if progress.failed else ""
        say(f"{' and '.join(what)} were set aside: {arguments.output}/failed says why{retry}")
        return SET_ASIDE
    return 0


def _driver(arguments: argparse.Namespace) -> Driver:
    """Return what runs the plan, all arguments checked."""
    from dataclasses import asdict

    from treewright.apps.corpus.driver import Driver
    from treewright.apps.corpus.plan import CorpusPlan
    from treewright.apps.corpus.run_part import CorpusJob
    from treewright.apps.corpus.storage import is_remote
    from treewright.apps.corpus.store import RunStore
    from treewright.options.option import options_of
    from treewright.steps.call import Call

    if arguments.attempts < 1:
        raise TreewrightError(f"--attempts {arguments.attempts}: at least one is needed")
    shard = _shard(arguments.shard)
    plan = CorpusPlan.open(arguments.plan)
    options = given_options(arguments, options_of(Call))
    parser, digest = _parser_of(arguments.model)
    parser._checked(options)
    model = arguments.model
    if not is_remote(model) and os.path.exists(model):
        model = os.path.abspath(model)
    out = arguments.output if is_remote(arguments.output) else os.path.abspath(arguments.output)
    job = CorpusJob(out, plan.digest, digest, model, arguments.to, asdict(plan.header), options)
    store = RunStore(out)
    return Driver(
        plan, store, job, arguments.attempts, shard, arguments.retry_failed, _observers(arguments, store, shard)
    )


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, _, second = text.partition("/")
    if not (first.isdigit() and second.isdigit() and 1 <= int(first) <= int(second)):
        raise TreewrightError(f"--shard {text}: i/n, such as 3/10 for the third of ten")
    return int(first), int(second)


def _observers(arguments: argparse.Namespace, store: Any, shard: tuple[int, int] | None) -> list[Observer]:
    from treewright.apps.cli.progress.corpus_progress import CorpusProgress
    from treewright.apps.corpus.watching import EventLog, MetricsFile, SpeedFile

    observers: list[Observer] = [SpeedFile(store, shard), CorpusProgress(arguments.quiet)]
    if arguments.log:
        observers.append(EventLog(arguments.log))
    if arguments.metrics:
        observers.append(MetricsFile(arguments.metrics))
    return observers


# status and merge


def _status(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from treewright.apps.cli.progress.progress_display import in_words
    from treewright.apps.corpus.plan import CorpusPlan
    from treewright.apps.corpus.status import status_of
    from treewright.apps.corpus.store import RunStore

    store = RunStore(arguments.folder)
    status = status_of(CorpusPlan.open(arguments.plan), store)
    if arguments.json:
        print(json.dumps({**asdict(status), "seconds_left": status.seconds_left}))
        return SET_ASIDE if status.failed or status.set_aside else 0
    print(f"{status.done:,} of {status.parts:,} parts done, {status.failed:,} failed, {status.left:,} left")
    print(f"{status.sentences:,} sentences, {status.words:,} words; {status.set_aside:,} sentences or rows set aside")
    if status.cpu_seconds:
        print(f"{status.words / status.cpu_seconds:,.0f} words/s on a core")
    if status.words_per_second:
        now = "now" if status.running else "in the last run"
        print(f"{status.words_per_second:,.0f} words/s {now}")
    if status.left and status.seconds_left is not None:
        print(f"{in_words(status.seconds_left)} to go at this speed")
    for number in sorted(store.failed())[:10]:
        failure = store.failure(number) or {}
        reasons = [failure["reason"]] if failure.get("whole") else [each["reason"] for each in failure.get("items", ())]
        for reason in reasons[:3]:
            print(f"part {number}: {reason}")
    return SET_ASIDE if status.failed or status.set_aside else 0


def _merge(arguments: argparse.Namespace) -> int:
    from treewright.apps.corpus.merge import merge
    from treewright.apps.corpus.plan import CorpusPlan
    from treewright.apps.corpus.store import RunStore

    plan = CorpusPlan.open(arguments.plan)
    with ByteBar([plan.n_bytes], arguments.quiet) as advance:
        merged = merge(plan, RunStore(arguments.folder), arguments.output, arguments.skip_failed, advance)
    if not arguments.quiet:
        say(f"{merged.parts:,} parts, {merged.sentences:,} sentences, {merged.words:,} words")
    return 0
