"""``treewright trace`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apps.cli.running import refuse, succeed
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import TEST

TREE = b"1\tShe\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def test_a_system_and_a_tree_on_the_command_line() -> None:
    gold = ("--heads", "2,0,2", "--relations", "nsubj,root,obj")
    text = succeed("trace", "arc-hybrid", "She reads books", *gold).decode()
    assert "step 2: LEFT(nsubj)" in text
    assert "loss 0: the gold tree" in text
    assert "\x1b" not in text


def test_a_model_and_a_treebank(model: Path) -> None:
    text = succeed("trace", model, TEST, "--sentence", "2", "--top", "1").decode()
    assert "step 1: " in text
    assert "score" in text
    assert " & " in text


def test_words_and_tags(model: Path) -> None:
    plain = json.loads(succeed("trace", model, "We sleep", "--to", "json"))
    tagged = json.loads(succeed("trace", model, "We sleep", "--tags", "PRON VERB", "--to", "json"))
    assert [word["tag"] for word in tagged["words"]] == ["PRON", "VERB"]
    assert [word["tag"] for word in plain["words"]] == ["", ""]


def test_standard_input_and_files_by_name(tmp_path: Path) -> None:
    succeed("trace", "arc-eager", "-", "-o", tmp_path / "trace.html", stdin=TREE)
    succeed("trace", "arc-eager", "-", "-o", tmp_path / "trace.json", stdin=TREE)
    assert (tmp_path / "trace.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["end"]["loss"] == 0


def test_a_system_and_a_graph_on_the_command_line() -> None:
    given = ("dag-crossing", "Ann sees and likes figs", "--deps", "2:nsubj|4:nsubj 0:root 4:cc 2:conj 4:obj|2:obj")
    assert "loss 0: the gold graph" in succeed("trace", *given).decode()
    moves = json.loads(succeed("trace", *given, "--moves", "SHIFT LA(nsubj)", "--to", "json"))["steps"]
    assert [step["move"] for step in moves[:2]] == ["SHIFT", "LEFT(nsubj)"]


def test_a_pipeline_and_raw_text(tmp_path: Path) -> None:
    model, text = tmp_path / "pipeline.tw", "We lose Pavel. She sleeps."
    toy_pipeline().save(model)
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    for given in (text, tmp_path / "text.txt"):
        data = json.loads(succeed("trace", model, given, "--sentence", "2", "--to", "json"))
        assert [word["form"] for word in data["words"]] == ["She", "sleeps", "."]
        assert all(word["tag"] for word in data["words"])
    tagged = json.loads(succeed("trace", model, "She sleeps", "--tags", "X,Y", "--to", "json"))
    assert [word["tag"] for word in tagged["words"]] == ["X", "Y"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("arc-eager", "a b"), "give a gold tree"),
        (("arc-eager", "a b", "--heads", "2,x"), "word numbers"),
        (("arc-eager", "a b", "--heads", "2,1"), "does not lead to the root"),
        (("arc-eager", "", "--heads", "2,1"), "without words"),
        (("arc-eager", "no.conllu"), "no such file"),
        (("arc-eager", "a b", "--heads", "2,0", "--sentence", "2"), "there are only 1"),
        (("dag-crossing", "a b"), "give a gold graph"),
        (("nothing", "a b"), "neither a model file nor a system"),
        (("nothing.tw", "a b"), "nothing.tw"),
        (("arc-eager", TEST, "--sentence", "99999"), "sentence 99999 was requested"),
        (("arc-eager", TEST, "--sentence", "0"), "counted from 1"),
        (("arc-eager", TEST, "--tags", "X"), "leave them out"),
        (("arc-eager", "a b", "--tags", "X"), "as many tags"),
        (("arc-eager", TEST, "--top", "0"), "at least one"),
        (("arc-eager", TEST, "--top", "8"), "need a model"),
        (("arc-hybrid", TEST, "--root", "last"), "root 'first'"),
    ],
)
def test_what_is_rejected(words: tuple[str, ...], message: str) -> None:
    assert message in refuse("trace", *words)
