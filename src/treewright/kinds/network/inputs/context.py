"""A language model as an input of networks that learn: what it makes of a treebank's words does not change.

A finished network holds the encoder of the language model, and runs it as a part of its own (network.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from treewright.errors import CombinationError
from treewright.kinds.network.kernel.rows import Rows
from treewright.kinds.network.network import CONTEXT, ContextSettings, EncoderNetwork, EncoderSettings
from treewright.kinds.network.parser import LearntArrays, array_type
from treewright.steps.contract import TypedArrays
from treewright.steps.named_models import find_model
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block

KIND = "language-model"
AT_ONCE = 200  # sentences


class Context(NamedTuple):
    """The encoder of a language model, and what a model's header says of it."""

    encoder: EncoderNetwork
    settings: ContextSettings

    @classmethod
    def of(cls, path: str) -> Context:
        """Read a language model."""
        model = Step.load(find_model(path))
        if model.kind != KIND or not isinstance(model, LearntArrays):
            raise CombinationError(f"{path} is no language model. Make one of raw text with `treewright pretrain`")
        training = model.info.get("training", {})
        source = f"{training.get('name', path)}, {training.get('words', 0):,} words"
        settings = cast(EncoderSettings, model.settings)
        return cls(EncoderNetwork(settings, model.arrays), {**settings, "source": source})

    def states(self, blocks: Sequence[Block]) -> Iterator[Rows]:
        """Yield a row of numbers for each word of a treebank, and for each root."""
        for block in blocks:
            for first in range(0, block.n_sentences, AT_ONCE):
                yield self.encoder.read(block, first, min(first + AT_ONCE, block.n_sentences)).rows

    def kept(self) -> TypedArrays:
        """Return the arrays of the encoder as a network keeps them beside its own."""
        names = [name for name in self.encoder.arrays if not name.startswith("guesses.")]
        return {f"{CONTEXT}.{name}": (array_type(name), self.encoder.arrays[name]) for name in names}
