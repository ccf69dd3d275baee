"""The list of changes of compiled code still fits the code."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "cython_mutants.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not part of packages")


def test_every_change_can_be_made_in_one_place_and_is_one() -> None:
    specification = importlib.util.spec_from_file_location("cython_mutants", TOOL)
    assert specification is not None
    assert specification.loader is not None
    tool = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tool)
    changes = tool.changes_of([])  # exits with what stands nowhere, or twice
    assert len(changes) == len(set(changes)) >= 200
    assert all(old != new for _, old, new in changes)
