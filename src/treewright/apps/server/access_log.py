"""A line for each request: who, what, how it ended, how long it took."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import lru_cache
from typing import IO

from treewright.apps.server.messages import Request, Response


def log_request(stream: IO[str], request: Request, response: Response, sent: int, seconds: float) -> None:
    """Write a line in the common log format, with the seconds. The query is left out: it may hold a token."""
    path = request.path[:500].encode("ascii", "backslashreplace").decode()
    now = _shown(int(time.time()))
    line = f'{request.client} - - [{now}] "{request.method} {path}" {response.status} {sent} {seconds:.4f}\n'
    with suppress(OSError, ValueError):  # a full disk or a closed pipe must not stop the answers
        stream.write(line)
        stream.flush()


@lru_cache(maxsize=1)
def _shown(now: int) -> str:
    return time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
