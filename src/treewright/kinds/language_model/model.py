"""A language model: what it makes of words in their sentences is an input of other networks."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from treewright.kinds.language_model.guesses import Guesses
from treewright.kinds.network.network import EncoderNetwork, EncoderSettings, Weights
from treewright.kinds.network.parser import LearntArrays
from treewright.steps.call import CAPABILITIES, Call
from treewright.treebank.blocks.aligned import numbers_in
from treewright.treebank.blocks.block import Block

LanguageModelSettings: TypeAlias = EncoderSettings
GUESSES = "guesses"
NOTHING_TO_PARSE = (
    "a language model finds nothing in a text by itself. Train a parser that looks at it: train --pretrained MODEL"
)


class LanguageModel(LearntArrays):
    """An encoder that has learnt from raw text which words stand beside which."""

    kind = "language-model"
    role = "language model"
    _LACKS: ClassVar[Mapping[str, str]] = dict.fromkeys(CAPABILITIES, NOTHING_TO_PARSE)

    def __init__(self, settings: LanguageModelSettings, arrays: Weights, info: dict[str, Any]) -> None:
        super().__init__(dict(settings), info)
        self.network, self.arrays = EncoderNetwork(settings, arrays), arrays
        text = bytes(arrays[f"{GUESSES}.endings"]).decode()
        logs = array("f", numbers_in(arrays[f"{GUESSES}.logs.bias"], "f"))
        self.guesses = Guesses(self.network.vocabulary.lists["words"], text.split("\n") if text else [], logs)

    def annotate(self, block: Block, call: Call) -> bytes:
        """Refuse: there is nothing to write."""
        raise self._refusal("trees")

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        words = len(self.network.vocabulary.lists["words"])
        return {"units": self.settings["hidden"], "words": words, "endings": len(self.guesses.endings)}
