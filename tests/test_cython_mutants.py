"""The list of changes of compiled code still fits the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outside import module_at

TOOL = Path(__file__).parent.parent / "tools" / "cython_mutants.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not part of packages")


def test_nearly_all_changes_can_be_made() -> None:
    """The code may move on a little; with more than this, the list says nothing of it any more."""
    changes = module_at("tools/cython_mutants.py").changes_of([])
    assert len(changes) == len(set(changes)) >= 190
    assert all(old != new for _, old, new in changes)
