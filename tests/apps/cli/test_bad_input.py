"""What `train` and `parse` refuse: one line, exit code 2, and what was there before is still there."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.apps.cli.running import refuse, run
from tests.toy import DEV, TEST, TRAIN

QUICK = ("--features", "lean", "--iterations", "1", "-q")
PRECIOUS = b"what was there before"
FULL = "/dev/full"
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason="the system has no /dev/full")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def folder(path: Path) -> None:
    path.mkdir()


def junk(path: Path) -> None:
    path.write_bytes(b"\x00\xff" + random.Random(1).randbytes(5000))


def cut_gzip(path: Path) -> None:
    whole = gzip.compress(Path(TRAIN).read_bytes())
    path.write_bytes(whole[: len(whole) // 2])


def damaged_gzip(path: Path) -> None:
    whole = bytearray(gzip.compress(Path(TRAIN).read_bytes()))
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)


def missing(path: Path) -> None:
    pass


def broken_line(path: Path) -> None:
    path.write_bytes(Path(TEST).read_bytes() + b"1\ta\tb\n\n")


UNREADABLE = {
    empty: "no sentences",
    folder: "without",
    junk: "binary file",
    cut_gzip: "is truncated",
    damaged_gzip: "damaged",
    missing: "no such file",
    broken_line: "column",
}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "target"
    path.write_bytes(PRECIOUS)
    return path


def untouched(target: Path) -> bool:
    """Whether the target is as it was, and no half-written file lies beside it."""
    return target.read_bytes() == PRECIOUS and not list(target.parent.glob(".*"))


@pytest.mark.parametrize("make", UNREADABLE, ids=lambda make: make.__name__)
def test_unreadable_input(make: Callable[[Path], None], tmp_path: Path, target: Path, model: Path) -> None:
    source = tmp_path / "input"
    make(source)
    for words in (
        ("train", source, "-o", target, *QUICK),
        ("train", TRAIN, "--dev", source, "-o", target, *QUICK),
        ("parse", model, source, "-o", target),
    ):
        if make is empty and words[0] == "parse":
            continue  # that gives an empty output
        message = refuse(*words)
        assert UNREADABLE[make] in message
        assert str(source) in message
        assert untouched(target)


def test_training_needs_trees(tmp_path: Path, target: Path) -> None:
    source = tmp_path / "words.conllu"
    source.write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n")
    assert "no word has a HEAD" in refuse("train", source, "-o", target, *QUICK)
    source.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t3\tx\t_\t_\n3\tc\t_\tX\t_\t_\t2\tx\t_\t_\n\n")
    assert "cycle: 2 → 3 → 2" in refuse("train", source, "-o", target, *QUICK)
    assert untouched(target)


@needs_full
def test_a_full_disk(model: Path, tmp_path: Path) -> None:
    assert "disk is full" in refuse("train", TRAIN, "-o", FULL, *QUICK)
    assert "disk is full" in refuse("parse", model, TEST, "-o", FULL)
    short = tmp_path / "short.conllu"
    short.write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n")
    for words in (
        ("parse", model, TEST),
        ("parse", model, short),
        ("eval", TEST, TEST),
        ("info", model),
        ("validate", TEST),
        ("convert", short, "--to", "conllu"),
        ("convert", "--list", "-"),
    ):
        with open(FULL, "wb") as full:
            result = run(*words, stdout=full.fileno())
        message = result.stderr.decode().splitlines()
        told = [line for line in message if not line.startswith("warning:")]
        assert (result.returncode, len(told)) == (2, 1), (words, message)
        assert "No space left" in told[0]


def test_a_read_only_target(model: Path, target: Path) -> None:
    target.chmod(0o444)
    for words in (("train", TRAIN, "-o", target, *QUICK), ("parse", model, TEST, "-o", target)):
        assert "read-only" in refuse(*words)
        assert untouched(target)


def test_targets_that_cannot_be(model: Path, tmp_path: Path) -> None:
    assert "is a directory" in refuse("train", TRAIN, *QUICK, "-o", tmp_path)
    for words in (("train", TRAIN, *QUICK), ("parse", model, TEST)):
        assert "does not exist" in refuse(*words, "-o", tmp_path / "no" / "where")
    assert "standard output" in refuse("train", TRAIN, "-o", "-", *QUICK)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--what",), "--what"),
        (("--system", "arc-lazy"), "arc-eager, arc-hybrid, arc-standard"),
        (("--system", "arc-hybrid", "--root", "last"), "has its root 'first'"),
        (("--policy", "guess"), "static, ambiguity, explore"),
        (("--system", "easy-first", "--policy", "static"), "choose the policy ambiguity"),
        (("--features", "poor"), "malt-standard, rich"),
        (("--lifting", "up"), "baseline, head, path, head+path"),
        (("--iterations", "0"), "must be at least 1"),
        (("--iterations", "many"), "invalid whole number value"),
        (("--p", "2"), "from 0 to 1"),
        (("--p", "nan"), "from 0 to 1"),
        (("--k", "-1"), "from 0 to 2**31 - 1"),
        (("--k", str(1 << 40)), "from 0 to 2**31 - 1"),
        (("--cutoff", "0"), "from 1 to 200"),
        (("--seed", "-1"), "seed"),
        (("--seed", str(1 << 64)), "seed"),
        (("--init-from", DEV), "not a treewright model"),
        (("--from", "word"), "conllu"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options_that_cannot_be(options: tuple[str, ...], told: str, target: Path) -> None:
    assert told in refuse("train", TRAIN, "-o", target, *options)
    assert untouched(target)


def test_feature_files_with_errors_name_the_line(tmp_path: Path, target: Path) -> None:
    features = tmp_path / "my.features"
    features.write_text("what is this\n")
    assert "1" in refuse("train", TRAIN, "-o", target, "--features", features)
    assert untouched(target)


def test_models_that_are_none(model: Path, tmp_path: Path, target: Path) -> None:
    damaged = tmp_path / "damaged.tw"
    damaged.write_bytes(model.read_bytes()[:-100])
    absent, nothing = tmp_path / "absent.tw", tmp_path / "nothing.tw"
    nothing.write_bytes(b"")
    for path, told in (
        (damaged, "damaged"),
        (TEST, "not a treewright model"),
        (absent, "No such file"),
        (nothing, "empty"),
        (tmp_path, "is a directory"),
    ):
        if path not in (TEST, tmp_path):  # these are parsed too, with the default model
            assert told in refuse("parse", path, TEST, "-o", target)
        assert told in refuse("info", path)
        assert untouched(target)


def test_options_of_parse(model: Path, target: Path) -> None:
    assert "--fast" in refuse("parse", model, TEST, "-o", target, "--fast")
    assert "at least one thread" in refuse("parse", model, TEST, "-o", target, "--threads", "0")
    assert "conllx" in refuse("parse", model, TEST, "-o", target, "--to", "word")
    assert "conllx" in refuse("parse", model, TEST, "-o", target, "--from", "word")
    assert untouched(target)
    assert "Did you mean 'parse'?" in refuse("prase")


def test_a_reader_that_goes_away_is_no_error(model: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        result = run("parse", model, TEST, stdout=write)
    finally:
        os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")


def test_an_error_in_the_middle_leaves_no_output(model: Path, tmp_path: Path, target: Path) -> None:
    source = tmp_path / "late.conllu"
    source.write_bytes(Path(TRAIN).read_bytes() * 5 + b"1\ta\n\n")
    for threads in ("1", "2"):
        message = refuse("parse", model, source, "-o", target, "--threads", threads)
        assert f"late.conllu:{5 * Path(TRAIN).read_bytes().count(10) + 1}" in message
        assert untouched(target)


def test_the_others_refuse_too(tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    for words in (("eval", TEST, absent), ("eval", absent, TEST), ("validate", absent), ("convert", absent, "-")):
        assert "no such file" in refuse(*words)
    assert "deprel, upos" in refuse("eval", TEST, TEST, "--by", "colour")
    assert "go together" in refuse("validate", TEST, "--on-error", "fix")
    assert "--limit" in refuse("validate", TEST, "--limit", "-1")
