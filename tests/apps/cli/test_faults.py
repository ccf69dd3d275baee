"""Every kind of fault a few times; `python benchmarks/faults.py` does hundreds."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tests.faults import Scene, closed_output, full_disk, killed, limited, scenes, two_writers
from tests.optional import needs, resource


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    return {scene.name: scene for scene in scenes(tmp_path_factory.mktemp("faults") / "scenes")}


@pytest.mark.parametrize("name", ["train", "parse", "convert", "experiment", "crossval"])
def test_a_kill_loses_nothing(name: str, ready: dict[str, Scene]) -> None:
    killed(ready[name], random.Random(name))


@pytest.mark.parametrize("name", ["train", "parse"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_no_temporary_files(name: str, number: int, ready: dict[str, Scene]) -> None:
    killed(ready[name], random.Random(f"{name} {number}"), number)


@needs("resource")
@pytest.mark.parametrize("name", ["train", "parse"])
def test_a_limit_on_the_size_of_files(name: str, ready: dict[str, Scene]) -> None:
    limited(ready[name], resource.RLIMIT_FSIZE, 500)
    assert not ready[name].leftovers()


@needs("resource")
@pytest.mark.parametrize("megabytes", [90, 200])
def test_a_limit_on_memory(megabytes: int, ready: dict[str, Scene]) -> None:
    limited(ready["parse"], resource.RLIMIT_AS, megabytes << 20)


def test_a_full_disk_and_a_closed_output(ready: dict[str, Scene]) -> None:
    full_disk(ready["crossval"])
    closed_output(ready["crossval"])


def test_two_writers_of_one_file(ready: dict[str, Scene]) -> None:
    two_writers(ready["parse"])


def test_leftovers_are_swept_by_the_next_run(ready: dict[str, Scene], tmp_path: Path) -> None:
    from treewright.treebank.files.output import OutputFile

    dead = tmp_path / ".out.conllu.999999999-0123abcd.part"
    alive = tmp_path / ".out.conllu.1-0123abcd.part"
    other = tmp_path / ".other.conllu.999999999-0123abcd.part"
    for path in (dead, alive, other):
        path.write_bytes(b"half")
    with OutputFile(tmp_path / "out.conllu") as output:
        output.write(b"whole")
    assert not dead.exists()
    assert alive.exists()
    assert other.exists()
