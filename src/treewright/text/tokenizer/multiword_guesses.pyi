from collections.abc import Iterable, Sequence
from typing import Any

from typing_extensions import Buffer

from treewright.learners.perceptron import Perceptron
from treewright.text.tokenizer.boundaries import BoundaryModel
from treewright.text.tokenizer.characters import Characters

class SplitGuesser:
    model: BoundaryModel
    def __init__(self, settings: dict[str, Any], splits: Sequence[Any], model: BoundaryModel) -> None: ...

class SplitTrainer:
    def __init__(self, guesser: SplitGuesser, splits: Iterable[Any], margin: float) -> None: ...
    def __len__(self) -> int: ...
    def add(self, text: Characters, labels: Buffer, tokens: Iterable[tuple[str, Sequence[str]]]) -> None: ...
    def learn(self, learner: Perceptron, order: Buffer) -> None: ...

def applied(form: str, split: Sequence[Any]) -> list[str]: ...
