"""``treewright analyze``."""

import json
import re
import sys
from random import Random

import pytest

from tests.analysis.made import conllu, parse_of, treebank
from tests.apps.cli.running import refuse, run, succeed
from tests.apps.cli.test_show import on_a_terminal
from tests.toy import TEST


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("analysed")
    random = Random(2)
    gold = treebank(random, 12)
    parts = {"gold": gold, "a": parse_of(random, gold, 0.3), "b": parse_of(random, gold, 0.5)}
    for name, part in parts.items():
        (folder / f"{name}.conllu").write_bytes(conllu(part))
    return folder


def test_tables_and_drawings(files):
    shown = succeed("analyze", files / "gold.conllu", files / "a.conllu", files / "b.conllu").decode()
    for heading in (
        "By relation",
        "By tag",
        "By length",
        "By place of the gold head",
        "By projectivity",
        "By depth",
        "Confused relations",
        "Errors after the first error",
        "Errors by earlier errors",
        "Where A does better than B",
        "Where B does better than A",
    ):
        assert heading in shown
    assert "wrong head" in shown
    assert "\x1b" not in shown
    assert "Wrong moves" not in shown  # there is no model


def test_one_parse(files):
    shown = succeed("analyze", files / "gold.conllu", files / "a.conllu", "--by", "upos", "--draw", "1").decode()
    assert "% of errors" in shown
    assert "Sentences with the most errors" in shown
    assert "By relation" not in shown
    assert " B" not in shown.split("Sentences with")[0]


def test_json(files):
    shown = succeed("analyze", files / "gold.conllu", files / "a.conllu", files / "b.conllu", "--to", "json")
    found = json.loads(shown)
    assert set(found["tables"]) == {"deprel", "upos", "length", "distance", "projectivity", "depth"}
    assert found["moves"] == [None, None]
    swapped = json.loads(
        succeed("analyze", files / "gold.conllu", files / "b.conllu", files / "a.conllu", "--to", "json")
    )
    assert swapped["total"]["only_first"] == found["total"]["only_second"]
    assert swapped["difference"]["difference"] == -found["difference"]["difference"]
    assert swapped["to_look_at"]["first_better"][0]["sent_id"] == found["to_look_at"]["second_better"][0]["sent_id"]


def test_a_page_that_needs_nothing_else(files, tmp_path):
    page = tmp_path / "report.html"
    succeed("analyze", files / "gold.conllu", files / "a.conllu", files / "b.conllu", "-o", page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"(src|href)=[\"'](?!#)|url\(|@import", text)
    assert text.count('class="treewright"') >= 4  # drawings
    assert text.count('class="plot"') == 4
    for tag in ("section", "table", "div", "svg"):
        assert text.count(f"<{tag}") == text.count(f"</{tag}>")


def test_a_model_is_parsed_with_and_its_moves_are_judged(model):
    shown = succeed("analyze", TEST, model, "--draw", "0").decode()
    assert "Wrong moves after wrong moves" in shown
    assert "arc-eager" in shown


def test_gold_from_standard_input(model):
    with open(TEST, "rb") as file:
        text = file.read()
    told = json.loads(succeed("analyze", "-", model, "--to", "json", stdin=text))
    assert told["total"] == json.loads(succeed("analyze", TEST, model, "--to", "json"))["total"]
    assert told["moves"] == json.loads(succeed("analyze", TEST, model, "--to", "json"))["moves"]


def test_other_sentences_are_refused(files, tmp_path):
    text = (files / "a.conllu").read_bytes()
    short, other = tmp_path / "short.conllu", tmp_path / "other.conllu"
    short.write_bytes(b"\n\n".join(text.split(b"\n\n")[:-3]) + b"\n\n")
    other.write_bytes(text.replace(b"\tw1\t", b"\tx1\t"))
    message = refuse("analyze", files / "gold.conllu", files / "b.conllu", short)
    assert "short.conllu ends, but" in message
    assert "same sentences" in message
    assert "ends, but" in refuse("analyze", short, files / "b.conllu")
    message = refuse("analyze", files / "gold.conllu", other)
    assert "gold.conllu" in message
    assert "x1" in message


def test_bad_arguments_are_refused(files):
    gold, a = files / "gold.conllu", files / "a.conllu"
    assert "no such file" in refuse("analyze", gold, files / "none.conllu")
    assert "--top" in refuse("analyze", gold, a, "--top", "0")
    assert run("analyze", gold, a, "--by", "colour").returncode == 2
    damaged = files / "damaged.tw"
    damaged.write_bytes((40).to_bytes(8, "little") + b"{" * 60)
    assert "the model is damaged" in refuse("analyze", gold, damaged)
    empty = files / "empty.conllu"
    empty.write_bytes(b"")
    assert "no sentences" in refuse("analyze", empty, empty)


def test_weird_text_does_not_break_the_page(tmp_path):
    gold = conllu([([2, 0], ["<b>", "root"], ["NOUN", "VERB"])]).replace(b"w1", "<&\u202e".encode())
    parse = gold.replace(b"2\t<b>", b"2\t&amp")
    (tmp_path / "g.conllu").write_bytes(gold)
    (tmp_path / "p.conllu").write_bytes(parse)
    succeed("analyze", tmp_path / "g.conllu", tmp_path / "p.conllu", "-o", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<b>" not in text.replace("<b></b>", "")
    assert "&lt;b&gt;" in text


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_tables_of_its_own(files):
    words = ("analyze", files / "gold.conllu", files / "a.conllu", files / "b.conllu")
    shown = on_a_terminal(*words)
    assert "-----" not in shown  # the rule of plain tables
    for heading in ("By relation", "By depth", "Errors by earlier errors", "Where B does better"):
        assert heading in shown
