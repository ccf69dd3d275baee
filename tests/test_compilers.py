"""gcc and clang each build the modules whose instructions differ between processors, with the flags that they take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.optional import needs

ROOT = Path(__file__).parents[1]
MODULES = ("kinds.network.kernel.packed", "kinds.network.kernel.recurrence", "learners.table", "treebank.blocks.cutter")


@needs("Cython")
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="compiles the source tree")
@pytest.mark.skipif(not shutil.which("clang"), reason="clang is not installed")
@pytest.mark.parametrize("module", MODULES)
def test_clang_builds_it(module: str, tmp_path: Path) -> None:
    building = subprocess.run(
        [
            sys.executable,
            "setup.py",
            "-q",
            "build",
            "--build-base",
            str(tmp_path),
            "--build-lib",
            str(tmp_path / "lib"),
        ],
        cwd=ROOT,
        env={**os.environ, "CC": "clang", "LDSHARED": "clang -shared", "TREEWRIGHT_ONLY": module, "JOBS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert building.returncode == 0, building.stderr[-2000:]
    assert len([*tmp_path.glob(f"lib/treewright/{module.replace('.', '/')}.*.so")]) == 1
