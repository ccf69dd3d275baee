"""What systems do differently: locks on open files, and whether a process is alive."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

# LockFileEx of Windows: fail at once; exclusively; beyond the end of any file, since nobody can read what is locked
AT_ONCE, ALONE, BEYOND = 1, 2, 0x7FFFFFFF
MAY_ASK = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
RUNNING = 259  # STILL_ACTIVE
REFUSED = 5  # ERROR_ACCESS_DENIED


class NoLocksError(Exception):
    """This system, or this file system, has no locks."""


def lock(descriptor: int, shared: bool = False) -> None:
    """Lock an open file without waiting, until it is closed or its process dies.

    Raises:
        BlockingIOError: another process, or another part of this one, has locked it.
        NoLocksError: there are no locks here.
    """
    if sys.platform == "win32":
        _lock_on_windows(descriptor, shared)
        return
    try:
        import fcntl
    except ImportError:
        raise NoLocksError from None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        raise NoLocksError from error


def _lock_on_windows(descriptor: int, shared: bool) -> None:
    import ctypes

    windows: Any = ctypes
    where = (ctypes.c_uint64 * 4)(0, 0, BEYOND << 32, 0)  # OVERLAPPED: two fields of the system, place, no event
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    handle = ctypes.c_void_p(_handle(descriptor))
    if not kernel.LockFileEx(handle, AT_ONCE | (0 if shared else ALONE), 0, 1, 0, ctypes.byref(where)):
        if windows.get_last_error() in (32, 33, 997):  # shared or locked by another; asked for, not given yet
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        raise NoLocksError


def _handle(descriptor: int) -> int:
    """Return the system's own number of an open file."""
    import msvcrt

    functions: Any = msvcrt
    handle: int = functions.get_osfhandle(descriptor)
    return handle


def is_alive(process: int) -> bool:
    """Is there a process of this number on this computer?"""
    if sys.platform == "win32":  # where os.kill would end it
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's
        return True
    return True


def _is_alive_on_windows(process: int) -> bool:
    import ctypes

    windows: Any = ctypes
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = ctypes.c_void_p
    if process >= 1 << 32:
        return False
    handle = kernel.OpenProcess(MAY_ASK, False, process)
    if not handle:
        return bool(windows.get_last_error() == REFUSED)
    code = ctypes.c_uint32()
    known = kernel.GetExitCodeProcess(ctypes.c_void_p(handle), ctypes.byref(code))
    kernel.CloseHandle(ctypes.c_void_p(handle))
    return not known or code.value == RUNNING
