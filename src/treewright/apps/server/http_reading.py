"""Requests off the wire: HTTP/1.1 and 1.0, with bounds on everything that a client sends.

The standard library's own reader makes an e-mail message of every head, which costs more than parsing a short
sentence. This one takes the head in one piece.
"""

from __future__ import annotations

import re
import selectors
import socket
import time
from dataclasses import dataclass, field

from treewright.apps.server.limits import SMALL_BODY, Budget, Limits
from treewright.apps.server.messages import HttpError, Request

_REQUEST_LINE = re.compile(rb"([A-Z]{1,20}) (\S{1,16000}) HTTP/1\.([01])")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*", re.DOTALL)
_ABSOLUTE = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_PIECE = 65536
_MOST_HEADERS = 100
LOOK_EVERY = 0.5  # seconds of work, after which it is seen whether the client still waits
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Gone(Exception):
    """The client closed the connection, or said nothing for too long."""


@dataclass
class Head:
    """The first lines of a request."""

    method: str
    target: str
    keep_alive: bool
    is_modern: bool  # HTTP/1.1
    headers: dict[str, str] = field(default_factory=dict)


class Receiver:
    """Takes requests from one connection; bytes that belong to the next request are kept for it."""

    def __init__(self, connection: socket.socket, limits: Limits, client: str, bodies: Budget) -> None:
        self._socket, self._limits, self._client, self._bodies = connection, limits, client, bodies
        self._taken = 0
        self._buffer = b""
        self.keep_alive = True
        self.is_modern = False
        self._until = 0.0
        self._next_look = 0.0

    def wait(self) -> None:
        """Wait for the first byte of a request."""
        if not self._buffer:
            self._socket.settimeout(self._limits.idle_seconds)
            self._buffer = self._receive()

    def request(self) -> Request:
        """Return the next request; on an HttpError the connection must be closed."""
        self.keep_alive = False
        self._until = time.monotonic() + self._limits.idle_seconds
        head = parsed_head(self._head())
        self.is_modern = head.is_modern
        body = self._body(head)
        self.keep_alive = head.keep_alive
        path, _, query = _ABSOLUTE.sub("", head.target).partition("#")[0].partition("?")
        self._next_look = time.monotonic() + LOOK_EVERY
        return Request(head.method, path or "/", query, head.headers, body, self._client, has_left=self.has_left)

    def has_left(self) -> bool:
        """Has the client closed the connection while it waits for the answer? It is asked once in a while only."""
        now = time.monotonic()
        if self._buffer or now < self._next_look:
            return False
        self._next_look = now + LOOK_EVERY
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            if not selector.select(0):
                return False
        try:
            return not self._socket.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def release(self) -> None:
        """Say that the body of the request is not needed any more."""
        self._bodies.give_back(self._taken)
        self._taken = 0

    def _head(self) -> bytes:
        buffer = self._buffer
        start = 0
        while True:
            end = buffer.find(b"\r\n\r\n", start)
            if (end if end >= 0 else len(buffer)) > self._limits.head_bytes:
                raise HttpError(431, "the request's headers are too long. Send long data in the body, by POST")
            if end >= 0:
                self._buffer = buffer[end + 4 :]
                return buffer[:end]
            start = max(0, len(buffer) - 3)
            buffer += self._receive()

    def _body(self, head: Head) -> bytes:
        coding = head.headers.get("transfer-encoding")
        length = head.headers.get("content-length")
        if coding is not None:
            if length is not None or coding.lower() != "chunked":
                raise HttpError(400, "Transfer-Encoding must be chunked, without a Content-Length")
            self._invite(head)
            return self._chunks()
        if length is None:
            return b""
        if not (length.isascii() and length.isdigit()) or len(length) > 18:
            raise HttpError(400, "Content-Length is no number")
        size = int(length)
        self._check_size(size)
        self._taken = self._bodies.take(size)
        if size > len(self._buffer):
            self._invite(head)
        return self._exactly(size)

    def _invite(self, head: Head) -> None:
        if head.headers.get("expect", "").lower() == "100-continue":
            self._socket.sendall(CONTINUE)

    def _check_size(self, size: int) -> None:
        if size > self._limits.body_bytes:
            raise HttpError(413, f"a body of more than {self._limits.body_bytes:,} bytes. Send it in smaller pieces")

    def _exactly(self, size: int) -> bytes:
        if size <= len(self._buffer):
            body, self._buffer = self._buffer[:size], self._buffer[size:]
            return body
        pieces, missing = [self._buffer], size - len(self._buffer)
        self._buffer = b""
        while missing > 0:
            piece = self._receive(min(missing, 1 << 20))
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def _chunks(self) -> bytes:
        pieces: list[bytes] = []
        total = 0
        while True:
            size_text = self._line().partition(b";")[0].strip()
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,12}", size_text):
                raise HttpError(400, "the size of a chunk is no number")
            size = int(size_text, 16)
            total += size
            self._check_size(total)
            self._taken += self._bodies.take(total - self._taken) if total > SMALL_BODY else 0
            if not size:
                while self._line():  # trailers are not used
                    pass
                return b"".join(pieces)
            pieces.append(self._exactly(size))
            if self._line():
                raise HttpError(400, "a chunk is longer than its size")

    def _line(self) -> bytes:
        while b"\r\n" not in self._buffer:
            if len(self._buffer) > 4096:
                raise HttpError(400, "the line of a chunk is too long")
            self._buffer += self._receive()
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        return line

    def _receive(self, size: int = _PIECE) -> bytes:
        """Return some bytes; a client that trickles them gets no more time than one that sends them at once."""
        if self._until:
            left = self._until - time.monotonic()
            if left <= 0:
                raise HttpError(408, "the request did not come in time")
            self._socket.settimeout(left)
        try:
            piece = self._socket.recv(size)
        except OSError:
            raise Gone from None
        if not piece:
            raise Gone
        if self._until and len(piece) == size:
            self._until = time.monotonic() + self._limits.idle_seconds  # a large body that keeps coming
        return piece


def parsed_head(data: bytes) -> Head:
    """Return the request line and headers; what is not HTTP is an error."""
    first, *rest = data.lstrip(b"\r\n").split(b"\r\n")
    match = _REQUEST_LINE.fullmatch(first)
    if match is None:
        if re.fullmatch(rb"\S+ \S+ HTTP/\d\.\d", first) and not first.endswith((b"1.0", b"1.1")):
            raise HttpError(505, "use HTTP/1.1")
        raise HttpError(400, "not an HTTP request")
    if len(rest) > _MOST_HEADERS:
        raise HttpError(431, "too many headers")
    headers = _headers(rest)
    modern = match[3] == b"1"
    if modern and "host" not in headers:
        raise HttpError(400, "the Host header is missing")
    wish = headers.get("connection", "").lower()
    keep = "close" not in wish if modern else "keep-alive" in wish
    return Head(match[1].decode("ascii"), match[2].decode("latin-1"), keep, modern, headers)


def _headers(lines: list[bytes]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line)
        if match is None or b"\n" in line or b"\r" in line or b"\0" in line:
            raise HttpError(400, "a line of the headers is not a header")
        name, value = match[1].decode("ascii").lower(), match[2].decode("latin-1")
        if name in headers:
            if name in ("content-length", "transfer-encoding", "host") and headers[name] != value:
                raise HttpError(400, f"two different headers {name}")
            value = headers[name] if name in ("content-length", "host") else f"{headers[name]}, {value}"
        headers[name] = value
    return headers
