"""What a command is given to read: files, globs and folders; and where what comes of each is written."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from treewright.apps.cli.in_and_out import check_apart
from treewright.apps.cli.program import say
from treewright.errors import TreewrightError
from treewright.treebank.files.sentence_names import TEXT_ENDING, name_without_endings
from treewright.treebank.formats.registry import uncompressed_name

STDIN = "-"


class Input(NamedTuple):
    """One thing to read: a path, or the text itself as bytes; ``name`` is what its output is named after."""

    source: str | bytes
    name: str = ""

    @property
    def document(self) -> str:
        """What a text is called in ``# newdoc id``: its file without the ending."""
        return name_without_endings(self.name)


class Job(NamedTuple):
    """Inputs that become one output."""

    inputs: tuple[Input, ...]
    output: str


def expanded(words: Iterable[str], more: tuple[str, ...] = ()) -> list[Input]:
    """Return the files that words of a command line mean: files, globs, folders with all below them.

    ``more``: endings of files that are taken from folders, besides those of texts and treebanks.
    """
    inputs: list[Input] = []
    for word in words:
        if word == STDIN:
            inputs.append(Input(STDIN, ""))
        elif os.path.isdir(word):
            inputs += _below(word, more)
        elif not os.path.exists(word) and glob.has_magic(word):
            matches = sorted(glob.glob(word, recursive=True))
            if not matches:
                raise TreewrightError(f"{word}: no file matches. Check the pattern")
            inputs += expanded(matches, more)
        else:
            inputs.append(Input(word, os.path.basename(word)))
    if inputs.count(Input(STDIN)) > 1:
        raise TreewrightError("standard input (-) is given twice, and can be read once")
    return inputs


def paths_of(words: Iterable[str]) -> list[str]:
    """Return the files that words mean, as paths."""
    return [str(given.source) for given in expanded(words)]


def _below(folder: str, more: tuple[str, ...]) -> list[Input]:
    """Return the texts and treebanks of a folder and those below it, named relative to it."""
    from treewright.treebank.files.folder_parts import files_below
    from treewright.treebank.formats.registry import formats

    endings = (TEXT_ENDING, *(suffix for format in formats() if format.is_read for suffix in format.suffixes), *more)
    inputs = [Input(path, os.path.relpath(path, folder)) for path in files_below(folder, endings)]
    if not inputs:
        raise TreewrightError(f"{folder} is a directory without texts or treebanks: they end with {', '.join(endings)}")
    return inputs


def is_parsed(name: str) -> bool:
    """Say whether the ending of a file is that of a text or a treebank."""
    return uncompressed_name(name).lower().endswith(TEXT_ENDING) or _is_treebank(name)


def is_folder(output: str | None) -> bool:
    """Say whether an output is a folder: one that is there, or is named as one."""
    return output is not None and (os.path.isdir(output) or output.endswith(("/", os.sep)))


def jobs_for(inputs: Sequence[Input], output: str, to: str | None) -> list[Job]:
    """Return what is written where: all to one file, or, if the output is a folder, each to a file of its own."""
    if output == STDIN or not is_folder(output):
        if output != STDIN:
            _check_apart(output, inputs)
        return [Job(tuple(inputs), output)]
    jobs: dict[str, Job] = {}
    for given in inputs:
        target = os.path.join(output, _output_name(given, to))
        if target in jobs:
            other = jobs[target].inputs[0].source
            raise TreewrightError(f"{other!s} and {given.source!s} would both be written to {target}. Rename one")
        jobs[target] = Job((given,), target)
    for target in jobs:
        _check_apart(target, inputs)
        _make_folder(os.path.dirname(target))
    return list(jobs.values())


def _check_apart(output: str, inputs: Sequence[Input]) -> None:
    """Reject an output that is one of the inputs."""
    for given in inputs:
        if isinstance(given.source, (str, os.PathLike)):
            check_apart(output, os.fspath(given.source))


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder or ".", exist_ok=True)
    except OSError as error:
        raise TreewrightError(f"{folder}: the folder cannot be made ({error.strerror}). Check the path") from None


def _output_name(given: Input, to: str | None) -> str:
    """Return the name of an output: that of the input, with the ending of the format that is written."""
    name = given.name or "text"
    stem = name_without_endings(name)
    if to is not None:
        from treewright.treebank.formats.registry import format_named

        suffixes = format_named(to).suffixes
        return stem + (suffixes[0] if suffixes else f".{to}")
    return name if _is_treebank(name) else stem + ".conllu"


def _is_treebank(name: str) -> bool:
    from treewright.treebank.formats.registry import format_for_path

    return format_for_path(name) is not None


def note_failure(jobs: Sequence[Job], failed: list[Job], job: Job, error: TreewrightError) -> None:
    """Report a file that failed, and go on with the others; if it is the only file, raise the error."""
    if len(jobs) == 1:
        raise error
    say(f"error: {error}")
    failed.append(job)


def code_after(jobs: Sequence[Job], failed: Sequence[Job]) -> int:
    """Say at the end which files failed, if any; returns the exit code."""
    if failed:
        names = ", ".join(str(job.inputs[0].source) for job in failed)
        say(f"{len(failed)} of {len(jobs)} files failed, the others were written: {names}")
    return 2 if failed else 0


def readable(inputs: Sequence[Input], read: Callable[[Input], object]) -> tuple[list[Input], int]:
    """Return the inputs that can be read to the end, and the exit code; each of the others is reported.

    Several inputs that become one output are read once before: half of a bad file must not get into it.
    """
    if len(inputs) == 1:
        return list(inputs), 0
    good, failed = [], []
    for given in inputs:
        try:
            if given.source != STDIN:
                read(given)
            good.append(given)
        except TreewrightError as error:
            say(f"error: {error}")
            failed.append(str(given.source))
    if failed:
        say(f"{len(failed)} of {len(inputs)} files cannot be read and are left out: {', '.join(failed)}")
    if not good:
        raise TreewrightError("none of the files can be read")
    return good, 2 if failed else 0
