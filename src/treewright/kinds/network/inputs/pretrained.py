"""A pretrained encoder as an input of a finished network: its layers mixed, projected, and set beside the tables."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from treewright.errors import ModelFileError
from treewright.kinds.network.inputs.sentence_encoder import SentenceEncoder, encoder_in, place_of
from treewright.kinds.network.kernel.rows import Rows
from treewright.steps.model_file import ArrayData
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from torch import Tensor

NAME = "encoder"
LEARNT = f"{NAME}.learnt."


class PretrainedSettings(TypedDict):
    """What a model's header says of its encoder."""

    folder: str
    fingerprint: str
    layers: int


class PretrainedInput:
    """The encoder of a model, with the weights that the network has learnt for it."""

    def __init__(self, settings: PretrainedSettings, arrays: Mapping[str, ArrayData], width: int) -> None:
        self.layers = settings["layers"]
        place = place_of(str(settings["folder"]), str(settings["fingerprint"]))
        learnt = any(name.startswith(LEARNT) for name in arrays)
        self.encoder = _with_weights(place, arrays) if learnt else encoder_in(place)
        size = self.encoder.dimensions
        weights = _numbers(arrays, f"{NAME}.project.weight", "b")
        scales = _numbers(arrays, f"{NAME}.project.weight.scales", "f")
        mix, self.bias = _numbers(arrays, f"{NAME}.mix.bias", "f"), _numbers(arrays, f"{NAME}.project.bias", "f")
        shapes = len(weights), len(scales), len(mix), len(self.bias)
        if shapes != (width * size, width, self.layers, width):
            raise ModelFileError("the model is damaged: the weights of its encoder are not as large as they should be")
        self.mix = mix.softmax(0)
        self.weights = weights.view(width, size) * scales[:, None]

    def rows(self, block: Block, first: int, last: int) -> Rows:
        """Return the projected states of the sentences ``first`` to ``last`` of a block, each after its root's."""
        import torch

        sentences = sentences_of(block, first, last)
        root = torch.zeros(1, self.layers, self.encoder.dimensions)
        made = self.encoder.vectors(sentences, self.layers)
        states = torch.cat([part.float() for each in made for part in (root, each)])
        values = torch.einsum("l,rld->rd", self.mix, states) @ self.weights.T + self.bias
        return Rows((values * 2048).round().clamp(-32767, 32767).to(torch.int16).numpy())


def sentences_of(block: Block, first: int, last: int) -> list[list[str]]:
    """Return the forms of sentences."""
    form = block.layout.form
    return [
        [block.value(word, form).decode("utf-8", "replace") for word in block.words_of(number)]
        for number in range(first, last)
    ]


def _numbers(arrays: Mapping[str, ArrayData], name: str, code: str) -> Tensor:
    import torch

    values = array(code, bytes(memoryview(arrays[name]).cast("B")))
    return torch.tensor(values.tolist(), dtype=torch.float32)


def _with_weights(place: str, arrays: Mapping[str, ArrayData]) -> SentenceEncoder:
    """Return an encoder of its own, with the weights that a training has changed."""
    import torch

    encoder = SentenceEncoder(place)
    state = encoder.model.state_dict()
    for name, values in state.items():
        key = f"{LEARNT}{name}.bias"
        if key in arrays:
            floats = torch.frombuffer(bytearray(memoryview(arrays[key]).cast("B")), dtype=torch.float32)
            if floats.numel() != values.numel():
                raise ModelFileError("the model is damaged: the weights of its encoder do not fit")
            state[name] = floats.view(values.shape).to(values.dtype)
    encoder.model.load_state_dict(state)
    return encoder
