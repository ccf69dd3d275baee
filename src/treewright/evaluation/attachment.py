"""Attachment scores before UD: the same words in both files, and a choice of conventions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from treewright.errors import TreewrightError
from treewright.evaluation.score import percent
from treewright.evaluation.tally import PUNCTUATION, RELATION, AttachmentTotals

Punctuation: TypeAlias = Literal["all", "upos", "form"]
Relation: TypeAlias = Literal["full", "universal"]
Average: TypeAlias = Literal["micro", "macro"]

AVERAGE = ("micro", "macro")

_WORDS = {
    "all": "all words",
    "upos": "without punctuation (UPOS PUNCT)",
    "form": "without punctuation (by form, CoNLL-X)",
}
_RELATIONS = {"full": "full relations", "universal": "relations without subtype"}
_AVERAGES = {"micro": "mean over words", "macro": "mean over sentences"}


@dataclass(frozen=True)
class Attachment:
    """Scores in percent under one convention.

    ``uas``, ``las`` and ``label_accuracy`` are shares of the scored words with the right head,
    the right head and relation, the right relation; the mean of these shares over sentences if
    ``average`` is macro. ``exact_match`` and ``unlabelled_exact_match`` are shares of sentences
    without a mistake, and ``root_accuracy`` is the share of gold root words that the system puts
    under the root, too.
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
        """What was scored and how, in words."""
        return ", ".join((_WORDS[self.punctuation], _RELATIONS[self.relation], _AVERAGES[self.average]))

    def to_dict(self) -> dict[str, str | int | float]:
        """Return all fields and the convention in words, for JSON."""
        return {"convention": self.convention, **asdict(self)}


def check_convention(punctuation: str = "all", relation: str = "full", average: str = "micro") -> None:
    """Refuse an unknown convention with the list of the known ones."""
    for name, value, known in (
        ("punctuation", punctuation, PUNCTUATION),
        ("relation", relation, RELATION),
        ("average", average, AVERAGE),
    ):
        if value not in known:
            raise TreewrightError(f"{name} is {value!r}. It can be {', '.join(known)}")


def attachment_scores(totals: AttachmentTotals, punctuation: str, relation: str, average: str) -> Attachment:
    """Return the scores of one convention from the counts of all."""
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
