from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.features.word_clusters import WordClusters

from treewright.features.templates import FeatureModel

class Extractor:
    encoder: Encoder
    model: FeatureModel
    relations: tuple[str, ...]
    leaf_tags: tuple[str, ...]
    clusters: WordClusters | None
    program_hash: int
    def __init__(
        self,
        model: FeatureModel,
        relations: Iterable[str],
        leaf_tags: Iterable[str] = (),
        clusters: WordClusters | None = None,
    ) -> None: ...
    @property
    def as_c(self) -> bool: ...
    def interpret(self) -> None: ...
