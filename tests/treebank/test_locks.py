"""Locks and living processes, on systems as they are and as others would have them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treewright.treebank.files import locks
from treewright.treebank.files.locks import NoLocksError, is_alive, lock


def test_one_process_has_a_file_and_several_share_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("ab") as first, path.open("ab") as second, path.open("ab") as third:
        lock(first.fileno(), shared=True)
        lock(second.fileno(), shared=True)
        with pytest.raises(BlockingIOError):
            lock(third.fileno())
        first.close()
        second.close()
        lock(third.fileno())
    with path.open("ab") as again:
        lock(again.fileno())


def test_systems_without_locks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with (tmp_path / "file").open("ab") as file, pytest.raises(NoLocksError):
        lock(file.fileno())


def test_processes_are_alive_until_they_end() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert is_alive(process.pid)
    assert is_alive(os.getpid())
    process.communicate(b"\n")
    assert not is_alive(process.pid)
    assert not is_alive(1 << 80)


class Kernel:
    """The functions of Windows that are called, on files that others have locked and processes that run or ended."""

    def __init__(self) -> None:
        self.locked: dict[int, bool] = {}  # file: is it shared?
        self.running = {7: 259, 8: 0}  # process: exit code
        self.open: set[int] = set()
        self.error = 0
        self.OpenProcess: Any = lambda *arguments: self._open(*arguments)  # has attributes, as foreign functions do

    def LockFileEx(self, handle: Any, flags: int, reserved: int, low: int, high: int, where: Any) -> int:
        assert flags & locks.AT_ONCE
        shared = not flags & locks.ALONE
        if handle.value == 99:
            self.error = 1
            return 0
        if self.locked.get(handle.value, True) and (shared or handle.value not in self.locked):
            self.locked[handle.value] = shared
            return 1
        self.error = 33
        return 0

    def _open(self, access: int, inherit: bool, process: int) -> int:
        if process in self.running:
            self.open.add(process)
            return process
        self.error = locks.REFUSED if process == 4 else 87
        return 0

    def GetExitCodeProcess(self, handle: Any, code: Any) -> int:
        code._obj.value = self.running[handle.value]
        return 1

    def CloseHandle(self, handle: Any) -> int:
        self.open.remove(handle.value)
        return 1


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(locks, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(get_osfhandle=lambda descriptor: descriptor))
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: kernel, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: kernel.error, raising=False)
    return kernel


def test_locks_of_windows(windows: Kernel) -> None:
    lock(1, shared=True)
    lock(1, shared=True)
    with pytest.raises(BlockingIOError):
        lock(1)
    lock(2)
    with pytest.raises(BlockingIOError):
        lock(2, shared=True)
    with pytest.raises(NoLocksError):
        lock(99)


def test_processes_of_windows_are_asked_for_and_never_interrupted(
    windows: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda *arguments: pytest.fail("os.kill ends processes there"))
    assert is_alive(7)
    assert not is_alive(8)
    assert is_alive(4)
    assert not is_alive(9)
    assert not is_alive(1 << 40)
    assert not windows.open
