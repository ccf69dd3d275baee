"""`treewright train --beam` and what `treewright parse` can do with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.cli.running import refuse, succeed
from tests.toy import DEV, TEST, TRAIN


@pytest.fixture(scope="module")
def beam_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("beam") / "beam.tw"
    succeed("train", TRAIN, "--dev", DEV, "-o", path, "--beam", "4", "--update", "early", "--iterations", "2", "-q")
    return path


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]


def test_confidences_stand_in_misc(beam_model: Path, tmp_path: Path) -> None:
    plain, sure = tmp_path / "plain.conllu", tmp_path / "sure.conllu"
    succeed("parse", beam_model, TEST, "-o", plain)
    succeed("parse", beam_model, TEST, "--confidence", "-o", sure)
    for row, other in zip(rows(plain.read_text()), rows(sure.read_text()), strict=True):
        assert row[:9] == other[:9]
        misc = other[9].split("|")
        assert 0 <= float(misc[-1].removeprefix("Confidence=")) <= 1
        assert misc[:-1] == ([] if row[9] == "_" else row[9].split("|"))


def test_best_trees_follow_each_other(beam_model: Path, tmp_path: Path) -> None:
    plain, best = tmp_path / "plain.conllu", tmp_path / "best.conllu"
    succeed("parse", beam_model, TEST, "--beam", "6", "-o", plain)
    succeed("parse", beam_model, TEST, "--k-best", "6", "-o", best)
    groups: list[list[str]] = []
    for text in best.read_text().strip().split("\n\n"):
        if "# k_best = 1\n" in text:
            groups.append([])
        groups[-1].append(text)
    originals = plain.read_text().strip().split("\n\n")
    assert len(groups) == len(originals)
    assert max(map(len, groups)) == 6
    for original, group in zip(originals, groups, strict=True):
        assert rows(original) == rows(group[0])
        scores = [float(text.split("# score = ")[1].split("\n")[0]) for text in group]
        assert scores == sorted(scores, reverse=True)
        assert len({str(rows(text)) for text in group}) == len(group)


def test_a_beam_of_one_may_differ_and_more_threads_may_not(beam_model: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    succeed("parse", beam_model, TEST, "--beam", "1", "-o", one)
    assert len(rows(one.read_text())) == len(rows(Path(TEST).read_text()))
    for threads, path in (("1", one), ("2", two)):
        succeed("parse", beam_model, TEST, "--beam", "16", "--threads", threads, "-o", path)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--beam", "0"], "beam"), (["--k-best", "0"], "k_best is 0"), (["--k-best", "2", "--confidence"], "choose one")],
)
def test_what_cannot_be_is_refused(options: list[str], reason: str, beam_model: Path, tmp_path: Path) -> None:
    assert reason in refuse("parse", beam_model, TEST, "-o", tmp_path / "x.conllu", *options)
