"""The network that scores moves while it learns, in PyTorch; its decisions come from walks through our systems."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from treewright.kinds.network.kernel.positions import PositionLayers
from treewright.kinds.network.kernel.rows import FloatRows, Rows
from treewright.kinds.network.learning.batches import Batch
from treewright.kinds.network.learning.torch_network import IMPOSSIBLE, SLOPE, DropoutShares, LearningEncoder
from treewright.kinds.network_moves.collecting import COLUMNS, DecisionCollector
from treewright.kinds.transition.engines.chooser import Chooser

ONE = 2048  # an activation of 1, as the compiled kernel has it
LARGEST = 32767


class MoveSizes(NamedTuple):
    """How large the parts of a network are; a model's header has them under these names."""

    widths: Mapping[str, int]
    hidden: int
    layers: int
    moves: int
    relations: int


class LearningWalk:
    """What walks through sentences: a collector, and how a parser with other weights is made for it.

    Copies of a network share it: it holds no weights of its own.
    """

    collector: DecisionCollector

    def __init__(self, parser_with: Callable[[PositionLayers], Chooser], counts: WalkCounts) -> None:
        self.parser_with, self.counts = parser_with, counts
        self.wrong = self.decisions = 0  # of this round

    def __deepcopy__(self, memo: object) -> LearningWalk:
        return self


class WalkCounts(NamedTuple):
    """How many positions, rows that stand for no word, kinds of move and labelled moves there are."""

    positions: int
    fixed: int
    kinds: int
    classes: int


class LearningMoveNetwork(LearningEncoder):
    """An encoder, projections of words for each position, and what scores kinds and labelled moves."""

    def __init__(self, rows: Mapping[str, int], sizes: MoveSizes, walk: LearningWalk, dropout: DropoutShares) -> None:
        super().__init__(rows, sizes.widths, sizes.hidden, sizes.layers, dropout)
        self.walk, counts = walk, walk.counts
        self.sizes, self.width = sizes, sizes.moves + sizes.relations
        self.move_word = nn.Linear(2 * sizes.hidden, sizes.moves)
        self.move_positions = nn.Linear(sizes.moves, counts.positions * self.width, bias=False)
        self.move_fixed = nn.Parameter(torch.empty(counts.fixed, self.width).normal_(std=0.05))
        self.move_kinds = nn.Linear(sizes.moves, counts.kinds)
        self.move_labels = nn.Linear(sizes.relations, counts.classes)

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Walk through the sentences of a batch; return the loss of all decisions, and how many moves are wrong."""
        cells = batch.cells()
        words = self._rectified(self.move_word, self.encoded(batch, cells))[cells >= 0]
        projected = self.move_positions(words)
        places, facts = self._decisions(batch, projected)
        hidden = self._hidden(projected, places)
        legal, right = (_bits(facts[COLUMNS.index(name)], self.walk.counts.kinds) for name in ("legal", "right"))
        scores = self.move_kinds(hidden[:, : self.sizes.moves]).masked_fill(~legal, IMPOSSIBLE)
        loss = (scores.logsumexp(1) - scores.masked_fill(~right, IMPOSSIBLE).logsumexp(1)).mean()
        wrong = int((~right.gather(1, scores.argmax(1, keepdim=True))).sum())
        self.walk.wrong += wrong
        self.walk.decisions += len(scores)
        return loss + self._loss_of_relations(hidden[:, self.sizes.moves :], facts), wrong

    def _decisions(self, batch: Batch, projected: Tensor) -> tuple[Tensor, Tensor]:
        """Return the decisions of a walk under the current weights: places, and facts (see ``COLUMNS``) by row."""
        walk = self.walk
        walk.collector.use(walk.parser_with(self.position_layers()))
        decisions = walk.collector.collect(array("i", batch.sentences), _as_rows(projected.detach()))
        n_places = walk.counts.positions + 2
        places, facts = (torch.frombuffer(values, dtype=torch.int32).long() if values else None for values in decisions)
        if places is None or facts is None:  # sentences of which nothing is known
            places, facts = torch.zeros(0, dtype=torch.long), torch.zeros(0, dtype=torch.long)
        device = projected.device
        return places.view(-1, n_places).to(device), facts.view(-1, len(COLUMNS)).T.to(device)

    def position_layers(self) -> PositionLayers:
        """Return the weights behind the sums as a parser has them."""
        from treewright.kinds.network.learning.quantising import quantised

        named = {
            name: values.detach().cpu()
            for name, values in self.named_parameters()
            if name.startswith(("move_kinds.", "move_labels."))
        }
        arrays = {name: values for name, (_, values) in quantised(named).items()}
        layers = []
        for name in ("move_kinds", "move_labels"):
            shape = tuple(named[f"{name}.weight"].shape)
            weights = memoryview(arrays[f"{name}.weight"]).cast("B").cast("b", shape)
            layers.append((weights, arrays[f"{name}.weight.scales"], arrays[f"{name}.bias"]))
        fixed = FloatRows(self.move_fixed.detach().cpu().numpy()).quantised()
        return PositionLayers(fixed, layers[0], layers[1])

    def _hidden(self, projected: Tensor, places: Tensor) -> Tensor:
        """Return the sums over the places of each decision, rectified."""
        n = self.walk.counts.positions
        table = torch.cat([projected.reshape(-1, self.width), self.move_fixed])
        slots = torch.arange(places.shape[1], device=places.device)
        rows = torch.where(places >= 0, places * n + slots, len(projected) * n - 1 - places)
        sums = functional.embedding_bag(rows, table, mode="sum")
        return functional.dropout(functional.leaky_relu(sums, SLOPE), self.rate, self.training)

    def _loss_of_relations(self, hidden: Tensor, facts: Tensor) -> Tensor:
        """Return the loss of the relations of gold arcs, among those that such arcs may have."""
        wanted = facts[COLUMNS.index("class")]
        known = wanted >= 0
        if not bool(known.any()):
            return hidden.new_zeros(())
        first, end = (facts[COLUMNS.index(name)][known][:, None] for name in ("first", "end"))
        numbers = torch.arange(self.walk.counts.classes, device=hidden.device)[None]
        scores = self.move_labels(hidden[known]).masked_fill((numbers < first) | (numbers >= end), IMPOSSIBLE)
        return functional.cross_entropy(scores, wanted[known])


def _bits(masks: Tensor, n: int) -> Tensor:
    return (masks[:, None] >> torch.arange(n, device=masks.device)[None] & 1).bool()


def _as_rows(values: Tensor) -> Rows:
    """Return activations as the compiled kernel has them."""
    return Rows((values.cpu() * ONE).round().clamp(-LARGEST, LARGEST).to(torch.int16).numpy())
