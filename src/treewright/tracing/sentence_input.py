"""What a user gives to be traced: words, CoNLL-U, a Sentence; with or without its gold tree."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.treebank.sentence import Sentence

if TYPE_CHECKING:
    from treewright.parsing.parser import Parser


@dataclass(frozen=True)
class Given:
    """A sentence and, if it is known, its gold tree."""

    sentence: Sentence
    heads: list[int] | None
    relations: list[str] | None

    @property
    def words(self) -> list[str]:
        """The forms."""
        return [_clean(word.form) for word in self.sentence]

    @property
    def tags(self) -> list[str]:
        """The parts of speech, '' where there are none."""
        return ["" if word.upos in (None, "_") else _clean(str(word.upos)) for word in self.sentence]


def understand(
    sentence: Sentence | Sequence[str] | str,
    heads: Sequence[int] | None = None,
    relations: Sequence[str] | None = None,
) -> Given:
    """Take a Sentence, CoNLL-U text, a text of words with spaces between them, or a list of words."""
    if isinstance(sentence, str):
        if "\t" in sentence:
            sentence = Sentence.from_conllu(sentence if sentence.endswith("\n") else sentence + "\n\n")
        else:
            sentence = Sentence.from_words(sentence.split())
    elif not isinstance(sentence, Sentence):
        sentence = Sentence.from_words(list(sentence))
    if not len(sentence):
        raise TreewrightError("a sentence without words has nothing to trace")
    if heads is None and all(head is not None for head in sentence.heads):
        heads = [head for head in sentence.heads if head is not None]
        relations = relations or [word.deprel for word in sentence]
    if heads is None:
        if relations is not None:
            raise CombinationError("relations without heads say nothing: give the heads too")
        return Given(sentence, None, None)
    _check(len(sentence), heads, relations)
    return Given(sentence, list(heads), None if relations is None else [r or "_" for r in relations])


def _check(n: int, heads: Sequence[int], relations: Sequence[str] | None) -> None:
    if len(heads) != n or (relations is not None and len(relations) != n):
        raise CombinationError(f"{n} words need {n} heads, and {n} relations if any are given")
    for word, head in enumerate(heads, 1):
        if not 0 <= head <= n:
            raise TreebankError(f"word {word} has the head {head}, and there are {n} words")
        seen, node = set(), word
        while node:
            if node in seen:
                raise TreebankError(f"the gold tree is none: word {word} does not lead to the root")
            seen.add(node)
            node = heads[node - 1]


def _clean(text: str) -> str:
    """Replace bytes that are no UTF-8: a trace is for people, and JSON cannot hold them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def as_learnt(given: Given, parser: Parser) -> Given:
    """Return the gold tree as the model has learnt trees: lifted if it is not projective, and labelled so."""
    scheme = parser.settings["lifting"]
    if given.heads is None or parser.info.get("recipe", {}).get("lifting") == "none":
        return given
    from treewright.treebank.interner import Interner
    from treewright.treebank.lifted_labels import LiftedLabel, decode, encode
    from treewright.treebank.lifting import projectivize

    relations = given.relations or ["_"] * len(given.heads)
    interner = Interner(list(dict.fromkeys(relations)))
    heads, labels = array("i", given.heads), array("i", [interner.strings.index(relation) for relation in relations])
    projectivize(heads, labels, array("i", [0, len(heads)]), interner, scheme)
    known = set(parser.settings["relations"])
    names = [interner.strings[label] for label in labels]
    # Labels that were too rare to be learnt were learnt as their plain relations.
    plain = [name if name in known else encode(LiftedLabel(decode(name, scheme).base)) for name in names]
    return replace(given, heads=list(heads), relations=plain)
