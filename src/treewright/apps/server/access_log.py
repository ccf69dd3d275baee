"""A line for each request: who, what, how it ended, how long it took."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from functools import lru_cache
from typing import IO

from treewright.apps.server.messages import Request, Response


def log_request(stream: IO[str], request: Request, response: Response, sent: int, seconds: float) -> None:
    """Write a line in the common log format, with the seconds. The query is left out: it may hold a token."""
    path = escaped(request.path[:500])
    now = _shown(int(time.time()))
    line = f'{request.client} - - [{now}] "{request.method} {path}" {response.status} {sent} {seconds:.4f}\n'
    with suppress(OSError, ValueError):  # a full disk or a closed pipe must not stop the answers
        stream.write(line)
        stream.flush()


def escaped(text: str) -> str:
    """Return what a client sent as it may stand in a log: nothing in it ends a line, a quotation, or moves a cursor."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(sign if " " <= sign <= "~" else sign.encode("unicode_escape").decode() for sign in plain)


class LogFormatter(logging.Formatter):
    """Messages of the server, a line each; what belongs to a message is indented, and holds no control characters."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a message and its traceback."""
        first, *more = super().format(record).split("\n")
        return "\n".join([_visible(first), *(f"  {_visible(line)}" for line in more)])


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


@lru_cache(maxsize=1)
def _shown(now: int) -> str:
    return time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
