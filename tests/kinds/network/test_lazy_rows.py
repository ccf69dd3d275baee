"""Tables that learn row by row, against AdamW for whole tables."""

import pytest

from tests.optional import needs

pytestmark = needs("torch")
BETAS = (0.9, 0.95)
KEEP = 0.98
FIRST = 300  # step: the means of AdamW are no longer biased towards 0


@pytest.mark.parametrize("is_bag", [False, True])
@pytest.mark.parametrize("keep", [KEEP, 0.0])
def test_as_if_all_rows_had_learnt_at_every_step(is_bag, keep, monkeypatch):
    """Rows that are read often, rarely and never end up where AdamW and an average of all weights put them."""
    import torch

    from treewright.kinds.network.learning import lazy_rows

    monkeypatch.setattr(lazy_rows, "SMALLEST", 1)
    torch.manual_seed(7)
    tables = [lazy_rows.WordTable(40, 6, is_bag) for _ in range(2)]
    averages = [lazy_rows.WordTable(40, 6, is_bag) for _ in range(2)]
    for values in (tables[1], *averages):
        values.load_state_dict(tables[0].state_dict())
    begun = tables[0].weight.detach().clone()
    whole = Whole(tables[1].weight)
    [lazy] = lazy_rows.lazy_tables(tables[0], averages[0], BETAS, 0.0)
    for step in range(FIRST, FIRST + 120):
        often, rarely = torch.randint(0, 8, (9,)), torch.randint(8, 30, (1,))
        numbers = torch.cat([often, rarely])
        starts = (torch.tensor([0, 4, 7]),) if is_bag else ()
        wanted = torch.randn(3 if is_bag else 10, 6)
        lazy.begin(step, keep)
        tables[1].weight.grad = None
        for table in tables:
            ((table(numbers, *starts) - wanted) ** 2).sum().backward()
        lazy.learn(0.01)
        whole.step(0.01)
        with torch.no_grad():
            averages[1].weight.lerp_(tables[1].weight, 1 - keep)
    lazy.finish()
    torch.testing.assert_close(tables[0].weight, tables[1].weight, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(averages[0].weight, averages[1].weight, atol=1e-5, rtol=1e-4)
    moved = (tables[0].weight - begun).abs().amax(1)
    assert (moved[:8] > 0.05).all()
    assert (moved[30:] == 0).all()


class Whole:
    """AdamW for all rows of a table, long after its first step."""

    def __init__(self, weight):
        self.weight, self.mean, self.square = weight, 0.0, 0.0

    def step(self, rate):
        gradient = self.weight.grad
        self.mean = BETAS[0] * self.mean + (1 - BETAS[0]) * gradient
        self.square = BETAS[1] * self.square + (1 - BETAS[1]) * gradient**2
        self.weight.data -= rate * self.mean / (self.square.sqrt() + 1e-8)


def test_rows_that_the_table_lacks_are_rejected():
    import torch

    from treewright.kinds.network.learning.lazy_rows import LazyRows

    lazy = LazyRows(torch.zeros(3, 2), torch.zeros(3, 2), BETAS, 0.0)
    for row in (-1, 3):
        with pytest.raises(IndexError, match=f"row {row} of a table of 3"):
            lazy.read(torch.tensor([row]))


def test_small_tables_and_those_that_do_not_learn_stay_whole():
    import torch

    from treewright.kinds.network.learning.lazy_rows import SMALLEST, WordTable, lazy_tables

    rows = SMALLEST // 4
    for table, n_lazy in [(WordTable(rows, 4, False), 1), (WordTable(rows - 1, 4, False), 0)]:
        assert len(lazy_tables(table, WordTable(*table.weight.shape, False), BETAS, 0.0)) == n_lazy
    still = WordTable(rows, 4, False).requires_grad_(False)
    assert lazy_tables(still, WordTable(rows, 4, False), BETAS, 0.0) == []
    assert not torch.equal(still(torch.tensor([1])), still(torch.tensor([2])))
