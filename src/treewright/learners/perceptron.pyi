from treewright.learners.learner import OnlineLearner

class Perceptron(OnlineLearner):
    time: float
    cutoff: int
    n_lines: int
    vectorised: bool
    def __new__(cls, n_kinds: int, n_classes: int, cutoff: int = 1, n_lines: int = 0) -> Perceptron: ...
    def __len__(self) -> int: ...
    def weights_of(self, key: int, averaged: bool = False) -> tuple[list[float], dict[int, float]] | None: ...
