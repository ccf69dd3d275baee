"""Answer over HTTP: parsing for existing clients, a JSON API, and pages for the browser.

Without a model, the bundled English one is served. The server listens on this machine only, unless --host says more.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_number, add_quiet
from treewright.errors import TreewrightError, TreewrightWarning
from treewright.options.option import flag_of

if TYPE_CHECKING:
    from treewright.apps.server.http_server import HttpServer
    from treewright.apps.server.limits import Limits
    from treewright.apps.server.model_store import ModelStore
    from treewright.apps.server.routing import Route
    from treewright.apps.server.service import Service

TOKEN_VARIABLE = "TREEWRIGHT_TOKEN"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "models", nargs="*", metavar="MODEL", help="model file, folder with models, or name (default: english)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (default: this machine only)"
    )
    add_number(parser, "--port", 8000, "port to listen on, 0 for any that is free")
    parser.add_argument(
        "--token", metavar="TEXT", help=f"what clients must show (default: ${TOKEN_VARIABLE}, or made up with --host)"
    )
    parser.add_argument(
        "--allow-host", metavar="NAME", action="append", help="another name under which a proxy reaches the server"
    )
    parser.add_argument("--project", metavar="FOLDER", help="the only folder that requests may read and write")
    parser.add_argument(
        "--user", metavar="NAME", action="append", help="an annotator of the project, with a token and a layer"
    )
    add_number(parser, "--max-body", 64.0, "largest body of a request", "MB")
    add_number(parser, "--max-words", 2_000_000, "most words of a request")
    add_number(parser, "--max-seconds", 300.0, "longest time of a request", "S")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="requests that compute at once (default: the number of cores)"
    )
    add_number(parser, "--waiting", 256, "requests that may wait for their turn")
    parser.add_argument("--access-log", metavar="FILE", help="where to log requests (default: standard error)")
    add_quiet(parser, "log no requests and no start")


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal says stop."""
    from treewright.apps.server.access_log import log_request
    from treewright.apps.server.application import LOOPBACK, Application
    from treewright.apps.server.http_server import HttpServer
    from treewright.apps.server.service import Service

    _set_up_log()
    warnings.simplefilter("ignore", TreewrightWarning)  # of texts that clients send, which they cannot see
    limits = _limits(arguments)
    folder = _folder(arguments.project)
    users = _users(arguments.user, folder)
    service = Service(_models(arguments.models), limits, folder, list(users))
    local = arguments.host in LOOPBACK
    token = _token(arguments.token, local and not users)
    if arguments.allow_host and not local:
        raise TreewrightError("--allow-host is for servers on loopback: with --host, every name is allowed")
    hosts = [*LOOPBACK, *(name.lower() for name in arguments.allow_host or ())] if local else None
    served = [route for routes in route_functions() for route in routes(service)]
    server = HttpServer(
        Application(service, served, token, hosts, {own: name for name, own in users.items()}),
        arguments.host,
        arguments.port,
    )
    with _log_stream(arguments.access_log, arguments.quiet) as stream, _stopped_by_signals(server):
        server.access_log = None if stream is None else partial(log_request, stream)
        if not arguments.quiet:
            address = f"{server.address}/?token={token}" if token and token != arguments.token else f"{server.address}/"
            say(f"treewright serves {', '.join(service.models.names())} on {address} (stop with Ctrl-C)")
            for name, own in users.items():
                say(f"for {name}: {server.address}/?token={own}")
        server.serve()
    return 0


@contextmanager
def _stopped_by_signals(server: HttpServer) -> Iterator[None]:
    """Let SIGTERM and Ctrl-C stop the server after what is under way; a second Ctrl-C stops it at once."""

    def stop(number: int, frame: object) -> None:
        server.stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    old = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


@contextmanager
def _log_stream(path: str | None, quiet: bool) -> Iterator[IO[str] | None]:
    """Yield where requests are logged."""
    if path is None:
        yield None if quiet else sys.stderr
        return
    if not os.access(path if os.path.exists(path) else os.path.dirname(path) or ".", os.W_OK) or os.path.isdir(path):
        raise TreewrightError(f"--access-log {path}: cannot be written. Give another file")
    with open(path, "a", encoding="utf-8") as file:
        yield file


def route_functions() -> list[Callable[[Service], list[Route]]]:
    """Return what makes the routes of the program; of routes that fit a request, the first wins."""
    from treewright.apps.server.interfaces.interfaces import INTERFACES
    from treewright.apps.studio import routes as studio

    return [*INTERFACES, studio.routes]


def _models(given: list[str]) -> ModelStore:
    from treewright.apps.server.model_store import ModelStore, named
    from treewright.steps.named_models import DEFAULT, find_model

    paths: list[str | os.PathLike[str]] = []
    for name in given or [DEFAULT]:
        if os.path.isdir(name):
            inside = sorted(Path(name).glob("*.tw"))
            if not inside:
                raise TreewrightError(f"{name}: no models (*.tw) in this folder")
            paths.extend(inside)
        else:
            path = find_model(name)
            if not os.path.isfile(path):
                raise TreewrightError(f"{name}: no such model. Give a file that `treewright train` wrote, or a folder")
            paths.append(path)
    return ModelStore(named(paths))


def _limits(arguments: argparse.Namespace) -> Limits:
    from treewright.apps.server.limits import Limits

    for name in ("max_body", "max_words", "max_seconds", "jobs"):
        value = getattr(arguments, name)
        if value is not None and not value > 0:
            raise TreewrightError(f"{flag_of(name)} {value}: must be more than 0")
    if arguments.waiting < 0:
        raise TreewrightError(f"--waiting {arguments.waiting}: must not be negative")
    if not 0 <= arguments.port <= 65535:
        raise TreewrightError(f"--port {arguments.port}: a port is a number from 0 to 65535")
    return Limits(
        body_bytes=int(arguments.max_body * 1024 * 1024),
        words=arguments.max_words,
        seconds=arguments.max_seconds,
        at_once=arguments.jobs or os.cpu_count() or 1,
        waiting=arguments.waiting,
    )


def _folder(given: str | None) -> Path | None:
    if given is None:
        return None
    if not os.path.isdir(given):
        raise TreewrightError(f"--project {given}: no such folder. Make it first")
    return Path(given).resolve()


def _users(names: list[str] | None, folder: Path | None) -> dict[str, str]:
    """Return the annotators with their tokens."""
    if not names:
        return {}
    if folder is None:
        raise TreewrightError("--user is for the annotators of a project: give a folder with --project")
    from treewright.apps.studio.team import tokens_of

    return tokens_of(folder, names)


def _token(given: str | None, local: bool) -> str | None:
    """Return what clients must show: on this machine nothing unless it is wanted, else made up if it is not given."""
    import secrets

    token = given if given is not None else os.environ.get(TOKEN_VARIABLE)
    if token is not None and not re.fullmatch(r"[A-Za-z0-9._~+/=-]{8,200}", token):
        raise TreewrightError("--token: take at least 8 characters, letters, digits and any of . _ ~ + / = -")
    return token if token is not None or local else secrets.token_urlsafe(24)


def _set_up_log() -> None:
    """Send what the server logs (reloaded models, errors of its own) to standard error."""
    import logging

    from treewright.apps.server.access_log import LogFormatter

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter("treewright serve: %(message)s"))
    log = logging.getLogger("treewright.apps.server")
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False
