"""Style sheets, in files beside the modules that write pages."""

from __future__ import annotations

from pathlib import Path


def style_file(module: str, name: str) -> str:
    """Return the text of a style sheet in the folder of a module."""
    return (Path(module).parent / f"{name}.css").read_text(encoding="utf-8")
