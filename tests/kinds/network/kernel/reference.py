"""What the kernel should compute, written plainly with numpy."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt
from treewright.kinds.network.kernel.rows import Rows

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Shorts = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.int8]

ONE = np.float32(2048)


class Weights:
    """Random 8-bit weights, scales and biases of a layer."""

    def __init__(self, rng: np.random.Generator, n: int, k: int, size: float = 1.0) -> None:
        self.rows: Bytes = rng.integers(-127, 128, (n, k)).astype(np.int8)
        self.scales: Singles = (rng.uniform(0.5, 1.5, n) * size / 127 / np.sqrt(k)).astype(np.float32)
        self.bias: Singles = (rng.normal(0, 0.3, n)).astype(np.float32)

    def floats(self) -> Floats:
        return self.rows.astype(np.float64) * self.scales.astype(np.float64)[:, None]

    def product(self, inputs: Shorts, added: Singles | None = None) -> Singles:
        """The exact sums, then single floats in the order that the kernel promises."""
        sums = inputs.astype(np.int64) @ self.rows.astype(np.int64).T
        return sums.astype(np.float32) * (self.scales / ONE) + (self.bias if added is None else added)


def quantised(x: Singles) -> Shorts:
    return np.rint(np.clip(x * ONE, -32767, 32767)).astype(np.int16)


def activations(rng: np.random.Generator, n: int, k: int, most: int = 4096) -> Shorts:
    return rng.integers(-most, most + 1, (n, k)).astype(np.int16)


def back(rows: Rows) -> Shorts:
    return np.asarray(rows.view())


def ints(values: object) -> array[int]:
    return array("i", [int(value) for value in np.ravel(np.asarray(values))])


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def lstm(x: Floats, wx: Floats, wh: Floats, bias: Floats) -> Floats:
    """One direction over one sentence, in double floats; PyTorch's order of gates."""
    hidden = wh.shape[1]
    h, c = np.zeros(hidden), np.zeros(hidden)
    out = np.zeros((len(x), hidden))
    for t, word in enumerate(x):
        i, f, g, o = np.split(wx @ word + wh @ h + bias, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = out[t] = sigmoid(o) * np.tanh(c)
    return out
