"""What a language model learns by: its loss and gradients are those of plain PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kinds.language_model.raw import SMALL, sentences
from tests.optional import needs
from treewright.kinds.language_model.recipe import LanguageModelRecipe
from treewright.kinds.language_model.sentences import SentenceFile
from treewright.kinds.language_model.training import LanguageModelStrategy
from treewright.training.observer import TrainingObserver

pytestmark = needs("torch")


@pytest.fixture(scope="module")
def strategy() -> LanguageModelStrategy:
    made = LanguageModelStrategy(LanguageModelRecipe(**SMALL, steps=4))
    made.prepare(SentenceFile.of("text", sentences(60)), None, TrainingObserver())
    return made


def plain_states(network: Any, inputs: Any, batch: Any) -> list[list[Any]]:
    """Return the states of each sentence, forwards and backwards, by PyTorch's own LSTM."""
    import torch

    layer, hidden = network.layers[0], network.layers[0].hidden
    made, start = [], 0
    for length in batch.lengths.tolist():
        rows = inputs[batch.words[start : start + length]]
        both = []
        for side in range(2):
            lstm = torch.nn.LSTM(inputs.shape[1], hidden)
            parts = {
                "weight_ih_l0": layer.input.chunk(2)[side],
                "weight_hh_l0": layer.recurrent.chunk(2)[side],
                "bias_ih_l0": layer.bias.chunk(2)[side],
                "bias_hh_l0": torch.zeros(4 * hidden),
            }
            turned = rows.flip(0) if side else rows
            both.append(torch.func.functional_call(lstm, parts, (turned[:, None],))[0][:, 0])
        made.append(both)
        start += length
    return made


def plain_guesses(batch: Any) -> list[tuple[list[int], list[int]]]:
    """Return what is right after each word, and before each word from the last on."""
    made, start = [], 0
    for length in batch.lengths.tolist():
        own = batch.guesses[start : start + length].tolist()
        made.append(([*own[1:], 1], own[-2::-1]))
        start += length
    return made


def plain_loss(network: Any, inputs: Any, batch: Any, table: Any, compared: Any) -> Any:
    """Return the mean loss forwards and backwards: each guess against the words drawn, without what is right."""
    import torch

    losses: list[list[Any]] = [[], []]
    rows = compared.rows.tolist()
    for states, right in zip(plain_states(network, inputs, batch), plain_guesses(batch), strict=True):
        for side in range(2):
            for state, wanted in zip(states[side], right[side], strict=False):
                place = rows.index(wanted)
                good = state @ table[place] + compared.logs[place]
                others = [
                    state @ table[other] + compared.logs[other] - undrawn
                    for other, undrawn in zip(compared.others.tolist(), compared.undrawn, strict=True)
                    if other != place
                ]
                losses[side].append(torch.stack([good, *others]).logsumexp(0) - good)
    return sum(torch.stack(side).mean() for side in losses)


@pytest.mark.parametrize("at_once", [False, True])
def test_loss_and_gradients_are_those_of_pytorch(strategy: LanguageModelStrategy, at_once: bool) -> None:
    import torch

    from treewright.kinds.language_model.torch_model import _BothWays

    network: Any = strategy.learning.network
    corpus: Any = strategy.learning.corpus
    batch = corpus.batch([*strategy.held_out_lines[:3], b"the\tunseenword", b"."])
    torch.manual_seed(3)
    compared = network._compared(batch)
    inputs = torch.randn(int(batch.words.max()) + 1, 12, requires_grad=True)
    table = torch.randn(len(compared.rows), 8, requires_grad=True)
    layer = network.layers[0]
    weights = layer.input, layer.recurrent, layer.bias
    found = _BothWays.apply(inputs, *weights, table, batch, compared, at_once)
    expected = plain_loss(network, inputs, batch, table, compared)
    assert float(found.detach()) == pytest.approx(float(expected.detach()), rel=1e-5)
    everything = inputs, *weights, table
    for ours, theirs in zip(
        torch.autograd.grad(found, everything), torch.autograd.grad(expected, everything), strict=True
    ):
        assert torch.allclose(ours, theirs, atol=2e-5), (ours - theirs).abs().max()


def test_surprise_compares_with_all_words(strategy: LanguageModelStrategy) -> None:
    import torch

    network: Any = strategy.learning.average
    corpus: Any = strategy.learning.corpus
    network.eval()
    batch = corpus.batch(strategy.held_out_lines[:2])
    total, count = network.surprise(batch)
    with torch.no_grad():
        states = plain_states(network, network.embedded(batch), batch)
        logs, expected, counted = network.get_buffer("logs"), 0.0, 0
        for own, right in zip(states, plain_guesses(batch), strict=True):
            for side in range(2):
                for state, wanted in zip(own[side], right[side], strict=False):
                    expected -= float((network.guesses.weight @ state + logs).log_softmax(0)[wanted])
                    counted += 1
    assert count == counted
    assert total == pytest.approx(expected, rel=1e-5)


def test_frequent_words_are_drawn_more_often(strategy: LanguageModelStrategy) -> None:
    network: Any = strategy.learning.network
    drawn = network.get_buffer("drawn")
    logs = network.get_buffer("logs")
    assert float(drawn.sum()) == pytest.approx(1, abs=1e-5)
    assert drawn.argsort().tolist()[-3:] == logs.argsort().tolist()[-3:]
