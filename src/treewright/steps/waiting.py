"""A step of a pipeline that waits: it was checked when its model was loaded, and is made when it is first needed.

A treebank with tags needs neither tokeniser nor tagger, which take longer to make than the parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from treewright.errors import MissingExtraError, ModelFileError
from treewright.steps.blocks import lacks_tags
from treewright.steps.border.schema import FAULTS
from treewright.steps.call import PLAIN, TAGS, all_but

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.contract import Arrays, Header
    from treewright.steps.familiarity import Familiarity
    from treewright.steps.kinds import Kind
    from treewright.steps.step import Step
    from treewright.treebank.blocks.block import Block


class Waiting:
    """A step that does one thing (``Kind.does``), and is not made yet. Threads that need it at once may all make it."""

    def __init__(self, kind: Kind, header: Header, arrays: Arrays) -> None:
        self.kind, self.header, self.arrays = kind, header, arrays
        self.lacks: Mapping[str, str] = all_but(kind.does, "")
        self._step: Step | None = None

    def _applies(self, block: Block, call: Call) -> bool:
        """Is there anything to do for the step in a block, which has its words already?"""
        return self.kind.does == TAGS and lacks_tags(block, call.tag)

    def _familiarity(self, block: Block) -> Familiarity | None:
        """Return how much of a block the step knows; it is made for that only if the block needs it anyway."""
        if self._step is not None or self._applies(block, PLAIN):
            return self.made()._familiarity(block)
        if not self.kind.knows:
            return None
        known: Familiarity = self.kind.named(self.kind.knows)(self.header, self.arrays, block)
        return known

    def made(self) -> Step:
        """Return the step itself."""
        if self._step is None:
            try:
                self._step = self.kind.made(self.header, self.arrays)
            except MissingExtraError:
                raise
            except FAULTS as error:
                reason = str(error) or type(error).__name__
                raise ModelFileError(f"the model's {self.kind.step} cannot be made: {reason}") from None
        return self._step
