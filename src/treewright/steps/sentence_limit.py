"""The longest sentences of parsers that compare all pairs of words: their memory grows with the square.

Transition parsers have no such limit. The longest sentence of Universal Dependencies has about 1,400 words.
"""

from __future__ import annotations

from treewright.errors import TreebankError
from treewright.treebank.blocks.block import Block

MOST_WORDS = 5000  # about 1 GB
MOST_WITH_GRANDPARENTS = 2000  # the same


def check_sentences(block: Block, most: int = MOST_WORDS) -> None:
    """Reject a block with a sentence that is too long, before any memory is taken for it."""
    if block.n_words <= most:
        return
    for sentence in range(block.n_sentences):
        if len(block.words_of(sentence)) > most:
            raise TreebankError(
                f"a sentence of {len(block.words_of(sentence)):,} words. This kind of parser compares all pairs of"
                f" words, and takes sentences of up to {most:,} words",
                source=block.source,
                line=block.line_of(sentence),
                sent_id=block.sent_id(sentence),
                remedy="Split the sentence, or use a transition parser (--system arc-eager)",
            )
