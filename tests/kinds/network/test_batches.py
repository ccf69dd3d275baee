"""A treebank as tensors: what a batch holds, word by word, and on which device."""

from __future__ import annotations

import random
from array import array
from typing import TYPE_CHECKING, Any

import pytest
from treewright.treebank.blocks.block import Block

from tests.optional import needs
from treewright.kinds.network.inputs.vocabulary import UNKNOWN, Vocabulary
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.treebank.formats.conllu import CONLLU

if TYPE_CHECKING:
    from treewright.kinds.network.learning.batches import TensorCorpus
    from treewright.kinds.network.learning.learning import Learning

pytestmark = needs("torch")

SENTENCES = (
    "1\ta\t_\tX\t_\tA=1|B=1\t0\troot\t_\t_\n2\tb\t_\tY\t_\t_\t1\tdep\t_\t_\n\n",
    "1\tc\t_\tX\t_\t_\t0\troot\t_\t_\n\n",
    "1\ta\t_\tY\t_\tA=1\t2\tdep\t_\t_\n2\ta\t_\tX\t_\tB=1\t0\troot\t_\t_\n\n",
)
FIRST = 2  # the number of what a list has first


def corpus() -> TensorCorpus:
    from treewright.kinds.network.learning.batches import TensorCorpus

    blocks = [Block("".join(texts).encode(), CONLLU) for texts in (SENTENCES[:2], SENTENCES[2:])]
    tags, given = array("i", [3, -1, 5, 6, 7]), array("i", [-1, 1, 2, 3, 4])
    heads, labels = array("i", [0, 1, 0, 2, 0]), array("i", [8, 9, 8, 9, 8])
    known = Vocabulary.of(blocks, 1, 64)
    return TensorCorpus(blocks, known, ("words", "upos", "feats"), heads, labels, {"UPOS": tags}, {"UPOS": given})


def test_a_batch_has_the_rows_of_its_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch, "rand", torch.ones)  # no word is replaced
    batch = corpus().batch([2, 0])
    assert batch.lengths.tolist() == [3, 3]
    assert batch.heads.tolist() == [-1, 2, 0, -1, 0, 1]
    assert [batch.labels[row].item() for row in (1, 2, 4, 5)] == [9, 8, 8, 9]
    assert [batch.tags["UPOS"][row].item() for row in (1, 2, 4, 5)] == [6, 7, 3, -1]
    assert batch.given["UPOS"].tolist() == [-1, 3, 4, -1, -1, 1]
    assert batch.single["words"].tolist() == [1, FIRST, FIRST, 1, FIRST, FIRST + 1]
    assert batch.single["upos"].tolist() == [1, FIRST + 1, FIRST, 1, FIRST, FIRST + 1]
    numbers, starts = batch.bags["feats"]
    assert (numbers.tolist(), starts.tolist()) == ([FIRST, FIRST + 1, FIRST, FIRST + 1], [0, 0, 1, 2, 2, 4])
    assert list(batch.sentences) == [2, 0]
    assert corpus().batch([1, 0]).cells().tolist() == [[0, 1, -1], [2, 3, 4]]


def test_known_words_are_replaced_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word seen n times is replaced in 0.25 / (0.25 + n) of its occurrences; the root never is."""
    import torch

    made = corpus()
    for drawn, replaced in ((0.0, {"a", "b", "c"}), (0.19, {"b", "c"}), (0.21, set()), (0.07, {"a", "b", "c"})):
        monkeypatch.setattr(torch, "rand", lambda n, drawn=drawn: torch.full((n,), drawn))
        found = made.batch([0, 1]).single["words"].tolist()
        expected = [UNKNOWN if form in replaced else number for form, number in zip("abc", (2, 3, 4), strict=True)]
        assert found == [1, *expected[:2], 1, expected[2]]


def test_all_of_a_batch_but_its_lengths_goes_to_a_device() -> None:
    import torch

    batch = corpus().batch([0, 2, 1])
    assert batch.to(torch.device("cpu")) is batch
    there = batch.to(torch.device("meta"))
    assert there.lengths is batch.lengths
    assert list(there.sentences) == [0, 2, 1]
    before, after = (
        [one.heads, one.labels, *one.single.values(), *one.tags.values(), *one.given.values(), *one.bags["feats"]]
        for one in (batch, there)
    )
    assert [values.shape for values in after] == [values.shape for values in before]
    assert {values.device.type for values in after} == {"meta"}
    assert (set(there.single), set(there.tags), set(there.given)) == ({"words", "upos"}, {"UPOS"}, {"UPOS"})
    there.heads = batch.heads.to("meta")
    assert there.cells().device.type == "meta"


def learning(rounds: int, widths: dict[str, int] | None = None, **options: Any) -> Learning:
    """Return a network that learns eight rows at a time, the roots among them: a round is a step."""
    from treewright.kinds.network.learning.learning import Learning
    from treewright.kinds.network.learning.torch_network import DropoutShares, LearningNetwork, Outputs, Sizes

    def make() -> LearningNetwork:
        sizes = Sizes(widths or {}, 8, 1 if widths else 0, 8, 8, 8)
        return LearningNetwork({"words": 9}, sizes, Outputs(10, {}), DropoutShares(0, 0))

    return Learning(NeuralRecipe(batch_words=8, **options), make, corpus(), rounds)


@pytest.mark.parametrize(("rounds", "steps"), [(1, 1), (50, 2), (59, 2), (60, 3), (5000, 100)])
def test_the_warm_up_is_a_twentieth_of_the_steps(rounds: int, steps: int) -> None:
    assert learning(rounds).warm_up == steps


def test_a_time_limit_counts_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.kinds.network.learning import learning as module

    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    timed = learning(5, time_limit="10s")
    assert (timed.planned_rounds(), timed._progress(0), timed._is_late()) == (5, 0.0, False)
    now[0] += 5
    assert (timed.planned_rounds(), timed._progress(3), timed._is_late()) == (5, 0.5, False)
    timed.rounds_done = 7
    assert timed.planned_rounds() == 8
    now[0] += 6
    assert (timed.planned_rounds(), timed._progress(3), timed._is_late()) == (7, 1.0, True)
    assert not learning(5)._is_late()


def test_large_tables_learn_beside_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from treewright.kinds.network.learning import lazy_rows

    monkeypatch.setattr(lazy_rows, "SMALLEST", 1)
    made, advanced = learning(2, {"words": 4}), list[int]()
    before = made.network.tables["words"].weight.clone()
    assert made.round(random.Random(1), advanced.append)[1] == 5
    assert (sum(advanced), len(made.lazy)) == (3, 1)
    made.arrays()
    assert not torch.equal(made.network.tables["words"].weight, before)


def test_rows_can_be_an_input() -> None:
    made = corpus()
    made.number_rows("encoder")
    assert made.batch([1, 2]).single["encoder"].tolist() == [3, 4, 5, 6, 7]
