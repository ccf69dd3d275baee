"""What is wrong with a sentence while it is being edited; UD's validator, or what stands in for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from treewright.apps.studio import checking
from treewright.apps.studio.checking import SentenceFinding, findings, ud_findings, ud_validator

GOOD = "1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n2\tb\tb\tNOUN\t_\t_\t1\tdep\t_\t_\n3\tc\tc\tNOUN\t_\t_\t1\tdep\t_\t_\n\n"
UNHEADED = GOOD.replace("\t1\tdep", "\t_\t_")
SECOND, THIRD = "2\tb\tb\tNOUN\t_\t_\t1\tdep", "3\tc\tc\tNOUN\t_\t_\t1\tdep"
NO_HEAD = "{} of 3 words have no head yet"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (GOOD, []),
        (GOOD.rstrip("\n") + "\n", []),
        (UNHEADED, [("info", NO_HEAD.format(2), ())]),
        (UNHEADED.replace("\t0\troot", "\t_\t_"), []),  # nobody has begun
        (GOOD.replace("\t0\troot", "\t_\t_"), [("info", NO_HEAD.format(1), ())]),  # the root comes later
        (GOOD.replace(THIRD, THIRD.replace("\t1\tdep", "\t_\tdep")), [("info", NO_HEAD.format(1), ())]),
        (
            GOOD.replace(THIRD, THIRD.replace("dep", "_")),
            [("error", "DEPREL of word 3 is missing", ("3",))],
        ),
        (
            UNHEADED.replace("2\tb\tb\tNOUN\t_\t_\t_", "2\tb\tb\tNOUN\t_\t_\t1"),
            [("info", NO_HEAD.format(1), ()), ("error", "DEPREL of words 2 and 3 is missing", ("2",))],
        ),
        (
            GOOD.replace("\t0\troot", "\t2\tdep"),
            [("error", "no word has HEAD 0", ()), ("error", "the heads form a cycle: 1 → 2 → 1", ("1", "2"))],
        ),
        (
            GOOD.replace("\t1\tdep\t_", "\t1\tdep\t9:dep", 1),
            [("error", "an arc in DEPS `9:dep` has no head in the sentence or no relation", ())],
        ),
        (
            GOOD.replace("\t1\tdep\t_", "\t1\tdep\t1:dep", 1),
            [("warning", "no path in DEPS leads from the root to words 1, 2, 3", ("1", "2", "3"))],
        ),
        ("1\ta\n\n", [("error", "expected 10 columns (conllu), found 2", ())]),
        (GOOD.replace("b\tNOUN", "b\tNUON"), [("warning", "NUON is not one of UD's parts of speech", ("2",))]),
        (GOOD.replace("NOUN", "_"), []),
        (
            GOOD.replace(SECOND, SECOND.replace("NOUN\t_\t_", "NOUN\t_\tB=1|A=2")),
            [("warning", "features are not in alphabetical order", ("2",))],
        ),
        (
            GOOD.replace(SECOND, SECOND.replace("NOUN\t_\t_", "NOUN\t_\tC=1|a=2|b=3")),
            [("error", "a=2 is no feature: write Name=Value", ("2",))],
        ),
        (GOOD.replace(SECOND, SECOND.replace("NOUN\t_\t_", "NOUN\t_\tAbc=2|Abd=1|ABE=3")), []),
        (GOOD.replace("dep", "Dep", 1), [("warning", "Dep does not look like a relation of UD", ("2",))]),
        (GOOD.replace("dep", "root", 1), [("warning", "only the root word has the relation root", ("2",))]),
        (UNHEADED.replace("\t_\t_\t_\t_\n3", "\t_\troot\t_\t_\n3"), [("info", NO_HEAD.format(2), ())]),
        (GOOD.replace("root", "dep"), [("warning", "the root word has the relation root in UD", ("1",))]),
        (GOOD.replace("root", "_"), [("error", "DEPREL of word 1 is missing", ("1",))]),
    ],
)
def test_findings(text: str, found: list[tuple[str, str, tuple[str, ...]]]) -> None:
    assert findings(text) == [SentenceFinding(*each) for each in found]


def test_bytes_that_are_no_utf8_are_no_fault_of_the_page() -> None:
    assert findings(GOOD.replace("\tb\tb", "\tb\udcff\tb")) == []


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# text = ab=c d", None),
        ("# text =  ab=c d ", None),
        ("# text = ab=c  d", None),  # as in `validate`, spaces count once
        ("# text = ab =c d", "`# text` has `ab =c d` where the words make `ab=c d`"),
        ("# newtext = x", None),
    ],
)
def test_words_and_the_comment_of_the_text_agree(comment: str, said: str | None) -> None:
    """Multiword tokens stand for their words, empty nodes for nothing."""
    rows = [("1-2", "ab", "Gloss=x|SpaceAfter=No"), ("1", "a", "_"), ("1.1", "z", "_"), ("2", "b", "_")]
    rows += [("3", "=c", "_"), ("4", "d", "SpaceAfter=No")]
    text = "".join("\t".join((token, form, *"_______", misc)) + "\n" for token, form, misc in rows)
    text = f"{comment}\n{text}\n"
    found = [each for each in findings(text) if each.message.startswith("`# text`")]
    assert found == ([] if said is None else [SentenceFinding("error", said)])


# UD's validator

SCRIPT = """#!{python}
import sys
data = sys.stdin.buffer.read()
print(sys.argv[1:], data.count(b"\\n"), file=open({log!r}, "a"))
print("[Line 3]: [L2 Syntax some-test] about a word")
print("[Line 1 Sent s1]: [L1 Format x] about a comment", file=sys.stderr)
print("[Line 8]: [L3 Late] beyond the end", flush=True)
sys.stdout.buffer.write(b"no finding \\xff\\n")
"""


@pytest.fixture
def validator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program on the path that answers like UD's validator; it notes what it is asked."""
    script = tmp_path / "udvalidate"
    script.write_text(SCRIPT.format(python=sys.executable, log=str(tmp_path / "log")), encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return script


def test_the_validator_is_asked_about_the_sentence(validator: Path) -> None:
    assert ud_validator() == str(validator)
    assert ud_findings(f"# sent_id = s1\n# text = a\n{GOOD}", "en") == [
        SentenceFinding("error", "UD L2 Syntax some-test: about a word", ("1",)),
        SentenceFinding("error", "UD L3 Late: beyond the end"),
        SentenceFinding("error", "UD L1 Format x: about a comment"),
    ]
    asked = validator.with_name("log").read_text(encoding="utf-8")
    assert asked == "['--lang', 'en', '--max-err', '50', '-'] 6\n"
    found = ud_findings(GOOD.replace("\tb\tb", "\tb\udcff\tb"), "abc")
    assert [each.tokens for each in found] == [("3",), (), ("1",)]


@pytest.mark.parametrize("language", ["", "e", "engl", "--help", "EN", "en "])
def test_only_codes_of_languages_reach_the_validator(language: str, validator: Path) -> None:
    assert ud_findings(GOOD, language) == []
    assert not validator.with_name("log").exists()


def test_a_validator_that_fails(validator: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = [SentenceFinding("info", "UD's validator gave no answer")]
    validator.write_text("#!/bin/nowhere\n", encoding="utf-8")
    assert ud_findings(GOOD, "en") == silent
    validator.write_text(f"#!{os.path.realpath('/bin/sh')}\nexec /bin/sleep 60\n", encoding="utf-8")
    monkeypatch.setattr(checking, "UD_SECONDS", 0.2)
    assert ud_findings(GOOD, "en") == silent
    validator.write_text(f"#!{os.path.realpath('/bin/sh')}\nexit 3\n", encoding="utf-8")
    assert ud_findings(GOOD, "en") == []


def test_the_validator_beside_this_python_comes_first(validator: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = validator.parent / "bin"
    beside.mkdir()
    (beside / "validate.py").write_text(validator.read_text(encoding="utf-8"), encoding="utf-8")
    (beside / "validate.py").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    assert ud_validator() == str(validator)  # by name first, then by place
    validator.rename(validator.with_name("udvalidate.py"))
    assert ud_validator() == str(validator.with_name("udvalidate.py"))
    validator.with_name("udvalidate.py").unlink()
    assert ud_validator() == str(beside / "validate.py")
    monkeypatch.delenv("PATH")
    assert ud_validator() == str(beside / "validate.py")
    (beside / "validate.py").unlink()
    monkeypatch.setenv("PATH", str(beside))
    assert ud_validator() is None
    assert ud_findings(GOOD, "en") == []
