"""The recipe of a language model: what it reads words by, what it guesses, and how long it learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.kinds.transition.moves import MOST_SEED
from treewright.options import topics
from treewright.options.option import count, option
from treewright.options.recipe import Recipe
from treewright.recipes.shared_options import seconds_in

PASSES = 3.0  # over the text, unless a recipe says how long it learns
PARTS = 20  # of a training: after each, the model is judged on text held out


@dataclass(frozen=True)
class LanguageModelRecipe(Recipe):
    """The recipe of a language model."""

    kind: ClassVar[str] = "language-model"
    whose: ClassVar[str] = "language models"
    kept: ClassVar[tuple[str, ...]] = ("hidden", "word_width", "ngram_width", "buckets", "vocabulary", "endings")

    hidden: int = count(256, "units of the LSTM, each way", topics.NEURAL, 8, 512)
    word_width: int = count(64, "numbers per word", topics.NEURAL, 1, 512)
    ngram_width: int = count(64, "numbers per piece of a word", topics.NEURAL, 1, 512)
    buckets: int = count(32768, "hashed pieces of words that are told apart", topics.NEURAL, 64, 1 << 20)
    vocabulary: int = count(25_000, "most frequent words, which are read and guessed", topics.NEURAL, 1, 1 << 20)
    endings: int = count(3000, "most frequent endings, guessed for rarer words", topics.NEURAL, 0, 1 << 16)
    negatives: int = count(512, "other words that a guess is compared with", topics.LEARNING, 1, 1 << 16)
    passes: float | None = option(None, "how often the text is read", topics.LEARNING, 1e-6, 1e6, usual=f"{PASSES:g}")
    steps: int | None = count(None, "steps of learning, instead of passes", topics.LEARNING, 1, usual="as passes say")
    time_limit: str = option(
        "",
        "learn for this time, such as 90s, 30m or 2h: the speed is measured, and the number of steps fixed by it",
        topics.LEARNING,
        metavar="TIME",
    )
    rate: float = option(0.003, "learning rate", topics.LEARNING, 1e-9, 1)
    batch_words: int = count(2048, "words learnt from at a time", topics.LEARNING, 8, 1 << 20)
    smoothing: float = option(
        0.995, "share of the averaged weights that stays at each step", topics.LEARNING, 0, 0.9999
    )
    threads: int = count(1, "threads that learn: 2 read both ways at once", topics.LEARNING, 1, 2)
    seed: int = option(1, "seed of the first weights and the order", topics.LEARNING, 0, MOST_SEED)

    @property
    def torch_threads(self) -> int:
        """The threads that PyTorch may use: one for each way, so that 1 and 2 threads give the same weights."""
        return 1

    def seconds(self) -> float | None:
        """Return None: the time limit is a number of steps when learning begins."""
        return None

    def widths(self) -> dict[str, int]:
        """Return how many numbers the network has for each of its inputs."""
        return {"words": self.word_width, "ngrams": self.ngram_width}

    def check_together(self) -> None:
        """Reject several answers to how long to learn."""
        given = [name for name in ("passes", "steps", "time_limit") if getattr(self, name)]
        if len(given) > 1:
            raise CombinationError(f"{' and '.join(given)} all say how long to learn: give one of them")
        self.limit()

    def limit(self) -> float | None:
        """Return the time limit in seconds."""
        return seconds_in(self.time_limit, "time_limit") if self.time_limit.strip() else None
