"""A trained transition parser: a system, a feature model and weights."""

from __future__ import annotations

import math
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, ModelFileError
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.table import LinearTable
from treewright.parsing.greedy import GreedyParser, Scratch
from treewright.parsing.machine_weights import MachineWeights
from treewright.parsing.parser import Parser
from treewright.systems import make_system
from treewright.systems.system import System
from treewright.treebank.block import Block
from treewright.treebank.deprojectivizer import Deprojectivizer

if TYPE_CHECKING:
    from treewright.parsing.beam import BeamParser
    from treewright.parsing.k_best import ScoredTree
    from treewright.treebank.sentence import Sentence

_DTYPES = {
    "lines": "U8",
    "tags": "U16",
    "moves": "I8",
    "sizes": "U16",
    "classes_low": "U8",
    "classes_high": "U8",
    "values": "I8",
}


def _frozen(settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> FrozenWeights:
    return FrozenWeights(arrays, settings)


def engine_for(system: System) -> type[GreedyParser]:
    """Return what parses with a system: move by move where stack and buffer meet, or anywhere in the list."""
    if system.has_places:
        from treewright.parsing.easy_first import EasyFirstParser

        return EasyFirstParser
    return GreedyParser


class TransitionParser(Parser):
    """A system, a feature model and weights, ready to parse.

    ``engine`` is what parses, compiled; each thread brings its own scratch memory to it.
    """

    def __init__(self, settings: dict[str, Any], weights: FrozenWeights | MachineWeights, info: dict[str, Any]) -> None:
        self.weights = weights
        system = make_system(**settings["system"])
        model = parse_model(settings["features"], settings["feature_model"])
        classes = [tuple(pair) for pair in settings["classes"]]
        moves = Moves(system, classes, settings["root_labels"], settings["word_labels"])
        if moves.n_classes != weights.n_classes:
            raise ModelFileError("the model is damaged: its weights and its moves do not fit each other")
        lifting = Deprojectivizer(settings["relations"], settings["lifting"])
        scorer = weights.scorer(system) if isinstance(weights, MachineWeights) else LinearTable(weights)
        self.engine = engine_for(system)(
            system, Extractor(model, settings["relations"]), moves, scorer, settings["split"], lifting
        )
        self._scratches: deque[Scratch] = deque()
        super().__init__(settings, info, lifting.decoded_relations)
        if settings.get("beam", 1) != 1:
            self.beam = settings["beam"]

    @property
    def beam(self) -> int:
        """How many states are followed at a time; 1 is greedy parsing. May be set, but not while parsing."""
        return getattr(self.engine, "width", 1)

    @beam.setter
    def beam(self, width: int) -> None:
        self.engine = self._engine(width)
        self._scratches = deque()

    def _engine(self, width: int) -> GreedyParser:
        greedy = self.engine
        parts = (
            greedy.system,
            greedy.extractor,
            greedy.moves,
            greedy.scorer,
            greedy.split,
            greedy.deprojectivizer,
        )
        if width == 1:
            return engine_for(greedy.system)(*parts)
        margin = self.settings.get("beam_margin") if width == self.settings.get("beam") else None
        return self._beam_engine(width, margin)

    def _beam_engine(self, width: int, margin: float | None) -> BeamParser:
        if isinstance(self.weights, MachineWeights):
            raise CombinationError("a beam adds up scores of moves, and this learner gives decisions: leave --beam out")
        from treewright.parsing.beam import BeamParser

        engine = self.engine
        fitted = self.settings.get("beam_confidence", {})
        scale = self.weights.scale
        return BeamParser(
            engine.system,
            engine.extractor,
            engine.moves,
            engine.scorer,
            engine.split,
            engine.deprojectivizer,
            width=width,
            temperature=fitted.get("temperature", 1.0) * scale,
            outside=fitted.get("outside", 0.0),
            margin=math.inf if margin is None else margin * scale,
        )

    def k_best(self, sentence: Sentence | Sequence[str] | str, k: int) -> list[ScoredTree]:
        """Return the k best trees of a sentence, best first, or fewer where the beam has no more.

        The beam is widened to k where it is narrower.
        """
        from treewright.parsing.k_best import ScoredTree, best_texts
        from treewright.treebank.sentence import Sentence

        block = self._ready(self._block_of(sentence))
        return [
            ScoredTree(Sentence.from_conllu(text.decode()), score, probability)
            for text, score, probability in best_texts(self._k_best_engine(k), block, 0, k, self._relation_bytes)
        ]

    def k_best_writer(self, k: int) -> Callable[[Block], bytes]:
        """Return what makes text with the k best trees of every sentence of a block: a ``text_of`` for parse_file."""
        from treewright.parsing.k_best import k_best_text

        engine = self._k_best_engine(k)
        return lambda block: k_best_text(engine, self._ready(block), k, self._relation_bytes)

    def _k_best_engine(self, k: int) -> BeamParser:
        """Return a beam with room for k trees, and without a margin: the trees far behind are wanted, too."""
        if k < 1:
            raise CombinationError(f"{k} best trees: at least one is needed")
        return self._beam_engine(max(k, self.beam, 2), None)

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> TransitionParser:
        """Return the parser that a model file holds."""
        kind: Any = MachineWeights.from_file if "learner" in header["weights"] else _frozen
        return cls(header["settings"], kind(header["weights"], arrays), header["info"])

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {
            "kind": "transition",
            "settings": self.settings,
            "weights": self.weights.settings,
            "info": self.info,
        }
        if isinstance(self.weights, MachineWeights):
            return header, self.weights.typed_arrays
        return header, {name: (_DTYPES[name], data) for name, data in self.weights.arrays.items()}

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        try:
            scratch = self._scratches.pop()
        except IndexError:
            scratch = self.engine.new_scratch()
        self.engine.parse_block(block, heads, labels, scratch)
        self._raise_failure()
        self._scratches.append(scratch)
        return block, heads, labels

    def _raise_failure(self) -> None:
        """Raise what went wrong in a learner of another library while the compiled loop could not."""
        self.engine.scorer.raise_failure()

    def with_confidence(self) -> Parser:
        """Return a parser that gives the same trees and writes how sure it is of each arc to MISC."""
        from treewright.parsing.confident import BeamConfidentParser, ConfidentTransitionParser

        if self.beam > 1:
            return BeamConfidentParser(self)
        if self.engine.system.has_places:
            return super().with_confidence()
        return ConfidentTransitionParser(self)

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": self.settings["system"],
            "beam": self.beam,
            "feature_model": self.settings["feature_model"],
            "templates": len(self.engine.extractor.model.templates),
            "features": len(self.weights),
            "relations": len(self.relations),
            "moves": len(self.settings["classes"]),
        }

    def __repr__(self) -> str:
        system = self.settings["system"]["name"]
        return f"<Parser: {system}, {self.settings['feature_model']} features, {len(self.weights):,} weights>"
