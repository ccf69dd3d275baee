"""Change the code a little, one place at a time, and list the changes that no test notices.

    python tools/mutants.py 'src/treewright/evaluation/*.py' 'src/treewright/analysis/*.py'

mutmut works in build/mutants, on a copy of the installed package. The tests are those of the packages that are
changed, without the slow ones. Run it again after adding tests: only mutants that survived are tried again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import treewright

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build" / "mutants"
#: mutmut 3.8 reads an attribute of tests that pytest 9.2 has renamed
CONFTEST = """\
from _pytest.nodes import Node

if not hasattr(Node, "_nodeid"):
    Node._nodeid = property(lambda self: self.nodeid)
"""
BESIDE = ("tests", "examples", "docs", "experiments", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff")


def copy_project(patterns: list[str]) -> None:
    """Put the package, its tests and the settings of mutmut where mutmut may write."""
    WORK.mkdir(parents=True, exist_ok=True)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in BESIDE:
        source, target = ROOT / name, WORK / name
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, ignore=ignored)
        elif source.exists():
            shutil.copy2(source, target)
    (WORK / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    package = WORK / "src" / "treewright"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(Path(treewright.__file__).parent, package, ignore=ignored)
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (WORK / "pyproject.toml").write_text(settings + mutmut_settings(patterns), encoding="utf-8")


def mutmut_settings(patterns: list[str]) -> str:
    """Return the section of mutmut: what to change, and what to test it with."""
    packages = sorted({Path(pattern).parts[2] for pattern in patterns})
    tests = [f"tests/{name}" for name in packages if (ROOT / "tests" / name).is_dir()]
    return f"""
[tool.mutmut]
source_paths = ["src"]
only_mutate = {patterns}
also_copy = {["conftest.py", *BESIDE]}
pytest_add_cli_args = ["-m", "not slow", "-x"]
pytest_add_cli_args_test_selection = {tests}
"""


def main(patterns: list[str]) -> int:
    """Run mutmut, then print what survived."""
    if not patterns:
        print(__doc__)
        return 2
    copy_project(patterns)
    mutmut = [sys.executable, "-m", "mutmut"]
    status = subprocess.run([*mutmut, "run", "--max-children", "1"], cwd=WORK).returncode
    subprocess.run([*mutmut, "results"], cwd=WORK)
    print("To see one: cd build/mutants && ../../.venv/bin/mutmut show NAME")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
