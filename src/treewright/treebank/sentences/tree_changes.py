"""Check changes of heads, so that a tree stays a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token

WITHOUT_CHECK = 'word["HEAD"] = "…" writes any text'


def head_number(word: Token, value: int | Token | None) -> int | None:
    """Return the new head of a word as a number; reject one that the sentence lacks, and one that closes a cycle."""
    if not word.is_word and value is not None:
        raise TreewrightError(f"{word.id} {word.form!r} is no word of the tree: it has no head. Set those of words")
    if value is None:
        return None
    sentence = word.sentence
    number = _number(sentence, value)
    _check(len(sentence), int(word.id), number)
    node = number
    for _ in range(len(sentence)):  # another cycle, above, is not this word's
        if node == 0:
            break
        if node == word.id:
            raise TreewrightError(
                f"word {word.id} {word.form!r} cannot have the head {number}: {sentence[number - 1].form!r} is below it"
                " in the tree. Give that word another head first, or set all at once: sentence.heads = […]."
                f" {WITHOUT_CHECK}"
            )
        node = sentence[node - 1].head or 0
        if node > len(sentence):
            break
    return number


def set_heads(sentence: Sentence, values: Sequence[int | None]) -> None:
    """Set the heads of all words, checked together: in the sentence, and without a cycle."""
    from treewright.treebank.checks.checks import find_cycles  # most programs change no tree

    heads = list(values)
    if len(heads) != len(sentence):
        raise TreewrightError(f"{len(heads)} heads for {len(sentence)} words: give one for each word, or None")
    for place, head in enumerate(heads, 1):
        if head is not None:
            _check(len(heads), place, head)
    if cycles := find_cycles([head or 0 for head in heads]):
        raise TreewrightError(f"the heads form no tree: word {cycles[0][0]} is in a cycle")
    for word, head in zip(sentence, heads, strict=True):
        word["HEAD"] = "_" if head is None else str(int(head))


def _number(sentence: Sentence, value: int | Token) -> int:
    if isinstance(value, bool) or not (isinstance(value, int) or hasattr(value, "is_word")):
        raise TreewrightError(f"{value!r} is not a valid head. Use the ID of a word, a word, 0, or None")
    if isinstance(value, int):
        return value
    if value.sentence is not sentence or not value.is_word:
        problem = "a word of another sentence" if value.is_word else "no word of the tree"
        raise TreewrightError(f"{value.form!r} cannot be a head here: it is {problem}. Use a word of this sentence")
    return int(value.id)


def _check(n_words: int, place: int, head: int) -> None:
    if not 0 <= head <= n_words:
        raise TreewrightError(
            f"{head} is not a valid head of word {place}: the sentence has {n_words} words. Use the ID of a word, 0,"
            f" or None. {WITHOUT_CHECK}"
        )
    if head == place:
        raise TreewrightError(f"word {place} cannot be its own head. Use the ID of another word, 0, or None")
