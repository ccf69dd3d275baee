"""Our AdamW against the formulas of its paper."""

from tests.optional import needs

pytestmark = needs("torch")
BETAS = (0.9, 0.95)
DECAY = 0.01


def test_equal_to_the_formulas():
    """Ten steps in two groups with rates of their own; the last weight has a gradient in every second step only."""
    import torch

    from treewright.kinds.network.learning.adamw import EPSILON, AdamW

    torch.manual_seed(3)
    weights = [torch.nn.Parameter(torch.randn(shape)) for shape in [(4, 3), (3,), (5,)]]
    begun = [values.detach().clone() for values in weights]
    optimizer = AdamW([{"params": weights[:2]}, {"params": weights[2:]}], 0.1, BETAS, DECAY)
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, 0.1]  # until it is changed
    plain = [Plain(values.detach().double(), EPSILON) for values in weights]
    for number in range(10):
        rates = [rate / (1 + number) for rate in (0.1, 0.02)]
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        optimizer.zero_grad()
        assert all(values.grad is None for values in weights)
        loss = ((torch.randn(2, 4) @ weights[0] + weights[1]) ** 2).sum()
        if number % 2:
            loss = loss + (weights[2] ** 3).sum()
        loss.backward()
        for values, reference, place in zip(weights, plain, (0, 0, 1), strict=True):
            if values.grad is not None:
                reference.step(values.grad.double(), rates[place])
        optimizer.step()
        for values, reference in zip(weights, plain, strict=True):
            assert torch.allclose(values.detach().double(), reference.values, atol=1e-5)
    assert not any(torch.allclose(values, old, atol=1e-2) for values, old in zip(weights, begun, strict=True))


class Plain:
    """One weight; Loshchilov & Hutter 2019, algorithm 2."""

    def __init__(self, values, epsilon):
        self.values, self.epsilon, self.mean, self.square, self.steps = values, epsilon, 0.0, 0.0, 0

    def step(self, gradient, rate):
        self.steps += 1
        self.values = self.values * (1 - rate * DECAY)
        self.mean = BETAS[0] * self.mean + (1 - BETAS[0]) * gradient
        self.square = BETAS[1] * self.square + (1 - BETAS[1]) * gradient**2
        mean, square = self.mean / (1 - BETAS[0] ** self.steps), self.square / (1 - BETAS[1] ** self.steps)
        self.values = self.values - rate * mean / (square.sqrt() + self.epsilon)
