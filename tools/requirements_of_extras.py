"""Print what treewright needs, with all extras for users, one requirement a line: for pip-audit."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OTHERS = ("all", "lint", "mutants", "docs", "bench", "fuzz", "test")


def main() -> None:
    """Read pyproject.toml, and print."""
    path = Path(__file__).parent.parent / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    listed = {*project["dependencies"]}
    listed |= {line for name, lines in extras.items() if name not in OTHERS for line in lines}
    print("\n".join(sorted(listed)))


if __name__ == "__main__":
    main()
