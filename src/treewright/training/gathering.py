"""A treebank for training: read whole, checked, then fixed or filtered as the user chose."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from treewright.errors import TreebankError
from treewright.treebank.block import Block
from treewright.treebank.checks import is_filled
from treewright.treebank.fixing import apply_policy
from treewright.treebank.reading import read_blocks
from treewright.treebank.source import Source
from treewright.treebank.validation import check_block


@dataclass
class Gathered:
    """The blocks of a treebank that can be trained on, and what had to be done for it."""

    name: str
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def filled(self, columns: Iterable[str]) -> list[str]:
        """Return those of the columns that hold anything."""
        return [
            column
            for column in columns
            if any(
                (place := block.layout.index(column)) >= 0 and is_filled(block, place)
                for block in self.blocks
                if block.n_words
            )
        ]


def gather(source: Source, format: str | None, on_error: str, single_root: bool) -> Gathered:
    """Read a treebank with trees; problems are raised, skipped or fixed."""
    name = os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else "data"
    data = Gathered(name)
    fixed = skipped = 0
    for block in read_blocks(source, format):
        outcome = apply_policy(block, check_block(block, single_root=single_root), on_error)
        fixed, skipped = fixed + outcome.fixed, skipped + outcome.skipped
        if outcome.block.n_sentences:
            data.blocks.append(outcome.block)
    if fixed:
        data.notes.append(f"{fixed:,} sentences fixed")
    if skipped:
        data.notes.append(f"{skipped:,} sentences left out")
    if not any(block.n_words for block in data.blocks):
        raise TreebankError(
            "no sentences to learn from",
            source=str(source) if isinstance(source, (str, os.PathLike)) else "",
            remedy="Training needs a treebank: sentences with HEAD and DEPREL",
        )
    return data
