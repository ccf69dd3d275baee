"""AdamW with PyTorch's fused kernel, without ``torch.optim``: that imports PyTorch's compiler, which takes seconds."""

from __future__ import annotations

from typing import Any

import torch

EPSILON = 1e-8  # keeps the step of a weight finite where its gradient has always been small


class AdamW:
    """Decoupled weight decay (Loshchilov & Hutter 2019) for groups of weights.

    A group has ``params``, ``share``, and from here on ``lr``, its learning rate.
    """

    def __init__(self, groups: list[dict[str, Any]], rate: float, betas: tuple[float, float], decay: float) -> None:
        self.betas, self.decay = betas, decay
        self.param_groups = [{**group, "lr": rate} for group in groups]
        self._state: dict[torch.Tensor, tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = {}

    def zero_grad(self) -> None:
        """Forget the gradients of the last step."""
        for group in self.param_groups:
            for values in group["params"]:
                values.grad = None

    def step(self) -> None:
        """Change every weight that has a gradient."""
        for group in self.param_groups:
            weights = [values for values in group["params"] if values.grad is not None]
            if weights:
                with torch.no_grad():
                    self._change(weights, group["lr"])

    def _change(self, weights: list[torch.Tensor], rate: float) -> None:
        means, squares, steps = map(list, zip(*map(self._state_of, weights), strict=True))
        torch._foreach_add_(steps, 1)
        torch._fused_adamw_(
            weights,
            [values.grad for values in weights],
            means,
            squares,
            [],
            steps,
            lr=rate,
            beta1=self.betas[0],
            beta2=self.betas[1],
            weight_decay=self.decay,
            eps=EPSILON,
            amsgrad=False,
            maximize=False,
        )

    def _state_of(self, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the running means of a weight's gradient and of its square, and the number of its steps."""
        state = self._state.get(values)
        if state is None:
            state = (torch.zeros_like(values), torch.zeros_like(values), torch.zeros((), device=values.device))
            self._state[values] = state
        return state
