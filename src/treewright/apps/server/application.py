"""From a request to a response: access, routing, and the answer when something goes wrong."""

from __future__ import annotations

import hmac
import logging
import time
from base64 import b64decode
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qs, urlsplit

from treewright.apps.server.messages import HttpError, Request, Response, json_response, text_response
from treewright.apps.server.routing import METHODS, Route, Routes
from treewright.apps.server.service import Service
from treewright.errors import OutputError, TreewrightError

log = logging.getLogger("treewright.apps.server")
COOKIE = "treewright_token"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NOWHERE = "(none)"
CROSS_ORIGIN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type, Authorization",
    "Access-Control-Max-Age": "86400",
}


class Application:
    """All routes of a server, with what holds for every request.

    ``token``: what clients must show, except for routes that are open to all. ``users``: tokens of other people, and
    their names, which requests then have. ``hosts``: the names in Host headers that
    are answered; None for any. For a server on loopback these are its own, so that no web page can reach it under a
    name of its own.
    """

    def __init__(
        self,
        service: Service,
        routes: Iterable[Route],
        token: str | None = None,
        hosts: Iterable[str] | None = LOOPBACK,
        users: Mapping[str, str] | None = None,
    ) -> None:
        self.service = service
        self.routes = Routes(routes)
        self._token = token
        self._names = {**({} if token is None else {token: ""}), **(users or {})}
        self._hosts = None if hosts is None else frozenset(hosts)

    def answer(self, request: Request) -> Response:
        """Return the response to a request, whatever happens, and count it."""
        start = time.monotonic()
        route: Route | None = None
        try:
            self._check_host(request)
            if request.method not in METHODS:
                raise HttpError(501, "an unknown method")
            if request.method == "OPTIONS":
                response = self._preflight(request)
            else:
                route, request.path_values = self.routes.find(request.method, request.path)
                response = self._handled(route, request, start)
        except Exception as error:
            response = _told(error, route)
        if route is not None and route.cross_origin:
            response.headers.update(CROSS_ORIGIN)
        pattern = NOWHERE if route is None else route.pattern
        method = request.method if request.method in METHODS else "other"
        self.service.metrics.request(method, pattern, response.status, time.monotonic() - start)
        return response

    def _handled(self, route: Route, request: Request, start: float) -> Response:
        if not route.cross_origin:
            _check_origin(request)
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            raise HttpError(415, "compressed bodies are not read: send the text as it is")
        shown = None if self._token is None or route.open_to_all else self._check_token(request)
        seconds = self.service.limits.seconds
        request.deadline = start + seconds
        if route.heavy:
            with self.service.gate.place(seconds):
                response = route.handler(request)
        else:
            response = route.handler(request)
        if shown is not None:
            response.headers["Set-Cookie"] = f"{COOKIE}={shown}; Path=/; HttpOnly; SameSite=Strict"
        return response

    def _preflight(self, request: Request) -> Response:
        wanted = request.headers.get("access-control-request-method", "")
        allowed = [name for name in METHODS if self._route(name, request.path) is not None]
        if not allowed:
            raise HttpError(404, f"nothing is at {request.path[:200]!r}")
        headers = {"Allow": ", ".join([*allowed, "OPTIONS"])}
        route = self._route(wanted, request.path) or self._route(allowed[0], request.path)
        if route is not None and route.cross_origin:
            headers.update(CROSS_ORIGIN)
        return Response(204, headers=headers)

    def _route(self, method: str, path: str) -> Route | None:
        try:
            return self.routes.find(method, path)[0]
        except HttpError:
            return None

    def _check_host(self, request: Request) -> None:
        if self._hosts is None:
            return
        host = request.headers.get("host")  # None: HTTP/1.0, which no browser speaks
        if host is None:
            return
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if name.lower() not in self._hosts:
            raise HttpError(421, "this server answers only under its own name. Start it with --host to change that")

    def _check_token(self, request: Request) -> str | None:
        """Let a request with the token pass; return the token if it came in the address, to be kept as a cookie."""
        assert self._token is not None
        kind, _, value = request.headers.get("authorization", "").partition(" ")
        shown = {"bearer": value.strip(), "basic": _password(value)}.get(kind.lower(), "")
        given = parse_qs(request.query).get("token", [""])[-1]
        for each in (given, shown, _cookie(request)):
            for token, name in self._names.items():
                if _same(each, token):
                    request.user = name
                    return given if each is given else None
        raise HttpError(
            401,
            "this server wants a token: send `Authorization: Bearer TOKEN`, or add ?token=TOKEN to the address",
            {"WWW-Authenticate": 'Bearer realm="treewright", Basic realm="treewright"'},
        )


def _told(error: Exception, route: Route | None) -> Response:
    """Return an error as a response: it says what the client can do, never how the server works."""
    status, message, headers = 500, "an error of the server; its log says more", {}
    if isinstance(error, HttpError):
        status, message, headers = error.status, error.message, error.headers
    elif isinstance(error, OutputError):
        status, message = 507, str(error)
    elif isinstance(error, TreewrightError):
        status, message = 400, str(error)
    elif isinstance(error, MemoryError):
        status, message, headers = 503, "the server is out of memory: send less at a time", {"Retry-After": "5"}
    else:
        log.error("a request failed", exc_info=error)
    if route is not None and route.errors == "json":
        response = json_response({"error": {"status": status, "message": message}}, status)
    else:
        response = text_response(f"{message}\n", status)
    response.headers.update(headers)
    return response


def _check_origin(request: Request) -> None:
    """Reject requests from pages of other sites: they would act in the name of whoever has such a page open."""
    origin = request.headers.get("origin")
    if origin is not None and _site(origin) != request.headers.get("host", "").lower():
        raise HttpError(403, "pages of other sites may not call this")
    if request.headers.get("sec-fetch-site") == "cross-site" and request.method not in ("GET", "HEAD"):
        raise HttpError(403, "pages of other sites may not call this")


def _site(origin: str) -> str | None:
    """Return the host and port of an Origin; None where it has none, or is none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("utf-8", "replace"))


def _password(value: str) -> str:
    try:
        return b64decode(value, validate=True).decode("utf-8", "replace").partition(":")[2]
    except ValueError:
        return ""


def _cookie(request: Request) -> str:
    for part in request.headers.get("cookie", "").replace(",", ";").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value.strip('"')
    return ""
