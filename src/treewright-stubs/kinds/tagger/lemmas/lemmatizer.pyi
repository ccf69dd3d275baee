from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from treewright.kinds.tagger.lexicon import KnownLemmas
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
    longest: int
    known: KnownLemmas | None
    def __init__(
        self,
        affixes: Sequence[Any],
        keys: array[int],
        rules: array[int],
        scorer: Scorer,
        known: KnownLemmas | None = None,
    ) -> None: ...
    def lemma(self, form: str, case: int, number: int) -> str: ...

def memory_keys(forms: Sequence[str], tags: TagSet, pairs: Iterable[tuple[int, int]]) -> array[int]: ...
def learn(lemmatizer: Lemmatizer, learner: Perceptron, tags: TagSet, examples: Iterable[tuple[Any, ...]]) -> int: ...
def guesses(lemmatizer: Lemmatizer, tags: TagSet, examples: Iterable[tuple[Any, ...]]) -> array[int]: ...
