from collections.abc import Iterable

from treewright.systems.system import System

class Moves:
    def __init__(
        self,
        system: System,
        classes: Iterable[tuple[int, int]],
        root_labels: Iterable[int],
        word_labels: Iterable[int],
    ) -> None: ...
    @property
    def classes(self) -> list[tuple[int, int]]: ...
    @property
    def n_classes(self) -> int: ...

class Scorer: ...
class OnlineLearner(Scorer): ...
