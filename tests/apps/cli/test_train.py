"""`treewright train` as a user runs it."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.apps.cli.running import COMMAND, environment, run, succeed
from tests.toy import DEV, TEST, TRAIN

QUICK = ("--features", "lean", "--iterations", "2")


def test_training_says_what_it_did(tmp_path: Path) -> None:
    model = tmp_path / "toy.tw"
    result = run("train", TRAIN, "--dev", DEV, "-o", model, *QUICK, "--licence", "MIT", "--description", "toys")
    assert result.returncode == 0
    lines = result.stderr.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["400", "round", "round", "wrote"]
    assert result.stdout.decode().startswith("dev.conllu: UAS ")
    details = json.loads(succeed("info", model, "--json"))
    assert (details["licence"], details["description"]) == ("MIT", "toys")
    assert details["recipe"]["features"] == "lean"
    assert details["training"]["sentences"] == 400
    shown = succeed("info", model).decode()
    assert "MIT" in shown
    assert "lean" in shown


def test_the_scores_it_tells_are_those_of_the_model(tmp_path: Path) -> None:
    model, parsed = tmp_path / "toy.tw", tmp_path / "parsed.conllu"
    told = json.loads(succeed("train", TRAIN, "--dev", DEV, "-o", model, *QUICK, "--json", "-q"))["dev"]
    succeed("parse", model, DEV, "-o", parsed)
    scores = json.loads(succeed("eval", DEV, parsed, "--json"))
    assert (told["uas"], told["las"]) == (round(scores["uas"], 2), round(scores["las"], 2))


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first.tw", "second.tw", "third.tw"))
    for path, seed in ((first, "1"), (second, "1"), (third, "2")):
        succeed("train", TRAIN, "--dev", DEV, "-o", path, *QUICK, "--seed", seed, "-q")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes() != third.read_bytes()


def test_compressed_treebanks_and_standard_input(tmp_path: Path) -> None:
    text = Path(TRAIN).read_bytes()
    arrays = set()
    for number, data in enumerate((text, gzip.compress(text), bz2.compress(text), lzma.compress(text))):
        path = tmp_path / f"{number}.tw"
        succeed("train", "-", "-o", path, *QUICK, "-q", stdin=data)
        arrays.add(path.read_bytes())
    assert len(arrays) == 1


def test_going_on_from_a_model(tmp_path: Path) -> None:
    first, second = tmp_path / "first.tw", tmp_path / "second.tw"
    succeed("train", DEV, "-o", first, "--system", "arc-hybrid", *QUICK, "-q")
    succeed("train", TRAIN, "--dev", TEST, "-o", second, "--init-from", first, "--iterations", "1", "-q")
    details = json.loads(succeed("info", second, "--json"))
    assert details["recipe"]["system"] == "arc-hybrid"
    assert details["continued_from"]["training"]["name"] == "dev.conllu"
    refused = run("train", TRAIN, "-o", second, "--init-from", first, "--system", "arc-standard")
    assert refused.returncode == 2
    assert b"'arc-hybrid'" in refused.stderr


def test_bad_trees_are_left_out_or_fixed(tmp_path: Path) -> None:
    source, model = tmp_path / "bad.conllu", tmp_path / "bad.tw"
    source.write_bytes(Path(DEV).read_bytes() + b"1\ta\t_\tX\t_\t_\t1\tx\t_\t_\n\n")
    for choice, told in (("skip", b"1 sentences left out"), ("fix", b"1 sentences fixed")):
        result = run("train", source, "-o", model, *QUICK, "--on-error", choice)
        assert result.returncode == 0
        assert told in result.stderr


def heed_interrupts() -> None:
    """Be a process that Ctrl-C reaches: what a shell starts in the background ignores it, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_interrupted_training_keeps_the_best_so_far(tmp_path: Path) -> None:
    model = tmp_path / "toy.tw"
    words = ("train", TRAIN, "--dev", DEV, "-o", str(model), "--features", "lean", "--iterations", "1000000")
    with subprocess.Popen(
        [*COMMAND, *words], stderr=subprocess.PIPE, env=environment(), preexec_fn=heed_interrupts
    ) as process:
        assert process.stderr is not None
        deadline = threading.Timer(60, process.kill)
        deadline.start()
        try:
            for line in process.stderr:
                if line.startswith(b"round"):
                    break
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            code = process.wait()
        finally:
            deadline.cancel()
            process.kill()
    assert code == 0, rest
    assert b"interrupted after" in rest
    assert b"keeping the best so far" in rest
    rounds = json.loads(succeed("info", model, "--json"))["training"]["rounds"]
    assert 1 <= rounds < 1000000
    succeed("parse", model, TEST)
