"""Names from requests as paths: nothing outside a folder can be meant."""

from __future__ import annotations

import re
from pathlib import Path

from treewright.apps.server.messages import HttpError

#: what a name that becomes part of a path may be made of
_NAME = re.compile(r"\w[\w .+@()-]{0,150}")


def inside(folder: Path, name: str) -> Path:
    """Return the path that a request names relative to a folder; links that lead out of it are not followed."""
    if "\0" in name or len(name) > 1000:
        raise HttpError(404, "no such file")
    try:
        root = folder.resolve()
        path = (root / name).resolve()
    except (OSError, RuntimeError, ValueError):
        raise HttpError(404, "no such file") from None
    if path != root and root not in path.parents:
        raise HttpError(404, "no such file")
    return path


def plain_name(name: str, what: str) -> str:
    """Return a name from a request that becomes the name of a file or folder; reject what could mean another place."""
    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise HttpError(400, f"{what} {name[:50]!r}: use letters, digits, spaces and any of . _ + - @ ( )")
    return name
