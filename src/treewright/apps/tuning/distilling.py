"""Distilling: a slow, accurate model parses raw text, and a fast parser learns from these trees and from gold ones.

The teacher may be anything that gives trees: a pipeline, a beam, an exact or a neural parser. The student is trained
as by ``train``, on one treebank made of both; only where its trees come from differs.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, TreewrightError
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.options.option import option, options_of
from treewright.recipes.catalogue import recipe_from
from treewright.steps.call import CONFIDENCE, PLAIN, TREES
from treewright.steps.parser import CONFIDENCE as IN_MISC
from treewright.steps.reader import blocks_of
from treewright.steps.step import Step
from treewright.training.gathering import Gathered, Sources, gather, name_of
from treewright.training.notebook_progress import usual_observer
from treewright.training.observer import TrainingObserver
from treewright.training.trainer import trainer_for
from treewright.treebank.blocks.block import Block
from treewright.treebank.sentences.in_memory import list_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.recipes.keywords import RecipeOptions

TOPIC = "what the teacher gives"


@dataclass(frozen=True)
class Lessons:
    """How much a student learns from its teacher, and how much from gold trees."""

    max_words: int = option(500_000, "words of raw text that the teacher parses, at most", TOPIC, 1, metavar="N")
    gold_share: float = option(
        0.5,
        "part of the words to learn from that have gold trees, at least: gold sentences are repeated as needed",
        TOPIC,
        0,
        0.99,
        metavar="X",
    )
    least_confidence: float = option(
        0.0, "leave out sentences with a mean confidence below this", TOPIC, 0, 1, metavar="X"
    )
    keep_steps: bool = option(False, "give the student the teacher's tokeniser and tagger", TOPIC)

    def check(self) -> None:
        """Reject values out of range."""
        for name, declared in options_of(Lessons).items():
            declared.check(getattr(self, name))

    def copies(self, gold: int, taught: int) -> int:
        """Return how often gold sentences are repeated, given the words of both."""
        return max(1, math.ceil(self.gold_share / (1 - self.gold_share) * taught / gold))


def distill(
    teacher: Step,
    texts: Sources,
    treebank: Sources,
    dev: Sources | None = None,
    *,
    lessons: Lessons | None = None,
    teacher_name: str = "",
    teacher_threads: int = 1,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    licence: str = "",
    description: str = "",
    **options: Unpack[RecipeOptions],
) -> Step:
    """Train a parser on gold trees and on those that a teacher gives raw text; ``options`` are those of ``train``.

    ``texts`` are raw text if the teacher is a pipeline, else treebank files with tags, whose trees are not looked at.
    """
    lessons = lessons or Lessons()
    lessons.check()
    recipe = recipe_from(dict(options))
    _check(teacher, recipe, lessons)
    strategy = trainer_for(recipe)
    if strategy.reads_graphs:
        raise CombinationError("a teacher gives trees, and this student learns graphs: choose another system")
    gold = gather(treebank, format, on_error, strategy.single_root)
    held_out = gather(dev, format, on_error, False) if dev is not None else None
    listener = observer or usual_observer()
    listener.begun("teacher", lessons.max_words)
    taught = gather(
        io.BytesIO(b"".join(taught_sentences(teacher, list_of(texts), lessons, teacher_threads, listener.advanced))),
        "conllu",
        "skip",
        strategy.single_root,
    )
    copies = lessons.copies(gold.n_words, taught.n_words)
    about: dict[str, Any] = {
        "licence": licence,
        "description": description,
        "taught_by": {
            **asdict(lessons),
            "name": teacher_name,
            "raw": " + ".join(name_of(source) for source in list_of(texts)),
            "sentences": taught.n_sentences,
            "words": taught.n_words,
            "gold_copies": copies,
        },
    }
    student: Step = strategy.run(_joined(gold, taught, copies), held_out, listener, about)
    return with_steps_of(teacher, student) if lessons.keep_steps else student


def _check(teacher: Step, recipe: object, lessons: Lessons) -> None:
    """Reject teachers and students that do not go together, before hours of work."""
    if TREES not in teacher.capabilities:
        raise CombinationError(f"the teacher gives no trees: {teacher.lacks[TREES]}")
    if lessons.least_confidence > 0 and CONFIDENCE not in teacher.capabilities:
        raise CombinationError(f"least_confidence: {teacher.lacks[CONFIDENCE]}")
    if isinstance(recipe, PipelineRecipe):
        raise CombinationError(
            "a student is a parser: leave --pipeline out. --keep-steps gives it the teacher's tokeniser and tagger"
        )
    if lessons.keep_steps and len(teacher.steps) < 2:
        raise CombinationError("the teacher has no tokeniser and no tagger to give: leave --keep-steps out")


def taught_sentences(
    teacher: Step, raw: Sequence[Any], lessons: Lessons, threads: int = 1, advanced: Callable[[int], None] | None = None
) -> Iterator[bytes]:
    """Yield the sentences that the teacher is sure enough of, as CoNLL-U, until there are words enough."""
    left = lessons.max_words
    sure = lessons.least_confidence
    options: dict[str, Any] = {"confidence": True} if sure > 0 else {}
    any_taught = False
    for source in raw:
        for block in teacher.parse_blocks(blocks_of(teacher, source, None, PLAIN), threads, **options):
            if block.layout.name != "conllu":
                raise TreewrightError(f"{name_of(source)}: raw material is text or CoNLL-U. Convert it first")
            for number in range(block.n_sentences):
                if left <= 0:
                    return
                words = len(block.words_of(number))
                left -= words
                any_taught = True
                if advanced is not None:
                    advanced(words)
                if sure <= 0 or mean_confidence(block, number) >= sure:
                    yield block.text_of(number)
    if not any_taught:
        raise TreewrightError(f"{', '.join(map(name_of, raw))}: no sentences to parse. Give raw text")


def mean_confidence(block: Block, sentence: int) -> float:
    """Return the mean confidence of a sentence's arcs, from MISC; 0 where there is none."""
    total, counted = 0.0, 0
    for word in block.words_of(sentence):
        for part in block.value(word, block.layout.misc).split(b"|"):
            name, _, value = part.partition(b"=")
            if name == IN_MISC:
                total += float(value)
                counted += 1
    return total / counted if counted else 0.0


def _joined(gold: Gathered, taught: Gathered, copies: int) -> Gathered:
    """Return one treebank to learn from."""
    name = f"{gold.name} + {taught.n_words:,} words of a teacher"
    notes = [*gold.notes, f"{taught.n_sentences:,} sentences of the teacher, gold ones {copies} times"]
    return Gathered(name, [*(copies * gold.blocks), *taught.blocks], notes)


def with_steps_of(teacher: Step, student: Step) -> Step:
    """Return the student behind its teacher's tokeniser and tagger: from raw text to trees."""
    from treewright.steps.pipeline import Pipeline

    steps = teacher.info.get("recipe", {})
    info = {**student.info, "recipe": {**steps, **student.info["recipe"], "pipeline": True}}
    return Pipeline({**teacher.steps, "parser": student}, info)
