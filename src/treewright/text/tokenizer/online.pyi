from collections.abc import Sequence

from typing_extensions import Buffer

from treewright.learners.perceptron import Perceptron
from treewright.text.tokenizer.boundaries import BoundaryModel
from treewright.text.tokenizer.characters import Characters

def count_labels(text: Characters, labels: Buffer, counts: Buffer) -> None: ...
def usual_labels(counts: Buffer, rare: float, old: Sequence[int] | None = None) -> bytearray: ...

class BoundaryTrainer:
    decisions: int
    mistakes: int
    def __init__(self, model: BoundaryModel, learner: Perceptron) -> None: ...
    def start_round(self) -> None: ...
    def learn(self, text: Characters, labels: Buffer) -> None: ...
