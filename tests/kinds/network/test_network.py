"""The network without PyTorch does what PyTorch's does."""

from __future__ import annotations

import random

import pytest
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.treebank.blocks.interner import Interner

from tests.optional import needs
from tests.toy import DEV
from treewright.kinds.network.inputs.tags import tag_numbers, tag_values
from treewright.kinds.network.inputs.vocabulary import OF_TREEBANK, Vocabulary
from treewright.kinds.network.network import Network, vocabulary_arrays
from treewright.treebank.files.reading import read_blocks

pytestmark = needs("torch")


@pytest.mark.parametrize("layers", [1, 2])
def test_scores_are_those_of_pytorch(layers: int) -> None:
    import torch

    from treewright.kinds.network.learning.batches import TensorCorpus
    from treewright.kinds.network.learning.quantising import kept_weights, quantised, restore
    from treewright.kinds.network.learning.torch_network import DropoutShares, LearningNetwork, Outputs, Sizes

    torch.manual_seed(3)
    blocks = list(read_blocks(DEV))
    vocabulary = Vocabulary.of(blocks, 2, 128)
    interner = Interner()
    heads, labels = trees_of(blocks, interner)
    values = tag_values(blocks)
    widths = {name: 6 + place for place, name in enumerate(OF_TREEBANK)}
    corpus = TensorCorpus(blocks, vocabulary, tuple(widths), heads, labels, tag_numbers(blocks, values))
    corpus.replaced = {}
    sizes = Sizes(widths, 20, layers, 24, 16, 12)
    outputs = Outputs(len(interner.strings), {name: len(listed) for name, listed in values.items()})
    network = LearningNetwork(vocabulary.sizes(), sizes, outputs, DropoutShares(0.33, 0.3)).eval()
    torch.nn.init.normal_(network.arc_mix.weight, std=0.2)
    torch.nn.init.normal_(network.arc_distance.weight, std=0.2)
    arrays = {
        name: array
        for name, (_, array) in {**quantised(kept_weights(network)), **vocabulary_arrays(vocabulary)}.items()
    }
    restore(network, arrays)  # the same rounded weights on both sides
    ready = Network(
        {
            "widths": widths,
            "hidden": 20,
            "layers": layers,
            "arcs": 24,
            "relations": 16,
            "tags": 12,
            "buckets": 128,
            "tag_values": values,
        },
        len(interner.strings),
        arrays,
    )
    n = min(30, blocks[0].n_sentences)
    encoded = ready.encode(vocabulary.numbers(blocks[0], 0, n, ready.inputs))
    batch = corpus.batch(range(n))
    with torch.no_grad():
        cells = batch.cells()
        outs = network.encoded(batch, cells)
        arcs = network.arc_scores(outs)
        at = 0
        flat = ready.arcs(encoded).tolist()
        for sentence, length in enumerate(batch.lengths.tolist()):
            own = arcs[sentence, :length, :length].clone()
            own.fill_diagonal_(-1e9)
            expected = own.log_softmax(1)
            for dep in range(1, length):
                row = flat[at + dep * length : at + (dep + 1) * length]
                for head in range(length):
                    if head != dep:
                        assert row[head] == pytest.approx(float(expected[dep, head]), abs=0.02)
            at += length * length


def test_batches_hold_every_sentence_once() -> None:
    from treewright.kinds.network.learning.batches import TensorCorpus

    blocks = list(read_blocks(DEV))
    vocabulary = Vocabulary.of(blocks, 2, 128)
    heads, labels = trees_of(blocks, Interner())
    corpus = TensorCorpus(blocks, vocabulary, tuple(OF_TREEBANK), heads, labels, {})
    seen = list(corpus.batches(100, random.Random(1)))
    assert sum(len(batch.lengths) for batch in seen) == sum(block.n_sentences for block in blocks)
    assert sum(int((batch.heads >= 0).sum()) for batch in seen) == len(heads)
    assert sorted(head for batch in seen for head in batch.heads.tolist() if head >= 0) == sorted(heads)
    assert all(int(batch.lengths.max()) * len(batch.lengths) <= 100 or len(batch.lengths) == 1 for batch in seen)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.4])
def test_smoothed_loss_is_the_cross_entropy_with_smoothed_targets(share: float) -> None:
    import torch

    from treewright.kinds.network.learning.torch_network import IMPOSSIBLE, smoothed_loss

    torch.manual_seed(3)
    scores, gold = torch.randn(4, 5), torch.tensor([0, 2, 1, 1])
    possible = torch.tensor([[1, 1, 1, 1, 1], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 1, 0, 0, 0]], dtype=torch.bool)
    expected = 0.0
    for row in range(4):
        own = [k for k in range(5) if possible[row, k]]
        logs = scores[row, own].log_softmax(0).tolist()
        for k, log in zip(own, logs, strict=True):
            target = share / len(own) + (1 - share if k == gold[row] else 0)
            expected -= target * log / 4
    found = smoothed_loss(scores.masked_fill(~possible, IMPOSSIBLE), gold, share)
    assert float(found) == pytest.approx(expected, abs=1e-5)
