"""The enhanced graph of a parse on spaCy's tokens: ``token._.deps`` lists the heads of a token, each with its relation.

As with ``token.head``, the head of a root is the token itself. spaCy has no empty nodes: an arc through one keeps the
path in its relation (``conj>obj``). A token that stands for several words has the arcs that reach any of them from
other tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc, Token

from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import sentence_graphs

STORED = "treewright_deps"  # positions in place of tokens, so that a Doc can be written


def set_graphs(doc: Doc, sentences: Sequence[Sequence[int]], block: Block, sizes: Sequence[Sequence[int]]) -> None:
    """Store the arcs of the graphs that a block has in DEPS; ``sizes``: how many words each token has."""
    for places, widths, graph in zip(sentences, sizes, sentence_graphs(block), strict=True):
        of_word = [place for place, width in zip(places, widths, strict=True) for _ in range(width)]
        found: dict[int, list[tuple[int, str]]] = {}
        for place, arcs in zip(of_word, graph, strict=True):
            for head, relation in arcs:
                arc = (of_word[head - 1] if head else place), relation
                if head == 0 or arc[0] != place:
                    found.setdefault(place, []).append(arc)
        for place, pairs in found.items():
            doc[place]._.set(STORED, list(dict.fromkeys(pairs)))


def _deps(token: Token) -> list[tuple[Token, str]]:
    return [(token.doc[place], relation) for place, relation in token._.get(STORED)]


if not Token.has_extension(STORED):
    Token.set_extension(STORED, default=[])
if not Token.has_extension("deps"):
    Token.set_extension("deps", getter=_deps)
