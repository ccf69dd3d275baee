"""Tests that need a package which is not always installed.

``pytest.importorskip`` at the top of a file imports the package in every worker, whichever tests it then runs: PyTorch
and scikit-learn take seconds. These marks only look whether the package is there.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


def needs(*packages: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped where one of the packages is missing."""
    missing = [name for name in packages if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


#: limits of a process, which Windows does not have; tests that set one are marked with ``needs("resource")``
resource: Any = import_module("resource") if find_spec("resource") else None
