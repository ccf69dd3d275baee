"""Treebanks: sentences as a stream."""

import io

import pytest

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.files.treebank import Treebank, read

GOOD = "# sent_id = g{0}\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
BAD = "# sent_id = bad\n1\ta\t_\tX\t_\t_\t{0}\troot\t_\t_{1}\n\n"


def treebank(*sentences):
    return "".join(sentences).encode()


def test_a_path_can_be_gone_through_again(tmp_path):
    path = tmp_path / "x.conllu"
    path.write_bytes(treebank(GOOD.format(1), GOOD.format(2)))
    sentences = read(path)
    assert [s.sent_id for s in sentences] == ["g1", "g2"]
    assert [s.sent_id for s in sentences] == ["g1", "g2"]
    assert [s.line for s in sentences] == [1, 4]
    assert [s.source for s in sentences] == [str(path)] * 2
    assert sum(block.n_sentences for block in sentences.blocks()) == 2
    assert repr(sentences) == f"<Treebank {path}>"


def test_a_stream_can_be_read_once():
    sentences = Treebank(io.BytesIO(treebank(GOOD)))
    assert len(list(sentences)) == 1
    with pytest.raises(TreebankError, match="can be read once"):
        list(sentences)


@pytest.mark.parametrize(
    ("head", "more", "problem"), [("x", "", "HEAD is `x`"), ("0", "\t_", "expected 10 columns (conllu), found 11")]
)
def test_problems_raise_with_their_place_or_are_skipped(head, more, problem):
    data = treebank(GOOD.format(1), BAD.format(head, more), GOOD.format(2))
    sentences = iter(read(data))
    assert next(sentences).sent_id == "g1"
    with pytest.raises(TreebankError) as caught:
        next(sentences)
    assert str(caught.value).startswith(f"the text:5 (sent_id bad): {problem}")
    assert caught.value.remedy
    assert [s.sent_id for s in read(data, on_error="skip")] == ["g1", "g2"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1 a _ X _ _ 0 root _ _", "expected 10 columns (conllu), found a line without tabs"),
        ("1", "expected 10 columns (conllu), found 1"),
        ("x" * 50 + "\t_" * 9, "expected ID 1, found `" + "x" * 30 + "…`"),
        ("1-\t" + "_\t" * 8 + "_", "expected ID 1, found `1-`"),
    ],
)
def test_problems_in_words(line, problem):
    with pytest.raises(TreebankError) as caught:
        list(read((line + "\n\n").encode(), format="conllu"))
    assert problem in str(caught.value)


def test_options_are_checked_at_once():
    with pytest.raises(TreebankError, match="unknown format"):
        read("x", format="none")
    with pytest.raises(TreewrightError, match="Choose from fail, skip"):
        read("x", on_error="ignore")


MANY_DIGITS = "9" * 5000  # more than Python converts to a number


@pytest.mark.parametrize("identifier", [MANY_DIGITS, f"1-{MANY_DIGITS}", f"1.{MANY_DIGITS}", f"{MANY_DIGITS}-2"])
def test_an_id_of_thousands_of_digits_is_refused(identifier):
    text = f"{identifier}\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n".encode()
    with pytest.raises(TreebankError, match="expected ID 1"):
        list(read(text))
    assert list(read(text, on_error="skip")) == []


def test_numbers_of_thousands_of_digits_in_head_and_deps():
    (sentence,) = read(f"1\ta\t_\tX\t_\t_\t0\troot\t{MANY_DIGITS}:x\t_\n\n".encode())
    assert list(sentence[0].deps) == [(MANY_DIGITS, "x")]
    sentence[0]["HEAD"] = MANY_DIGITS
    assert sentence[0].head is None
