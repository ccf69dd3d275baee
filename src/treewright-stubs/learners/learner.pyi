from collections.abc import Iterable, Sequence

from treewright.systems.system import System

class Moves:
    classes: list[tuple[int, int]]
    n_classes: int
    def __init__(
        self,
        system: System,
        classes: Iterable[Sequence[int]],
        root_labels: Iterable[int],
        word_labels: Iterable[int],
    ) -> None: ...

class Scorer:
    n_classes: int
    kind_weights: int
    failure: BaseException | None
    def raise_failure(self) -> None: ...
    def score_keys(self, keys: Sequence[int], counts: Sequence[int]) -> tuple[list[float], list[float]]: ...

class OnlineLearner(Scorer):
    n_kinds: int
    def update_keys(
        self,
        keys: Sequence[int],
        counts: Sequence[int],
        good: tuple[int, int],
        bad: tuple[int, int],
        step: float = 1.0,
    ) -> None: ...
    def score_some_keys(
        self, keys: Sequence[int], counts: Sequence[int], first: int, end: int
    ) -> tuple[list[float], list[float]]: ...
    def next_decision(self) -> None: ...
