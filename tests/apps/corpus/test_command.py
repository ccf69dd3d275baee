"""`treewright corpus` as a user runs it."""

import json

import pytest

from tests.apps.cli.running import refuse, run, succeed
from tests.apps.corpus.made import model, text


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    for name in "ab":
        (tmp_path / "texts" / f"{name}.txt").write_bytes(text(ord(name)).encode())
    return tmp_path


def test_from_plan_to_one_file(folder):
    told = succeed("corpus", "plan", "texts", "-o", "plan.jsonl", "--part-size", "1K", "--model", model()).decode()
    assert "parts of 2 files" in told
    assert "core-hours" in told
    succeed("corpus", "run", "plan.jsonl", model(), "-o", "out", "--log", "log.jsonl", "--metrics", "m.prom")
    assert "0 failed, 0 left" in succeed("corpus", "status", "plan.jsonl", "out").decode()
    found = json.loads(succeed("corpus", "status", "plan.jsonl", "out", "--json"))
    assert (found["left"], found["done"]) == (0, found["parts"])
    succeed("corpus", "merge", "plan.jsonl", "out", "-o", "all.conllu")
    succeed("parse", model(), "texts", "-o", "whole.conllu")
    assert (folder / "all.conllu").read_bytes() == (folder / "whole.conllu").read_bytes()


def test_something_set_aside_gives_code_1(folder):
    succeed("corpus", "plan", "texts", "-o", "plan.jsonl")
    (folder / "texts" / "a.txt").write_bytes(b"Other.")
    result = run("corpus", "run", "plan.jsonl", model(), "-o", "out", "-q")
    assert result.returncode == 1
    assert b"1 of 2 parts were set aside: out/failed says why" in result.stderr
    assert run("corpus", "status", "plan.jsonl", "out").returncode == 1
    assert "part 0 failed" in refuse("corpus", "merge", "plan.jsonl", "out", "-o", "all.conllu")
    succeed("corpus", "merge", "plan.jsonl", "out", "-o", "all.conllu", "--skip-failed")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plan", "nothing.txt", "-o", "p"), "no such file"),
        (("plan", "-", "-o", "p"), "standard input"),
        (("plan", "texts", "-o", "p", "--part-size", "big"), "--part-size big"),
        (("plan", "texts", "-o", "p", "--number"), "--model"),
        (("plan", "texts", "-o", "p", "--from", "conlu"), "Did you mean 'conllu'"),
        (("plan", "texts", "-o", "p", "--presegmented", "--from", "text"), "give one of them"),
        (("plan", "texts", "-o", "p", "--presegmented", "--newlines", "ignore"), "--newlines"),
        (("plan", "texts", "-o", "p", "--id-field", "key"), "--id-field is for JSON Lines"),
        (("plan", "texts", "-o", "p", "--part-size", "1K", "--whole-files"), "give one of them"),
        (("plan", "texts", "-o", "no/p"), "no does not exist"),
        (("run", "texts/a.txt", "english-fast", "-o", "out"), "this is no plan"),
        (("run", "nothing", "english-fast", "-o", "out"), "no such file"),
        (("run", "plan.jsonl", "nothing.tw", "-o", "out"), "nothing.tw"),
        (("run", "plan.jsonl", "english-fast", "-o", "out", "--shard", "3/2"), "--shard 3/2"),
        (("run", "plan.jsonl", "english-fast", "-o", "out", "--jobs", "0"), "--jobs 0"),
        (("run", "plan.jsonl", "english-fast", "-o", "out", "--attempts", "0"), "--attempts 0"),
        (("run", "plan.jsonl", "english-fast", "-o", "out", "--scheduler", "x"), "--scheduler is for"),
        (("run", "plan.jsonl", "english-fast", "-o", "texts/a.txt"), "texts/a.txt"),
        (("run", "plan.jsonl", "english-fast", "-o", "out", "--exact"), "exact"),
        (("status", "plan.jsonl", "out"), "nothing was run here"),
        (("merge", "plan.jsonl", "out", "-o", "x.conllu"), "no parts of the plan"),
    ],
)
def test_one_line_says_what_is_wrong(words, message, folder):
    if "plan.jsonl" in words:
        succeed("corpus", "plan", "texts", "-o", "plan.jsonl")
    assert message in refuse("corpus", *words)


def test_a_model_without_a_tokeniser_is_refused_for_text(folder):
    succeed("corpus", "plan", "texts", "-o", "plan.jsonl")
    message = refuse("corpus", "run", "plan.jsonl", model("arc-eager"), "-o", "out", "-q", "--shard", "1/1")
    assert "raw text" in message or "tokeniser" in message
