"""Change compiled code one place at a time, by a list made by hand, and list the changes that no test notices.

    python tools/cython_mutants.py evaluation kinds/tagger

Changes are pairs of old and new text in cython_mutants.toml. For each, the module is compiled in place, beside its
source, and the quick tests of its folder run until one fails; then the source is put back, whatever happens. Arguments
name files or folders of the list; without any, all are tried. Results stay in build/cython_mutants.json: when tests are
added, run it again, and only changes that were not noticed are tried again. `--list` prints those, and runs nothing.

This changes files of src/ while it runs: use a clone of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "treewright"
CHANGES = Path(__file__).with_suffix(".toml")
RESULTS = ROOT / "build" / "cython_mutants.json"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
KILLED, SURVIVED, BROKEN = "killed", "survived", "does not compile"
#: what tests of pipelines pin, weight by weight and tag by tag, and what has its tests with those of another kind
PINNED_BY = {
    **dict.fromkeys(("kinds/tokenizer", "kinds/tagger"), ("kinds/pipeline",)),
    **dict.fromkeys(("kinds/network_graph", "kinds/network_moves"), ("kinds/network",)),
}
PATIENCE = 4  # times what the tests take without a change, then they hang

Change = tuple[str, str, str]  # file, old text, new text


def changes_of(patterns: list[str]) -> list[Change]:
    """Return the changes in files or folders of the list, all of them where none is named."""
    listed = tomllib.loads(CHANGES.read_text(encoding="utf-8"))
    for pattern in patterns:
        if not any(is_in(file, pattern) for file in listed):
            sys.exit(f"{CHANGES.name} lists nothing in {pattern}")
    chosen = [file for file in listed if not patterns or any(is_in(file, pattern) for pattern in patterns)]
    found = [(file, old, new) for file in chosen for old, new in listed[file]["changes"]]
    fit = [change for change in found if fits(change)]
    for change in found:
        if change not in fit:
            print(f"left out, as the old text is not there once: {shown(change)}", file=sys.stderr)
    return fit


def fits(change: Change) -> bool:
    """Say whether the old text of a change stands once in its file."""
    return (SOURCES / change[0]).read_text(encoding="utf-8").count(change[1]) == 1


def is_in(file: str, pattern: str) -> bool:
    """Say whether a file is the one that a pattern names, or in the folder that it names."""
    return file == pattern or file.startswith(pattern.rstrip("/") + "/")


def build() -> bool:
    """Compile what has changed; return whether it compiles."""
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True).returncode == 0


@contextmanager
def changed(change: Change) -> Iterator[bool]:
    """Change a source and compile it; put it back at the end. Yields whether it compiles."""
    path = SOURCES / change[0]
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace(change[1], change[2]), encoding="utf-8")
        yield build()
    finally:
        path.write_text(text, encoding="utf-8")  # new enough to be compiled again


def failing(tests: list[str], seconds: float | None, slow: bool) -> str:
    """Run tests until one fails; return its file, or nothing. What crashes or hangs fails, too."""
    settings = ["-q", "-x", "--tb=no", "-m", "" if slow else "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *settings, *tests]
    try:
        ended = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, timeout=seconds, text=True)
    except subprocess.TimeoutExpired:
        return tests[0]
    named = re.findall(r"^(?:FAILED|ERROR) ([^\s:]+)", ended.stdout, re.MULTILINE)
    return [*named, tests[0]][0] if ended.returncode else ""


def tests_of(file: str, named: list[str]) -> list[str]:
    """Return the tests to run for a change of a file: those of its folder unless others are named."""
    kind = "/".join(file.split("/")[:2])
    folders = [kind, *PINNED_BY.get(kind, ())] if kind.startswith("kinds/") else [file.split("/")[0]]
    return [f"tests/{name}" for name in named or folders if named or (ROOT / "tests" / name).exists()]


def key_of(change: Change) -> str:
    """Return a change as results name it."""
    return "\n".join(change)


def shown(change: Change) -> str:
    """Return a change as two blocks of lines."""
    file, old, new = change
    minus, plus = ["".join(f"{sign} {line}\n" for line in text.split("\n")) for sign, text in (("-", old), ("+", new))]
    return f"{file}\n{minus}{plus}".rstrip("\n")


def try_all(changes: list[Change], results: dict[str, str], named: list[str], slow: bool) -> None:
    """Try changes that were not noticed before; results are stored after each."""
    allowed: dict[tuple[str, ...], float] = {}
    for file in dict.fromkeys(file for file, _, _ in changes):
        tests = tests_of(file, named)
        if tuple(tests) not in allowed:
            began = time.monotonic()
            if not build() or failing(tests, None, slow):
                sys.exit(f"the tests fail without any change: {' '.join(tests)}")
            allowed[tuple(tests)] = PATIENCE * (time.monotonic() - began) + 30
        noticed: list[str] = []  # the file of tests that noticed the change before: it may notice this one, too
        for change in [change for change in changes if change[0] == file and results.get(key_of(change)) != KILLED]:
            with changed(change) as compiles:
                limit = allowed[tuple(tests)]
                fails = compiles and ((noticed and failing(noticed, limit, slow)) or failing(tests, limit, slow))
                noticed = [fails] if fails else noticed
                status = BROKEN if not compiles else KILLED if fails else SURVIVED
            results[key_of(change)] = status
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps(results, indent=1), encoding="utf-8")
            print(f"{status}: {shown(change)}", flush=True)
        build()


def main() -> int:
    """Try the changes, then print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="*", help="files or folders of the list, such as kinds/tagger")
    parser.add_argument("--list", action="store_true", help="print what survived last time")
    parser.add_argument(
        "--tests", nargs="+", default=[], help="folders or files of tests, instead of the file's folder"
    )
    parser.add_argument("--slow", action="store_true", help="run slow tests, too")
    options = parser.parse_args()
    changes = changes_of(options.where)
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if not options.list:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
        try:
            try_all(changes, results, options.tests, options.slow)
        finally:
            build()
    counts = Counter(results.get(key_of(change), "not tried") for change in changes)
    for change in changes:
        if results.get(key_of(change)) not in (None, KILLED):
            print(f"{results[key_of(change)]}: {shown(change)}")
    print(f"{len(changes)} changes: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
