"""A BiLSTM layer that learns fast on processors: both directions step together, and products wait for no step.

PyTorch's own layer adds up the gradients of its weights step by step. Here each gradient is one product over all steps.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx

from treewright.kinds.network.kernel.recurrence import run, run_back

Side = TypeVar("Side")
STRIP = 4  # how many times as many random decisions as weights there are to choose from


class BiLstmLayer(nn.Module):
    """Two LSTMs, one forwards, one backwards; weights as a model keeps them: gates i, f, g, o, forwards first."""

    def __init__(self, n_inputs: int, hidden: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.hidden = hidden
        self.dropout = dropout  # share of the weights between steps that is left out while learning
        self.strip: Tensor | None = None  # 0 for weights that are left out, for many batches
        self.input = nn.Parameter(torch.empty(8 * hidden, n_inputs))
        self.recurrent = nn.Parameter(torch.empty(8 * hidden, hidden))
        self.bias = nn.Parameter(torch.zeros(8 * hidden))
        for side in range(2):
            nn.init.xavier_uniform_(self.input.data[4 * hidden * side : 4 * hidden * (side + 1)])
        for gate in self.recurrent.data.chunk(8, 0):
            nn.init.orthogonal_(gate)
        self.bias.data.view(2, 4, hidden)[:, 1] = 1.0  # gates that keep what the cells hold are open at first

    def forward(self, values: Tensor, lengths: Tensor) -> Tensor:
        """Return the outputs, both directions side by side, of [sentences, words, inputs]; padding does not matter."""
        n, longest, _ = values.shape
        steps = torch.arange(longest, device=values.device)[:, None]
        long = lengths.to(values.device)[None]
        turned = torch.where(steps < long, long - 1 - steps, steps) * n + torch.arange(n, device=values.device)
        weights = self.input, self._kept_recurrent(), self.bias
        outputs: Tensor = _Layer.apply(values.transpose(0, 1), *weights, turned.view(-1))
        return outputs.transpose(0, 1)

    def _kept_recurrent(self) -> Tensor:
        """Return the weights between steps; while learning, without some, the same ones for the whole batch.

        This is the DropConnect of Merity, Keskar & Socher 2018. Which ones are left out is cut from a long strip of
        random decisions, at a random place: new decisions for each batch would take about a millisecond a layer.
        """
        weights: Tensor = self.recurrent
        if not self.training or not self.dropout:
            return weights
        if self.strip is None or self.strip.device != weights.device:
            self.strip = weights.new_empty(STRIP * weights.numel()).bernoulli_(1 - self.dropout).div_(1 - self.dropout)
        place = int(torch.randint(len(self.strip) - weights.numel(), ()))
        return weights * self.strip[place : place + weights.numel()].view_as(weights)


class _Layer(torch.autograd.Function):
    """Both directions at once, of [words, sentences, inputs].

    ``turned`` says which word (of all sentences, flat) the backward direction reads at each step; it undoes itself.
    """

    @staticmethod
    def forward(
        ctx: FunctionCtx, values: Tensor, weights: Tensor, recurrent: Tensor, bias: Tensor, turned: Tensor
    ) -> Tensor:
        n_steps, n, width = values.shape
        hidden = recurrent.shape[1]
        flat = values.reshape(-1, width)
        read = torch.stack((flat, flat[turned]))
        acts = torch.baddbmm(bias.view(2, 1, -1), read, weights.view(2, 4 * hidden, width).transpose(1, 2))
        acts = acts.view(2, n_steps, n, 4 * hidden)
        outputs, cells = (acts.new_zeros(2, n_steps + 1, n, hidden) for _ in range(2))
        squashed = acts.new_empty(2, n_steps, n, hidden)
        between = recurrent.view(2, 4 * hidden, hidden)
        _each_side(lambda side: run_side(acts[side], cells[side], outputs[side], squashed[side], between[side]), acts)
        ctx.save_for_backward(read, weights, recurrent, turned, acts, cells, squashed, outputs)
        ahead, behind = outputs[:, 1:].reshape(2, -1, hidden)
        return torch.cat((ahead, behind[turned]), 1).view(n_steps, n, 2 * hidden)

    @staticmethod
    def backward(ctx: FunctionCtx, found: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None]:
        read, weights, recurrent, turned, acts, cells, squashed, outputs = ctx.saved_tensors
        _, n_steps, n, hidden = squashed.shape
        ahead, behind = found.reshape(-1, 2 * hidden).split(hidden, 1)
        wanted = torch.stack((ahead, behind[turned])).view(2, n_steps, n, hidden)
        slopes = torch.empty_like(acts)
        own = acts, cells, squashed, wanted, slopes, recurrent.view(2, 4 * hidden, hidden)
        _each_side(lambda side: run_side_back(*(values[side] for values in own)), acts)
        flat = slopes.view(2, -1, 4 * hidden)
        of_recurrent = torch.bmm(flat[:, n:].transpose(1, 2), outputs[:, 1:-1].reshape(2, -1, hidden))
        of_weights = torch.bmm(flat.transpose(1, 2), read)
        ahead, behind = torch.bmm(flat, weights.view(2, 4 * hidden, -1))
        of_values = ahead.add_(behind[turned]).view(n_steps, n, -1)
        return of_values, of_weights.view_as(weights), of_recurrent.view_as(recurrent), flat.sum(1).view(-1), None


def _each_side(run: Callable[[int], None], values: Tensor) -> None:
    """Run both directions, at the same time if PyTorch may use several threads and the steps need nothing of it."""
    both_sides(run, torch.get_num_threads() > 1 and can_be_compiled(values))


def both_sides(run: Callable[[int], Side], at_once: bool) -> tuple[Side, Side]:
    """Return what a function makes of both directions, one in a thread of its own if they may run at once."""
    if not at_once:
        return run(0), run(1)
    other = _other_thread(torch.get_num_threads()).submit(run, 1)
    return run(0), other.result()


@cache
def _other_thread(torch_threads: int) -> ThreadPoolExecutor:
    """Return a thread in which PyTorch has so many threads: a new one has as many as the one that made it."""
    return ThreadPoolExecutor(1)


def run_side(acts: Tensor, cells: Tensor, outputs: Tensor, squashed: Tensor, weights: Tensor) -> None:
    """Take one direction from the first word to the last; gates become what their functions make of them."""
    if can_be_compiled(acts):
        addresses = tuple(values.data_ptr() for values in (acts, cells, outputs, squashed))
        run(addresses, weights.data_ptr(), *squashed.shape)
        return
    turned = weights.t()
    for t, now in enumerate(acts.unbind(0)):
        if t:
            now.addmm_(outputs[t], turned)
        _step(now, cells[t], cells[t + 1], squashed[t], outputs[t + 1])


def run_side_back(
    acts: Tensor, cells: Tensor, squashed: Tensor, wanted: Tensor, slopes: Tensor, weights: Tensor
) -> None:
    """Take the gradients of one direction from the last word to the first; those of the gates are written."""
    n_steps, *sizes = squashed.shape
    later, kept = acts.new_zeros(*sizes), acts.new_zeros(*sizes)
    if can_be_compiled(acts):
        addresses = tuple(values.data_ptr() for values in (acts, cells, squashed, wanted, later, kept, slopes))
        run_back(addresses, weights.data_ptr(), n_steps, *sizes)
        return
    for t in range(n_steps - 1, -1, -1):
        _step_back(acts[t], cells[t], squashed[t], wanted[t], later, kept, slopes[t])
        if t:
            torch.mm(slopes[t], weights, out=later)


def can_be_compiled(values: Tensor) -> bool:
    """Can the compiled kernel read a tensor?"""
    return bool(values.device.type == "cpu" and values.dtype == torch.float32)


def _step(gates: Tensor, before: Tensor, after: Tensor, squashed: Tensor, outputs: Tensor) -> None:
    """Go on to the next word, on any device."""
    i, f, g, o = gates.chunk(4, 1)
    for gate in (i, f, o):
        gate.sigmoid_()
    g.tanh_()
    torch.mul(f, before, out=after).addcmul_(i, g)
    torch.tanh(after, out=squashed)
    torch.mul(o, squashed, out=outputs)


def _step_back(
    gates: Tensor, before: Tensor, squashed: Tensor, wanted: Tensor, later: Tensor, kept: Tensor, slopes: Tensor
) -> None:
    """Pass the gradients of a word on, on any device."""
    i, f, g, o = gates.chunk(4, 1)
    output = wanted + later
    cell = kept + output * o * (1 - squashed * squashed)
    parts = cell * g * (i - i * i), cell * before * (f - f * f), cell * i * (1 - g * g), output * squashed * (o - o * o)
    torch.cat(parts, 1, out=slopes)
    torch.mul(cell, f, out=kept)
