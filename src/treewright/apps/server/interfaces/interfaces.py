"""All interfaces together, and a server with them for other programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from treewright.apps.server import state_routes
from treewright.apps.server.application import LOOPBACK, Application
from treewright.apps.server.http_server import HttpServer
from treewright.apps.server.interfaces import arborator, corenlp, udpipe, v1
from treewright.apps.server.limits import Limits
from treewright.apps.server.model_store import ModelStore, named
from treewright.apps.server.routing import Route
from treewright.apps.server.service import Service
from treewright.steps.named_models import DEFAULT, find_model

#: what makes the routes; of routes that fit a request, the first wins
INTERFACES: tuple[Callable[[Service], list[Route]], ...] = (
    state_routes.routes,
    udpipe.routes,
    v1.routes,
    corenlp.routes,
    arborator.routes,
)


def make_server(
    models: Iterable[str | os.PathLike[str]] = (DEFAULT,),
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: Limits | None = None,
    folder: str | os.PathLike[str] | None = None,
    token: str | None = None,
) -> HttpServer:
    """Return a server with the given models; ``with`` runs it in the background, ``serve()`` in the foreground.

    Port 0 is any free one: ``server.address`` says which. ``folder``: the only one that requests may write to.
    """
    if host not in LOOPBACK and token is None:
        raise ValueError("a server that other machines can reach needs a token")
    store = ModelStore(named(find_model(model) for model in models))
    service = Service(store, limits, None if folder is None else Path(folder).resolve())
    routes = [route for interface in INTERFACES for route in interface(service)]
    return HttpServer(Application(service, routes, token, LOOPBACK if host in LOOPBACK else None), host, port)
