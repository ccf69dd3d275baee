"""Pipelines as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.apps.cli.running import refuse, run, succeed
from tests.kinds.pipeline.test_pipeline import toy_pipeline
from tests.toy import DEV, TEST, TRAIN, toy_parser

TEXT = b"The old baker saw a goose. The girl sang.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "toy.tw"
    toy_pipeline().save(path)
    return path


def forms(text: bytes) -> list[str]:
    return [line.split("\t")[1] for line in text.decode().split("\n") if line[:1].isdigit()]


WORDS = ["The", "old", "baker", "saw", "a", "goose", ".", "The", "girl", "sang", "."]


def test_text_from_a_file_from_standard_input_and_from_the_command_line(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(TEXT)
    parsed = succeed("parse", model, file)
    assert forms(parsed) == WORDS
    assert parsed.count(b"\troot\t") == 2
    assert parsed.startswith(b"# newdoc id = text\n")
    parsed = parsed.replace(b"# newdoc id = text\n", b"# newdoc\n")
    assert succeed("parse", model, stdin=TEXT) == parsed
    assert succeed("parse", model, "-", stdin=TEXT) == parsed
    assert forms(succeed("parse", model, TEXT.decode().strip())) == WORDS


def test_a_sentence_of_one_word_is_a_text(model: Path) -> None:
    assert forms(succeed("parse", model, "Sang!")) in (["Sang", "!"], ["Sang!"])
    assert "".join(forms(succeed("parse", model, "今天天气很好。"))) == "今天天气很好。"
    assert "there is no file and no model called 'Sang'. Choose from english-fast, english" in refuse("parse", "Sang")


def test_words_that_the_tagger_gave_no_features_are_no_reason_to_warn(model: Path) -> None:
    done = run("parse", model, stdin=b".\n")
    assert (done.returncode, done.stderr) == (0, b"")


def test_given_boundaries(model: Path) -> None:
    lines = b"The girl sang . The\nbaker\n"
    assert succeed("parse", model, "-", "--pretokenized", stdin=lines).count(b"# sent_id") == 2
    assert succeed("parse", model, "-", "--presegmented", stdin=lines).count(b"# sent_id") == 2
    vertical = b"The\ngirl\nsang\n.\n\nThe\nbaker\nslept\n"
    parsed = succeed("parse", model, "-", "--pretokenized", "vertical", stdin=vertical)
    assert forms(parsed) == vertical.decode().split()
    assert b"TokenRange=0:3" in succeed("parse", model, "-", "--ranges", stdin=TEXT)


def test_what_lines_mean(model: Path) -> None:
    lines = b"The old baker\nsaw a goose.\n"
    assert succeed("parse", model, "-", "--newlines", "sentence", stdin=lines).count(b"# sent_id") == 2
    assert succeed("parse", model, "-", "--newlines", "paragraph", stdin=lines).count(b"# sent_id") == 1
    assert "--newlines has no effect" in refuse("parse", model, "-", "--newlines", "ignore", "--presegmented")
    assert "ignore" in refuse("parse", model, "-", "--newlines", "never")


def test_tags_are_kept_or_made_anew(model: Path) -> None:
    strange = Path(TEST).read_bytes().replace(b"\tNOUN\t", b"\tSTRANGE\t")
    assert b"\tSTRANGE\t" in succeed("parse", model, "-", stdin=strange)
    assert b"\tSTRANGE\t" not in succeed("parse", model, "-", "--tag", stdin=strange)


def test_what_cannot_be_done_is_refused(model: Path, tmp_path: Path) -> None:
    parser = tmp_path / "parser.tw"
    toy_parser().save(parser)
    assert "--pipeline" in refuse("parse", parser, TEST, "--tag")
    assert "each say" in refuse("parse", model, TEST, "--presegmented", "--pretokenized")
    assert "--pipeline" in refuse("train", TRAIN, "-o", tmp_path / "x.tw", "--jackknife", "4")
    assert "--pipeline" in refuse("parse", parser, "-", stdin=TEXT)
    assert "--pipeline" in refuse("parse", parser, "The dog sleeps.")
    assert "--pipeline" in refuse("parse", parser, TEST, "--from", "text")


def test_nothing_gives_nothing_and_a_note(model: Path) -> None:
    for given in (b"", b"  \n"):
        done = run("parse", model, "-", stdin=given)
        assert (done.returncode, done.stdout) == (0, b"")
        assert b"no sentences" in done.stderr


def test_train_and_info(tmp_path: Path) -> None:
    target = tmp_path / "made.tw"
    printed = run(
        "train", "--pipeline", TRAIN, "--dev", DEV, "-o", target, "--iterations", "1", "--jackknife", "0", "--json"
    )
    assert printed.returncode == 0, printed.stderr.decode()
    assert json.loads(printed.stdout)["dev"]["name"] == "dev.conllu"
    assert b"tokeniser" in printed.stderr
    assert b"tagger" in printed.stderr
    shown = json.loads(succeed("info", target, "--json"))
    assert shown["steps"] == ["tokenizer", "tagger", "parser"]
    assert shown["recipe"]["jackknife"] == 0


@pytest.mark.parametrize("text", ["The old dog sleeps.", "The old dog sleeps. The cat eats."])
def test_text_without_a_line_end_is_cut_as_with_one(text: str) -> None:
    given = [line.split(b"\t")[:9] for line in succeed("parse", text, "-q").split(b"\n")]
    lines = succeed("parse", "english", "-", "-q", stdin=text.encode() + b"\n").split(b"\n")
    from_file = [line.split(b"\t")[:9] for line in lines]
    assert [row for row in given if len(row) == 9] == [row for row in from_file if len(row) == 9]
    assert given[-3][1] == b"."


def test_raw_text_from_several_files(tmp_path: Path) -> None:
    """Given at once or in several places, with any name."""
    names = [tmp_path / name for name in ("a.txt", "b,c.txt", "d e.txt")]
    for name in names:
        name.write_text("the old baker saw a goose and the girl sang . " * 20, encoding="utf-8")
    few = ("--clusters", 4, "--iterations", 1, "--tagger-iterations", 1, "--tokenizer-iterations", 1, "--quiet")
    model = tmp_path / "model.tw"
    raw = ("--raw", names[0], names[1], "--raw", names[2])
    succeed("train", "--pipeline", TEST, "-o", model, "--jackknife", 0, *raw, *few)
    assert json.loads(succeed("info", model, "--json"))["recipe"]["raw"] == "\n".join(map(str, names))
    assert "no such file" in refuse("train", "--pipeline", TEST, "-o", model, "--raw", tmp_path / "none", *few)
