from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Scorer

class LinearTable(Scorer):
    weights: FrozenWeights
    vectorised: bool
    def __init__(self, weights: FrozenWeights) -> None: ...
    @property
    def scale(self) -> float: ...
