"""Which sentences are drawn."""

from dataclasses import dataclass

import pytest

from treewright.display.selection import SentenceSelection
from treewright.errors import TreewrightError


@dataclass
class Named:
    sent_id: str


TEN = [Named(f"s{k}") for k in range(1, 11)]


def chosen(numbers=(), names=(), sentences=TEN):
    return [number for number, _ in SentenceSelection(numbers, names).of(sentences, "a.conllu")]


@pytest.mark.parametrize(
    ("numbers", "names", "wanted"),
    [
        ([], [], list(range(1, 11))),
        (["3"], [], [3]),
        (["2-4", "9-"], [], [2, 3, 4, 9, 10]),
        (["1,4-5"], [], [1, 4, 5]),
        ([], ["s7", "s2"], [2, 7]),
        (["1"], ["s3"], [1, 3]),
        (["8-99"], [], [8, 9, 10]),
    ],
)
def test_sentences_are_chosen(numbers, names, wanted):
    assert chosen(numbers, names) == wanted


@pytest.mark.parametrize("text", ["0", "x", "5-3", "", "-3", "1-2-3", "1.5", "٣", "1,,2"])
def test_nonsense_is_refused(text):
    with pytest.raises(TreewrightError, match="is not a selection"):
        SentenceSelection([text])


def test_what_is_not_there_is_told():
    with pytest.raises(TreewrightError, match=r"sentence 11 does not exist\. The last one is 10"):
        chosen(["11"])
    with pytest.raises(TreewrightError, match="sent_id s99"):
        chosen([], ["s99"])


def test_no_more_is_read_than_needed():
    def endless():
        yield from TEN
        raise AssertionError

    assert chosen(["2-3"], ["s5"], endless()) == [2, 3, 5]
