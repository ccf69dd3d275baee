from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.features.word_clusters import WordClusters
from treewright.systems.system import System

from treewright.features.templates import FeatureModel

class Extractor:
    encoder: Encoder
    relations: tuple[str, ...]
    leaf_tags: tuple[str, ...]
    clusters: WordClusters | None
    def __init__(
        self,
        model: FeatureModel,
        relations: Iterable[str],
        leaf_tags: Iterable[str] = (),
        clusters: WordClusters | None = None,
    ) -> None: ...
    @staticmethod
    def of_text(
        text: str,
        name: str,
        system: System,
        relations: Iterable[str],
        leaf_tags: Iterable[str] = (),
        clusters: WordClusters | None = None,
    ) -> Extractor: ...
    def equip(self, attributes: list[tuple[str, str, tuple[tuple[str, int], ...]]], has_items: bool) -> None: ...
    @property
    def model(self) -> FeatureModel: ...
    @property
    def numbers(self) -> tuple[dict[object, int], dict[object, int], dict[object, int]]: ...
    @property
    def as_c(self) -> bool: ...
    @property
    def program_hash(self) -> int: ...
    def interpret(self) -> None: ...

def text_hash(text: str) -> int: ...
def attributes_in(listed: str) -> list[tuple[str, str, tuple[tuple[str, int], ...]]]: ...
