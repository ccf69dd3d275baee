"""How the server is: health for load balancers, metrics for Prometheus."""

from __future__ import annotations

from treewright import __version__
from treewright.apps.server.messages import Request, Response, json_response, text_response
from treewright.apps.server.metrics import CONTENT_TYPE
from treewright.apps.server.routing import Route
from treewright.apps.server.service import Service


def routes(service: Service) -> list[Route]:
    """Return the routes for health and metrics."""

    def health(request: Request) -> Response:
        return json_response({"status": "ok", "version": __version__, "models": len(service.models.names())})

    def metrics(request: Request) -> Response:
        return text_response(service.metrics.text(), content_type=CONTENT_TYPE)

    return [Route("GET", "/health", health, open_to_all=True), Route("GET", "/metrics", metrics, errors="text")]
