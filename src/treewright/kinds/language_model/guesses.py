"""What a language model guesses: the frequent words, and the ends of sentences; of rarer words, their endings."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from treewright.errors import ModelFileError
from treewright.kinds.network.inputs.remembered import Remembered
from treewright.kinds.network.inputs.vocabulary import FIRST, UNKNOWN

LONGEST_ENDING = 4  # characters
LEAST_SEEN = 2


class Guesses:
    """The numbers of what is guessed: 0 a word that is not told apart, 1 the end of the sentence, words, endings."""

    def __init__(self, words: Sequence[str], endings: Sequence[str], logs: array[float]) -> None:
        self.endings, self.logs = list(endings), logs
        self._words = {word: number for number, word in enumerate(words, FIRST)}
        self._endings = {ending: number for number, ending in enumerate(endings, FIRST + len(self._words))}
        self.numbers: Remembered[bytes, int] = Remembered(self._number)
        if len(logs) != len(self):
            raise ModelFileError("the model is damaged: its words and their frequencies do not fit each other")

    def __len__(self) -> int:
        return FIRST + len(self._words) + len(self._endings)

    @classmethod
    def of(cls, counts: Mapping[str, int], words: Sequence[str], most_endings: int, sentences: int) -> Guesses:
        """Return what to guess: these words, and the most frequent endings of others."""
        known, endings = set(words), Counter[str]()
        for word, count in counts.items():
            if word not in known:
                for ending in _endings_of(word):
                    endings[ending] += count
        kept = [ending for ending, count in endings.most_common(most_endings) if count >= LEAST_SEEN]
        made = cls(words, kept, array("f", bytes(4 * (FIRST + len(known) + len(kept)))))
        seen = Counter(dict.fromkeys(range(len(made)), 1))
        seen[1] += sentences
        for word, count in counts.items():
            seen[made.numbers[word.encode("utf-8", "replace")]] += count
        total = log(sum(seen.values()))
        made.logs = array("f", (log(seen[number]) - total for number in range(len(made))))
        return made

    def _number(self, form: bytes) -> int:
        word = form.decode("utf-8", "replace").lower()
        number = self._words.get(word)
        if number is not None:
            return number
        return next((self._endings[ending] for ending in _endings_of(word) if ending in self._endings), UNKNOWN)


def _endings_of(word: str) -> list[str]:
    """Return the endings of a word, the longest first."""
    return [word[-length:] for length in range(min(LONGEST_ENDING, len(word) - 1), 0, -1)]
