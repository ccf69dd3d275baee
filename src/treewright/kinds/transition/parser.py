"""A trained transition parser of trees."""

from __future__ import annotations

import math
import warnings
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, TreewrightWarning
from treewright.kinds.transition.engines.confidence import ConfidentParser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.engines.walk import Scratch
from treewright.kinds.transition.linear import LearntWeights, LinearParser
from treewright.learners.frozen import FrozenWeights
from treewright.learners.plain_weights import PlainWeights
from treewright.steps.call import BEAM, CERTIFICATE, GIVEN_ARCS, GRAPHS, K_BEST, PARSER_ALONE, PLAIN, TAGS, TEXT, Call
from treewright.steps.parser import TreeParser, Trees, empty_trees
from treewright.steps.pool import Pool
from treewright.systems import make_system
from treewright.systems.kept_arcs import KeptArcs
from treewright.systems.system import System
from treewright.treebank.blocks.block import Block
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer

if TYPE_CHECKING:
    from treewright.kinds.transition.engines.beam import BeamParser, BeamScratch
    from treewright.kinds.transition.settings import LinearSettings
    from treewright.steps.best_trees import BestTree
    from treewright.steps.given_arcs import GivenArcs

WHOLE_MOVES = (
    "a beam compares whole moves: it needs a model that decides kind and relation jointly. Train with --decision joint"
)


@contextmanager
def keeping(scratch: Scratch, kept: KeptArcs | None, tag_price: float) -> Iterator[None]:
    """Let what parses with this memory keep given arcs, and change tags for a price, for one call."""
    scratch.keep(kept, tag_price)
    try:
        yield
    finally:
        scratch.keep(None)


def engine_for(system: System) -> type[GreedyParser]:
    """Return what parses with a system: move by move where stack and buffer meet, or anywhere in the list."""
    if system.has_places:
        from treewright.kinds.transition.engines.easy_first import EasyFirstParser

        return EasyFirstParser
    return GreedyParser


class TransitionParser(TreeParser, LinearParser):
    """A system, a feature model and weights, ready to parse.

    ``engine`` is what parses greedily, compiled; each thread brings its own scratch memory to it.
    """

    kind = "transition"

    def __init__(self, settings: LinearSettings, weights: LearntWeights, info: dict[str, Any]) -> None:
        self.build(settings, weights, make_system(**settings["system"]))
        self.beam = settings.get("beam", 1)  # states that are followed unless a call says otherwise; 1: greedy
        self.lifting = Deprojectivizer(settings["relations"], settings["lifting"])
        super().__init__(settings, info, self.lifting.decoded_relations)
        self.engine = engine_for(self.system)(
            self.system, self.extractor, self.moves, self.scorer, settings["split"], self.lifting
        )
        self._scratches: Pool[Scratch] = Pool(self.engine.new_scratch)
        self._confident = ConfidentParser(self.engine, settings.get("confidence"))
        self._beams: dict[tuple[int, bool], tuple[BeamParser, Pool[BeamScratch]]] = {}
        if self.beam > 1:
            self._beam_of(PLAIN)  # a damaged model is rejected when it is loaded

    @property
    def lacks(self) -> Mapping[str, str]:
        """What this parser cannot do, and why."""
        lacks = {
            GRAPHS: "the model builds trees, not graphs",
            CERTIFICATE: "only exact parsers give certificates: train with --system exact",
            TEXT: PARSER_ALONE,
            TAGS: PARSER_ALONE,
        }
        if self.system.has_places:
            lacks |= dict.fromkeys((BEAM, K_BEST), f"{self.system.name} has no beam: its moves are not in order")
        if "dynamic" not in self.system.oracles:
            lacks[GIVEN_ARCS] = f"{self.system.name} does not know which moves lose a given arc"
        if self.settings["split"]:
            lacks |= dict.fromkeys((BEAM, K_BEST), WHOLE_MOVES)
        if not isinstance(self.weights, (FrozenWeights, PlainWeights)):
            reason = "a beam adds up scores of moves, but this learner gives decisions"
            lacks |= dict.fromkeys((BEAM, K_BEST), reason)
        return lacks

    # Parsing

    def trees(self, block: Block, call: Call = PLAIN) -> Trees:
        """Return the trees of all sentences of a block."""
        trees = empty_trees(block, call.confidence)
        given = call.given_arcs(trees.block)
        kept = given.kept(self.settings["relations"]) if given is not None else None
        guesses, price = self.rules is not None and call.tags_are_guesses, math.inf
        if guesses:
            from treewright.systems.rules.rule import TAG_PRICE

            price = TAG_PRICE / self._confident.beta
        if (call.beam or self.beam) > 1:
            self._beam_trees(trees, call, kept, price)
        elif trees.confidences is not None:
            self._confident_trees(trees, kept, price)
        else:
            with self._scratches.borrowed() as scratch, keeping(scratch, kept, price):
                self.engine.parse_block(trees.block, trees.heads, trees.labels, scratch)
        if given is not None:
            trees = self._around(given, trees)
        if self.rules is not None and guesses:
            trees = trees._replace(block=self.rules.fitted(trees.block, trees.heads, trees.labels))
        self.scorer.raise_failure()
        return trees

    def _around(self, given: GivenArcs, trees: Trees) -> Trees:
        """Return trees that have the given arcs, also those that moves could not build."""
        moved = given.complete(trees, self.system.single_root)
        with self._scratches.borrowed() as scratch:
            for sentence, words in moved.items():
                self.engine.relabel(trees.block, sentence, trees.heads, trees.labels, array("i", words), scratch)
        return given.written(trees, self.relations)

    def _beam_trees(self, trees: Trees, call: Call, kept: KeptArcs | None, price: float) -> None:
        engine, scratches = self._beam_of(call)
        with scratches.borrowed() as scratch, keeping(scratch, kept, price):
            engine.parse_block(trees.block, trees.heads, trees.labels, scratch, trees.confidences)

    def _confident_trees(self, trees: Trees, kept: KeptArcs | None, price: float) -> None:
        """Parse with the confidence of the move that made each arc; words attached at the end get none."""
        if "confidence" not in self.settings:
            warnings.warn(
                "the model was trained without a dev set to calibrate it on: its confidences rank arcs, but are not"
                " probabilities. Train with --dev",
                TreewrightWarning,
                stacklevel=6,
            )
        assert trees.confidences is not None
        with self._scratches.borrowed() as scratch, keeping(scratch, kept, price):
            self._confident.parse_block(trees.block, trees.heads, trees.labels, trees.confidences, scratch)

    def best_trees(self, block: Block, number: int, call: Call) -> Iterator[BestTree]:
        """Yield the k best trees of a sentence, best first, or fewer where the beam has no more."""
        from treewright.steps.best_trees import BestTree

        engine, scratches = self._beam_of(call)
        scale = getattr(self.scorer, "scale", 1.0)
        with scratches.borrowed() as scratch:
            for score, probability, heads, labels in engine.best_trees(block, number, call.k_best or 1, scratch):
                yield BestTree(heads, labels, score / scale, probability)

    def winning_moves(self, block: Block, number: int) -> list[tuple[str, int | None]]:
        """Return the moves of the sequence that wins the beam search, with the relations as learned."""
        return self._beam_of(PLAIN)[0].best_moves(block, number)

    def _beam_of(self, call: Call) -> tuple[BeamParser, Pool[BeamScratch]]:
        """Return a beam as wide as a call needs it; for several trees without a margin, since all are wanted."""
        width = max(call.beam or self.beam, call.k_best or 1, 2)
        key = width, call.k_best is None and width == self.beam
        if key not in self._beams:
            engine = self._beam_engine(*key)
            self._beams[key] = engine, Pool(engine.new_scratch)
        return self._beams[key]

    def _beam_engine(self, width: int, with_margin: bool) -> BeamParser:
        from treewright.kinds.transition.engines.beam import BeamParser

        if not isinstance(self.weights, (FrozenWeights, PlainWeights)):
            raise CombinationError(self.lacks[BEAM])
        margin = self.settings.get("beam_margin") if with_margin else None
        fitted = self.settings.get("beam_confidence", {})
        scale = self.weights.scale
        return BeamParser(
            self.engine,
            width,
            temperature=fitted.get("temperature", 1.0) * scale,
            outside=fitted.get("outside", 0.0),
            margin=math.inf if margin is None else margin * scale,
        )

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        details = {**super()._details(), "beam": self.beam}
        if "rules" in self.settings:
            from treewright.systems.rules.rule import listed

            details["rules"] = listed(self.settings)
        return details
