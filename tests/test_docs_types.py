"""The Python of README and docs has types that fit: what an editor shows a reader is right."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import treewright
from tests.test_docs import PAGES, ROOT, blocks_of

pytest.importorskip("mypy")

#: optional packages are large: mypy would read all of PyTorch to check a line that names it
CONFIGURATION = """
[mypy]
check_untyped_defs = True
ignore_missing_imports = True
allow_redefinition = True
follow_imports = silent
scripts_are_modules = True
disable_error_code = import-untyped

[mypy-torch.*,transformers.*,dask.*,distributed.*,ray.*,spacy.*,pandas.*,pyarrow.*]
follow_imports = skip
"""


def program_of(page):
    """Return the blocks of a page as one program, at the lines where they stand."""
    lines = []
    for block in blocks_of(page):
        if block.language != "python" or ">>>" in block.text or block.file:
            continue
        lines += [""] * (block.line - 1 - len(lines))
        lines += block.text.splitlines()
    return "\n".join(lines) + "\n"


def environment():
    """Return an environment in which mypy finds the package that is tested; it finds an installed one by itself."""
    place = Path(treewright.__file__).parents[1]
    others = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    return others if place.name == "site-packages" else {**others, "MYPYPATH": str(place)}


def test_the_examples_have_the_right_types(tmp_path):
    names = []
    for page in PAGES:
        for block in blocks_of(page.read_text(encoding="utf-8")):
            if block.file:
                names.append(block.file)
                (tmp_path / block.file).parent.mkdir(exist_ok=True)
                (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        program = program_of(page.read_text(encoding="utf-8"))
        if program.strip():
            names.append("_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_") + ".py")
            (tmp_path / names[-1]).write_text(program, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    cache = str(ROOT / ".mypy_cache" / "docs")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", cache, *names],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
