"""An output is never one of the inputs: what a command reads stays as it was."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import suppress

from treewright.errors import CombinationError

#: arguments that name files to write, in all commands
OUTPUTS = frozenset(("output", "dump_instances"))


def check_outputs(arguments: argparse.Namespace) -> None:
    """Reject a command that would write to a file that it reads."""
    values = vars(arguments)
    for written in OUTPUTS & values.keys():
        for output in _files(values[written]) if values[written] else ():
            for name, value in values.items():
                for given in _files(value) if name not in OUTPUTS else ():
                    check_apart(output, given)


def check_apart(output: str, given: str) -> None:
    """Reject an output that is this input."""
    with suppress(OSError):
        if os.path.samefile(output, given):
            raise CombinationError(f"{output}: is also the input, which would be lost. Name another file to write")


def _files(value: object) -> Iterator[str]:
    """Yield the regular files among a value, which may be a list."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and each and "\0" not in each and len(each) < 4096 and os.path.isfile(each):
            yield each
