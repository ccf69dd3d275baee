from collections.abc import Sequence

from treewright.features.encoder import Encoder
from treewright.features.language import FeatureModel

NODE_OPS: dict[str, int]
MEASURE_OPS: dict[tuple[str, str], int]
GROUP_OF: dict[tuple[str, ...], int]

class Extractor:
    def __init__(self, model: FeatureModel, relations: Sequence[str]) -> None: ...
    @property
    def encoder(self) -> Encoder: ...
    @property
    def model(self) -> FeatureModel: ...
