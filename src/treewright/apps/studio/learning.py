"""A parser trained on what has been annotated so far, in a second or two, and its score on a part that is held out."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from treewright.apps.studio.drafts import FORM, Draft
from treewright.apps.studio.suggesting import blanked, suggestions
from treewright.steps.step import Step

if TYPE_CHECKING:
    from treewright.recipes.keywords import RecipeOptions

Item = TypeVar("Item")
ONE_IN = 8  # annotated sentences are held out
LEAST_HELD_OUT = 5  # sentences, before the held-out part calibrates and scores
LEAST = 3  # sentences to learn from


class CurvePoint(NamedTuple):
    """A point of the learning curve."""

    sentences: int
    words: int
    held_out: int
    uas: float | None
    las: float | None
    seconds: float


def spread(items: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many of a sequence, evenly spread over it."""
    return [items[len(items) * n // most] for n in range(most)] if len(items) > most else list(items)


def is_held_out(text: str) -> bool:
    """Is a sentence for scoring, not for learning? By its words: it stays what it is when its tree changes."""
    forms = "\t".join(cells[FORM] for _, cells in Draft(text).words())
    return hashlib.blake2b(forms.encode("utf-8", "surrogateescape"), digest_size=4).digest()[0] % ONE_IN == 0


def learn(texts: Sequence[str], recipe: RecipeOptions | None = None) -> tuple[Step, CurvePoint] | None:
    """Train on annotated sentences; None where there are too few.

    With enough of them, one in eight is held out: it chooses the round, calibrates the confidences, and its score is
    the point of the learning curve.
    """
    from treewright.training.trainer import train

    held_out = [text for text in texts if is_held_out(text)]
    learnt = [text for text in texts if not is_held_out(text)]
    if len(held_out) < LEAST_HELD_OUT:
        learnt, held_out = list(texts), []
    if len(learnt) < LEAST:
        return None
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser = train(_joined(learnt), _joined(held_out) or None, on_error="skip", **(recipe or {}))
    uas, las = score(parser, held_out)
    words = sum(len(Draft(text).words()) for text in learnt)
    seconds = round(time.perf_counter() - start, 3)
    return parser, CurvePoint(len(learnt), words, len(held_out), uas, las, seconds)


def score(parser: Step, gold: Sequence[str]) -> tuple[float | None, float | None]:
    """Return the shares of words with the right head, and with the right head and relation; None without words."""
    right = labelled = words = 0
    for text, found in zip(gold, suggestions(parser, [blanked(text) for text in gold]), strict=True):
        for (_, cells), head, relation in zip(Draft(text).words(), found.heads, found.relations, strict=True):
            words += 1
            right += cells[6] == str(head)
            labelled += cells[6:8] == [str(head), relation]
    return (right / words, labelled / words) if words else (None, None)


def _joined(texts: Sequence[str]) -> bytes:
    return "".join(text.rstrip("\r\n") + "\n\n" for text in texts).encode("utf-8", "surrogateescape")
