"""Which handler answers which path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from treewright.apps.server.messages import HttpError, Request, Response

Handler = Callable[[Request], Response]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@dataclass(frozen=True)
class Route:
    """A handler with the requests it answers and how they are treated; see the package's docstring."""

    methods: str
    pattern: str
    handler: Handler
    heavy: bool = False
    cross_origin: bool = False
    errors: str = "json"
    open_to_all: bool = False
    operation: Mapping[str, object] | None = None
    parts: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.pattern.split("/")[1:]))

    def allows(self, method: str) -> bool:
        """Say whether the route answers a method; GET answers HEAD too."""
        allowed = self.methods.split()
        return method in allowed or (method == "HEAD" and "GET" in allowed)

    def values(self, parts: list[str]) -> dict[str, str] | None:
        """Return the values in a path that fits the pattern, None where it does not fit."""
        values: dict[str, str] = {}
        for number, mine in enumerate(self.parts):
            if mine.endswith("...}"):
                values[mine[1:-4]] = unquote("/".join(parts[number:]))
                return values
            if number >= len(parts):
                return None
            if mine.startswith("{"):
                if not parts[number]:
                    return None
                values[mine[1:-1]] = unquote(parts[number])
            elif mine != parts[number]:
                return None
        return values if len(parts) == len(self.parts) else None


class Routes:
    """All routes; paths without values are found at once."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.all = list(routes)
        self._plain: dict[str, list[Route]] = {}
        for route in self.all:
            if "{" not in route.pattern:
                self._plain.setdefault(route.pattern, []).append(route)
        self._patterns = [route for route in self.all if "{" in route.pattern]

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the route for a request and the values in its path; or answer 404 or 405."""
        fitting = self._plain.get(path, [])
        for route in fitting:
            if route.allows(method):
                return route, {}
        parts = path.split("/")[1:]
        for route in self._patterns:
            values = route.values(parts)
            if values is not None:
                if route.allows(method):
                    return route, values
                fitting = [*fitting, route]
        if not fitting:
            raise HttpError(404, f"nothing is at {path[:200]!r}")
        allowed = sorted({name for route in fitting for name in route.methods.split()})
        raise HttpError(
            405, f"{method} is not possible here: use {' or '.join(allowed)}", {"Allow": ", ".join(allowed)}
        )
