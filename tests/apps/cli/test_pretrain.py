"""`treewright pretrain` as a user runs it."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.apps.cli.running import COMMAND, environment, refuse, run, succeed
from tests.apps.cli.test_train import heed_interrupts
from tests.kinds.language_model.raw import paragraphs
from tests.optional import needs
from tests.toy import DEV, TRAIN

pytestmark = needs("torch")
SMALL = ("--hidden", "8", "--vocabulary", "40", "--buckets", "64", "--batch-words", "80", "--negatives", "9")


def recipe_of(path: Path) -> dict[str, object]:
    details: dict[str, object] = json.loads(succeed("info", path, "--json"))
    return details


def test_any_text_is_read_and_a_parser_learns_with_it(tmp_path: Path) -> None:
    text, folder, model = paragraphs(90), tmp_path / "raw", tmp_path / "small.lm"
    folder.mkdir()
    (folder / "one.txt.xz").write_bytes(lzma.compress("\n".join(text[:40]).encode()))
    (folder / "two.jsonl.gz").write_bytes(
        gzip.compress("".join(json.dumps({"body": t}) + "\n" for t in text[30:70]).encode())
    )
    result = run(
        "pretrain", folder, DEV, "-o", model, "--text-field", "body", "--steps", "20", *SMALL, "--licence", "CC0"
    )
    lines = result.stderr.decode().splitlines()
    assert result.returncode == 0, lines
    assert lines[0].endswith(" words, 10 paragraphs that came again left out")
    assert lines[1].startswith("language model round   1/20  perplexity ")
    assert lines[1].endswith(" words/s")
    assert lines[-1].startswith(f"wrote {model} (")
    assert (
        result.stdout.decode().startswith("dev.conllu + one.txt.xz + two.jsonl.gz")
        or "held out" in result.stdout.decode()
    )
    shown = succeed("info", model).decode()
    assert "CC0" in shown
    assert "units                    8" in shown
    succeed(
        "train",
        TRAIN,
        "--dev",
        DEV,
        "--system",
        "neural",
        "--iterations",
        "1",
        "--hidden",
        "16",
        "--pretrained",
        model,
        "-o",
        tmp_path / "p.tw",
        "-q",
    )
    assert "one.txt.xz" in succeed("info", tmp_path / "p.tw").decode()
    assert "train --pretrained" in refuse("parse", model, DEV)
    assert "makes a language model" in refuse("info", model, "--print", "recipe")


def test_a_tokeniser_splits_the_text(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n\n".join(paragraphs(60)))
    succeed(
        "train",
        TRAIN,
        "--step",
        "tokenizer",
        "--tokenizer-iterations",
        "1",
        "--tokenizer-seeds",
        "1",
        "-o",
        tmp_path / "tok.tw",
        "-q",
    )
    succeed(
        "pretrain",
        tmp_path / "text.txt",
        "-o",
        tmp_path / "a.lm",
        "--steps",
        "20",
        *SMALL,
        "-q",
        "--tokenizer",
        tmp_path / "tok.tw",
    )
    assert recipe_of(tmp_path / "a.lm")["tokenizer"] == "tok.tw"
    assert recipe_of(tmp_path / "a.lm")["training"]["words"] > 500  # type: ignore[index]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["-"], "standard input"),
        (["missing.txt"], "missing.txt"),
        (["text.txt", "--passes", "1", "--time-limit", "1h"], "passes and time_limit all say how long"),
        (["text.txt", "--time-limit", "soon"], "must be a time"),
        (["text.txt", "--hidden", "4"], "hidden is 4"),
        (["text.txt", "--init-from", "parser.tw"], "cannot go on from"),
        (["bad.jsonl"], "no text in 'text'"),
        (["latin.txt"], "raw text must be UTF-8"),
        (["empty.txt"], "no text to learn from"),
    ],
)
def test_what_cannot_be_learnt_from_is_told(given: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n".join(paragraphs(20)))
    (tmp_path / "bad.jsonl").write_text('{"body": "x"}\n')
    (tmp_path / "latin.txt").write_bytes("Gr\xfcn ist gr\xfcn.\n".encode("latin-1"))
    (tmp_path / "empty.txt").write_bytes(b"\n")
    if "parser.tw" in given:
        succeed("train", TRAIN, "--iterations", "1", "--features", "tiny", "-o", tmp_path / "parser.tw", "-q")
    words = [str(tmp_path / word) if "." in word else word for word in given]
    assert told in refuse("pretrain", *words, "-o", tmp_path / "out.lm", *([] if "--hidden" in given else SMALL))
    assert not (tmp_path / "out.lm").exists()


def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n".join(paragraphs(200)))
    command = [
        *COMMAND,
        "pretrain",
        str(tmp_path / "text.txt"),
        "-o",
        str(tmp_path / "out.lm"),
        "--steps",
        "20000",
        *SMALL,
    ]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, env=environment(), start_new_session=True, preexec_fn=heed_interrupts
    ) as process:
        deadline = threading.Timer(120, process.kill)
        deadline.start()
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(2)]  # what was read, and the first part
        assert b"round   1/20" in lines[1]
        os.killpg(process.pid, signal.SIGINT)
        told = process.stderr.read().decode()
        deadline.cancel()
    assert process.returncode == 0, told
    assert "keeping the best so far" in told
    assert "perplexity" in succeed("info", tmp_path / "out.lm").decode()
