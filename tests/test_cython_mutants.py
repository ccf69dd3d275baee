"""The list of changes of compiled code still fits the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outside import module_at

TOOL = Path(__file__).parent.parent / "tools" / "cython_mutants.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not part of packages")


def test_every_change_can_be_made_in_one_place_and_is_one() -> None:
    changes = module_at("tools/cython_mutants.py").changes_of([])  # exits with what stands nowhere, or twice
    assert len(changes) == len(set(changes)) >= 200
    assert all(old != new for _, old, new in changes)
