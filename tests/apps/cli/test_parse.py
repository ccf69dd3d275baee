"""`treewright parse` as a user runs it: HEAD and DEPREL are replaced, no other byte changes."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from tests.apps.cli.running import run, succeed
from tests.toy import TEST, TRAIN

RICH_TEXT = (
    "# sent_id = a\n# text = don't  go\n"
    "0.1\tghost\t_\t_\t_\t_\t_\t_\t3:x\t_\n"
    "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tdo\tdo\tAUX\t_\t_\t_\t_\t_\t_\n"
    "2\tn't\tnot\tPART\t_\tPolarity=Neg\t7\twrong\t3:advmod\tA=b=c\n"
    "2.1\tthere\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tgo home\tgo\tVERB\t_\t_\t0\troot\t_\tÜber=ja\n\n"
    "# a comment and no words\n\n"
    "# newpar\n1\tqwxzy\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)


def without_trees(text: bytes) -> list[bytes]:
    """Return the lines of a text, HEAD and DEPREL of words taken out."""
    lines = []
    for line in text.split(b"\n"):
        columns = line.split(b"\t")
        if len(columns) == 10 and columns[0].removeprefix(b"\xef\xbb\xbf").isdigit():
            line = b"\t".join(columns[:6] + columns[8:])
        lines.append(line)
    return lines


def heads(text: bytes) -> list[bytes]:
    rows = [line.split(b"\t") for line in text.split(b"\n")]
    return [row[6] for row in rows if len(row) == 10 and row[0].removeprefix(b"\xef\xbb\xbf").isdigit()]


@pytest.mark.parametrize(
    "text",
    [
        RICH_TEXT.encode(),
        RICH_TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + RICH_TEXT.encode(),
        b"\xef\xbb\xbf" + RICH_TEXT.replace("# sent_id = a\n# text = don't  go\n", "").encode(),
        Path(TEST).read_bytes(),
    ],
    ids=["unix", "crlf", "bom", "bom before a word", "toy"],
)
def test_all_but_the_tree_stays(text: bytes, model: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "in.conllu", tmp_path / "out.conllu"
    source.write_bytes(text)
    succeed("parse", model, source, "-o", target)
    parsed = target.read_bytes()
    assert without_trees(parsed) == without_trees(text)
    assert all(head.isdigit() for head in heads(parsed))
    assert b"wrong" not in parsed
    assert succeed("parse", model, "-", stdin=text) == parsed
    assert succeed("parse", model, source, "-o", "-") == parsed


def test_what_was_in_the_tree_columns_does_not_matter(model: Path) -> None:
    text = Path(TEST).read_bytes()
    rows = [line.split(b"\t") for line in text.split(b"\n")]
    emptied = b"\n".join(
        b"\t".join([*row[:6], b"_", b"_", *row[8:]]) if len(row) == 10 and row[0].isdigit() else b"\t".join(row)
        for row in rows
    )
    assert emptied != text
    assert succeed("parse", model, stdin=emptied) == succeed("parse", model, stdin=text)


def test_compressed_files(model: Path, tmp_path: Path) -> None:
    text = Path(TEST).read_bytes()
    plain = succeed("parse", model, TEST)
    for name, module in ((".gz", gzip), (".bz2", bz2), (".xz", lzma)):
        source, target = tmp_path / f"in.conllu{name}", tmp_path / f"out.conllu{name}"
        source.write_bytes(module.compress(text))  # type: ignore[attr-defined]
        succeed("parse", model, source, "-o", target)
        assert module.decompress(target.read_bytes()) == plain  # type: ignore[attr-defined]


def test_threads_change_nothing(model: Path, tmp_path: Path) -> None:
    source = tmp_path / "long.conllu"
    source.write_bytes(Path(TRAIN).read_bytes() * 8)
    assert succeed("parse", model, source, "--threads", "3") == succeed("parse", model, source)


def test_missing_columns_are_named(model: Path) -> None:
    result = run("parse", model, stdin=b"1\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    assert result.returncode == 0
    lines = result.stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("warning: ")
    assert "UPOS" in lines[0]
    assert run("parse", model, TEST).stderr == b""


def test_other_formats(model: Path, tmp_path: Path) -> None:
    conllx = tmp_path / "test.conllx"
    succeed("convert", TEST, "-o", conllx, "--to", "conllx")
    parsed = succeed("parse", model, conllx, "--from", "conllx")
    assert heads(parsed) == heads(succeed("parse", model, TEST))
    assert succeed("parse", model, TEST, "--to", "conllx") != succeed("parse", model, TEST)


def test_validate_limits_what_it_prints_of_each_kind(tmp_path: Path) -> None:
    source = tmp_path / "bad.conllu"
    source.write_bytes(b"1\ta\t_\tX\t_\t_\t1\tx\t_\t_\n\n1\ta\t_\tX\t_\t_\t9\tx\t_\t_\n\n" * 5)
    result = run("validate", source, "--limit", "2")
    assert result.returncode == 1
    printed = result.stdout.decode().splitlines()
    assert sum("is the word itself" in line for line in printed) == 2
    assert sum("HEAD of word 1 is `9`" in line for line in printed) == 2
    assert "  self-head: 5" in printed


def test_files_may_follow_options(model: Path) -> None:
    usual = succeed("parse", model, TEST, "--threads", "2")
    assert succeed("parse", model, "--threads", "2", TEST) == usual
    assert succeed("parse", "--threads", "2", model, "-q", TEST) == usual
    result = run("parse", model, "-q", TEST, "--nonsense")
    assert result.returncode == 2
    assert b"there is no option --nonsense" in result.stderr
    result = run("parse", model, "-q", TEST, "third")
    assert result.returncode == 2
    assert b"third: no such file" in result.stderr
