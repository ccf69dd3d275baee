"""Attachment scores older than UD: the same words in both files, and a choice of conventions."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from treewright.errors import TreewrightError, unknown
from treewright.evaluation.comparison import FLAGS
from treewright.evaluation.score import percent
from treewright.evaluation.tally import PUNCTUATION, RELATION, AttachmentTotals, left_out_flag, right_flags

AVERAGE = ("micro", "macro")

_WORDS = {
    "all": "all words",
    "upos": "without punctuation (UPOS PUNCT)",
    "form": "without punctuation (by form, CoNLL-X)",
}
_RELATIONS = {"full": "full relations", "universal": "relations without subtype"}
_AVERAGES = {"micro": "mean over words", "macro": "mean over sentences"}


@dataclass(frozen=True)
class Convention:
    """Which words are scored and what makes a word correct, as flags of a comparison."""

    metric: str
    punctuation: str
    relation: str

    @property
    def ignored_flags(self) -> int:
        """The flags of the words that are not scored."""
        return left_out_flag(self.punctuation) | FLAGS["outside"]

    @property
    def right_flags(self) -> int:
        """The flags of a correct word."""
        return FLAGS["head"] if self.metric == "uas" else right_flags(self.relation)

    @property
    def label_flags(self) -> int:
        """The flag of a word with the correct relation."""
        return right_flags(self.relation) & ~FLAGS["head"]


@dataclass(frozen=True)
class Attachment:
    """Scores in percent under one convention.

    ``uas``, ``las`` and ``label_accuracy`` are the shares of scored words with the correct head, head and relation, or
    relation; if ``average`` is macro, the mean of these shares over sentences. ``exact_match`` and
    ``unlabelled_exact_match`` are the shares of sentences without errors. ``root_accuracy`` is the share of gold root
    words that are also roots in the system's output.
    """

    punctuation: str
    relation: str
    average: str
    words: int
    sentences: int
    uas: float
    las: float
    label_accuracy: float
    exact_match: float
    unlabelled_exact_match: float
    root_accuracy: float

    @property
    def convention(self) -> str:
        """A description of the convention."""
        return ", ".join((_WORDS[self.punctuation], _RELATIONS[self.relation], _AVERAGES[self.average]))

    def to_dict(self) -> dict[str, str | int | float]:
        """Return all fields and the description of the convention, for JSON."""
        return {"convention": self.convention, **asdict(self)}


def check_convention(punctuation: str = "all", relation: str = "full", average: str = "micro") -> None:
    """Reject an unknown convention; the error lists the known ones."""
    for name, value, known in (
        ("punctuation", punctuation, PUNCTUATION),
        ("relation", relation, RELATION),
        ("average", average, AVERAGE),
    ):
        if value not in known:
            raise TreewrightError(unknown(name, value, known))


def attachment_scores(totals: AttachmentTotals, punctuation: str, relation: str, average: str) -> Attachment:
    """Return the scores of one convention, given the counts of all."""
    check_convention(punctuation, relation, average)
    count = totals.totals_of(punctuation, relation)
    words, sentences = int(count["words"]), int(count["sentences"])
    micro = average == "micro"

    def mean(name: str) -> float:
        return percent(count[name], words) if micro else percent(count[f"{name}_mean"], sentences)

    return Attachment(
        punctuation=punctuation,
        relation=relation,
        average=average,
        words=words,
        sentences=sentences,
        uas=mean("heads"),
        las=mean("both"),
        label_accuracy=mean("labels"),
        exact_match=percent(count["complete"], sentences),
        unlabelled_exact_match=percent(count["heads_complete"], sentences),
        root_accuracy=percent(count["roots_right"], count["roots"]),
    )
