"""Training a language model from raw text: parts of passes, each judged by how well text held out is guessed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from treewright.kinds.language_model.guesses import LEAST_SEEN, Guesses
from treewright.kinds.language_model.model import GUESSES, LanguageModel, LanguageModelSettings
from treewright.kinds.language_model.recipe import PARTS, PASSES, LanguageModelRecipe
from treewright.kinds.language_model.sentences import SentenceFile
from treewright.kinds.network.inputs.vocabulary import LISTED, Vocabulary
from treewright.kinds.network.network import vocabulary_arrays
from treewright.kinds.network.strategy import check_torch
from treewright.learners.estimator import Estimator
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, going_on_from

if TYPE_CHECKING:
    from treewright.kinds.language_model.batches import RawBatch, RawBatches
    from treewright.kinds.language_model.torch_model import LearningLanguageModel
    from treewright.kinds.network.learning.learning import Learning

TRIED = 30  # steps by which the speed is measured, after as many that are not
LONGEST_TRIAL = 0.05  # of the time limit
LEAST_LEARNING = 0.5  # of the time that is left: a limit of a minute or two is exceeded by judging


class LanguageModelStrategy(Strategy[TypedArrays, LanguageModel]):
    """Learns the weights of a language model."""

    step = "language model"
    recipe: LanguageModelRecipe
    learning: Learning
    rounds = PARTS

    def __init__(self, recipe: LanguageModelRecipe, base: LanguageModel | None = None) -> None:
        check_torch()
        if base is not None:
            recipe.check_goes_on(base.info.get("recipe", {}))
        self.recipe, self.base = replace(recipe, threads=1), base  # threads do not change the model
        self.threads, self.begun = recipe.threads, monotonic()

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Choose the words that are known, and make the network; where time is limited, measure how fast it learns."""
        from treewright.kinds.network.learning.learning import Learning

        assert isinstance(data, SentenceFile)
        recipe = self.recipe
        if self.base is not None:
            self.vocabulary, self.guesses = self.base.network.vocabulary, self.base.guesses
        else:
            words = [
                word for word, n in data.counts.most_common(recipe.vocabulary) if n >= LEAST_SEEN and "\n" not in word
            ]
            self.vocabulary = Vocabulary({**dict.fromkeys(LISTED, ()), "words": words}, recipe.buckets)
            self.guesses = Guesses.of(data.counts, words, recipe.endings, data.n_sentences)
        arrays = self.base.arrays if self.base is not None else None
        limit = recipe.limit()
        if limit is not None:
            steps = self._steps_in(limit, Learning(recipe, self._network, self._batches(data, 1), 1, arrays), data)
        else:
            steps = recipe.steps or math.ceil(
                (recipe.passes or PASSES) * (data.n_words + data.n_sentences) / recipe.batch_words
            )
        each = max(1, round(steps / PARTS))
        self.rounds = max(1, round(steps / each))
        self.recipe = replace(recipe, time_limit="", passes=None, steps=self.rounds * each)
        corpus = self._batches(data, each)
        self.held_out_lines, self.held_out = data.held_out, corpus.batch(data.held_out)
        self.learning = Learning(self.recipe, self._network, corpus, self.rounds, arrays)
        self.order = random.Random(recipe.seed)

    def _batches(self, data: SentenceFile, steps: int) -> RawBatches:
        from treewright.kinds.language_model.batches import RawBatches

        return RawBatches(data, self.vocabulary, self.guesses, self.recipe.batch_words, self.recipe.seed, steps)

    def _steps_in(self, limit: float, trial: Learning, data: SentenceFile) -> int:
        """Return how many steps there will be time for, by trying some that are then forgotten."""
        order = random.Random(self.recipe.seed)
        times = [monotonic()]
        while len(times) <= 2 * TRIED and times[-1] - times[0] < LONGEST_TRIAL * limit:
            trial.round(order, lambda _: None)
            times.append(monotonic())
        measured = times[len(times) // 2 :]
        if len(measured) < 2:
            measured = times
        each = (measured[-1] - measured[0]) / (len(measured) - 1)
        before = monotonic()
        _surprise(trial, self._batches(data, 1).batch(data.held_out))
        judging = PARTS * (monotonic() - before)
        left = limit - (monotonic() - self.begun)
        return max(1, int(max(left - judging, LEAST_LEARNING * left) / each))

    def _network(self) -> LearningLanguageModel:
        import torch

        from treewright.kinds.language_model.torch_model import LearningLanguageModel

        recipe, logs = self.recipe, torch.tensor(self.guesses.logs)
        sizes = self.vocabulary.sizes(), recipe.widths(), recipe.hidden
        return LearningLanguageModel(*sizes, logs, recipe.negatives, self.threads)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one part of the training; nothing is counted as wrong."""
        self.learning.round(self.order, advanced)
        return math.nan

    @property
    def n_features(self) -> int:
        """How many weights the network has."""
        return self.learning.n_weights

    @property
    def has_learnt(self) -> bool:
        """Has there been a step?"""
        return hasattr(self, "learning") and self.learning.steps > 0

    def weights(self) -> TypedArrays:
        """Return the averaged weights as a model keeps them."""
        guesses: TypedArrays = {
            f"{GUESSES}.endings": ("U8", "\n".join(self.guesses.endings).encode()),
            f"{GUESSES}.logs.bias": ("F32", self.guesses.logs),
        }
        return {**self.learning.arrays(), **guesses, **vocabulary_arrays(self.vocabulary)}

    def score(self, weights: TypedArrays) -> DevScore:
        """Return the perplexity of text held out, which the averaged weights have."""
        surprise, count = _surprise(self.learning, self.held_out)
        return DevScore(-surprise, {"perplexity": math.exp(surprise / count)})

    def finish(self, weights: TypedArrays, info: dict[str, Any]) -> LanguageModel:
        """Return the trained model."""
        recipe = self.recipe
        settings: LanguageModelSettings = {
            "widths": recipe.widths(),
            "hidden": recipe.hidden,
            "layers": 1,
            "buckets": recipe.buckets,
        }
        return LanguageModel(settings, {name: values for name, (_, values) in weights.items()}, info)


def _surprise(learning: Learning, batch: RawBatch) -> tuple[float, int]:
    """Return how much what is right surprises the averaged weights, and how many guesses there are."""
    from treewright.kinds.language_model.torch_model import LearningLanguageModel

    average = learning.average
    assert isinstance(average, LearningLanguageModel)
    average.eval()
    return average.surprise(batch.to(learning.device))


def strategy(
    recipe: LanguageModelRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> LanguageModelStrategy:
    """Return what trains a language model by a recipe, going on from another where one is given."""
    return LanguageModelStrategy(recipe, going_on_from(LanguageModel, base))


def pretrain(
    sentences: Iterable[Sequence[str]],
    name: str,
    recipe: LanguageModelRecipe,
    base: Step | None = None,
    observer: TrainingObserver | None = None,
    about: Callable[[], dict[str, Any]] = dict,
    notes: Callable[[], list[str]] = list,
) -> LanguageModel:
    """Learn a language model from sentences of words; ``about`` and ``notes`` say more of it, once they are read."""
    trainer = strategy(recipe, base)
    text = SentenceFile.of(name, sentences)
    text.notes += notes()
    held_out = Gathered(f"{name}, held out")
    return Training(trainer, text, held_out, observer).run(about())
