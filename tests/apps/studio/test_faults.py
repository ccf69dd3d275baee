"""Random edits, saves, undos, changes by others, kills and full disks: nothing is lost, doubled or moved.

`benchmarks/studio_faults.py` plays more of them.
"""

from __future__ import annotations

from pathlib import Path

from tests.apps.studio.faults import run
from tests.optional import needs

pytestmark = needs("resource")


def test_nothing_is_lost(tmp_path: Path) -> None:
    for seed in range(40):
        run(tmp_path / str(seed), 1_000_000 + seed)


def test_nothing_is_lost_in_many_runs(tmp_path: Path) -> None:
    for seed in range(260):
        run(tmp_path / str(seed), 2_000_000 + seed)
