"""What LIBLINEAR and LIBSVM have in common: options as text, instances as arrays of nodes, the C library's chance."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError

if TYPE_CHECKING:
    from treewright.learners.problem import Problem


def parameter_from(parameter: Any, options: str, library: str, known: str) -> Any:
    """Return the library's ``parameter`` for options in its own notation; ``known`` lists them, for the message."""
    try:
        return parameter(["-q", *options.split()])
    except (ValueError, IndexError) as error:
        raise CombinationError(
            f"{library} does not understand {options!r} ({error}): its options are {known}"
        ) from None


def instances_for(kind: Any, problem: Problem, bias: float = -1.0) -> Any:
    """Return a problem of the library's ``kind`` that points to the instances, which are not copied again.

    It keeps them alive.
    """
    nodes, addresses, decisions = problem.nodes(bias)
    data = kind.__new__(kind)
    data.l = len(problem)
    data.y = ctypes.cast(_address_of(decisions), ctypes.POINTER(ctypes.c_double))
    data.x = ctypes.cast(_address_of(addresses), type(data.x))
    data.kept = nodes, addresses, decisions
    return data


def refuse(message: bytes | None, options: str, library: str) -> None:
    """Raise what the library says against its parameters, if anything."""
    if message:
        raise CombinationError(f"{library} refuses {options!r}: {message.decode()}")


def seed_library(seed: int) -> None:
    """Seed the C library's random numbers, which both use: same data, same seed, same weights."""
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    library.srand(seed & 0x7FFFFFFF)


def _address_of(numbers: Any) -> int:
    """Return where an array stands in memory."""
    address: int = numbers.buffer_info()[0]
    return address
