"""A language model while it learns: an LSTM forwards guesses the next word of each word, one backwards the word before.

Guesses are compared with some other words (sampled softmax, Jean et al. 2015). Both ways share their tables and nothing
else, so that they run at once where there are two threads, with the same sums as one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx

from treewright.kinds.language_model.batches import RawBatch
from treewright.kinds.network.learning.batches import Batch
from treewright.kinds.network.learning.lazy_rows import WordTable
from treewright.kinds.network.learning.torch_lstm import both_sides, run_side, run_side_back
from treewright.kinds.network.learning.torch_network import DropoutShares, LearningEncoder

MISSED = DropoutShares(0.2, 0.0)  # half of it is the share of words that miss an input while learning
FLATTER = 0.75  # the power of a word's frequency by which others are drawn
AT_ONCE = 512  # guesses that are compared with all words at a time


class Way(NamedTuple):
    """The weights of one direction."""

    input: Tensor
    recurrent: Tensor
    bias: Tensor


class Compared(NamedTuple):
    """What guesses of a batch are compared with: rows of the table, those drawn, and what each score gets."""

    rows: Tensor  # numbers of words: right ones and others
    others: Tensor  # places among the rows
    logs: Tensor  # of the frequencies of rows
    undrawn: Tensor  # logarithms of how often each of the others would be drawn


class LearningLanguageModel(LearningEncoder):
    """An encoder of one layer, and a table of what words make likely beside them."""

    def __init__(
        self, rows: Mapping[str, int], widths: Mapping[str, int], hidden: int, logs: Tensor, others: int, threads: int
    ) -> None:
        super().__init__(rows, widths, hidden, 1, MISSED)
        self.guesses = WordTable(len(logs), hidden, False)
        self.guesses.weight.data.mul_(0.2)
        self.register_buffer("logs", logs, persistent=False)
        drawn = (FLATTER * logs).softmax(0)
        self.register_buffer("drawn", drawn, persistent=False)
        self.others, self.at_once = min(others, len(logs)), threads > 1

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Return the mean loss of all guesses of a batch; nothing is counted as wrong."""
        assert isinstance(batch, RawBatch)
        compared = self._compared(batch)
        layer = self.layers[0]
        weights = layer.input, layer.recurrent, layer.bias, self.guesses(compared.rows)
        loss: Tensor = _BothWays.apply(self.embedded(batch), *weights, batch, compared, self.at_once)
        return loss, 0

    def _compared(self, batch: RawBatch) -> Compared:
        """Draw the words that the right ones are compared with."""
        drawn, logs = self.get_buffer("drawn"), self.get_buffer("logs")
        others = torch.multinomial(drawn, self.others)
        rows = torch.cat((others, batch.guesses, others.new_ones(1))).unique()
        expected = torch.log1p(-drawn[others]).mul_(self.others).expm1_().neg_().log()
        return Compared(rows, torch.searchsorted(rows, others), logs[rows], expected)

    def surprise(self, batch: RawBatch) -> tuple[float, int]:
        """Return the sum of the negative logarithms of the probabilities of what is right, and how many there are."""
        with torch.no_grad():
            inputs, logs, table = self.embedded(batch), self.get_buffer("logs"), self.guesses.weight
            total, count = 0.0, 0
            for side, way in enumerate(_ways(self.layers[0].input, self.layers[0].recurrent, self.layers[0].bias)):
                words, where, right = batch.places(side)
                outputs = _Run(inputs, way, words).outputs[1:].reshape(-1, table.shape[1])[where]
                for states, wanted in zip(outputs.split(AT_ONCE), right.split(AT_ONCE), strict=True):
                    scores = torch.addmm(logs, states, table.t())
                    total += float((scores.logsumexp(1) - scores.gather(1, wanted[:, None])[:, 0]).sum())
                count += len(where)
            return total, count


class _Run:
    """One way through a batch, and back."""

    def __init__(self, inputs: Tensor, way: Way, words: Tensor) -> None:
        self.inputs, self.way, self.words = inputs, way, words.reshape(-1)
        n_steps, n = words.shape
        hidden = way.recurrent.shape[1]
        self.acts = torch.addmm(way.bias, inputs, way.input.t())[self.words].view(n_steps, n, 4 * hidden)
        self.outputs, self.cells = (self.acts.new_zeros(n_steps + 1, n, hidden) for _ in range(2))
        self.squashed = self.acts.new_empty(n_steps, n, hidden)
        run_side(self.acts, self.cells, self.outputs, self.squashed, way.recurrent)

    def back(self, wanted: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the gradients of inputs and weights, of those of the outputs."""
        n_steps, n, hidden = self.squashed.shape
        slopes = torch.empty_like(self.acts)
        wanted = wanted.view(n_steps, n, hidden)
        run_side_back(self.acts, self.cells, self.squashed, wanted, slopes, self.way.recurrent)
        flat = slopes.view(-1, 4 * hidden)
        of_recurrent = flat[n:].t() @ self.outputs[1:-1].reshape(-1, hidden)
        of_words = flat.new_zeros(len(self.inputs), 4 * hidden).index_add_(0, self.words, flat)
        return of_words @ self.way.input, of_words.t() @ self.inputs, of_recurrent, of_words.sum(0)


class _BothWays(torch.autograd.Function):
    """The loss of both ways. Gradients are found on the way: what is kept for them is large, and goes soon."""

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        inputs: Tensor,
        weights: Tensor,
        recurrent: Tensor,
        bias: Tensor,
        table: Tensor,
        batch: RawBatch,
        compared: Compared,
        at_once: bool,
    ) -> Tensor:
        ways = _ways(weights, recurrent, bias)

        def run(side: int) -> tuple[Tensor, ...]:
            with torch.no_grad():
                words, where, right = batch.places(side)
                way = _Run(inputs, ways[side], words)
                wanted = way.outputs.new_zeros(words.numel(), recurrent.shape[1])
                states = way.outputs[1:].reshape(wanted.shape)[where]
                loss, wanted[where], of_table = _softmax(states, right, table, compared)
                return loss, of_table, *way.back(wanted)

        ahead, behind = both_sides(run, at_once and inputs.device.type == "cpu")
        of_weights = (torch.cat(pair) for pair in zip(ahead[3:], behind[3:], strict=True))
        ctx.save_for_backward(ahead[2] + behind[2], *of_weights, ahead[1] + behind[1])
        return ahead[0] + behind[0]

    @staticmethod
    def backward(ctx: FunctionCtx, found: Tensor) -> tuple[Tensor | None, ...]:
        return (*(found * gradient for gradient in ctx.saved_tensors), None, None, None)


def _softmax(states: Tensor, right: Tensor, table: Tensor, compared: Compared) -> tuple[Tensor, Tensor, Tensor]:
    """Return the mean loss of guesses, and the gradients of states and table."""
    places = torch.searchsorted(compared.rows, right)
    own, others = table[places], table[compared.others]
    scores = torch.addmm(compared.logs[compared.others] - compared.undrawn, states, others.t())
    slots = scores.new_full((len(compared.rows),), -1, dtype=torch.long)
    slots[compared.others] = torch.arange(len(others), device=slots.device)
    drawn = slots[places]
    both = (drawn >= 0).nonzero()[:, 0]
    scores[both, drawn[both]] = -torch.inf
    good = (states * own).sum(1) + compared.logs[places]
    most = torch.maximum(scores.amax(1), good)
    scores.sub_(most[:, None]).exp_()
    alone = (good - most).exp_()
    total = scores.sum(1) + alone
    loss = (total.log() + most - good).mean()
    scores.div_(total[:, None] * len(states))
    missing = (alone / total - 1).div_(len(states))[:, None]
    of_states = torch.addmm(missing * own, scores, others)
    of_table = torch.zeros_like(table).index_add_(0, places, missing * states)
    of_table.index_add_(0, compared.others, scores.t() @ states)
    return loss, of_states, of_table


def _ways(weights: Tensor, recurrent: Tensor, bias: Tensor) -> list[Way]:
    """Return the weights of each direction; forwards first."""
    return [Way(*parts) for parts in zip(weights.chunk(2), recurrent.chunk(2), bias.chunk(2), strict=True)]
