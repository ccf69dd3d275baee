"""Does one wrong move lead to the next? Replay a model's moves on gold trees and judge them by the dynamic oracle."""

from __future__ import annotations

from array import array
from dataclasses import asdict, dataclass
from typing import Any

from treewright.analysis.replay import COUNTS, Replay
from treewright.errors import CombinationError
from treewright.evaluation.resampling import resampled_ratios
from treewright.evaluation.score import PercentOf, percent
from treewright.kinds.transition.learning.corpus import sentence_offsets, trees_of
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.step import Step
from treewright.systems.obeying import obey
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.lifting.lifted_labels import LiftedLabel, decode, encode
from treewright.treebank.lifting.lifting import projectivize

RESAMPLES = 2000


@dataclass(frozen=True)
class MoveReport:
    """The cost of a parser's moves. A *mistake* is a move that loses a gold arc or gives it another relation.

    The *own* path is the actual parse. On the *corrected* path every mistake is counted and then corrected, so each
    decision is made as if all earlier ones had been right. ``inflation`` compares the two in the rest of a sentence
    after its first mistake: mistakes on the own path per mistake on the corrected one. A lost arc cannot be lost again,
    so without error propagation it is slightly below 1. ``low`` and ``high`` bound its 95 % interval (bootstrap over
    sentences).
    """

    system: str
    sentences: int
    sentences_with_mistakes: int
    decisions: int
    mistakes: int
    arcs_lost: int
    first_arcs_lost: int
    later_decisions: int
    later_mistakes: int
    corrected_decisions: int
    corrected_mistakes: int
    corrected_arcs_lost: int
    corrected_later_decisions: int
    corrected_later_mistakes: int
    inflation: float | None
    low: float | None
    high: float | None

    own_rate = PercentOf("mistakes", "decisions", "Percent of mistakes among the decisions on the own path.")
    corrected_rate = PercentOf(
        "corrected_mistakes", "corrected_decisions", "Percent of mistakes when all earlier decisions are right."
    )
    later_rate = PercentOf(
        "later_mistakes", "later_decisions", "Percent of mistakes after the first mistake of a sentence."
    )
    corrected_later_rate = PercentOf(
        "corrected_later_mistakes",
        "corrected_later_decisions",
        "Percent of mistakes in the same stretches when all earlier decisions are right.",
    )

    @property
    def first_rate(self) -> float:
        """Percent of mistakes up to and including the first mistake of a sentence."""
        return percent(self.sentences_with_mistakes, self.decisions - self.later_decisions)

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        rates = ("own_rate", "corrected_rate", "first_rate", "later_rate", "corrected_later_rate")
        return {**asdict(self), **{name: getattr(self, name) for name in rates}}


class MoveAnalysis:
    """The moves of one model, accumulated block by block."""

    def __init__(self, parser: Step) -> None:
        if not isinstance(parser, TransitionParser):
            raise CombinationError("only transition parsers of trees make the moves that are counted here")
        if parser.beam > 1:
            raise CombinationError("moves are replayed for greedy parsers that go from left to right")
        self._parser = parser
        self._scheme = parser.settings["lifting"]
        self._lifts = parser.info.get("recipe", {}).get("lifting") != "none"
        if not self._lifts and parser.engine.system.projective:
            raise CombinationError("costs are of projective trees, and this model was trained without lifting")
        self._replay = Replay(parser.engine)

    def add(self, block: Block) -> None:
        """Replay the sentences of a gold block."""
        raw = Interner([])
        heads, labels = trees_of([block], raw)
        flags = self._parser.extractor.encoder.leaf_tags.flags(block)
        obey(heads, labels, sentence_offsets([block]), flags, self._parser.system.single_root)
        if self._lifts:
            projectivize(heads, labels, sentence_offsets([block]), raw, self._scheme)
        numbers = self._numbers(raw.strings)
        self._replay.add(block, heads, array("i", (numbers[label] for label in labels)))
        self._parser.scorer.raise_failure()

    def _numbers(self, names: list[str]) -> list[int]:
        """Return the model's number of each relation; unknown ones get numbers above the model's own."""
        relations = self._parser.settings["relations"]
        known = {name: number for number, name in enumerate(relations)}
        numbers: list[int] = []
        for name in names:
            if name not in known and self._lifts:
                # Training replaced labels that were too rare by their plain relations.
                name = encode(LiftedLabel(decode(name, self._scheme).base))
            numbers.append(known.get(name, len(relations) + len(numbers)))
        return numbers

    def report(self, seed: int = 1) -> MoveReport:
        """Return the counts and rates."""
        width, rows = len(COUNTS), self._replay.rows
        columns = {name: rows[place::width] for place, name in enumerate(COUNTS)}
        totals = {name: sum(column) for name, column in columns.items()}
        later, corrected = columns["later_mistakes"], columns["corrected_later_mistakes"]
        inflation = low = high = None
        if totals["corrected_later_mistakes"]:
            inflation = totals["later_mistakes"] / totals["corrected_later_mistakes"]
            ratios = sorted(resampled_ratios(array("d", later), array("d", corrected), RESAMPLES, seed % 2**64))
            low, high = ratios[round(0.025 * (RESAMPLES - 1))], ratios[round(0.975 * (RESAMPLES - 1))]
        return MoveReport(
            system=self._parser.engine.system.name,
            sentences=len(rows) // width,
            sentences_with_mistakes=sum(mistakes > 0 for mistakes in columns["mistakes"]),
            **totals,
            inflation=inflation,
            low=low,
            high=high,
        )
