"""Drivers and workers killed at random moments; `benchmarks/corpus_faults.py` does more of it, with all engines."""

import random
import signal
import subprocess
import time

import pytest

from tests.apps.cli.running import COMMAND, environment, run, succeed
from tests.apps.corpus.made import model, text

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")


def start(folder, *more):
    words = ["corpus", "run", "plan.jsonl", str(model()), "-o", "out", "-q", "--jobs", "2", *more]
    return subprocess.Popen([*COMMAND, *words], cwd=folder, env=environment(), stderr=subprocess.PIPE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes("".join(text(seed, 300) for seed in range(24)).encode())
    succeed("corpus", "plan", "a.txt", "-o", "plan.jsonl", "--part-size", "8K", "-q")
    succeed("parse", model(), "a.txt", "-o", "whole.conllu", "-q")
    return tmp_path


def check(folder):
    succeed("corpus", "merge", "plan.jsonl", "out", "-o", "all.conllu", "-q")
    assert (folder / "all.conllu").read_bytes() == (folder / "whole.conllu").read_bytes()
    assert not list((folder / "out").rglob("*.part"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_driver_that_is_killed_goes_on(number, folder):
    chance = random.Random(number)
    for _ in range(3):
        process = start(folder)
        begin = time.monotonic()
        while process.poll() is None and time.monotonic() - begin < 60 and not (folder / "out" / "done").exists():
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 0.3))
        process.send_signal(number)
        process.communicate(timeout=60)
    assert start(folder).wait(timeout=120) == 0
    check(folder)


def test_two_drivers_at_once(folder):
    first, second = start(folder), start(folder)
    codes = {first.wait(timeout=120), second.wait(timeout=120)}
    assert codes <= {0, 2}
    assert 0 in codes
    check(folder)


def test_a_full_disk(folder):
    """A limit on the size of files stands for the disk: the run stops with one line, and goes on later."""
    import resource

    words = ["corpus", "run", "plan.jsonl", str(model()), "-o", "out", "-q", "--shard", "1/1"]
    process = subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert process.returncode == 2
    lines = [line for line in process.stderr.decode().splitlines() if not line.startswith("warning")]
    assert len(lines) == 1
    assert "cannot be written" in lines[0]
    assert run(*words).returncode == 0
    check(folder)
