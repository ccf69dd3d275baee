"""`treewright features` as a user runs it."""

from __future__ import annotations

from pathlib import Path

from tests.apps.cli.running import refuse, succeed
from tests.toy import TRAIN


def test_show_explains_every_line() -> None:
    shown = succeed("features", "show", "malt-eager").decode().splitlines()
    assert shown[0] == "# 22 templates; columns it needs: UPOS, FORM"
    assert shown[1] == "p(stack[0])  # the part of speech (UPOS) of the top of the stack"
    assert len(shown) == 23


def test_show_says_that_kinds_are_decided_first(tmp_path: Path) -> None:
    path = tmp_path / "my.features"
    path.write_text("[split]\np(stack[0])\n")
    assert "[split]" in succeed("features", "show", path).decode()
    assert "[split]" not in succeed("features", "show", "tiny").decode()


def test_what_is_shown_is_a_model(tmp_path: Path) -> None:
    path = tmp_path / "rich.features"
    succeed("features", "show", "rich", "-o", path)
    assert succeed("features", "convert", path) == succeed("features", "convert", "rich")


def test_a_model_as_a_system_gets_it() -> None:
    assert "p(stack[1]) & p(stack[0])\n" in succeed("features", "convert", "malt", "--system", "arc-standard").decode()


def test_check(tmp_path: Path) -> None:
    path = tmp_path / "my.features"
    path.write_text("p(stack[0])\nfeat(Case, stack[0])\n")
    assert succeed("features", "check", path).decode() == f"{path}: 2 templates; columns it needs: UPOS, FEATS\n"
    path.write_text("p(stack[0])\nfeats(stak[0])\n")
    assert refuse("features", "check", path).startswith(f"treewright features: {path}:2:7: expected an address")


def test_convert_there_and_back_and_train(tmp_path: Path) -> None:
    xml, table = tmp_path / "m.xml", tmp_path / "m.txt"
    succeed("features", "convert", "malt-eager", "--to", "xml", "-o", xml)
    back = succeed("features", "convert", xml)
    assert back == succeed("features", "convert", "malt-eager")
    (tmp_path / "p.features").write_text("p(stack[0])\nl(lc(stack[0]))\n")
    succeed("features", "convert", tmp_path / "p.features", "--to", "malt2005", "-o", table)
    assert table.read_text() == "POS\tSTACK\nDEP\tSTACK\t0\t0\t0\t-1\n"
    assert "2005 specification cannot express" in refuse("features", "convert", "malt-eager", "--to", "malt2005")
    for file in (xml, table):
        succeed("train", TRAIN, "-o", tmp_path / "m.tw", "--features", file, "--iterations", "1", "-q")
