"""Steps that find trees or graphs."""

from __future__ import annotations

from treewright.steps.call import Call
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block


class Parser(Step):
    """A step that finds trees or graphs."""


class TreeParser(Parser):
    """A parser whose result is a tree for every sentence, or several."""

    gives = ("HEAD", "DEPREL")

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with HEAD and DEPREL replaced, all else as it was."""
        if call.k_best is None:
            return self.trees(block, call).text(self.relations)
        from treewright.steps.best_trees import k_best_text

        return b"".join(
            k_best_text(block, number, self.best_trees(block, number, call), self.relations)
            for number in range(block.n_sentences)
        )
