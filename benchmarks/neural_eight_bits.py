"""What eight-bit weights cost: a network with the weights that PyTorch learnt, and as a model keeps it.

    python benchmarks/neural_eight_bits.py TREEBANKS NAME… [train options, as --iterations 20]

TREEBANKS holds a folder for each treebank, with its train and dev files. The same weights parse dev twice: as floats in
PyTorch, and rounded, with the compiled kernel. Words and tags are gold; LAS counts all words and full relations.
"""

from __future__ import annotations

from array import array
from pathlib import Path

import torch
from treebank_arguments import parser_for
from treewright.treebank.blocks.block import Block

from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.kinds.network.learning.batches import TensorCorpus
from treewright.kinds.network.learning.torch_network import IMPOSSIBLE, LearningNetwork
from treewright.kinds.network.network import EncodedBatch
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network.training import NeuralStrategy
from treewright.recipes.catalogue import all_options
from treewright.training.gathering import gather
from treewright.training.loop import Training
from treewright.training.observer import TrainingObserver


class FloatNetwork:
    """Stands in for the network of a parser, and asks PyTorch."""

    def __init__(self, strategy: NeuralStrategy) -> None:
        network = strategy.learning.average.eval()
        assert isinstance(network, LearningNetwork)
        self.network, self.strategy = network, strategy
        self.tag_sizes: dict[str, int] = {}
        self.tag_votes: dict[str, float] = {}

    def read(self, block: Block, first: int, last: int) -> EncodedBatch:
        """Return what the layers make of some sentences; in place of rows, PyTorch's batch."""
        nothing = [0] * block.n_words
        corpus = TensorCorpus([block], self.strategy.vocabulary, tuple(self.strategy.widths), nothing, nothing, {})
        corpus.replaced = {}  # no word is unknown on purpose
        batch = corpus.batch(range(first, last))
        cells = batch.cells()
        with torch.no_grad():
            return EncodedBatch((self.network.encoded(batch, cells), cells), array("i", batch.lengths.tolist()))

    def arcs(self, encoded: EncodedBatch) -> memoryview:
        """Return the logarithm of each head's probability, sentence by sentence."""
        values, _ = encoded.rows
        flat = array("f")
        with torch.no_grad():
            for scores, length in zip(self.network.arc_scores(values), encoded.lengths, strict=True):
                own = scores[:length, :length].clone().fill_diagonal_(IMPOSSIBLE).log_softmax(1)
                flat.frombytes(own.contiguous().numpy().tobytes())
        return memoryview(flat)

    def relation_scores(self, encoded: EncodedBatch, heads: array[int]) -> memoryview:
        """Return the scores of each row's relations to its head, which is given as a row."""
        values, cells = encoded.rows
        starts = torch.cumsum(torch.tensor(encoded.lengths), 0) - torch.tensor(encoded.lengths)
        places = (torch.tensor(heads, dtype=torch.long)[cells.clamp(min=0)] - starts[:, None]).clamp(min=0)
        with torch.no_grad():
            scores = self.network.relation_scores(values, places)[cells >= 0].contiguous()
        return memoryview(scores.numpy().tobytes()).cast("f", tuple(scores.shape))


def part(folder: Path, name: str) -> str:
    return str(next(folder.glob(f"*{name}*.conllu")))


def main() -> None:
    parser = parser_for(__doc__)
    add_recipe_arguments(parser, leave_out=["pipeline"])
    arguments = parser.parse_args()
    options = given_options(arguments, all_options())
    for name in arguments.names:
        folder = arguments.treebanks / name
        data, dev = (gather(part(folder, role), on_error="fix") for role in ("train", "dev"))
        strategy = NeuralStrategy(NeuralRecipe(**options).completed())
        Training(strategy, data, dev, TrainingObserver()).run({"licence": "", "description": ""})
        kept = strategy.parser_with(strategy.weights(), {})
        eight = strategy.scored(kept)
        kept.network = FloatNetwork(strategy)
        floats = strategy.scored(kept)
        print(f"{name}: floats {floats.shown['LAS']:.2f}, eight bits {eight.shown['LAS']:.2f} LAS on dev", flush=True)


if __name__ == "__main__":
    main()
