"""The sockets: a thread for each connection, whole answers in one write, and a stop that finishes what is under way."""

from __future__ import annotations

import logging
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus

from treewright import __version__
from treewright.apps.server.application import Application
from treewright.apps.server.http_reading import Gone, Receiver
from treewright.apps.server.messages import CLIENT_LEFT, HttpError, Request, Response, text_response
from treewright.errors import TreewrightError

log = logging.getLogger("treewright.apps.server")
AccessLog = Callable[[Request, Response, int, float], None]
_STATUS_LINES = {
    each.value: f"HTTP/1.1 {each.value} {each.phrase}\r\nServer: treewright/{__version__}\r\nDate: ".encode()
    for each in HTTPStatus
}
#: how long a closing connection reads on what the client still sends, so that the client sees the answer
_SWALLOWING_SECONDS = 5.0


class HttpServer:
    """Listens on an address and answers with an application."""

    def __init__(self, application: Application, host: str = "127.0.0.1", port: int = 0) -> None:
        self._application = application
        self._limits = application.service.limits
        self._listener = _listening(host, port)
        self.host, self.port = self._listener.getsockname()[:2]
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._connections: dict[Connection, threading.Thread] = {}
        self._lock = threading.Lock()
        self.stopping = False  # connections end after their current request
        self._thread: threading.Thread | None = None
        self.access_log: AccessLog | None = None
        application.service.metrics.gauge("connections", "Open connections.", lambda: len(self._connections))

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}"

    def serve(self) -> None:
        """Answer until ``stop`` is called; then finish what is under way."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._wake_reader, selectors.EVENT_READ)
            while not self.stopping:
                for key, _ in selector.select():
                    if key.fileobj is self._listener:
                        self._accept()
        self._finish()

    def __enter__(self) -> HttpServer:
        self._thread = threading.Thread(target=self.serve, name="treewright-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Ask the server to stop; may be called from a signal handler or any thread."""
        self.stopping = True
        with suppress(OSError):  # stopped already
            self._wake_writer.send(b".")

    def _accept(self) -> None:
        try:
            connection, address = self._listener.accept()
        except OSError:
            time.sleep(0.01)  # too many open files: let some close
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._is_full and not self._make_room():
            _send_away(connection)
            return
        handler = Connection(self, self._application, connection, str(address[0]))
        thread = threading.Thread(target=self._run, args=(handler,), daemon=True)
        with self._lock:
            self._connections[handler] = thread
        try:
            thread.start()
        except RuntimeError:  # the system starts no further threads
            with self._lock:
                del self._connections[handler]
            _send_away(connection)

    @property
    def _is_full(self) -> bool:
        with self._lock:
            return sum(not each.is_closing for each in self._connections) >= self._limits.connections

    def _make_room(self) -> bool:
        """Close a connection on which nothing is being answered: the oldest of the client that has most of them."""
        with self._lock:
            waiting = [each for each in self._connections if each.is_waiting]
        if not waiting:
            return False
        counts = Counter(each.client for each in waiting)
        greediest = max(counts, key=lambda client: counts[client])
        next(each for each in waiting if each.client == greediest).close_early()
        return True

    def _run(self, handler: Connection) -> None:
        try:
            handler.run()
        except OSError:
            pass  # the client has gone
        except Exception:
            log.exception("a connection failed")
        finally:
            handler.close()
            with self._lock:
                del self._connections[handler]

    def _finish(self) -> None:
        self._listener.close()
        for job in self._application.service.jobs.running():
            job.cancel()
        end = time.monotonic() + self._limits.stop_seconds
        with self._lock:
            waiting = list(self._connections.items())
        for handler, _ in waiting:
            handler.close_if_idle()
        for _, thread in waiting:
            thread.join(max(0.0, end - time.monotonic()))
        self._wake_reader.close()
        self._wake_writer.close()


class Connection:
    """One client's connection: requests one after the other."""

    def __init__(self, server: HttpServer, application: Application, connection: socket.socket, client: str) -> None:
        self._server, self._application, self._socket, self.client = server, application, connection, client
        self._lock = threading.Lock()
        self._idle = True
        self._answering = False
        self.is_closing = False

    def run(self) -> None:
        """Answer requests until either side ends the connection."""
        service = self._application.service
        receiver = Receiver(self._socket, service.limits, self.client, service.bodies)
        try:
            self._answer_all(receiver, service.limits.idle_seconds)
        finally:
            receiver.release()

    def _answer_all(self, receiver: Receiver, patience: float) -> None:
        while True:
            try:
                receiver.wait()
                with self._lock:
                    self._idle = False
                request = receiver.request()
                with self._lock:
                    if self.is_closing:
                        return
                    self._answering = True
            except Gone:
                return
            except HttpError as error:
                self._reject(error)
                return
            start = time.monotonic()
            response = self._application.answer(request)
            if isinstance(response.body, bytes):  # given back before the answer, since the client may ask again at once
                request.body = b""
                receiver.release()
            keep = receiver.keep_alive and not self._server.stopping
            self._socket.settimeout(patience)
            sent, keep = self._send(request, response, keep, receiver.is_modern)
            if self._server.access_log is not None:
                self._server.access_log(request, response, sent, time.monotonic() - start)
            receiver.release()
            if not keep:
                return
            with self._lock:
                self._idle, self._answering = True, False
            if self._server.stopping:  # and may have asked this connection while it was not idle yet
                self.close_if_idle()

    def _reject(self, error: HttpError) -> None:
        """Answer what is not a proper request, and let the client read the answer before the connection closes."""
        response = text_response(f"{error.message}\n", error.status)
        response.headers.update(error.headers)
        request = Request("?", "?", client=self.client)
        self._application.service.metrics.request("other", "(bad)", error.status, 0.0)
        self._socket.settimeout(_SWALLOWING_SECONDS)
        sent, _ = self._send(request, response, False)
        if self._server.access_log is not None:
            self._server.access_log(request, response, sent, 0.0)
        self._socket.shutdown(socket.SHUT_WR)
        self._swallow(self._application.service.limits.body_bytes)

    def _swallow(self, left: int) -> None:
        """Read what the client still sends: at most this many bytes, within a time that a slow client cannot extend."""
        until = time.monotonic() + _SWALLOWING_SECONDS
        while left > 0 and (seconds := until - time.monotonic()) > 0:
            self._socket.settimeout(seconds)
            piece = self._socket.recv(65536)
            if not piece:
                return
            left -= len(piece)

    def _send(self, request: Request, response: Response, keep: bool, in_chunks: bool = False) -> tuple[int, bool]:
        """Send a response; returns the bytes of its body and whether the connection goes on."""
        body = response.body
        if response.status == CLIENT_LEFT:
            return 0, False
        if isinstance(body, bytes):
            data = b"" if request.method == "HEAD" else body
            self._socket.sendall(_head(response, len(body), keep) + data)
            return len(data), keep
        return self._stream(request, response, body, in_chunks), False

    def _stream(self, request: Request, response: Response, pieces: Iterable[bytes], in_chunks: bool) -> int:
        """Send a body whose length nobody knows yet, in chunks where the client knows them.

        Without its last chunk, the client sees that it is not complete.
        """
        if in_chunks:
            response.headers["Transfer-Encoding"] = "chunked"
        self._socket.sendall(_head(response, None, False))
        sent = 0
        if request.method == "HEAD":
            return sent
        try:
            for piece in pieces:
                self._socket.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if in_chunks else piece)
                sent += len(piece)
                if self._server.stopping:
                    return sent
        except HttpError as error:
            log.warning("an answer was cut short: %s", error.message)
            return sent
        if in_chunks:
            self._socket.sendall(b"0\r\n\r\n")
        return sent

    @property
    def is_waiting(self) -> bool:
        """Is there no request, or only the beginning of one?"""
        return not self._answering and not self.is_closing

    def close_early(self) -> None:
        """Give the place of a connection to another client, unless a request has come meanwhile."""
        with self._lock:
            if not self._answering:
                self.is_closing = True
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)

    def close_if_idle(self) -> None:
        """Stop reading if no request is under way: the waiting thread wakes up and answers what has already arrived."""
        with self._lock:
            if self._idle:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):  # closed already
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _head(response: Response, length: int | None, keep: bool) -> bytes:
    lines = [_STATUS_LINES[response.status] + _date(int(time.time()))]
    if response.status not in (204, 304):
        lines.append(f"Content-Type: {response.content_type}".encode("latin-1"))
        if length is not None:
            lines.append(b"Content-Length: %d" % length)
    lines.append(b"Connection: keep-alive" if keep else b"Connection: close")
    for name, value in response.headers.items():
        clean = value.replace("\r", " ").replace("\n", " ")  # nothing that a client sent may end a header
        lines.append(f"{name}: {clean}".encode("latin-1", "replace"))
    return b"\r\n".join(lines) + b"\r\n\r\n"


@lru_cache(maxsize=1)
def _date(now: int) -> bytes:
    return formatdate(now, usegmt=True).encode()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        # On Windows, another server could take the port while this one has it. Elsewhere, the port of a server that has
        # just ended can be used at once.
        alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listener.setsockopt(socket.SOL_SOCKET, alone, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreewrightError(f"cannot listen on {host}:{port}: {reason}. Choose another --host or --port") from None
    return listener


def _send_away(connection: socket.socket) -> None:
    said = b"too many connections: try later\n"
    with suppress(OSError):
        connection.settimeout(1)
        connection.sendall(_head(Response(503, headers={"Retry-After": "1"}), len(said), False) + said)
    connection.close()
