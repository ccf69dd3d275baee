"""``python -m treewright.oracles``."""

from __future__ import annotations

import subprocess
import sys


def test_prints_the_table_and_exits_with_0():
    done = subprocess.run(
        [sys.executable, "-m", "treewright.oracles", "--words", "2"],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("| system | root | single_root | oracle |")
    # Two of arc-eager, both of covington's; one of arc-hybrid, arc-standard, nivre-standard, planar, non-monotonic;
    # easy-first has no static one, and 2-planar and both systems with SWAP have no other that is exact.
    assert len(lines) == 2 + 11 * 2 * 3 + 2 * 2 + 3 * 2 * 1
    assert all(line.endswith("| 0 |") for line in lines[2:])


def test_one_system_alone():
    done = subprocess.run(
        [sys.executable, "-m", "treewright.oracles", "--words", "2", "--system", "easy-first"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split(" | ")[0] for line in done.stdout.splitlines()[2:]] == ["| easy-first"] * 4
