"""Between the weights that PyTorch learns and those that a model keeps: eight bits a weight, one scale a row."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import torch
from torch import Tensor

from treewright.kinds.network.learning.torch_network import LearningEncoder
from treewright.kinds.network.network import Weights
from treewright.steps.contract import TypedArrays

MOST = 127  # the largest weight in eight bits
SCALES = ".scales"  # ends the name of the scales of an array's rows
_LAYERS = "layers."


def kept_weights(network: LearningEncoder) -> dict[str, Tensor]:
    """Return the weights of a network by the names that a model has for them."""
    return {_kept_name(name): values.detach() for name, values in network.state_dict().items()}


def _kept_name(name: str) -> str:
    """Return the name that a model has for weights: ``layers.0.input`` is kept as ``layer0.input``."""
    return f"layer{name[len(_LAYERS) :]}" if name.startswith(_LAYERS) else name


def quantised(weights: Mapping[str, Tensor]) -> TypedArrays:
    """Return the arrays of a model; matrices get rows of eight-bit weights, vectors stay as they are."""
    arrays: TypedArrays = {}
    for name, values in weights.items():
        if values.dim() == 1:
            arrays[name] = "F32", _floats(values)
            continue
        scales = values.abs().amax(1).clamp(min=1e-12) / MOST
        rounded = (values / scales[:, None]).round().clamp(-MOST, MOST).to(torch.int8)
        arrays[name] = "I8", array("b", rounded.contiguous().numpy().tobytes())
        arrays[name + SCALES] = "F32", _floats(scales)
    return arrays


def restore(network: LearningEncoder, arrays: Weights) -> None:
    """Set the weights of a network to those of a model; classes that the model lacks keep their own weights."""
    with torch.no_grad():
        for name, values in kept_weights(network).items():
            floats = torch.tensor(
                memoryview(arrays[name + SCALES if name + SCALES in arrays else name]).cast("B").cast("f")
            )
            if name + SCALES in arrays:
                bytes_ = torch.tensor(memoryview(arrays[name]).cast("B").cast("b"), dtype=torch.float32)
                floats = bytes_.view(len(floats), -1) * floats[:, None]
            values[: len(floats)] = floats


def _floats(values: Tensor) -> array[float]:
    return array("f", values.float().contiguous().numpy().tobytes())
