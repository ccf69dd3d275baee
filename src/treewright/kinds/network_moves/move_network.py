"""A trained network that scores moves, ready to run: the encoder, and projections of its words for each position."""

from __future__ import annotations

from array import array

from treewright.kinds.network.kernel.dense import Dense
from treewright.kinds.network.kernel.positions import PositionLayers
from treewright.kinds.network.kernel.rows import FloatRows, Rows
from treewright.kinds.network.network import EncodedBatch, EncoderNetwork, EncoderSettings, Weights


class MoveNetworkSettings(EncoderSettings):
    """What a model's header says of such a network."""

    moves: int
    relations: int


class MoveNetwork(EncoderNetwork):
    """An encoder, what projects words for the positions of a configuration, and what scores moves. It never changes."""

    def __init__(
        self,
        settings: MoveNetworkSettings,
        arrays: Weights,
        n_positions: int,
        n_fixed: int,
        n_kinds: int,
        n_classes: int,
    ) -> None:
        super().__init__(settings, arrays)
        self.settings, moves, relations = settings, settings["moves"], settings["relations"]
        width = moves + relations
        self.word = self._dense("move_word", moves, 2 * settings["hidden"])
        projections = self._matrix("move_positions.weight", n_positions * width, moves)
        self.positions = Dense(*projections, array("f", bytes(4 * n_positions * width)), "none")
        self.layers_of_moves = PositionLayers(
            self._fixed(n_fixed, width),
            (*self._matrix("move_kinds.weight", n_kinds, moves), self._vector("move_kinds.bias", n_kinds)),
            (*self._matrix("move_labels.weight", n_classes, relations), self._vector("move_labels.bias", n_classes)),
        )

    def _fixed(self, rows: int, width: int) -> Rows:
        """Return the rows that stand for no word."""
        weights, scales = self._matrix("move_fixed", rows, width)
        flat = weights.cast("B").cast("b")
        floats = array("f", (scale * flat[row * width + i] for row, scale in enumerate(scales) for i in range(width)))
        return FloatRows(memoryview(floats).cast("B").cast("f", (rows, width))).quantised()

    def project(self, encoded: EncodedBatch) -> Rows:
        """Return the projections of words for all positions."""
        return self.positions.apply(self.word.apply(encoded.rows))
