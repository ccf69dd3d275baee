"""A server in the test's own process, on a free port of the loopback."""

from __future__ import annotations

import http.client
from contextlib import contextmanager

from treewright.apps.server import state_routes
from treewright.apps.server.application import Application
from treewright.apps.server.http_server import HttpServer
from treewright.apps.server.limits import Limits
from treewright.apps.server.model_store import ModelStore
from treewright.apps.server.service import Service


@contextmanager
def running(routes=(), models=None, limits=None, folder=None, **options):
    """Yield a server that answers; it has stopped when the block ends."""
    service = models if isinstance(models, Service) else Service(models or ModelStore({}), limits or Limits(), folder)
    more = routes(service) if callable(routes) else list(routes)
    with HttpServer(Application(service, [*state_routes.routes(service), *more], **options)) as server:
        yield server


def ask(server, method, path, body=None, headers=None):
    """Return status, headers and body of a request on a connection of its own."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()
