"""What LIBLINEAR and LIBSVM share: options as text, instances as arrays of nodes, the C library's random numbers."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError

if TYPE_CHECKING:
    from treewright.learners.problem import Problem


def parameter_from(parameter: Any, options: str, library: str, known: str) -> Any:
    """Return the library's ``parameter`` for options in its notation; ``known`` lists the options for messages."""
    try:
        return parameter(["-q", *options.split()])
    except (ValueError, IndexError) as error:
        raise CombinationError(
            f"{library} does not understand {options!r} ({error}). Its options are {known}"
        ) from None


def instances_for(kind: Any, problem: Problem, bias: float = -1.0) -> Any:
    """Return a problem of the library's ``kind``. It points to the instances without another copy, and keeps them."""
    nodes, addresses, decisions = problem.nodes(bias)
    data = kind.__new__(kind)
    data.l = len(problem)
    data.y = ctypes.cast(_address_of(decisions), ctypes.POINTER(ctypes.c_double))
    data.x = ctypes.cast(_address_of(addresses), type(data.x))
    data.kept = nodes, addresses, decisions
    return data


def raise_rejection(message: bytes | None, options: str, library: str) -> None:
    """Raise the library's message about its parameters, if there is one."""
    if message:
        raise CombinationError(f"{library} rejects {options!r}: {message.decode()}")


def seed_library(seed: int) -> None:
    """Seed the C library's random numbers, which both use: the same data and seed give the same weights."""
    # of several C libraries on Windows, extension modules use the one of Python itself
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.srand(seed & 0x7FFFFFFF)


def _address_of(numbers: Any) -> int:
    """Return the address of an array."""
    address: int = numbers.buffer_info()[0]
    return address
