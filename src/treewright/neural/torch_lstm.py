"""A BiLSTM layer that learns fast on processors: both directions step together, and products wait for no step.

PyTorch's own layer adds up the gradients of its weights step by step. Here each gradient is one product over all steps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx


class BiLstmLayer(nn.Module):
    """Two LSTMs, one forwards, one backwards; weights as a model keeps them: gates i, f, g, o, forwards first."""

    def __init__(self, n_inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
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
        steps = torch.arange(values.shape[1], device=values.device)[None]
        long = lengths.to(values.device)[:, None]
        back = torch.where(steps < long, long - 1 - steps, steps)[:, :, None]
        gates = nn.functional.linear(values, self.input, self.bias)
        forwards, backwards = gates.chunk(2, 2)
        turned = backwards.gather(1, back.expand(-1, -1, 4 * self.hidden))
        found = _run_steps(torch.stack((forwards.transpose(0, 1), turned.transpose(0, 1)), 1), self.recurrent)
        ahead, behind = found[:, 0].transpose(0, 1), found[:, 1].transpose(0, 1)
        return torch.cat((ahead, behind.gather(1, back.expand(-1, -1, self.hidden))), 2)


def _run_steps(gates: Tensor, recurrent: Tensor) -> Tensor:
    """Return the outputs of all steps for what the inputs add to the gates: both [steps, directions, sentences, …].

    The gates are overwritten.
    """
    found: Tensor = _Steps.apply(gates, recurrent)
    return found


class _Steps(torch.autograd.Function):
    """The steps of both directions at once, from gates without what the previous outputs add to them."""

    @staticmethod
    def forward(ctx: FunctionCtx, acts: Tensor, recurrent: Tensor) -> Tensor:
        hidden = recurrent.shape[1]
        weights = recurrent.view(2, 4 * hidden, hidden).transpose(1, 2)
        n_steps, _, n, _ = acts.shape
        outputs, cells = (acts.new_zeros(n_steps + 1, 2, n, hidden) for _ in range(2))
        squashed = acts.new_empty(n_steps, 2, n, hidden)
        for t in range(n_steps):
            now = acts[t]
            if t:
                now.baddbmm_(outputs[t], weights)
            now[..., : 2 * hidden].sigmoid_()
            now[..., 2 * hidden : 3 * hidden].tanh_()
            now[..., 3 * hidden :].sigmoid_()
            i, f, g, o = now.chunk(4, 2)
            torch.mul(f, cells[t], out=cells[t + 1]).addcmul_(i, g)
            torch.tanh(cells[t + 1], out=squashed[t])
            torch.mul(o, squashed[t], out=outputs[t + 1])
        ctx.save_for_backward(acts, cells, squashed, outputs, recurrent)
        return outputs[1:]

    @staticmethod
    def backward(ctx: FunctionCtx, found: Tensor) -> tuple[Tensor, Tensor]:
        acts, cells, squashed, outputs, recurrent = ctx.saved_tensors
        n_steps, _, n, hidden = squashed.shape
        weights = recurrent.view(2, 4 * hidden, hidden)
        by_gate = acts.view(n_steps, 2, n, 4, hidden)
        i, f, g, o = by_gate.unbind(3)
        slopes = torch.empty_like(by_gate)  # of the cell for i, f, g; of the output for o
        torch.mul(g, i - i * i, out=slopes[:, :, :, 0])
        torch.mul(cells[:-1], f - f * f, out=slopes[:, :, :, 1])
        torch.mul(i, 1 - g * g, out=slopes[:, :, :, 2])
        torch.mul(squashed, o - o * o, out=slopes[:, :, :, 3])
        through = o * (1 - squashed * squashed)
        later, kept = acts.new_zeros(2, n, hidden), acts.new_zeros(2, n, hidden)
        for t in range(n_steps - 1, -1, -1):
            later = later + found[t]
            kept = torch.addcmul(kept, later, through[t])
            slopes[t, :, :, :3].mul_(kept[:, :, None])
            slopes[t, :, :, 3].mul_(later)
            kept = kept * f[t]
            if t:
                later = torch.bmm(slopes[t].view(2, n, 4 * hidden), weights)
        down = slopes.view(n_steps, 2, n, 4 * hidden)
        ahead, behind = (
            down[1:, side].reshape(-1, 4 * hidden).t() @ outputs[1:-1, side].reshape(-1, hidden) for side in range(2)
        )
        return down, torch.cat((ahead, behind))
