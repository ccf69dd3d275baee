"""A process that runs each command in a copy of itself: starting Python for each would take most of the tests' time.

The copy has the arguments, folder, environment and standard streams that the test gives it, and ends as any Python
process does. Tests of starting, signals and terminals start a process of their own all the same.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

#: how long a command may take, in seconds
PATIENCE = 600


class CommandServer:
    """The tests' side: starts the process when the first command comes, and again after one that did not end."""

    def __init__(self, module: str = "tests.apps.cli.command_server") -> None:
        self._module = module  # whose main serves
        self._process: subprocess.Popen[bytes] | None = None  # that serves; None if this one was forked
        self._leader = 0  # its number, and that of the group of those that run commands
        self._line: socket.socket | None = None

    def run(
        self,
        words: Sequence[str],
        environment: dict[str, str],
        stdin: bytes,
        *,
        together: bool = False,
        folder: str | os.PathLike[str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end, as ``subprocess.run`` with captured output does.

        ``together``: errors go where results go, in the order in which they are printed. ``folder``: where it runs, by
        default here.
        """
        line = self._connected(environment)
        place = os.getcwd() if folder is None else os.fspath(folder)
        body = json.dumps(
            {"words": list(words), "folder": place, "environment": environment, "buffered": not together}
        ).encode()
        pipes = [os.pipe() for _ in range(2 if together else 3)]
        theirs = [pipes[0][0], pipes[1][1], pipes[-1][1]]
        socket.send_fds(line, [len(body).to_bytes(8, "big")], theirs)
        line.sendall(body)
        for end in set(theirs):
            os.close(end)
        printed: list[bytes] = [b"", b""]
        threads = [
            threading.Thread(target=_feed, args=(pipes[0][1], stdin), daemon=True),
            *(
                threading.Thread(target=_drain, args=(pipe[0], printed, i), daemon=True)
                for i, pipe in enumerate(pipes[1:])
            ),
        ]
        for thread in threads:
            thread.start()
        code = self._answer(line, words)
        for thread in threads:
            thread.join()
        return subprocess.CompletedProcess(list(words), code, *printed)

    def serve_from_here(self) -> list[str] | None:
        """Fork: the copy serves. Returns None here, and in each copy of the copy the words of a command."""
        self._line, theirs = socket.socketpair()
        self._leader = os.fork()
        if self._leader:
            theirs.close()
            self._line.settimeout(PATIENCE)
            return None
        os.setsid()
        self._line.close()
        words = next_command(theirs)
        return words if words is not None else os._exit(0)

    def _connected(self, environment: dict[str, str]) -> socket.socket:
        if self._line is None:
            self._line, theirs = socket.socketpair()
            command = [sys.executable, "-m", self._module, str(theirs.fileno())]
            paths = os.pathsep.join([str(Path(__file__).parents[3]), environment["PYTHONPATH"]])
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env={**environment, "PYTHONPATH": paths}, start_new_session=True
            )
            self._leader = self._process.pid
            theirs.close()
            self._line.settimeout(PATIENCE)
            atexit.register(self.close)
        return self._line

    def _answer(self, line: socket.socket, words: Sequence[str]) -> int:
        try:
            found = line.recv(8)
        except TimeoutError:
            self._end()
            raise subprocess.TimeoutExpired(list(words), PATIENCE) from None
        if len(found) < 8:
            self._end()
            raise ConnectionError(f"the server of commands ended during {list(words)}")
        return int.from_bytes(found, "big", signed=True)

    def _end(self) -> None:
        """End the server and its commands; the next command starts another one."""
        with suppress(ProcessLookupError):
            os.killpg(self._leader, 9)
        self.close()

    def close(self) -> None:
        """End the server, which is idle."""
        if self._line is not None:
            self._line.close()
            self._line = None
            if self._process is not None:
                self._process.wait(PATIENCE)
            else:
                os.waitpid(self._leader, 0)


def _feed(pipe: int, data: bytes) -> None:
    with suppress(BrokenPipeError), open(pipe, "wb") as stream:  # a command may end before it has read everything
        stream.write(data)


def _drain(pipe: int, printed: list[bytes], place: int) -> None:
    with open(pipe, "rb") as stream:
        printed[place] = stream.read()


def next_command(line: socket.socket) -> list[str] | None:
    """Answer requests; return the words of a command in the copy that must run it, None in the server at the end."""
    while True:
        length, streams, _, _ = socket.recv_fds(line, 8, 3)
        if not length:
            return None
        request = json.loads(_received(line, int.from_bytes(length, "big")))
        child = os.fork()
        if child == 0:
            line.close()
            _take_over(request, streams)
            return list(request["words"])
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        line.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "big", signed=True))


def _received(line: socket.socket, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        parts += line.recv(length - len(parts))
    return bytes(parts)


def _take_over(request: dict[str, object], streams: list[int]) -> None:
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "rb", closefd=False)), "utf-8", "surrogateescape")
    results = io.FileIO(1, "wb", closefd=False)
    if request["buffered"]:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(results), "utf-8", "surrogateescape")
    else:
        sys.stdout = io.TextIOWrapper(results, "utf-8", "surrogateescape", write_through=True)  # type: ignore[arg-type]
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "wb", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]


#: what commands import when they run, beside the modules of the commands themselves
_USED = (
    "importlib.metadata",
    "tomllib",
    "treewright.analysis",
    "treewright.display.from_sentence",
    "treewright.display.terminal",
    "treewright.evaluation",
    "treewright.kinds.exact.parser",
    "treewright.kinds.network.parser",
    "treewright.kinds.pipeline.training",
    "treewright.kinds.tagger.tagger",
    "treewright.kinds.tokenizer.tokenizer",
    "treewright.kinds.transition.training",
    "treewright.steps.files",
    "treewright.steps.loading",
    "treewright.training.trainer",
    "treewright.treebank.sentences.document",
)


def import_what_commands_need() -> None:
    """Import what copies of this process would import one by one, and keep the collector of garbage away from it."""
    from treewright.apps import cli
    from treewright.apps.cli import commands

    parts = (f"{place.__name__}.{module.name}" for place in (cli, commands) for module in iter_modules(place.__path__))
    for name in (*_USED, *parts):
        import_module(name)
    gc.collect()
    gc.freeze()


def run_command(words: list[str]) -> int:
    """Run a command in this process."""
    from treewright.apps.cli import main as run

    sys.argv = ["treewright", *words]
    return run(words)


def main() -> int:
    """Serve, and in each copy run one command."""
    import_what_commands_need()
    words = next_command(socket.socket(fileno=int(sys.argv[1])))
    return 0 if words is None else run_command(words)


if __name__ == "__main__":
    sys.exit(main())
