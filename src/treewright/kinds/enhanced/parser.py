"""A trained step that builds an enhanced graph over the tree of a sentence."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.finding import ATTRIBUTES, ArcFinder
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.kinds.graph.writing import ArcArrays, GraphWritingParser, word_confidences
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.steps.call import TRACE, Call
from treewright.steps.contract import Arrays, Header, TypedArrays
from treewright.steps.kept_arrays import weight_arrays, weights_in
from treewright.steps.parser import CONFIDENCE as CONFIDENCE_NAME
from treewright.steps.parser import warn_uncalibrated
from treewright.steps.pool import Pool
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Self

#: the steps of a path (upwards?, relation of trees), and the relations that an arc to its end may have, -1 for no arc
Path = tuple[list[tuple[bool, int]], list[int]]


class Calibration(TypedDict):
    """What makes probabilities of scores."""

    beta: float
    knots: list[list[float]]


class EnhancedSettings(TypedDict):
    """What a model's header says of enhanced graphs."""

    relations: list[str]  # of graphs
    tree_relations: list[str]
    paths: list[Path]
    wanted: list[int]  # relations of trees that arcs beyond a tree have
    markers: list[int]  # relations of trees whose words are parts of other relations
    connected: bool  # does the root reach every word?
    gaps: list[int]  # relations of trees below words that have an arc from an empty node
    empty_nodes: str  # how they are written: words, bare or paths
    copied: list[str]  # relations of empty nodes that repeat their heads
    cases: dict[str, list[str]]  # those that markers take, the usual one first
    confidence: NotRequired[Calibration]  # where there was a dev set


TREE_CONFIDENCE = re.compile(rb"(?:^|\|)" + CONFIDENCE_NAME + rb"=([0-9.]+)")


def confidences_of_trees(block: Block) -> array[float]:
    """Return what MISC says of the confidence in each word's head; NaN where it says nothing."""
    found = array("f", [math.nan]) * block.n_words
    for word in range(block.n_words if block.layout.misc >= 0 else 0):
        if match := TREE_CONFIDENCE.search(block.value(word, block.layout.misc)):
            found[word] = float(match[1])
    return found


def usual_beta(weights: FrozenWeights) -> float:
    """Return the factor of scores that nobody has fitted."""
    return 1 / weights.scale


class EnhancedParser(GraphWritingParser):
    """Builds graphs by looking at the tree of each sentence; DEPS is replaced."""

    kind = "enhanced"
    role = "graph"
    confidence_name = b"GraphConfidence"  # beside that of the tree
    _LACKS: ClassVar[Mapping[str, str]] = {
        **GraphWritingParser._LACKS,
        TRACE: "enhanced graphs follow a tree: there are no moves to trace",
    }

    def __init__(self, settings: EnhancedSettings, weights: FrozenWeights, info: dict[str, Any]) -> None:
        super().__init__(settings, info, settings["relations"])
        self.weights = weights
        style = settings["empty_nodes"]
        self.copied = None if style == "paths" else settings["copied"] if style == "words" else []
        self.tree_relations, self.connected = settings["tree_relations"], settings["connected"]
        numbers = {name: number for number, name in enumerate(self.relations)}
        self._copies = [numbers[name] for name in self.tree_relations]
        paths = TreePaths(settings["paths"], len(self.tree_relations), len(self.relations))
        encoder, table = Encoder(ATTRIBUTES, False), LinearTable(weights)
        self._finders: Pool[ArcFinder] = Pool(
            lambda: ArcFinder(paths, encoder, table, settings["wanted"], settings["markers"], settings["gaps"])
        )

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that the step looks at."""
        return ("HEAD", "DEPREL", *super().needs)

    def _applies(self, block: Block, call: Call) -> bool:
        """Is there room for graphs in a block? In other formats than CoNLL-U, a pipeline finds trees alone."""
        return block.layout.deps >= 0

    def arcs(self, block: Block, call: Call) -> ArcArrays:
        """Return the arcs of all sentences of a block."""
        known = Interner(self.tree_relations)
        heads, labels = trees_of([block], known)
        more = tuple(known.strings[len(self.tree_relations) :])
        new = [name for name in more if name not in self.relations]
        names = [*self.relations, *new]
        copies = array("i", [*self._copies, *(names.index(name) for name in more), 0])
        given = block, heads, labels, copies, self.connected
        with self._finders.borrowed() as finder:
            if not call.confidence:
                return ArcArrays(*finder.find(*given), more_relations=tuple(new))
            beta = self._beta()
            return ArcArrays(*finder.find(*given, beta, confidences_of_trees(block)), more_relations=tuple(new))

    def raw_confidences(self, block: Block, beta: float) -> array[float]:
        """Return the confidence in all heads of each word, for a factor of scores, before it is calibrated."""
        known = Interner(self.tree_relations)
        heads, labels = trees_of([block], known)
        copies = array("i", [*self._copies, *(0 for _ in known.strings[len(self._copies) :]), 0])
        with self._finders.borrowed() as finder:
            arcs = finder.find(block, heads, labels, copies, self.connected, beta, confidences_of_trees(block))
        return word_confidences(block.n_words, arcs[0], arcs[3])

    def _beta(self) -> float:
        """Return the factor of scores for probabilities."""
        if "confidence" in self.settings:
            return float(self.settings["confidence"]["beta"])
        if self.settings["paths"]:
            warn_uncalibrated()
        return usual_beta(self.weights)

    def calibrated(self, confidences: array[float]) -> array[float]:
        """Return the confidences of words as those of the dev set were right."""
        from treewright.kinds.transition.calibration import RisingFunction

        worth = RisingFunction(self.settings.get("confidence", {}).get("knots", []))
        return array("f", map(worth, confidences))

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Self:
        """Return the step that a model file holds."""
        return cls(header["settings"], weights_in(arrays, header["weights"]), header["info"])

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps: its header, and its arrays with their types."""
        header = {"kind": self.kind, "settings": self.settings, "weights": self.weights.settings, "info": self.info}
        return header, weight_arrays(self.weights)

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {**super()._details(), "paths": len(self.settings["paths"]), "features": len(self.weights)}

    def __repr__(self) -> str:
        return f"<EnhancedParser: {len(self.settings['paths'])} paths, {len(self.weights):,} weights>"
