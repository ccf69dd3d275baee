"""The Python of README and docs has types that fit: what an editor shows a reader is right."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treewright
from tests.optional import needs
from tests.test_docs import PAGES, ROOT, blocks_of

#: optional packages are large: mypy would read all of PyTorch to check a line that names it
CONFIGURATION = """
[mypy]
strict = True
ignore_missing_imports = True
allow_redefinition = True
follow_imports = silent
scripts_are_modules = True
disable_error_code = import-untyped

[mypy-torch.*,transformers.*,dask.*,distributed.*,ray.*,spacy.*,pandas.*,pyarrow.*]
follow_imports = skip
"""

#: what pyright finds where other packages have no types
OF_OTHERS = ["reportMissingImports", "reportMissingModuleSource", "reportMissingTypeStubs"]
OF_OTHERS += [f"reportUnknown{what}Type" for what in ("Argument", "Lambda", "Member", "Parameter", "Variable")]


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


@pytest.fixture
def programs(tmp_path):
    """Lay out the Python of all pages as programs; return their names."""
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
    return names


def checked(folder, *command):
    """Run a program that checks types; return what it says if it finds something."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environment(), capture_output=True, text=True
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@needs("mypy")
def test_the_examples_have_the_right_types(tmp_path, programs):
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    cache = str(ROOT / ".mypy_cache" / "docs")
    assert not checked(tmp_path, "mypy", "--config-file", "mypy.ini", "--cache-dir", cache, *programs)


@needs("pyright")
def test_pyright_finds_nothing_either(tmp_path, programs):
    place = str(Path(treewright.__file__).parents[1])
    settings = {"include": ["."], "typeCheckingMode": "strict", "extraPaths": [place], "stubPath": place}
    settings |= dict.fromkeys(OF_OTHERS, False)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    assert not checked(tmp_path, "pyright", "--project", str(tmp_path), "--pythonpath", sys.executable)
