"""Change the code a little, one place at a time, and list the changes that no test notices.

    python tools/mutants.py 'src/treewright/evaluation/*.py' 'src/treewright/analysis/*.py'

The changes are mutmut's (see mutations.py). They are tried in forks of one process that has already collected the
quick tests: first all tests run once, to see which lines each of them runs; then each change is tried with the tests
that run its lines, fastest first, for about five seconds. Results stay in build/mutants: when tests are added, run it
again, and only changes that were not noticed are tried again. `--list` prints those, without running anything.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import hashlib
import importlib
import itertools
import json
import os
import pickle
import signal
import sys
import threading
import time
import types
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treewright

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build" / "mutants"
PACKAGE = Path(treewright.__file__).parent
#: what is mutated as a rule: the lines of these packages that tests run are kept from run to run
MUTATED = ("evaluation", "analysis", "training", "steps")
#: folders of tests that run most of those lines, in this process
TESTS = (*MUTATED, "recipes", "kinds/exact", "kinds/pipeline", "apps/tracing", "test_notebook.py")
NOT_TRIED = 3  # how a fork ends that could not make its change
FIRST_FAILS, MOST_PLACES = 10, 255  # how a fork ends whose first test fails, and how it ends at most
SECONDS = 5.0  # of tests a change
Lines = set[tuple[str, int]]
Functions = dict[tuple[str, int], list[types.FunctionType]]


class Record:
    """Which lines a test or a fixture runs, and how long it takes without what it waits for."""

    def __init__(self) -> None:
        self.lines: Lines = set()
        self.seconds = 0.0
        self.began = 0.0


class Recorder:
    """A pytest plugin: records for tests, and for fixtures that several tests share."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files  # and their digests
        self.records: dict[object, Record] = defaultdict(Record)
        self.failed: set[str] = set()
        self.stack: list[Record] = [Record()]

    def trace(self, frame: types.FrameType, event: str, argument: object) -> Any:
        """Note a line, if it is in a file that is changed."""
        if frame.f_code.co_filename not in self.files:
            return None
        self.stack[-1].lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace

    @contextlib.contextmanager
    def recording(self, key: object) -> Iterator[None]:
        """Record for this key, and not for the one before."""
        now = time.process_time()
        self.stack[-1].seconds += now - self.stack[-1].began
        self.stack.append(self.records[key])
        self.stack[-1].began = now
        yield
        now = time.process_time()
        last = self.stack.pop()
        last.seconds += now - last.began
        self.stack[-1].began = now

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record a test."""
        with self.recording(item.nodeid):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[None]:
        """Record a fixture by itself, unless each test makes its own."""
        if fixturedef.scope == "function":
            yield
            return
        with self.recording((fixturedef.argname, fixturedef.baseid, request.param_index)):
            yield

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self.failed.add(report.nodeid)


def shared_fixtures(item: Any) -> Iterator[tuple[str, str, int]]:
    """Yield the keys of the fixtures that a test shares with others."""
    callspec = getattr(item, "callspec", None)
    for name in item.fixturenames:
        definitions = item._fixtureinfo.name2fixturedefs.get(name)
        if definitions and definitions[-1].scope != "function":
            yield name, definitions[-1].baseid, callspec.indices.get(name, 0) if callspec else 0


def run_items(session: Any, items: list[Any]) -> int | None:
    """Run tests until one fails; return its place."""
    for place, item in enumerate(items):
        following = items[place + 1] if place + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed and session.config.option.maxfail == 1:
            return place
    return None


def in_fork(work: Any, limit: float) -> int:
    """Do something in a fork that prints nothing, and return how it ended: minus the signal, or the exit code."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.alarm(int(10 * limit) + 20)
        code = NOT_TRIED
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def functions_of(file: Path) -> Functions:
    """Return all functions of a file that exist, by name and line."""
    found: Functions = defaultdict(list)
    gc.unfreeze()  # the settings of the tests freeze what was collected, and what is frozen is not listed
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__code__.co_filename == str(file):
            found[thing.__code__.co_name, thing.__code__.co_firstlineno].append(thing)
    if not found and "def " in file.read_text(encoding="utf-8"):
        sys.exit(f"{file}: none of its functions is found, so none can be changed")
    return found


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of functions and methods of a module."""
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield part
            yield from codes_of(part)


def change_functions(mutant: Any, functions: Functions) -> None:
    """Give the functions of this process the changed code, and changed defaults."""
    for code in codes_of(compile(mutant.text, str(mutant.file), "exec")):
        for function in functions.get((code.co_name, code.co_firstlineno), ()):
            if function.__qualname__ == mutant.function:
                free = function.__code__.co_freevars  # that of a method where super() is gone has none left
                function.__code__ = code if code.co_freevars else code.replace(co_freevars=free)
                set_defaults(function, mutant)


def set_defaults(function: types.FunctionType, mutant: Any) -> None:
    """Evaluate the defaults of the changed text: simple values only change to simple values."""
    for node in ast.walk(ast.parse(mutant.text)):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__ and node.lineno in mutant.lines:
            node.decorator_list, node.returns = [], None
            for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                argument.annotation = None
            names = dict(function.__globals__)
            with contextlib.suppress(Exception):
                exec(compile(ast.Module([node], []), "defaults", "exec"), names)
                function.__defaults__ = names[node.name].__defaults__
                function.__kwdefaults__ = names[node.name].__kwdefaults__


def run_recorded(session: Any, recorder: Recorder, items: list[Any], places: dict[Path, Path]) -> int:
    """Run tests file by file with a recorder, and store what it saw."""
    session.config.option.maxfail = 0
    session.config.pluginmanager.register(recorder)
    threading.settrace(recorder.trace)
    for path, group in itertools.groupby(items, lambda item: item.path):
        tests = list(group)
        sys.settrace(recorder.trace)
        run_items(session, tests)
        sys.settrace(None)
        names = {item.nodeid for item in tests}
        records = {key: record for key, record in recorder.records.items() if key in names or type(key) is tuple}
        places[path].write_bytes(pickle.dumps((recorder.files, records, recorder.failed & names)))
    return 0


class Trial:
    """A pytest plugin that, instead of running the tests, tries all changes of some files."""

    def __init__(self, files: list[Path], seconds: float, only_new: bool, sample: int) -> None:
        self.files, self.sample = files, sample
        self.tried = ("killed", "survived", "no test") if only_new else ("killed",)
        self.seconds = seconds
        self.records: dict[object, Record] = {}
        self.cost: dict[str, float] = {}
        self.lines: dict[tuple[str, int], list[Any]] = defaultdict(list)
        self.kills: dict[str, Counter[str]] = defaultdict(Counter)  # by function: the tests that noticed changes

    def pytest_runtestloop(self, session: Any) -> bool:
        """Measure the tests, then try every change."""
        self.measure(session)
        gc.unfreeze()  # tests/conftest.py has frozen what it collected, and nobody finds functions there
        functions = {file: functions_of(file) for file in self.files}
        gc.collect()
        gc.freeze()  # the forks share what exists
        for file in self.files:
            self.try_file(session, file, functions[file])
        return True

    def measure(self, session: Any) -> None:
        """Run tests once, in a fork, and keep for each the lines and the time; known ones are not run again."""
        traced = sorted({*self.files, *(file for name in MUTATED for file in (PACKAGE / name).glob("*.py"))})
        digests = {str(file): digest([file]) for file in traced}
        places = {path: WORK / f"{digest([path])}.pickle" for path in {item.path for item in session.items}}
        mine = {str(file): digests[str(file)] for file in self.files}
        known = {path: pickle.loads(place.read_bytes()) for path, place in places.items() if place.exists()}
        valid = {path for path, (files, _, _) in known.items() if mine.items() <= files.items()}
        missing = [item for item in session.items if item.path not in valid]
        if missing:
            print(f"running {len(missing)} tests once")
            recorder = Recorder(digests)
            status = in_fork(lambda: run_recorded(session, recorder, missing, places), 3600)
            if status:
                sys.exit(f"the tests could not be run: {status}")
            known = {path: pickle.loads(place.read_bytes()) for path, place in places.items()}
        failed = {name for _, _, names in known.values() for name in names}
        for name in sorted(failed):
            print("fails without any change, left out:", name)
        for _, records, _ in known.values():
            self.records.update(records)
        for item in session.items:
            if item.nodeid in failed or item.nodeid not in self.records:
                continue
            parts = [self.records[item.nodeid]]
            parts += [self.records[key] for key in shared_fixtures(item) if key in self.records]
            self.cost[item.nodeid] = sum(part.seconds for part in parts)
            for line in set().union(*(part.lines for part in parts)):
                self.lines[line].append(item)

    def chosen_tests(self, mutant: Any) -> list[Any]:
        """Return the tests that run a changed line: those that notice others in its function first, then by time."""
        found = {item.nodeid: item for line in mutant.lines for item in self.lines[str(mutant.file), line]}
        chosen: list[Any] = []
        total = 0.0
        for item in sorted(found.values(), key=lambda item: self.cost[item.nodeid]):
            total += self.cost[item.nodeid]
            if chosen and total > self.seconds:
                break
            chosen.append(item)
        kills = self.kills[mutant.function]
        return sorted(chosen, key=lambda item: -kills[item.nodeid])

    def try_file(self, session: Any, file: Path, functions: Functions) -> None:
        """Try all changes of a file that were not noticed before."""
        from mutations import mutants_of

        place = result_file(file)
        before = read_results(place)
        began = time.time()
        mutants = mutants_of(file)
        results = [
            {"key": mutant.key, "function": mutant.function, "line": mutant.lines[0], "change": mutant.change}
            | {"status": before.get(mutant.key, {}).get("status", "new")}
            for mutant in mutants
        ]
        waiting = [
            place
            for place, result in enumerate(results)
            if result["status"] not in self.tried and int(result["key"], 16) % self.sample == 0
        ]
        for done, number in enumerate(waiting):
            if done % 20 == 0:
                write_results(place, results)
            results[number]["status"] = self.try_mutant(session, mutants[number], functions)
        write_results(place, results)
        counts = Counter(result["status"] for result in results)
        spent = f"{len(waiting)} tried, {time.time() - began:.0f} s"
        print(f"{place.stem}: {len(results)} changes, {dict(counts)}; {spent}")

    def try_mutant(self, session: Any, mutant: Any, functions: Functions) -> str:
        """Return whether the tests notice a change."""
        items = self.chosen_tests(mutant)
        if not items:
            return "no test"

        def work() -> int:
            change_functions(mutant, functions)
            session.config.option.maxfail = 1
            session.testsfailed = 0
            try:
                place = run_items(session, items)
            except BaseException:  # such as KeyboardInterrupt, which pytest passes on
                return 1
            return 0 if place is None else min(FIRST_FAILS + place, MOST_PLACES)

        planned = sum(self.cost[item.nodeid] for item in items)
        status = in_fork(work, 3 * planned + 3)
        if FIRST_FAILS <= status < MOST_PLACES:
            self.kills[mutant.function][items[status - FIRST_FAILS].nodeid] += 1
        return {0: "survived", NOT_TRIED: "error"}.get(status, "killed")


def digest(files: list[Path]) -> str:
    """Return a digest of files."""
    return hashlib.sha1(b"".join(file.read_bytes() for file in files)).hexdigest()


def result_file(file: Path) -> Path:
    """Return where the results of a file of the package are kept."""
    return WORK / (".".join(file.relative_to(PACKAGE).with_suffix("").parts) + ".json")


def read_results(place: Path) -> dict[str, Any]:
    """Return results of an earlier run by the keys of the changes."""
    results = json.loads(place.read_text(encoding="utf-8")) if place.exists() else []
    return {result["key"]: result for result in results}


def write_results(place: Path, results: list[dict[str, Any]]) -> None:
    """Store the results of a file."""
    place.write_text(json.dumps(results, indent=1, ensure_ascii=False), encoding="utf-8")


def installed(patterns: list[str]) -> list[Path]:
    """Return the installed files of the package that belong to these patterns, after comparing them."""
    files = []
    for source in sorted(found for pattern in patterns for found in ROOT.glob(pattern)):
        file = PACKAGE / source.relative_to(ROOT / "src" / "treewright")
        if not file.exists() or file.read_bytes() != source.read_bytes():
            sys.exit(f"{source} differs from what is installed: make build")
        importlib.import_module(".".join(["treewright", *file.relative_to(PACKAGE).with_suffix("").parts]))
        files.append(file)
    return files


def print_unnoticed(files: list[Path]) -> None:
    """Print what survived, and the sums."""
    sums: Counter[str] = Counter()
    for file in files:
        for result in read_results(result_file(file)).values():
            sums[result["status"]] += 1
            if result["status"] not in ("killed", "new"):
                where = f"{file.relative_to(PACKAGE.parent)}:{result['line']} {result['function']}"
                print(f"{where} ({result['status']})\n{result['change']}")
    print(f"{sum(sums.values())} changes: {dict(sums)}")


def main() -> int:
    """Try the changes, then print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="+", help="Python files of the package, with wildcards")
    parser.add_argument("--list", action="store_true", help="print what survived last time")
    parser.add_argument("--new", action="store_true", help="go on: leave out what survived last time")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="try only one change in N, always the same")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="folders or files of tests")
    parser.add_argument("--slow", action="store_true", help="run slow tests, too")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of tests for a change")
    options = parser.parse_args()
    files = installed(options.patterns)
    if not options.list:
        (WORK / "tmp").mkdir(parents=True, exist_ok=True)
        os.environ["HYPOTHESIS_PROFILE"] = "mutants"
        settings = ["-m", "" if options.slow else "not slow", "-s", "--tb=no"]
        settings += [f"-pno:{name}" for name in ("xdist", "cacheprovider", "faulthandler")]
        where = [f"--rootdir={ROOT}", f"--basetemp={WORK / 'tmp' / str(os.getpid())}"]
        where += [str(ROOT / "tests" / name) for name in options.tests]
        status = pytest.main([*settings, *where], plugins=[Trial(files, options.seconds, options.new, options.sample)])
        if status:
            return int(status)
    print_unnoticed(files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
