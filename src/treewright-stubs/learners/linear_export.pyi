from collections.abc import Sequence

from treewright.learners.feature_index import FeatureIndex
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from typing_extensions import Buffer

def freeze_matrix(
    index: FeatureIndex,
    weights: Buffer,
    columns: Sequence[int],
    plain: Sequence[int],
    moves: Moves,
    n_kinds: int,
    bias: Sequence[float] | None = None,
    bias_feature: int = 0,
    avoid_unseen: bool = False,
) -> FrozenWeights: ...
