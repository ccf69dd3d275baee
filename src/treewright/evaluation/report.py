"""Score a system's output against the gold standard, with the official scores and the older conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from treewright.errors import TreewrightError
from treewright.evaluation.attachment import Attachment, attachment_scores
from treewright.evaluation.comparison import Names
from treewright.evaluation.official import METRICS, OfficialCounts
from treewright.evaluation.score import Score
from treewright.evaluation.stretches import RejectedError, Stretch, Stretches
from treewright.evaluation.tables import table_lines
from treewright.evaluation.tally import PUNCTUATION, RELATION, AttachmentTotals
from treewright.notebook import table
from treewright.steps.step import Step
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source, name_of

_WITHOUT_ALIGNED = {"Tokens", "Sentences", "Words", "ELAS", "EULAS"}
#: what the headline scores are: those of training, eval, crossval, experiments and docs
HEADLINE_MEANS = "(all words, punctuation included; full relations)"
OFFICIAL_TITLE = "CoNLL 2018 (as udeval): words aligned by the text, relations without subtype"
OFFICIAL_HEADER = ("Metric", "Precision", "Recall", "F1", "AlignedAcc")


class _OverAllWords:
    """A score of an evaluation under the usual convention."""

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    def __get__(self, evaluation: Evaluation, owner: type) -> float:
        score: float = getattr(evaluation.attachment(), self.name)
        return score


class Evaluation:
    """Scores of a system's output, in percent.

    ``las``, ``uas``, ``label_accuracy``, ``exact_match`` and ``root_accuracy`` are means over all words, including
    punctuation, with full relations. They need the same words in both files. ``attachment`` returns them under other
    conventions. ``ud`` holds the official CoNLL 2018 scores, which align words by the text and compare relations
    without subtype. If one of the two is not defined for the given files, accessing it raises TreewrightError with the
    reason, and the table shows the reason.
    """

    def __init__(
        self,
        gold: str,
        system: str,
        official: OfficialCounts | TreewrightError,
        totals: AttachmentTotals | TreewrightError,
    ) -> None:
        self.gold, self.system = gold, system
        self._official, self._totals = official, totals

    @property
    def ud(self) -> Mapping[str, Score]:
        """The official scores by name: shared tasks rank by ``ud["LAS"].f1``."""
        if isinstance(self._official, TreewrightError):
            raise self._official
        return official_scores_of(self._official)

    def attachment(self, punctuation: str = "all", relation: str = "full", average: str = "micro") -> Attachment:
        """Return the word-by-word scores under one convention.

        ``punctuation`` selects the scored words: "all", without words whose gold UPOS is PUNCT ("upos"), or without
        words whose form is punctuation ("form", the rule of CoNLL-X). ``relation`` is "full" or "universal" (without
        subtype), ``average`` is "micro" (over words) or "macro" (over sentences).
        """
        if isinstance(self._totals, TreewrightError):
            raise self._totals
        return attachment_scores(self._totals, punctuation, relation, average)

    uas = _OverAllWords("uas", "The share of words with the correct head.")
    las = _OverAllWords("las", "The share of words with the correct head and the correct full relation.")
    label_accuracy = _OverAllWords("label_accuracy", "The share of words with the correct relation, whatever the head.")
    exact_match = _OverAllWords("exact_match", "The share of sentences with all heads and relations correct.")
    root_accuracy = _OverAllWords("root_accuracy", "The share of gold root words that are roots in the output.")

    def conventions(self) -> list[Attachment]:
        """Return the scores under every convention of punctuation, relation and average."""
        return [
            self.attachment(punctuation, relation, average)
            for average in ("micro", "macro")
            for relation in RELATION
            for punctuation in PUNCTUATION
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all scores for JSON; undefined scores are None, next to the reason."""
        result: dict[str, Any] = {"gold": self.gold, "system": self.system}
        if isinstance(self._totals, TreewrightError):
            result |= {"attachment": None, "attachment_refused": str(self._totals)}
        else:
            plain = self.attachment().to_dict()
            of_words, of_trees = ("uas", "las", "label_accuracy"), ("exact_match", "root_accuracy")
            result |= {name: plain[name] for name in ("convention", "words", "sentences", *of_words, *of_trees)}
            result["attachment"] = [scores.to_dict() for scores in self.conventions()]
        if isinstance(self._official, TreewrightError):
            result |= {"ud": None, "ud_refused": str(self._official)}
        else:
            result["ud"] = {name: score.to_dict() for name, score in self.ud.items()}
        return result

    def to_text(self, conventions: bool = False) -> str:
        """Return the scores as text: the headline, the official table; with ``conventions``, those before UD too."""
        lines = [f"gold    {self.gold or '(text)'}", f"system  {self.system or '(text)'}", "", self.headline, ""]
        lines.append(OFFICIAL_TITLE)
        if isinstance(self._official, TreewrightError):
            lines.append(f"not defined for these files: {self._official}")
        else:
            lines += table_lines(OFFICIAL_HEADER, self._official_rows())
        if conventions:
            lines += ["", *self._attachment_lines()]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    @property
    def headline(self) -> str:
        """The one line to quote: the LAS and UAS that training and cross-validation report too, and what they mean."""
        if isinstance(self._totals, TreewrightError):
            return (
                "LAS over all words is not defined, as the words differ: see the LAS of the table, F1 without subtypes"
                f" ({self._totals})"
            )
        plain = self.attachment()
        return f"LAS {plain.las:.2f}  UAS {plain.uas:.2f}  {HEADLINE_MEANS}, {plain.words:,} words"

    def _repr_html_(self) -> str:
        shown = f"<p><b>{self.headline}</b></p>"
        if isinstance(self._official, TreewrightError):
            return shown
        return shown + table(OFFICIAL_HEADER, self._official_rows(), OFFICIAL_TITLE)

    def _official_rows(self) -> list[tuple[str, float, float, float, float | None]]:
        return [
            (name, score.precision, score.recall, score.f1, score.aligned_accuracy)
            for name, score in self.ud.items()
            if name not in ("ELAS", "EULAS") or score.gold or score.system
        ]

    def _attachment_lines(self) -> list[str]:
        title = "Word by word (the conventions before UD)"
        if isinstance(self._totals, TreewrightError):
            return [title, f"not defined for these files: {self._totals}"]
        names = ("convention", "words", "uas", "las", "label_accuracy", "exact_match", "root_accuracy")
        header = ("Convention", "Words", "UAS", "LAS", "Label", "Exact", "Root")
        return [title, *table_lines(header, (attrgetter(*names)(scores) for scores in self.conventions()))]

    def __repr__(self) -> str:
        return f"<Evaluation of {self.system or 'text'} against {self.gold or 'text'}>"


def official_scores_of(counts: OfficialCounts) -> dict[str, Score]:
    """Return the scores by name, in the order of the official table."""
    scores = {}
    for name in METRICS:
        gold, system, correct, aligned = counts.counts_of(name)
        scores[name] = Score(gold, system, correct, None if name in _WITHOUT_ALIGNED else aligned)
    return scores


def official_scores(gold: Source, system: Source, *, multiple_roots: bool = False) -> dict[str, Score]:
    """Return only the official CoNLL 2018 scores; raise TreewrightError if they are not defined."""
    counts = OfficialCounts()
    try:
        for stretch in Stretches(gold, system, multiple_roots).by_text():
            _add_official(counts, stretch)
    except RejectedError as rejected:
        raise rejected.reason from None
    return official_scores_of(counts)


def evaluate(
    gold: Source, system: Source | Step, *, multiple_roots: bool = False, raw_text: bool = False
) -> Evaluation:
    """Score a system's output against the gold standard; a trained step as the system parses the gold words first.

    With ``raw_text`` it parses the text of the treebank: its own tokens and sentences count, too.

    Both are read once, in parallel; memory use does not grow with the files. With ``multiple_roots``, the official
    scores accept sentences with several roots, which they reject by default.
    """
    if isinstance(gold, Step):
        raise TreewrightError("the gold treebank comes first, then what is scored: evaluate(gold, parser)")
    if raw_text:
        return _from_raw_text(gold, system, multiple_roots)
    parser = None
    if isinstance(system, Step):
        words, parser = list(read_blocks(gold)), system
        gold, system = words, list(system.parse_blocks(words))
    stretches = Stretches(gold, system, multiple_roots)
    counts, totals, names = OfficialCounts(), AttachmentTotals(), Names()
    rejected: TreewrightError | None = None
    words_differ: TreewrightError | None = None
    try:
        for stretch in stretches.by_text():
            _add_official(counts, stretch)
            words_differ = words_differ or _add_words(totals, [stretch], names)
    except RejectedError as error:
        if words_differ is not None:
            raise error.reason from None
        rejected = error.reason
    if rejected is not None:
        words_differ = _add_words(totals, stretches.by_sentence(), names)
        if words_differ is not None:
            raise rejected
    name = stretches.system.name if parser is None else repr(parser)
    return Evaluation(stretches.gold.name, name, rejected or counts, words_differ or totals)


def _from_raw_text(gold: Source, system: Source | Step, multiple_roots: bool) -> Evaluation:
    """Let a pipeline parse the text of a treebank, and score it."""
    from treewright.kinds.pipeline.raw_text_scores import evaluate_raw_text

    if not isinstance(system, Step):
        raise TreewrightError("raw_text: a model parses the text, so give one: evaluate(gold, model, raw_text=True)")
    scores = evaluate_raw_text(list(read_blocks(gold)), system, multiple_roots=multiple_roots)
    scores.gold, scores.system = name_of(gold) or scores.gold, repr(system)
    return scores


def _add_official(counts: OfficialCounts, stretch: Stretch) -> None:
    counts.add(stretch.gold, stretch.gold_from, stretch.gold_to, stretch.system, stretch.system_from, stretch.system_to)


def _add_words(totals: AttachmentTotals, stretches: Iterable[Stretch], names: Names) -> TreewrightError | None:
    """Count words one by one; return the error if that is not possible."""
    try:
        for stretch in stretches:
            totals.add(stretch.compare(names))
    except TreewrightError as error:
        return error
    return None
