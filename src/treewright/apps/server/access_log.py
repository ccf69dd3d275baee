"""A line for each request: who, what, how it ended, how long it took."""

from __future__ import annotations

import time
from typing import IO

from treewright.apps.server.messages import Request, Response


class AccessLog:
    """Writes lines in the common log format, with the seconds. The query is left out: it may hold a token."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._dated: tuple[int, str] = (0, "")

    def __call__(self, request: Request, response: Response, sent: int, seconds: float) -> None:
        """Write the line of a request."""
        path = request.path[:500].encode("ascii", "backslashreplace").decode()
        line = (
            f'{request.client} - - [{self._now()}] "{request.method} {path}" {response.status} {sent} {seconds:.4f}\n'
        )
        try:
            self._stream.write(line)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # a full disk or a closed pipe must not stop the answers

    def _now(self) -> str:
        now = int(time.time())
        if self._dated[0] != now:
            self._dated = now, time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
        return self._dated[1]
