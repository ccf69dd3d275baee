"""A trained parser that also says how sure it is: ``Confidence=0.973`` in MISC."""

from __future__ import annotations

import warnings
from array import array

from treewright.errors import TreewrightWarning
from treewright.parsing.confidence import ConfidentParser
from treewright.parsing.transition import TransitionParser
from treewright.treebank.block import Block
from treewright.treebank.misc_values import with_misc_number

NAME = b"Confidence"


class ConfidentTransitionParser(TransitionParser):
    """The trees of another parser, with the confidence of the move that made each arc.

    Words that no move gave a head, which are attached when the parse is over, get no confidence.
    """

    def __init__(self, parser: TransitionParser) -> None:
        self.__dict__.update(parser.__dict__)
        self.confident = ConfidentParser(self.engine, self.settings.get("confidence"))
        if "confidence" not in self.settings:
            warnings.warn(
                "the model was trained without a dev set to calibrate it on: its confidences rank arcs, and are no"
                " probabilities. Train with --dev",
                TreewrightWarning,
                stacklevel=3,
            )

    def parse_with_confidence(self, block: Block) -> tuple[Block, array[int], array[int], array[float]]:
        """Parse all sentences of a block: heads, relations and confidences, word by word; NaN where there is none."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        confidences = array("f", bytes(4 * block.n_words))
        self.confident.parse_block(block, heads, labels, confidences, self.engine.new_scratch())
        self._raise_failure()
        return block, heads, labels, confidences

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations."""
        return self.parse_with_confidence(block)[:3]

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with HEAD, DEPREL and the confidence replaced, all else as it was."""
        block, heads, labels, confidences = self.parse_with_confidence(block)
        text = block.with_tree(heads, labels, self._relation_bytes)
        return with_misc_number(Block(text, block.layout, block.source, block.first_line), NAME, confidences)


class BeamConfidentParser(TransitionParser):
    """The trees of a beam, with the share of its mass that agrees with each arc, relation included."""

    def __init__(self, parser: TransitionParser) -> None:
        self.__dict__.update(parser.__dict__)

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with HEAD, DEPREL and the confidence replaced, all else as it was."""
        from treewright.parsing.beam import BeamParser

        assert isinstance(self.engine, BeamParser)
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        confidences = array("f", bytes(4 * block.n_words))
        self.engine.parse_block(block, heads, labels, self.engine.new_scratch(), confidences)
        text = block.with_tree(heads, labels, self._relation_bytes)
        return with_misc_number(Block(text, block.layout, block.source, block.first_line), NAME, confidences)
