"""Packages that a script compares with, or needs, which not everybody has installed."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

BENCH = "pip install 'treewright[bench]'"
#: what engines of `treewright corpus` need
PACKAGES = {"dask": "distributed", "ray": "ray"}


def needed(module: str, how: str) -> Any:
    """Return a module; where it is not installed, say how to install it, and end the script without an error."""
    try:
        return import_module(module)
    except ImportError:
        print(f"nothing is measured: {module} is not installed ({how})")
        sys.exit(0)


def installed_engines(names: list[str]) -> list[str]:
    """Return the engines that can run, and say which ones are left out."""
    missing = [name for name in names if name in PACKAGES and find_spec(PACKAGES[name]) is None]
    for name in missing:
        print(f"left out: {name} is not installed (pip install 'treewright[{name}]')")
    return [name for name in names if name not in missing]
