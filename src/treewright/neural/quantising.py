"""Between the weights that PyTorch learns and those that a model keeps: eight bits a weight, one scale a row."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import torch
from torch import Tensor

from treewright.neural.network import Weights
from treewright.neural.torch_network import LearningEncoder
from treewright.parsing.parser import TypedArrays

MOST = 127  # the largest weight in eight bits
SCALES = ".scales"  # ends the name of the scales of an array's rows
_DIRECTIONS = ("_l0", "_l0_reverse")  # how PyTorch names the weights of a BiLSTM layer's two directions


def kept_weights(network: LearningEncoder) -> dict[str, Tensor]:
    """Return the weights of a network by the names that a model has for them; both directions of a layer as one."""
    state = {name: values.detach() for name, values in network.state_dict().items() if not name.startswith("layers.")}
    for number, layer in enumerate(network.layers):
        own = {name: values.detach() for name, values in layer.named_parameters()}
        state[f"layer{number}.input"] = torch.cat([own[f"weight_ih{way}"] for way in _DIRECTIONS])
        state[f"layer{number}.recurrent"] = torch.cat([own[f"weight_hh{way}"] for way in _DIRECTIONS])
        state[f"layer{number}.bias"] = torch.cat([own[f"bias_ih{way}"] + own[f"bias_hh{way}"] for way in _DIRECTIONS])
    return state


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
    """Set the weights of a network to those of a model; classes that the model lacks keep their own."""
    with torch.no_grad():
        for name, values in kept_targets(network).items():
            floats = torch.tensor(
                memoryview(arrays[name + SCALES if name + SCALES in arrays else name]).cast("B").cast("f")
            )
            if name + SCALES in arrays:
                bytes_ = torch.tensor(memoryview(arrays[name]).cast("B").cast("b"), dtype=torch.float32)
                floats = bytes_.view(len(floats), -1) * floats[:, None]
            for target, part in zip(values, floats.chunk(len(values)), strict=True):
                target[: len(part)] = part


def kept_targets(network: LearningEncoder) -> dict[str, list[Tensor]]:
    """Return the tensors that hold each of the weights that a model keeps, to be written to."""
    targets = {name: [values] for name, values in network.named_parameters() if not name.startswith("layers.")}
    for number, layer in enumerate(network.layers):
        own = dict(layer.named_parameters())
        targets[f"layer{number}.input"] = [own[f"weight_ih{way}"] for way in _DIRECTIONS]
        targets[f"layer{number}.recurrent"] = [own[f"weight_hh{way}"] for way in _DIRECTIONS]
        targets[f"layer{number}.bias"] = [own[f"bias_ih{way}"] for way in _DIRECTIONS]
    return targets


def _floats(values: Tensor) -> array[float]:
    return array("f", values.float().contiguous().numpy().tobytes())
