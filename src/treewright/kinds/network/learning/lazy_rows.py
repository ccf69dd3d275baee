"""Tables of vectors that learn row by row: a batch reads few rows of them, and only these take time.

AdamW changes every weight at every step, also those without a gradient, which go on for a while. What it would do to a
row that no batch reads is a sum with a limit: it is added when a batch reads the row again.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from treewright.kinds.network.kernel.learning import RowLearner
from treewright.kinds.network.learning.adamw import EPSILON
from treewright.kinds.network.learning.torch_lstm import can_be_compiled

SMALLEST = 1 << 16  # numbers of a table; a smaller one learns as a whole


class WordTable(nn.Module):
    """The vectors of an input: one of each word, or the mean of several (``is_bag``)."""

    def __init__(self, rows: int, width: int, is_bag: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, width).normal_(std=0.3))
        self.is_bag = is_bag
        self.lazy: LazyRows | None = None

    def forward(self, numbers: Tensor, starts: Tensor | None = None) -> Tensor:
        """Return the vectors of numbers, or the means of those from each start on."""
        weight: Tensor = self.weight
        if self.lazy is not None and self.training:
            rows, numbers = numbers.unique(return_inverse=True)
            weight = self.lazy.read(rows)
        if self.is_bag:
            return functional.embedding_bag(numbers, weight, starts, mode="mean")
        return functional.embedding(numbers, weight)


class LazyRows:
    """What a table needs to learn row by row: a step is ``begin``, the network's passes, ``learn``."""

    def __init__(self, weight: Tensor, average: Tensor, betas: tuple[float, float], decay: float) -> None:
        self.weight, self.average = weight.data, average.data
        self.means, self.squares = torch.zeros_like(self.weight), torch.zeros_like(self.weight)
        self.steps = torch.zeros(len(self.weight), dtype=torch.long)
        self.rates = torch.zeros(len(self.weight))
        self.now, self.keep = 0, 0.0
        self.rows = self.steps[:0]
        self.part = self.weight[:0]
        kept = self.weight, self.average, self.means, self.squares, self.steps, self.rates
        addresses = tuple(values.data_ptr() for values in kept)
        rows, width = self.weight.shape
        self._learner = RowLearner(addresses, rows, width, betas, decay, EPSILON)

    @staticmethod
    def fits(table: nn.Module) -> bool:
        """Is it worth learning a table row by row, and can the compiled code do it?"""
        if not isinstance(table, WordTable) or not table.weight.requires_grad:
            return False
        weight = table.weight
        return can_be_compiled(weight) and weight.numel() >= SMALLEST

    def begin(self, now: int, keep: float) -> None:
        """Begin a step: ``keep`` is the share of the averaged weights that stays."""
        self.now, self.keep = now, keep

    def read(self, rows: Tensor) -> Tensor:
        """Return rows, up to date, as what gets their gradients."""
        self._catch_up(rows, self.now - 1)
        self.rows, self.part = rows, self.weight[rows].requires_grad_()
        return self.part

    def learn(self, rate: float) -> None:
        """Change the rows that were read by their gradients."""
        gradients = self.part.grad
        if gradients is not None:
            gradients = gradients.contiguous()
            rows = self.rows.data_ptr(), len(self.rows)
            self._learner.learn(*rows, gradients.data_ptr(), self.now, rate, self.keep)

    def finish(self) -> None:
        """Bring all rows up to date."""
        self._catch_up(torch.arange(len(self.weight)), self.now)

    def _catch_up(self, rows: Tensor, now: int) -> None:
        rows = rows.contiguous()
        self._learner.catch_up(rows.data_ptr(), len(rows), now, self.keep)


def lazy_tables(network: nn.Module, average: nn.Module, betas: tuple[float, float], decay: float) -> list[LazyRows]:
    """Let the large tables of a network learn row by row, with their averages in a copy of the network."""
    tables: list[LazyRows] = []
    for table, other in zip(network.modules(), average.modules(), strict=True):
        if LazyRows.fits(table):
            assert isinstance(table, WordTable)
            assert isinstance(other, WordTable)
            table.weight.requires_grad_(False)
            table.lazy = LazyRows(table.weight, other.weight, betas, decay)
            tables.append(table.lazy)
    return tables
