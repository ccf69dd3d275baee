"""What an index of packages shows, and what the extras bring."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.requirements_of_extras import OTHERS
from tools.try_extras import IMPORTS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

pytestmark = pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="reads the source tree")


def test_the_extra_all_has_every_extra_for_users() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    for_users = extras.keys() - set(OTHERS)
    assert set(re.split(r"[\[\],]", everything)[1:-1]) == for_users
    assert IMPORTS.keys() == for_users


def test_every_tested_version_of_python_is_told() -> None:
    told = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d", each)}
    built = set(re.findall(r"cp3(\d+)-", (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    assert told == {f"3.{minor}" for minor in built}


def test_no_link_of_the_page_points_into_the_source() -> None:
    script = "import runpy, setuptools; setuptools.setup = lambda **given: print(given['long_description']);"
    script += "import sys; sys.argv = ['setup.py', 'dist_info']; runpy.run_path('setup.py')"
    shown = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    links = re.findall(r"\]\(([^)]+)\)", shown.stdout)
    assert len(links) > 20
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    for link in links:
        inside = re.match(r"https://github.com/treewright/treewright/(?:blob|raw)/[^/]+/([^#]+)", link)
        assert not inside or (ROOT / inside[1]).exists(), link
