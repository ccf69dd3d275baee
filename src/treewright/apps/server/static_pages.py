"""Pages that come with a package: read into memory once, so that no request names a file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from treewright.apps.server.messages import HttpError, Request, Response
from treewright.apps.server.routing import Route

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
#: pages load nothing from elsewhere, and nobody frames them
SECURITY = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
    " frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def pages(prefix: str, folder: Path, index: str = "index.html") -> list[Route]:
    """Return the routes for the files of a folder (with subfolders) under a prefix such as ``/studio``."""
    files = Pages(folder, index)
    prefix = prefix.rstrip("/")
    routes = [Route("GET", f"{prefix}/{{file...}}", files.answer)]
    if prefix:
        routes.append(Route("GET", prefix, lambda request: Response(308, headers={"Location": f"{prefix}/"})))
    return routes


class Pages:
    """The files of a folder, each read when it is first asked for."""

    def __init__(self, folder: Path, index: str) -> None:
        self._index = index
        self._paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self._kept: dict[str, tuple[bytes, str]] = {}

    def answer(self, request: Request) -> Response:
        """Return a file, or 304 where the client has it."""
        name = request.path_values["file"]
        if not name or name.endswith("/"):
            name += self._index
        if name not in self._paths:
            raise HttpError(404, f"no page {name[:200]!r}")
        if name not in self._kept:
            data = self._paths[name].read_bytes()
            self._kept[name] = data, f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        data, tag = self._kept[name]
        headers = {"ETag": tag, "Cache-Control": "no-cache", **SECURITY}
        if request.headers.get("if-none-match") == tag:
            return Response(304, headers=headers)
        kind = TYPES.get(self._paths[name].suffix, "application/octet-stream")
        return Response(200, data, kind, headers)
