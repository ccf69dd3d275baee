"""spaCy's ``noun_chunks`` for trees with the relations of Universal Dependencies.

spaCy's own iterators expect the relations of its own models: in English these have no ``obj`` and ``obl``. Here a chunk
is a noun, proper noun or pronoun with what directly belongs to it: determiners, adjectives, numbers and possessors
before it, adjectives and parts of its name behind it. Prepositions, clauses and further nouns stay outside, and no
chunk lies within another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from treewright.errors import CombinationError
from treewright.treebank.checks.ud_checks import RELATIONS

NOMINAL_TAGS = frozenset(("NOUN", "PROPN", "PRON"))
NOMINAL_RELATIONS = frozenset(("nsubj", "obj", "iobj", "obl", "nmod", "appos", "vocative", "dislocated"))
#: a nominal word with one of these relations is part of something else
PARTS = frozenset(("compound", "flat", "fixed", "goeswith", "det", "case", "mark", "cc", "expl", "punct", "reparandum"))
BEFORE = frozenset(("det", "amod", "nummod", "compound", "flat", "clf", "goeswith"))
BEHIND = frozenset(("amod", "nummod", "compound", "flat", "fixed", "goeswith", "det", "clf"))
POSSESSORS = frozenset(("nmod:poss", "det:poss"))

Chunks = Callable[[Any], Iterator[tuple[int, int, int]]]


def noun_chunks_for(relations: list[str]) -> Chunks:
    """Return the iterator for a model with these relations; without UD's, one that explains itself."""
    bases = {relation.partition(":")[0].encode() for relation in relations}
    return ud_noun_chunks if 2 * len(bases & RELATIONS) > len(bases) else _no_chunks


def ud_noun_chunks(doclike: Any) -> Iterator[tuple[int, int, int]]:
    """Yield (first token, after the last, label) of the noun chunks of a Doc or Span."""
    doc = doclike.doc
    label = doc.vocab.strings.add("NP")
    tagged = doc.has_annotation("POS")
    spans = [_span(token) for token in doclike if _is_nominal(token, tagged)]
    spans.sort(key=lambda span: (span[0], -span[1]))
    end = -1
    for first, last in spans:
        if first > end:
            end = last
            yield first, last + 1, label


def _no_chunks(doclike: Any) -> Iterator[tuple[int, int, int]]:
    raise CombinationError(
        "noun_chunks needs the relations of Universal Dependencies, and this model was trained with others"
    )


def _is_nominal(token: Any, tagged: bool) -> bool:
    relation = token.dep_.partition(":")[0]
    if relation in PARTS or token.is_space:
        return False
    return token.pos_ in NOMINAL_TAGS if tagged else relation in NOMINAL_RELATIONS


def _span(token: Any) -> tuple[int, int]:
    """Return the first and last token of the chunk of a noun: neighbours only, from the noun outwards."""
    first = last = token.i
    for child in reversed(list(token.lefts)):
        fits = child.dep_.partition(":")[0] in BEFORE or child.dep_ in POSSESSORS
        if not fits or child.right_edge.i + 1 != first:
            break
        first = child.left_edge.i
    for child in token.rights:
        if child.dep_.partition(":")[0] not in BEHIND or child.left_edge.i != last + 1:
            break
        last = child.i
    return first, last
