"""What UD requires of values and comments, beside the shape of trees."""

from pathlib import Path

import pytest

from treewright.apps.cli import main
from treewright.treebank.checks.ud_checks import UDChecks, is_ud
from treewright.treebank.checks.validation import check_block
from treewright.treebank.files.reading import read_blocks

GOOD = """\
# sent_id = one
# text = Du pain, vite.
1-2\tDu\t_\t_\t_\t_\t_\t_\t_\t_
1\tDe\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tle\tle\tDET\t_\tDefinite=Def|Number=Sing\t3\tdet\t_\t_
3\tpain\tpain\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t,\t,\tPUNCT\t_\t_\t5\tpunct\t_\t_
5\tvite\tvite\tADV\t_\t_\t3\tadvmod:emph\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""
#: a change of the good sentence → code and words of what is then found
CHANGES = [
    ("Du pain, vite.", "Du pain , vite.", "wrong-text", ()),
    ("Du pain, vite.", "De le pain, vite.", "wrong-text", ()),
    ("\tADP", "\tPREP", "unknown-upos", (1,)),
    ("\tADV", "\t_", "unknown-upos", (5,)),
    ("advmod:emph", "adv:emph", "unknown-relation", (5,)),
    ("advmod:emph", "root", "root-relation", (5,)),
    ("0\troot", "0\tobj", "root-relation", (3,)),
    ("Definite=Def|Number=Sing", "Number=Sing|Definite=Def", "feats-order", (2,)),
    ("Definite=Def|Number=Sing", "Definite", "bad-feats", (2,)),
    ("Definite=Def|Number=Sing", "Number=Sing|Number=Plur", "bad-feats", (2,)),
    ("Definite=Def|Number=Sing", "Definite=Def|Number=", "bad-feats", (2,)),
    ("# text = Du pain, vite.\n", "", "no-text", ()),
    ("# sent_id = one\n", "", "no-sent-id", ()),
]


def found(text: str) -> list[tuple[str, tuple[int, ...], int]]:
    checks = UDChecks(complete=True)
    problems = [p for block in read_blocks(text.encode()) for p in check_block(block, ud=checks)]
    return [(problem.code, problem.words, problem.line) for problem in problems]


def test_a_good_sentence_has_no_problems() -> None:
    assert found(GOOD) == []
    assert found("\n" + GOOD.replace("\n", "\r\n")) == []
    assert found(GOOD.replace("pain, vite", "pain,\u00a0vite")) == []  # any space is a space


@pytest.mark.parametrize(("old", "new", "code", "words"), CHANGES)
def test_each_change_is_found_where_it_is(old: str, new: str, code: str, words: tuple[int, ...]) -> None:
    changed = GOOD.replace(old, new, 1)
    ((found_code, found_words, line),) = found(changed)
    assert (found_code, found_words) == (code, words)
    if words:
        assert changed.split("\n")[line - 1].startswith(f"{words[0]}\t")
    if code == "wrong-text":
        assert line == 2


def test_a_name_that_returns_names_the_line_of_the_first() -> None:
    other = GOOD.replace("= one", "= two")
    assert found(GOOD + other) == []
    blocks = list(read_blocks((GOOD + other + GOOD).encode(), block_bytes=1))
    assert len(blocks) == 3  # the names are remembered from block to block
    checks = UDChecks()
    (problem,) = [p for block in blocks for p in check_block(block, ud=checks)]
    assert (problem.line, problem.message) == (21, "the sent_id is also that of the sentence of line 1")


def test_treebanks_of_other_kinds_are_told_apart() -> None:
    (ud,) = read_blocks(GOOD.encode())
    other = GOOD
    for old, new in [("ADP", "P"), ("DET", "D"), ("NOUN", "N"), ("PUNCT", "Z"), ("case", "mo"), ("det", "nk")]:
        other = other.replace(f"\t{old}", f"\t{new}")
    (penn,) = read_blocks(other.encode())
    assert is_ud(ud)
    assert not is_ud(penn)


def test_levels_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.conllu"
    file.write_text(GOOD.replace("\tADV", "\tADVERB").replace("# sent_id = one\n", ""))
    assert main(["validate", str(file)]) == 1
    assert "1 error in 1 sentence" in capsys.readouterr().out
    assert main(["validate", str(file), "--level", "2"]) == 1
    assert "no-sent-id: 1" in capsys.readouterr().out
    assert main(["validate", str(file), "--level", "1"]) == 0
    capsys.readouterr()
    assert main(["validate", str(file), "--lang", "fr"]) == 2
    assert "--lang has no effect below --level 3" in capsys.readouterr().err
    assert main(["validate", str(file), "--level", "5"]) == 2
    assert "--lang fr" in capsys.readouterr().err
    assert main(["validate", str(file), "--level", "3", "--graph"]) == 2
    assert "--graph has no effect" in capsys.readouterr().err


def test_the_official_validator_reports_in_our_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("udtools")
    import gzip

    good = tmp_path / "good.conllu.gz"
    good.write_bytes(gzip.compress(GOOD.encode()))
    bad = tmp_path / "bad.conllu"
    bad.write_text(GOOD.replace("= one", "= two").replace("\tADV", "\tADVERB").replace("advmod:emph", "advmod:lang"))
    main(["validate", str(good), str(bad), "--level", "4", "--lang", "fr"])
    lines = capsys.readouterr().out.splitlines()
    assert f"{bad}:8 (sent_id two): Unknown UPOS tag: 'ADVERB'" in lines
    assert any(line.startswith(f"{bad}: 1 sentence, 6 words:") for line in lines)
    assert any(line.startswith(f"{good}: 1 sentence, 6 words:") for line in lines)
    assert "  unknown-upos: 1" in lines
    assert all(line.endswith("(warning)") for line in lines if "PronType" in line)
    assert main(["validate", str(good), "--level", "4", "--lang", "klingon"]) == 2
    assert "no language 'klingon'" in capsys.readouterr().err


def test_the_official_validator_needs_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("udtools")
    file = tmp_path / "untagged.conllu"
    file.write_text("# sent_id = 1\n# text = a b\n1\ta\t_\t_\tX\t_\t2\texpl\t_\t_\n2\tb\t_\t_\tX\t_\t0\troot\t_\t_\n\n")
    assert main(["validate", str(file), "--level", "3"]) == 2
    error = capsys.readouterr().err
    assert f"{file}:5: the official validator cannot check the sentence that ends here" in error
    assert "UPOS" in error


def test_the_official_validator_needs_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("udtools")
    file = tmp_path / "untagged.conllu"
    file.write_text("# sent_id = 1\n# text = a b\n1\ta\t_\t_\tX\t_\t2\texpl\t_\t_\n2\tb\t_\t_\tX\t_\t0\troot\t_\t_\n\n")
    assert main(["validate", str(file), "--level", "3"]) == 2
    error = capsys.readouterr().err
    assert f"{file}:5: the official validator cannot check the sentence that ends here" in error
    assert "UPOS" in error


def test_without_udtools_the_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "udtools.state", None)
    file = tmp_path / "good.conllu"
    file.write_text(GOOD)
    assert main(["validate", str(file), "--level", "3"]) == 2
    assert "treewright[validate]" in capsys.readouterr().err


def test_a_line_of_tabs_ends_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "tabs.conllu"
    file.write_text("# text = a\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\t\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert main(["validate", str(file), "--no-single-root"]) == 0
