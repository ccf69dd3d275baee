"""Requests and responses, as plain data."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from treewright.apps.server.json_fields import JsonFields
from treewright.errors import TreewrightError

JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
EVENTS = "text/event-stream"
CLIENT_LEFT = 499  # what other servers write to their logs, too; nobody is there to get it
PIECE = 1 << 16  # characters of an answer that are sent at a time, if it is long
AT_ONCE = 1 << 20  # bytes up to which an answer is sent as a whole


class HttpError(TreewrightError):
    """What a client did wrong, or must wait for: a status and a message for people."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


@dataclass(slots=True)
class Request:
    """One request, read in full. Names of headers are in lower case."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    client: str = ""
    user: str = ""  # the name of whoever has a token of their own
    path_values: dict[str, str] = field(default_factory=dict)
    deadline: float = float("inf")
    has_left: Callable[[], bool] = lambda: False  # whether the client has closed the connection

    def form(self) -> dict[str, str]:
        """Return the fields of the query and of a body that is a form, urlencoded or multipart."""
        from treewright.apps.server.forms import form_of

        return form_of(self)

    def text(self) -> str:
        """Return the body as text; what is not UTF-8 is an error."""
        return decoded(self.body)

    def json(self) -> object:
        """Return the body as JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise HttpError(400, f"the body is not JSON: {error}") from None

    def json_fields(self) -> JsonFields:
        """Return the body as a JSON object whose fields are checked as they are read."""
        value = self.json() if self.body else {}
        if not isinstance(value, dict):
            raise HttpError(400, "the body must be a JSON object: {...}")
        return JsonFields(value)

    def check_time(self) -> None:
        """Give up when the request's time is over, or its client has gone; long handlers call it now and then."""
        if time.monotonic() > self.deadline:
            raise HttpError(
                503, "the request takes too long. Send less at a time, or raise --max-seconds", {"Retry-After": "1"}
            )
        if self.has_left():
            raise HttpError(CLIENT_LEFT, "the client has left")

    def in_time(self, pieces: Iterable[str]) -> Iterator[bytes]:
        """Yield pieces of an answer in bytes of some size; the time that it takes to make them counts, not to send."""
        waiting: list[str] = []
        size = 0
        for piece in pieces:
            waiting.append(piece)
            size += len(piece)
            if size >= PIECE:
                self.check_time()
                begin = time.monotonic()
                yield "".join(waiting).encode("utf-8", "replace")
                self.deadline += time.monotonic() - begin
                waiting, size = [], 0
        if waiting:
            yield "".join(waiting).encode("utf-8", "replace")


@dataclass(slots=True)
class Response:
    """One response. A body that is an iterable of bytes is sent as it comes, in chunks."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    content_type: str = TEXT
    headers: dict[str, str] = field(default_factory=dict)


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(finite(value), ensure_ascii=False)
    return Response(status, text.encode("utf-8", "replace"), JSON)


def json_stream(request: Request, parts: Iterable[str]) -> Response:
    """Return JSON that is made in parts: sent as a whole if it is short, otherwise while it is made."""
    pieces = request.in_time(parts)
    first: list[bytes] = []
    size = 0
    for piece in pieces:
        first.append(piece)
        size += len(piece)
        if size > AT_ONCE:
            return Response(200, chain(first, pieces), JSON)
    return Response(200, b"".join(first), JSON)


def finite(value: object) -> object:
    """Return data in which numbers that JSON does not know are null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(name): finite(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return value


def text_response(text: str, status: int = 200, content_type: str = TEXT) -> Response:
    """Return text."""
    return Response(status, text.encode("utf-8", "replace"), content_type)


def event_stream(events: Iterable[object]) -> Response:
    """Return server-sent events: each value as JSON, as soon as it is there."""

    def stream() -> Iterable[bytes]:
        for event in events:
            yield b"data: " + json.dumps(event).encode() + b"\n\n"

    return Response(200, stream(), EVENTS, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def decoded(data: bytes) -> str:
    """Return bytes as text; what is not UTF-8 is the client's error."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HttpError(400, f"not UTF-8 at byte {error.start}. Send text as UTF-8") from None
