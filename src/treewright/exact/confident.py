"""An exact parser that also says how sure it is: ``Confidence=0.973`` in MISC."""

from __future__ import annotations

from array import array

from treewright.exact.parser import ExactParser
from treewright.parsing.confident import NAME
from treewright.treebank.block import Block
from treewright.treebank.misc_values import with_misc_number


class ConfidentExactParser(ExactParser):
    """The trees of another parser, with the probability of each arc and its relation over all trees.

    Without grandparents it is exact (matrix-tree theorem), with them it comes from belief propagation.
    """

    def __init__(self, parser: ExactParser) -> None:
        self.__dict__.update(parser.__dict__)

    def parse_with_confidence(self, block: Block) -> tuple[Block, array[int], array[int], array[float]]:
        """Parse all sentences of a block: heads, relations and confidences, word by word."""
        block, heads, labels = self.parse_block(block)
        confidences = array("f", bytes(4 * block.n_words))
        decoder, advised = self._decoder(), self._with_adviser(block)
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            if words:
                decoder.load(advised, sentence, True)
                decoder.confidences([-1, *heads[words.start : words.stop]], confidences, words.start)
        self._decoders.append(decoder)
        return block, heads, labels, confidences

    def parse_text_block(self, block: Block) -> bytes:
        """Return the text of a block with HEAD, DEPREL and the confidence replaced, all else as it was."""
        block, heads, labels, confidences = self.parse_with_confidence(block)
        text = block.with_tree(heads, labels, self._relation_bytes)
        return with_misc_number(Block(text, block.layout, block.source, block.first_line), NAME, confidences)
