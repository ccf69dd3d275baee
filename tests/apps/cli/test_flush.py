"""`treewright parse --flush`: standard input is answered piece by piece. And what is awaited of standard input."""

from __future__ import annotations

import io
import json
import subprocess

import pytest

from tests.apps.cli.running import COMMAND, environment, refuse, run, succeed
from treewright.apps.cli.answering import pieces_of
from treewright.treebank.files.source import _Typed

CONLLU = b"# sent_id = 1\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tCats\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        (b"One.\nTwo.\n\nThree.", "line", ["One.\n", "Two.\n", "Three."]),
        (b"One.\nTwo.\n\n\nThree.", "paragraph", ["One.\nTwo.\n", "Three."]),
        (b"", "line", []),
        (CONLLU, "line", [CONLLU.decode().split("\n\n")[0] + "\n", "1\tCats\t_\t_\t_\t_\t_\t_\t_\t_\n"]),
    ],
)
def test_pieces(text, unit, expected):
    assert list(pieces_of(io.BytesIO(text), unit)) == expected


def test_each_line_is_answered_before_the_next_is_typed():
    with subprocess.Popen(
        [*COMMAND, "parse", "english-fast", "--flush", "--to", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text in ("Birds sing here.", "Cats sleep."):
            process.stdin.write(text.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["text"] == text  # the test would hang here
        process.stdin.close()
    assert process.returncode == 0


def test_treebanks_are_answered_too():
    answer = succeed("parse", "english-fast", "--flush", stdin=CONLLU)
    assert answer.startswith(b"# sent_id = 1\n1\tDogs\t")
    assert answer.count(b"\troot\t") == 2


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--threads", "2"], "leave out --threads"),
        (["-o", "x.conllu"], "--output does not go with --flush"),
        (["--id-prefix", "x"], "--id-prefix does not go with --flush"),
        (["--to", "malt-xml"], "malt-xml is written as a whole"),
    ],
)
def test_what_would_have_no_effect_is_rejected(options, reason):
    assert reason in refuse("parse", "english-fast", "--flush", *options)


def test_other_input_is_rejected():
    assert "leave out the other input" in refuse("parse", "english-fast", "Dogs bark.", "--flush", "line")


def test_an_empty_text_is_a_text():
    result = run("parse", "english-fast", "")
    assert (result.returncode, result.stdout) == (0, b"")
    assert b"no sentences" in result.stderr


class Keyboard(io.BytesIO):
    """A terminal: after its end, asking again is a mistake."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(-1 if size is None else size)
        if not line:
            assert not self.closed
            self.close()
        return line


def test_what_is_typed_ends_once():
    typed = _Typed(Keyboard(b"One.\nTwo.\n"))
    assert typed.read(3) == b"One"
    assert typed.read(100) == b".\nTwo.\n"
    assert typed.read(100) == b""
    assert typed.read(100) == b""
