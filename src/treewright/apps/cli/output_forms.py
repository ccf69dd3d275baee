"""What commands print: JSON for programs; and documents that may be text, JSON or a page."""

from __future__ import annotations

import json
import os
from typing import Any

FORMS = ("text", "json", "html")


def print_json(data: Any) -> None:
    """Print a result for programs."""
    print(as_json(data))


def as_json(data: Any) -> str:
    """Return a result as JSON that people can read, too."""
    return json.dumps(data, ensure_ascii=False, indent=2)


def form_of(path: str) -> str:
    """Return the form that the ending of a file says; text for any other."""
    ending = os.path.splitext(path)[1].lstrip(".").lower()
    return {"htm": "html"}.get(ending, ending if ending in FORMS else "text")


def write_document(text: str, path: str) -> None:
    """Write a document to a file, or to standard output (-)."""
    from treewright.treebank.files.output import OutputFile

    with OutputFile(path) as output:
        output.write((text.rstrip("\n") + "\n").encode("utf-8", "replace"))
