"""``analyze``: compare one or two parses with a gold treebank and describe their errors."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from treewright.analysis.breakdowns import BREAKDOWNS, Breakdown, BreakdownRow, Properties, make_row
from treewright.analysis.confusions import Confusion, Confusions
from treewright.analysis.counting import COUNTS, count_right
from treewright.analysis.extremes import Extreme, Extremes
from treewright.analysis.inputs import Analysed, Piece, label_of, opened, pieces
from treewright.analysis.moves import MoveAnalysis, MoveReport
from treewright.analysis.propagation import ErrorPropagation, ErrorSpread, HistoryRow
from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.errors import unknown as unknown_name
from treewright.evaluation.attachment import Convention, check_convention
from treewright.evaluation.comparison import FLAGS, Names
from treewright.evaluation.significance import METRICS, Bootstrap, bootstrap
from treewright.evaluation.stretches import name_of
from treewright.evaluation.tally import right_per_sentence
from treewright.notebook import frame
from treewright.steps.step import Step
from treewright.treebank.files.source import Source

if TYPE_CHECKING:
    from treewright.analysis.within import WithinPattern
    from treewright.treebank.blocks.block import Block

RESAMPLES = 2000


@dataclass(frozen=True)
class Analysis:
    """The errors of one parse, or of two side by side: A is the first, B the second.

    ``total`` and the rows of ``tables`` count words that are right by the metric; ``spreads``, ``moves`` have one
    entry for each parse. ``print`` shows it; see also ``to_text``, ``to_html`` and ``to_dict``.
    """

    gold: str
    parses: list[str]
    metric: str
    punctuation: str
    relation: str
    sentences: int
    total: BreakdownRow
    difference: Bootstrap | None  # of B minus A
    tables: dict[str, list[BreakdownRow]]
    confusions: list[Confusion]
    spreads: list[ErrorSpread]
    histories: list[HistoryRow]
    moves: list[MoveReport | str | None]  # a message if the moves of a model cannot be judged
    extremes: tuple[list[Extreme], list[Extreme]]

    @property
    def compared(self) -> bool:
        """Whether there are two parses."""
        return len(self.parses) > 1

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the trees, for JSON."""
        shown = ("gold", "parses", "metric", "punctuation", "relation", "sentences")
        return {
            **{name: getattr(self, name) for name in shown},
            "total": _row(self.total),
            "difference": None if self.difference is None else asdict(self.difference),
            "tables": {name: [_row(row) for row in rows] for name, rows in self.tables.items()},
            "confusions": [asdict(row) for row in self.confusions],
            "propagation": [
                {**asdict(spread), "after": [{**asdict(row), "ratio": row.ratio} for row in spread.after]}
                for spread in self.spreads
            ],
            "histories": [asdict(row) for row in self.histories],
            "moves": [report.to_dict() if isinstance(report, MoveReport) else report for report in self.moves],
            "to_look_at": {
                name: [_brief(extreme) for extreme in extremes]
                for name, extremes in zip(("first_better", "second_better"), self.extremes, strict=True)
            }
            if self.compared
            else [_brief(extreme) for extreme in self.extremes[1]],
        }

    def to_text(self, top: int = 15) -> str:
        """Return the tables as plain text; ``top`` limits long ones."""
        from treewright.analysis.as_text import text_of

        return text_of(self, top)

    def to_html(self, top: int = 25) -> str:
        """Return a self-contained page with tables, plots and drawn sentences."""
        from treewright.analysis.as_html import page_of

        return page_of(self, top)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return frame(self.to_html())


def _row(row: BreakdownRow) -> dict[str, Any]:
    scores = {"first_score": row.first_score, "second_score": row.second_score}
    return {name: value for name, value in {**asdict(row), **scores}.items() if value is not None}


def _brief(extreme: Extreme) -> dict[str, Any]:
    names = ("number", "line", "sent_id", "words", "first_errors", "second_errors")
    values = {name: getattr(extreme, name) for name in names if getattr(extreme, name) is not None}
    return {**values, "text": extreme.gold.text}


def analyze(
    gold: Source,
    first: Analysed,
    second: Analysed | None = None,
    *,
    metric: str = "las",
    punctuation: str = "all",
    relation: str = "full",
    by: Iterable[str] = tuple(BREAKDOWNS),
    sentences: int = 3,
    seed: int = 1,
    where: str | None = None,
) -> Analysis:
    """Describe the errors of a parse, or compare the errors of two.

    ``first`` and ``second`` are parses of the gold treebank's words, or parsers (or model files). A parser parses
    the gold words with the gold tags; the moves of a greedy parser are also replayed and judged. ``sentences`` is
    the number of sentences to look at, for each parse. ``where``: a pattern in Grew's notation; only the words that it
    finds in the gold trees count.
    """
    check_convention(punctuation, relation)
    if metric not in METRICS:
        raise TreewrightError(unknown_name("metric", metric, METRICS))
    by = list(by)
    unknown = [name for name in by if name not in BREAKDOWNS]
    if unknown:
        raise TreewrightError(unknown_name("breakdown", unknown[0], BREAKDOWNS))
    given = [first] if second is None else [first, second]
    convention = Convention(metric, punctuation, relation)
    run = _Pass(gold, given, convention, by, sentences, where)
    return run.analysis(seed)


class _Pass:
    """One pass over the treebanks."""

    def __init__(
        self,
        gold: Source,
        given: list[Analysed],
        convention: Convention,
        by: list[str],
        sentences: int,
        where: str | None,
    ) -> None:
        self._gold, self._convention = gold, convention
        self._labels = [label_of(parse, f"parser {'AB'[place]}") for place, parse in enumerate(given)]
        self._parses = [opened(parse) for parse in given]
        self._names = Names(convention.relation == "universal")
        self._tables = [Breakdown(name, self._names, convention) for name in by]
        self._confusions = Confusions(self._names, convention)
        self._propagation = ErrorPropagation(convention, len(given))
        self._extremes = Extremes(convention, sentences)
        self._total = [0] * len(COUNTS)
        self._within = None if where is None else _within(where)
        # Per sentence: scored words, and those that each parse has right.
        self._words, self._right = array("i"), [array("i") for _ in given]
        self._moves: list[MoveAnalysis | str | None] = [_moves_of(parse) for parse in self._parses]

    def analysis(self, seed: int) -> Analysis:
        for piece in pieces(self._gold, self._parses, self._names, self._watch):
            self._add(piece)
        if not self._words:
            raise TreebankError("no sentences in it", source=name_of(self._gold), remedy="Give a treebank with trees")
        if self._within is not None and not self._within.words:
            raise TreebankError(
                "the pattern finds no word", source=name_of(self._gold), remedy="Try it with `treewright find`"
            )
        compared = len(self._parses) > 1
        difference = None
        if compared:
            difference = bootstrap(self._right[1], self._right[0], self._words, resamples=RESAMPLES, seed=seed)
        return Analysis(
            gold=name_of(self._gold),
            parses=self._labels,
            metric=self._convention.metric,
            punctuation=self._convention.punctuation,
            relation=self._convention.relation,
            sentences=len(self._words),
            total=make_row("all", self._total, compared),
            difference=difference,
            tables={table.by: table.rows(compared) for table in self._tables},
            confusions=self._confusions.rows(compared),
            spreads=self._propagation.spreads(),
            histories=self._propagation.histories() if compared else [],
            moves=[moves.report(seed) if isinstance(moves, MoveAnalysis) else moves for moves in self._moves],
            extremes=self._extremes.found(),
        )

    def _watch(self, block: Block) -> None:
        for moves in self._moves:
            if isinstance(moves, MoveAnalysis):
                moves.add(block)

    def _add(self, piece: Piece) -> None:
        if self._within is not None:
            self._within.mark(piece)
        ignored, wanted = self._convention.ignored_flags, self._convention.right_flags
        for which, pair in enumerate(piece.parses):
            words, rights = right_per_sentence(pair, ignored, wanted)
            self._right[which].extend(rights)
            if which == 0:
                self._words.extend(words)
        second = (piece.second or piece.first).flags
        everything = array("i", bytes(4 * piece.first.n_words))
        counts = count_right(piece.first.flags, second, everything, 1, ignored, FLAGS["head"], wanted)
        self._total = [a + b for a, b in zip(self._total, counts, strict=True)]
        properties = Properties(piece)
        for table in self._tables:
            table.add(piece, properties)
        self._confusions.add(piece)
        self._propagation.add(piece)
        self._extremes.add(piece)


def _within(pattern: str) -> WithinPattern:
    from treewright.analysis.within import WithinPattern

    return WithinPattern(pattern)


def _moves_of(parse: Analysed) -> MoveAnalysis | str | None:
    if not isinstance(parse, Step):
        return None
    try:
        return MoveAnalysis(parse)
    except CombinationError as refusal:
        return str(refusal)
