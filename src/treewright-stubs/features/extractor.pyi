from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.features.word_clusters import WordClusters
from treewright.systems.rules.table import RuleTable
from treewright.systems.system import System

from treewright.features.program import Program
from treewright.features.templates import FeatureModel

class Extractor:
    encoder: Encoder
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
        rules: RuleTable | None = None,
    ) -> None: ...
    @staticmethod
    def of_text(
        text: str,
        name: str,
        system: System,
        relations: Iterable[str],
        leaf_tags: Iterable[str] = (),
        clusters: WordClusters | None = None,
        rules: RuleTable | None = None,
    ) -> Extractor: ...
    @property
    def model(self) -> FeatureModel: ...
    @property
    def program(self) -> Program: ...
    @property
    def as_c(self) -> bool: ...
    def interpret(self) -> None: ...
