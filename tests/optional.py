"""Tests that need a package which is not always installed.

``pytest.importorskip`` at the top of a file imports the package in every worker, whichever tests it then runs: PyTorch
and scikit-learn take seconds. These marks only look whether the package is there.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*packages: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped where one of the packages is missing."""
    missing = [name for name in packages if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
