"""A parser that makes moves by scores: a system, a feature model and weights. Of trees or of graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from treewright.errors import ModelFileError
from treewright.features.extractor import Extractor
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves, Scorer
from treewright.learners.plain_weights import PlainWeights
from treewright.learners.table import LinearTable
from treewright.steps.contract import Arrays, Header, TypedArrays
from treewright.steps.kept_arrays import cluster_arrays, clusters_in, weight_arrays
from treewright.steps.parser import Parser
from treewright.systems.system import System

if TYPE_CHECKING:
    from typing_extensions import Self

    from treewright.kinds.transition.machine_weights import MachineWeights
    from treewright.kinds.transition.settings import LinearSettings
    from treewright.systems.rules.table import RuleTable

LearntWeights: TypeAlias = "FrozenWeights | PlainWeights | MachineWeights"
#: arrays of weights as they were learnt, in a model file → their types
PLAIN_WEIGHT_TYPES = {"features": "U64", "moves": "F32", "sizes": "U16", "classes": "U16", "values": "F32"}


class LinearParser(Parser):
    """What parsers that make moves share: what they are made of, and how a model file keeps it."""

    settings: LinearSettings
    weights: LearntWeights
    system: System
    extractor: Extractor
    moves: Moves
    scorer: Scorer
    rules: RuleTable | None

    def build(self, settings: LinearSettings, weights: LearntWeights, system: System) -> None:
        """Put system, features, moves and weights together; check that they fit each other."""
        self.weights, self.system = weights, system
        self.moves = Moves(
            system, list(map(tuple, settings["classes"])), settings["root_labels"], settings["word_labels"]
        )
        self.scorer = scorer_of(weights, system)
        if self.moves.n_classes != weights.n_classes or self.scorer.kind_weights < len(system.kinds):
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        self.rules = rules_of(settings) if "rules" in settings else None
        self.extractor = Extractor.of_text(
            *(settings["features"], settings["feature_model"], system),
            *(settings["relations"], settings["leaf_tags"]),
            clusters=settings.get("clusters"),
            rules=self.rules,
        )

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Self:
        """Return the parser that a model file holds."""
        of_this_kind: Callable[[LinearSettings, LearntWeights, dict[str, Any]], Self] = cls
        settings: LinearSettings = header["settings"]
        if "clusters" in settings:
            settings = {**settings, "clusters": clusters_in(arrays, settings["clusters"])}
        kept = header["weights"]
        weights: LearntWeights
        if "learner" in kept:
            from treewright.kinds.transition.machine_weights import MachineWeights

            weights = MachineWeights.from_file(kept, arrays)
        else:
            weights = (PlainWeights if "precision" in kept else FrozenWeights)(arrays, kept)
        return of_this_kind(settings, weights, header["info"])

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        settings, arrays = {**self.settings}, arrays_of(self.weights)
        clusters = self.extractor.clusters
        if clusters is not None:
            settings["clusters"] = clusters.source
            arrays = {**arrays, **cluster_arrays(clusters)}
        header = {"kind": self.kind, "settings": settings, "weights": self.weights.settings, "info": self.info}
        return header, arrays

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": self.settings["system"],
            "feature_model": self.settings["feature_model"],
            "templates": len(self.extractor.model.templates),
            "features": len(self.weights),
            "relations": len(self.relations),
            "moves": len(self.settings["classes"]),
            "leaf_tags": list(self.extractor.leaf_tags),
        }

    def __repr__(self) -> str:
        features = f"{self.settings['feature_model']} features"
        return f"<{type(self).__name__}: {self.system.name}, {features}, {len(self.weights):,} weights>"


def rules_of(settings: LinearSettings) -> RuleTable:
    """Return the rules of a parser of trees, for its relations and those that its lifted ones stand for."""
    from treewright.systems.rules.rule import rules_in
    from treewright.systems.rules.table import RuleTable
    from treewright.treebank.lifting.deprojectivizer import Deprojectivizer

    lifting = Deprojectivizer(settings["relations"], settings["lifting"])
    return RuleTable(rules_in(settings["rules"]), lifting.decoded_relations, settings["lifting"])


def scorer_of(weights: LearntWeights, system: System) -> Scorer:
    """Return what scores moves with some weights."""
    return LinearTable(weights) if isinstance(weights, FrozenWeights) else weights.scorer(system)


def arrays_of(weights: LearntWeights) -> TypedArrays:
    """Return weights as arrays of a model file, each with its type."""
    if isinstance(weights, FrozenWeights):
        return weight_arrays(weights)
    if isinstance(weights, PlainWeights):
        return {name: (PLAIN_WEIGHT_TYPES[name], data) for name, data in weights.arrays.items()}
    return weights.typed_arrays
