"""The layer that learns does what PyTorch's own does, forwards and in its gradients."""

from __future__ import annotations

import pytest
from treewright.kinds.network.kernel.paths import current, use_path

from tests.optional import needs

pytestmark = needs("torch")


def taking(way, function):
    """Return the function such that it takes the portable path if that is the way."""

    def on_path(*arguments):
        before = current()
        use_path("portable" if way == "portable" else before)
        try:
            function(*arguments)
        finally:
            use_path(before)

    return on_path


@pytest.mark.parametrize("way", ["compiled", "two threads", "portable", "pytorch"])
@pytest.mark.parametrize(
    ("lengths", "hidden"), [([7, 3, 1, 5], 8), ([1], 8), ([4, 4], 16), ([3, 2, 3, 3, 1, 2, 3, 3, 3, 1, 2, 3, 3], 21)]
)
def test_outputs_and_gradients_are_those_of_pytorch(lengths: list[int], hidden: int, way: str, monkeypatch, request):
    import torch

    from treewright.kinds.network.learning import torch_lstm
    from treewright.kinds.network.learning.torch_lstm import BiLstmLayer

    monkeypatch.setattr(torch_lstm, "can_be_compiled", lambda values: way != "pytorch")
    monkeypatch.setattr(torch_lstm, "run", taking(way, torch_lstm.run))
    monkeypatch.setattr(torch_lstm, "run_back", taking(way, torch_lstm.run_back))
    threads = torch.get_num_threads()
    torch.set_num_threads(2 if way == "two threads" else 1)
    request.addfinalizer(lambda: torch.set_num_threads(threads))
    torch.manual_seed(5)
    n_inputs, longest = 6, max(lengths)
    layer, other = BiLstmLayer(n_inputs, hidden), torch.nn.LSTM(n_inputs, hidden, bidirectional=True, batch_first=True)
    torch.nn.init.normal_(layer.bias)
    pairs = [("weight_ih_l0", layer.input), ("weight_hh_l0", layer.recurrent), ("bias_ih_l0", layer.bias)]
    with torch.no_grad():
        for name, values in pairs:
            getattr(other, name).copy_(values[: 4 * hidden])
            getattr(other, f"{name}_reverse").copy_(values[4 * hidden :])
        other.bias_hh_l0.zero_()
        other.bias_hh_l0_reverse.zero_()
    sizes, some = torch.tensor(lengths), torch.randn(len(lengths), longest, n_inputs)
    ours, theirs = some.clone().requires_grad_(), some.clone().requires_grad_()
    wanted = torch.randn(len(lengths), longest, 2 * hidden)
    wanted = wanted * (torch.arange(longest)[None] < sizes[:, None])[:, :, None]
    found = layer(ours, sizes) * wanted
    packed = torch.nn.utils.rnn.pack_padded_sequence(theirs, sizes, batch_first=True, enforce_sorted=False)
    expected = torch.nn.utils.rnn.pad_packed_sequence(other(packed)[0], batch_first=True)[0] * wanted
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    found.sum().backward()
    expected.sum().backward()
    torch.testing.assert_close(ours.grad, theirs.grad, atol=1e-5, rtol=1e-4)
    for name, values in pairs:
        both = torch.cat([getattr(other, name).grad, getattr(other, f"{name}_reverse").grad])
        torch.testing.assert_close(values.grad, both, atol=1e-5, rtol=1e-4)


def test_weights_between_steps_are_left_out_only_while_learning() -> None:
    import torch

    from treewright.kinds.network.learning.torch_lstm import BiLstmLayer

    torch.manual_seed(5)
    layer, share = BiLstmLayer(3, 40, dropout=0.25), 0.25
    with torch.no_grad():
        layer.recurrent.fill_(1.0)
    kept = layer._kept_recurrent()
    assert kept.unique().tolist() == pytest.approx([0.0, 1 / (1 - share)])
    assert (kept == 0).float().mean() == pytest.approx(share, abs=0.02)
    assert not torch.equal(kept, layer._kept_recurrent())
    kept.sum().backward()
    torch.testing.assert_close(layer.recurrent.grad, kept.detach())
    assert layer.eval()._kept_recurrent() is layer.recurrent


def test_each_gate_begins_with_weights_that_turn_and_keep_lengths():
    import torch

    from treewright.kinds.network.learning.torch_lstm import BiLstmLayer

    recurrent = BiLstmLayer(5, 12).recurrent.detach().view(8, 12, 12)
    assert torch.allclose(recurrent @ recurrent.transpose(1, 2), torch.eye(12).expand(8, 12, 12), atol=1e-5)
