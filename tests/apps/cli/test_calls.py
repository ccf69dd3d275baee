"""How many functions of treewright a command calls: what it does not need is neither imported nor run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.apps.cli.running import environment

ROOT = Path(__file__).parents[3]
#: functions of Python, bodies of modules and classes, lambdas and comprehensions, as Python 3.11 counts them
MOST = 346  # 300 for tokeniser, tagger and parser; the model's graphs, clusters and packed arrays need the others
COUNTING = """
import sys, threading
from treewright import __file__ as package

folder, seen = package.rpartition("__init__")[0], set()

def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(folder):
        seen.add((code.co_filename, code.co_firstlineno))

sys.argv[0] = "treewright"
threading.setprofile(note)
sys.setprofile(note)
from treewright.apps.cli import main
code = main()
sys.setprofile(None)
print(len(seen), *sorted(f"{name.removeprefix(folder)}:{line}" for name, line in seen), file=sys.stderr)
sys.exit(code)
"""


def functions_of(*words: str) -> tuple[int, set[str]]:
    """Return how many functions a command calls, and the files that they are in."""
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", COUNTING, *words],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# ")
    assert "ResourceWarning" not in done.stderr
    number, *places = done.stderr.splitlines()[-1].split()
    return int(number), {place.rpartition(":")[0] for place in places}


def test_parsing_a_treebank_calls_few_functions() -> None:
    number, files = functions_of("parse", "english-fast", "examples/toy/test.conllu")
    assert number <= MOST
    assert not any(file.startswith("recipes") or "/recipe" in file or "/training" in file for file in files)
    assert not {"features/language.py", "features/templates.py"} & files  # the program of a bundled model is known
