from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.lexicon import KnownLemmas, Lexicon
from treewright.kinds.tagger.tags import TagSet
from treewright.learners.learner import Scorer
from treewright.learners.perceptron import Perceptron

class Lemmatizer:
    affixes: list[Any]
    keys: array[int]
    rules: array[int]
    scorer: Scorer
    n_affixes: int
    n_guessed: int
    n_known: int
    sure: float
    longest: int
    known: KnownLemmas | None
    endings: array[int] | None
    times: array[int] | None
    def __init__(
        self,
        affixes: Sequence[Any],
        keys: array[int],
        rules: array[int],
        scorer: Scorer,
        known: KnownLemmas | None = None,
        endings: array[int] | None = None,
        times: array[int] | None = None,
        lexicon: Lexicon | None = None,
        clusters: WordClusters | None = None,
    ) -> None: ...
    def lemma(self, form: str, case: int, number: int) -> str: ...

def memory_keys(
    forms: Sequence[str], tags: TagSet, pairs: Iterable[tuple[int, int]]
) -> tuple[array[int], array[int]]: ...
def ending_keys(lemmatizer: Lemmatizer, examples: Iterable[tuple[Any, ...]]) -> array[int]: ...
def like_keys(
    lemmatizer: Lemmatizer, tags: TagSet, examples: Iterable[tuple[Any, ...]]
) -> list[list[tuple[int, int]]]: ...
def learn(lemmatizer: Lemmatizer, learner: Perceptron, tags: TagSet, examples: Iterable[tuple[Any, ...]]) -> int: ...
def guesses(lemmatizer: Lemmatizer, tags: TagSet, examples: Iterable[tuple[Any, ...]]) -> array[int]: ...
def remembered(lemmatizer: Lemmatizer, tags: TagSet, examples: Iterable[tuple[Any, ...]]) -> array[int]: ...
