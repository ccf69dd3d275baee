from array import array
from collections.abc import Iterable

from treewright.kinds.tagger.decoder import Decoder
from treewright.learners.perceptron import Perceptron
from treewright.treebank.blocks.block import Block

class TaggerTrainer:
    n_sentences: int
    round: int
    decisions: int
    mistakes: int
    def __init__(
        self,
        decoder: Decoder,
        learner: Perceptron,
        blocks: Iterable[Block],
        gold: array[int],
        seed: int,
        margin: float = 0.0,
        dropout: float = 0.0,
        counts: array[int] | None = None,
    ) -> None: ...
    def start_round(self) -> None: ...
    def learn(self, first: int, end: int) -> None: ...

class RevisionTrainer(TaggerTrainer): ...
class StructuredTrainer(TaggerTrainer): ...
