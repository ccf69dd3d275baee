"""What every command does about terminals, closed streams, its own faults, and files that it both reads and writes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import treewright as tw
from tests.apps.cli.running import COMMAND, environment, refuse, run
from tests.every_kind import save_all, treebank
from treewright.apps.cli import main
from treewright.apps.cli.guarded_output import TerminalText
from treewright.apps.cli.terminal import for_message, for_terminal
from treewright.apps.tracing import as_text
from treewright.display.relation_colours import COLOURS
from treewright.errors import TreebankError
from treewright.steps.call import PLAIN
from treewright.steps.reader import blocks_of


def on_terminal(*words: str | Path) -> bytes:
    """Run a command on a terminal, and return what it shows there."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environment()
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait(timeout=60)
    return shown


ESCAPES = "1\ta\x1b]0;title\x07\x1b[2J\t_\tX\t_\t_\t0\troot\x1b[31m\t_\t_\n\n"


def test_a_terminal_gets_no_control_characters_but_colours() -> None:
    assert for_terminal("a\x1b[31mb\x1b[0m\tc\n") == "a\x1b[31mb\x1b[0m\tc\n"
    assert for_terminal("a\x1b]0;t\x07b\x1b[2Jc\x9bd\re\x08") == "a]0;tb[2Jcde"
    assert for_message("a\x1b[31mb\x07\u202e") == "a[31mb"
    assert for_terminal("a\x1b[8mhidden\x1b[30;40mb") == "a[8mhidden[30;40mb"


def test_our_own_colours_reach_a_terminal() -> None:
    ours = [colour.ansi for colour in COLOURS.values()] + ["0"]
    assert all(for_terminal(f"\x1b[{code}m") == f"\x1b[{code}m" for code in ours)
    codes = (as_text.BOLD, as_text.FAINT, as_text.GREEN, as_text.RED, as_text.CYAN, as_text.PLAIN)
    assert all(for_terminal(code) == code for code in codes)


def test_trees_on_a_terminal_are_not_drawn_of_bad_rows(tmp_path: Path) -> None:
    path = tmp_path / "in.conllu"
    path.write_text(ESCAPES + "1\ta\n\n", encoding="utf-8")
    assert b"expected 10 columns" in on_terminal("parse", "english-fast", path)


def test_a_word_that_is_no_option_is_shown_without_control_characters() -> None:
    assert b"\x07" not in on_terminal("--a\x1b]0;t\x07")


@pytest.mark.parametrize("option", ["--beam", "--iterations", "--k-best"])
def test_numbers_beyond_all_bounds(option: str, tmp_path: Path) -> None:
    path = tmp_path / "in.conllu"
    path.write_bytes(treebank())
    words = ("parse", "english-fast", path) if option == "--k-best" else ("train", path, "-o", tmp_path / "out.tw")
    assert "must be" in refuse(*words, option, "1" + "0" * 30)


def test_standard_output_is_guarded_where_it_is_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "shown"
    with path.open("w", encoding="utf-8") as file:
        guarded = TerminalText(file)
        print("a\x07b", file=guarded)
        guarded.buffer.write(b"c\x1b[2Jd\n")
        guarded.flush()
    assert sorted(path.read_text(encoding="utf-8").split()) == ["ab", "c[2Jd"]


@pytest.mark.parametrize("command", [["show"], ["validate"], ["convert", "--to", "conllx"]])
def test_commands_on_a_terminal(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "in.conllu"
    path.write_text(ESCAPES, encoding="utf-8")
    shown = on_terminal(command[0], path, *command[1:])
    assert b"\x07" not in shown
    assert b"\x1b[2J" not in shown
    assert b"\x1b]0" not in shown


def test_a_message_has_no_control_characters(tmp_path: Path) -> None:
    message = refuse("info", tmp_path / "no\x1b[2Jne.tw")
    assert "\x1b" not in message


def test_a_fault_of_our_own_is_one_line_and_exit_70(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from treewright.apps.cli.commands import info_command

    def fail(arguments: object) -> int:
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr(info_command, "run", fail)
    monkeypatch.delenv("TREEWRIGHT_DEBUG", raising=False)
    assert main(["info", "english"]) == 70
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "ZeroDivisionError: by zero" in said
    assert "report" in said
    monkeypatch.setenv("TREEWRIGHT_DEBUG", "1")
    assert main(["info", "english"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_closed_streams_and_ascii(tmp_path: Path, model: Path) -> None:
    for closed in (0, 1, 2):
        process = subprocess.Popen(
            [*COMMAND, "info", str(model)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=lambda closed=closed: os.close(closed),
        )
        _, error = process.communicate(timeout=60)
        assert b"Traceback" not in error
        assert process.returncode == (2 if closed == 1 else 0)
    path = tmp_path / "in.conllu"
    path.write_text("1\té\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    ascii_only = {**environment(), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, "show", str(path)], capture_output=True, env=ascii_only, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    "words",
    [
        ["train", "in.conllu", "-o", "in.conllu"],
        ["train", "in.conllu", "--dev", "link.conllu", "-o", "in.conllu"],
        ["parse", "MODEL", "in.conllu", "-o", "MODEL"],
        ["parse", "MODEL", "in.conllu", "-o", "./in.conllu"],
        ["convert", "in.conllu", "in.conllu"],
        ["convert", "in.conllu", "-o", "link.conllu"],
        ["validate", "in.conllu", "--on-error", "fix", "-o", "in.conllu"],
    ],
)
def test_an_output_is_never_an_input(words: list[str], model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "model.tw"
    copy.write_bytes(model.read_bytes())
    path = tmp_path / "in.conllu"
    path.write_bytes(treebank())
    (tmp_path / "link.conllu").symlink_to(path)
    message = refuse(*(str(copy) if word == "MODEL" else tmp_path / word if "." in word else word for word in words))
    assert "is also the input" in message
    assert path.read_bytes() == treebank()
    assert copy.read_bytes() == model.read_bytes()


def test_info_checks_a_file(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(model), "--check"]) == 0
    assert "the digest matches" in capsys.readouterr().out
    data = bytearray(model.read_bytes())
    data[len(data) // 2] ^= 4
    (tmp_path / "damaged.tw").write_bytes(bytes(data))
    assert main(["info", str(tmp_path / "damaged.tw"), "--check"]) == 2
    assert "damaged" in capsys.readouterr().err


def test_numbers_of_a_toml_file_have_64_bits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text("iterations = 0x1" + "0" * 5000 + "\n", encoding="utf-8")
    treebank_file = tmp_path / "in.conllu"
    treebank_file.write_bytes(treebank())
    assert main(["train", str(treebank_file), "--config", str(path), "-o", str(tmp_path / "x.tw")]) == 2
    assert "64 bits" in capsys.readouterr().err


def test_half_a_surrogate_pair_in_a_text_is_an_error(tmp_path: Path) -> None:
    path = save_all(tmp_path, ["pipeline"])["pipeline"]
    parser = tw.load(path)
    with pytest.raises(TreebankError, match="surrogate"):
        list(parser.parse_text("Ann \ud800 sees."))
    with pytest.raises(TreebankError, match="surrogate"):
        parser.parse("Ann \ud800 sees.")


@pytest.mark.parametrize("words", [("--print", "features"), ("--print", "recipe"), ("--json",), ("--check",), ()])
def test_info_of_every_kind(words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, path in save_all(tmp_path, ["exact-1", "neural", "dag-crossing", "beam"]).items():
        expected = 2 if name == "neural" and words == ("--print", "features") else 0
        assert main(["info", str(path), *words]) == expected
    capsys.readouterr()


def test_a_device_is_no_model() -> None:
    assert "device" in refuse("info", "/dev/zero")
    assert run("parse", "/dev/zero").returncode == 2


def test_sentences_without_end_are_refused_where_memory_grows_with_them(tmp_path: Path) -> None:
    parser = tw.load(save_all(tmp_path, ["pipeline"])["pipeline"])
    with pytest.raises(TreebankError, match="8 MB without the end of a sentence"):
        for _ in blocks_of(parser, b"word " * 4_000_000, "horizontal", PLAIN):
            pass


@pytest.mark.parametrize("kind", ["exact-1", "exact-2", "neural"])
def test_sentences_too_long_for_all_pairs_of_words(kind: str, tmp_path: Path) -> None:
    parser = tw.load(save_all(tmp_path, [kind])[kind])
    with pytest.raises(TreebankError, match="compares all pairs of words"):
        parser.parse_words(["a"] * 5001)


def test_arc_standard_learns_from_a_huge_sentence() -> None:
    """All words hang on the first: every one of them matters to the oracle at every step."""
    rows = (f"{i}\tw\t_\tX\t_\t_\t{int(i > 1)}\t{'dep' if i > 1 else 'root'}\t_\t_\n" for i in range(1, 401))
    text = "".join(rows).encode() + b"\n"
    parser = tw.train(text, system="arc-standard", features="p(stack[0])\np(input[0])\n", iterations=1)
    assert len(parser.parse_words(["w"] * 10)) == 10


def test_a_beam_with_a_small_feature_model() -> None:
    parser = tw.train(treebank(), beam=3, features="p(stack[0])\np(input[0])\n", iterations=1)
    assert len(parser.k_best(tw.Sentence.from_words(["Ann", "sees"]), 2)) == 2
