"""Forms: urlencoded, and multipart (RFC 7578), as browsers and curl send them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from treewright.apps.server.messages import HttpError, decoded

if TYPE_CHECKING:
    from treewright.apps.server.messages import Request

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
MOST_FIELDS = 100
_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))', re.IGNORECASE)
_NAME = re.compile(rb'\bname=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))', re.IGNORECASE)


def form_of(request: Request) -> dict[str, str]:
    """Return the fields of query and body; those of the body win."""
    fields = urlencoded(request.query.encode("latin-1", "replace"))
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind == MULTIPART:
        fields.update(multipart(request.body, content_type))
    elif request.body and kind in (URLENCODED, ""):
        fields.update(urlencoded(request.body))
    elif request.body:
        raise HttpError(415, f"Content-Type {kind[:100]!r}: send a form, {URLENCODED} or {MULTIPART}")
    return fields


def urlencoded(data: bytes) -> dict[str, str]:
    """Return the fields of an urlencoded form; a field without ``=`` is blank, of equal names the last counts."""
    fields: dict[str, str] = {}
    if not data:
        return fields
    pairs = data.split(b"&")
    if len(pairs) > MOST_FIELDS:
        raise HttpError(400, f"more than {MOST_FIELDS} fields in the form. Is an & in the text not encoded as %26?")
    for pair in pairs:
        if pair:
            name, _, value = pair.partition(b"=")
            fields[_unquoted(name)] = _unquoted(value)
    return fields


def _unquoted(data: bytes) -> str:
    data = data.replace(b"+", b" ")
    return decoded(unquote_to_bytes(data) if b"%" in data else data)


def multipart(body: bytes, content_type: str) -> dict[str, str]:
    """Return the fields of a multipart form, files included."""
    match = _BOUNDARY.search(content_type)
    if match is None:
        raise HttpError(400, "multipart form without a boundary")
    delimiter = b"\r\n--" + (match[1] or match[2]).encode("latin-1", "replace")
    parts = (b"\r\n" + body).split(delimiter)
    if len(parts) < 2 or not parts[-1].startswith(b"--"):
        raise HttpError(400, "the multipart form does not end with its boundary")
    if len(parts) > MOST_FIELDS + 2:
        raise HttpError(400, f"more than {MOST_FIELDS} fields in the form")
    fields: dict[str, str] = {}
    for part in parts[1:-1]:
        head, blank, value = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if not blank or name is None or b"content-disposition" not in head.lower():
            raise HttpError(400, "a part of the multipart form has no name")
        fields[decoded(name[1] if name[1] is not None else name[2])] = decoded(value)
    return fields
