"""The trees of an adviser as input of an exact parser; ``adviser`` trains one, and parsing does not need that."""

from __future__ import annotations

from treewright.kinds.transition.parser import TransitionParser
from treewright.treebank.blocks.block import Block


def with_advice(adviser: TransitionParser, block: Block) -> Block:
    """Return a block with the adviser's trees in it."""
    text = adviser.trees(block).text(adviser.relation_bytes)
    return Block(text, block.layout, block.source, block.first_line)
