"""``treewright show``, and ``parse`` on a terminal."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treewright as tw
from tests.apps.cli.running import COMMAND, environment, refuse, run, succeed
from tests.kinds.enhanced.test_enhanced import TINY, sentence

TOY = Path(__file__).parents[3] / "examples" / "toy" / "test.conllu"
SENTENCE = Path(__file__).parents[3] / "examples" / "sentence.conllu"


def text(*words, **options):
    return succeed("show", *words, **options).decode()


def test_the_terminal_is_the_default():
    drawn = text(TOY, "--sentence", "1-2", "--width", "100")
    assert drawn.count("root") == 2
    assert "▼" in drawn
    assert "\x1b" not in drawn


def test_standard_input_and_names():
    drawn = text("-", "--sent-id", "toy-test-3", stdin=TOY.read_bytes())
    assert drawn.startswith("toy-test-3  ")
    assert text("--sent-id", "toy-test-3", stdin=TOY.read_bytes()) == drawn


def test_other_formats(tmp_path):
    succeed("convert", TOY, tmp_path / "toy.conllx")
    lines = text(tmp_path / "toy.conllx", "--sentence", "3", "--no-graph").splitlines()
    assert lines[1:] == text(TOY, "--sentence", "3", "--no-graph").splitlines()[1:]


def test_ascii_colours_style_tags():
    assert text(TOY, "--sentence", "3", "--ascii").isascii()
    assert "\x1b[34m" in text(TOY, "--sentence", "3", "--color", "always")
    assert "├─ " in text(TOY, "--sentence", "3", "--style", "indented")
    assert "VERB" in text(TOY, "--sentence", "3", "--below", "upos")


def test_a_terminal_without_unicode_gets_ascii():
    result = subprocess.run(
        [*COMMAND, "show", str(TOY), "--sentence", "3"],
        capture_output=True,
        env={**environment(), "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert result.stdout.decode("ascii").count("root") == 1


@pytest.mark.parametrize(
    ("option", "start"),
    [("svg", "<svg"), ("html", "<!DOCTYPE"), ("tikz", "% \\usepackage"), ("displacy", "["), ("brat", "{")],
)
def test_other_kinds(option, start, tmp_path):
    drawn = text(TOY, "--sentence", "1-3", "--to", option)
    assert drawn.startswith(start)
    succeed("show", TOY, "--sentence", "1-3", "--to", option, "-o", tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == drawn


def test_terminal_drawings_can_go_to_a_file(tmp_path):
    succeed("show", TOY, "--sentence", "1", "--width", "80", "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == text(TOY, "--sentence", "1", "--width", "80")


def test_data_for_others(tmp_path):
    data = json.loads(text(TOY, "--sentence", "1-3", "--to", "displacy"))
    assert len(data) == 3
    succeed("show", TOY, "--sentence", "1-3", "--to", "brat", "-o", tmp_path / "toy.ann")
    spans = [line for line in (tmp_path / "toy.ann").read_text().splitlines() if line.startswith("T")]
    assert len(spans) == sum(len(one["words"]) for one in data)
    assert len((tmp_path / "toy.txt").read_text().splitlines()) == 3


def changed(tmp_path):
    """Return the toy treebank with one other head and one other relation."""
    lines = TOY.read_text(encoding="utf-8").split("\n")
    words = [k for k, line in enumerate(lines) if line[:1].isdigit()]
    for k, column, value in ((words[1], 7, "dep"), (words[0], 6, "4")):
        cells = lines[k].split("\t")
        cells[column] = value
        lines[k] = "\t".join(cells)
    path = tmp_path / "system.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_differences(tmp_path):
    result = run("show", "--diff", TOY, changed(tmp_path))
    drawn = result.stdout.decode()
    assert result.stderr.decode() == "1 sentence differs, in 2 arcs\n"
    assert "1 wrong head, 1 wrong relation, 1 missed arc" in drawn
    assert drawn.count("✗") == drawn.count("✓") == drawn.count("→") == 1
    assert "tw-wrong" in text("--diff", TOY, changed(tmp_path), "--to", "html")
    assert run("show", "--diff", TOY, TOY).stdout == b""


def test_differences_need_the_same_sentences(tmp_path):
    short = tmp_path / "short.conllu"
    short.write_bytes(TOY.read_bytes().split(b"\n\n")[0] + b"\n\n")
    assert "ends after 1 sentences" in refuse("show", "--diff", TOY, short)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("a", "b"), "one file at a time"),
        (("--diff", "a"), "two files"),
        ((TOY, "--sentence", "99999"), "sentence 99999 does not exist"),
        ((TOY, "--sentence", "three"), "is not a selection"),
        ((TOY, "--width", "0"), "columns wide"),
        (("nowhere.conllu",), "no such file"),
    ],
)
def test_what_is_refused(words, told):
    assert told in refuse("show", *words)


# parse on a terminal


def on_a_terminal(*words):
    """Run a command whose standard output is a terminal; return what it prints there."""
    pty = pytest.importorskip("pty")
    main, other = pty.openpty()
    process = subprocess.Popen([*COMMAND, *map(str, words)], stdout=other, stderr=subprocess.PIPE, env=environment())
    os.close(other)
    pieces = []
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # Linux: the other side is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(main)
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0, error
    return b"".join(pieces).decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_parse_draws_on_a_terminal_and_writes_elsewhere(model):
    drawn = on_a_terminal("parse", model, SENTENCE)
    assert "▼" in drawn
    assert "\x1b[" in drawn
    assert "\t" not in drawn
    written = succeed("parse", model, SENTENCE).decode()
    assert "▼" not in written
    assert written.count("\t") == 16 * 9
    assert on_a_terminal("parse", model, SENTENCE, "-o", "-").count("\t") == 16 * 9


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_parse_draws_graphs_that_the_model_finds(tmp_path):
    treebank = tmp_path / "graphs.conllu"
    treebank.write_text("".join("\n".join(sentence(i)) + "\n\n" for i in range(24)), encoding="utf-8")
    tw.train(treebank, pipeline=True, **TINY).save(tmp_path / "both.tw")
    assert "▲" in on_a_terminal("parse", tmp_path / "both.tw", "Ann sees and likes figs .")
    assert "▲" not in on_a_terminal("parse", tmp_path / "both.tw", treebank, "--without", "graph")
