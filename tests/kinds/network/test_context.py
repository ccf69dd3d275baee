"""A language model as an input of networks: what the compiled kernel makes of it, and training with it."""

from __future__ import annotations

import math
from array import array
from pathlib import Path
from typing import Any

import pytest
from treewright.kinds.network.kernel.paths import current, paths, use_path
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.every_kind import treebank
from tests.kinds.language_model.raw import SMALL as SMALL_TEXT
from tests.kinds.language_model.raw import sentences
from tests.kinds.network.models import OF_CONTEXT, random_context, random_parser
from tests.optional import needs
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.network.network import EncoderNetwork
from treewright.kinds.network.parser import NeuralParser
from treewright.treebank.files.reading import read_blocks

SMALL: dict[str, Any] = {"hidden": 16, "arc_size": 16, "relation_size": 12, "buckets": 128, "batch_words": 80}
ONE = 2048


@pytest.fixture(scope="module")
def blocks() -> list[Block]:
    return list(read_blocks(treebank()))


def floats_of(arrays: dict[str, Any], name: str, columns: int) -> list[list[float]]:
    """Return the rows of a matrix of eight-bit weights, as floats."""
    weights, scales = arrays[name], arrays[f"{name}.scales"]
    return [[weight * scale for weight in weights[n * columns : (n + 1) * columns]] for n, scale in enumerate(scales)]


def rounded(values: list[float]) -> list[float]:
    return [round(value * ONE) / ONE for value in values]


def plain_states(network: EncoderNetwork, arrays: dict[str, Any], block: Block, sentence: int) -> list[list[float]]:
    """Return what an LSTM each way makes of a sentence, in plain Python."""
    hidden, widths = OF_CONTEXT["hidden"], OF_CONTEXT["widths"]
    numbers = network.vocabulary.numbers(block, sentence, sentence + 1, widths)
    words = floats_of(arrays, "tables.words.weight", widths["words"])
    pieces = floats_of(arrays, "tables.ngrams.weight", widths["ngrams"])
    ids, starts = numbers.bags["ngrams"]
    inputs = []
    for row, word in enumerate(numbers.single["words"]):
        own = [pieces[piece] for piece in ids[starts[row] : starts[row + 1]]]
        means = [sum(column) / len(own) for column in zip(*own, strict=True)] or [0.0] * widths["ngrams"]
        inputs.append(rounded(words[word] + means))
    weights = floats_of(arrays, "layer0.input", sum(widths.values()))
    between, bias = floats_of(arrays, "layer0.recurrent", hidden), arrays["layer0.bias"]
    sides = []
    for side in range(2):
        cells, state, states = [0.0] * hidden, [0.0] * hidden, []
        for values in reversed(inputs) if side else inputs:
            gates = [
                bias[row]
                + sum(a * b for a, b in zip(weights[row], values, strict=True))
                + sum(a * b for a, b in zip(between[row], state, strict=True))
                for row in range(4 * hidden * side, 4 * hidden * (side + 1))
            ]
            i, f, g, o = (gates[n * hidden : (n + 1) * hidden] for n in range(4))
            cells = [s(f[n]) * cells[n] + s(i[n]) * math.tanh(g[n]) for n in range(hidden)]
            state = rounded([s(o[n]) * math.tanh(cells[n]) for n in range(hidden)])
            states.append(state)
        sides.append(states[::-1] if side else states)
    return [left + right for left, right in zip(*sides, strict=True)]


def s(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def test_states_are_those_of_a_plain_lstm(blocks: list[Block]) -> None:
    arrays, block = random_context(blocks), blocks[0]
    network = EncoderNetwork(OF_CONTEXT, arrays)
    rows, start = network.read(block, 0, 8).rows.tolist(), 0
    for sentence in range(8):
        expected = plain_states(network, arrays, block, sentence)
        found = rows[start : start + len(expected)]
        start += len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            assert [value / ONE for value in ours] == pytest.approx(theirs, abs=3 / ONE)
    assert start == len(rows)


def test_a_network_reads_projected_states_beside_its_tables(blocks: list[Block]) -> None:
    parser, block = random_parser(blocks, ["root", "obj"], context=True), blocks[0]
    network = parser.network
    assert network.context is not None
    states = network.context.read(block, 0, 5).rows.tolist()
    projected = network.context_layer.apply(network.context.read(block, 0, 5).rows).tolist()
    name, out = "tables.context.project", 2 * OF_CONTEXT["hidden"]
    weights, bias = floats_of(dict(network.arrays), f"{name}.weight", out), network.arrays[f"{name}.bias"]
    for state, row in zip(states, projected, strict=True):
        expected = [
            sum(a * b for a, b in zip(own, state, strict=True)) + ONE * more
            for own, more in zip(weights, bias, strict=True)
        ]
        assert row == pytest.approx(expected, abs=1)
    plain = random_parser(blocks, ["root", "obj"])
    assert network.embeddings.width == plain.network.embeddings.width
    assert network.layers[0].n_inputs == plain.network.layers[0].n_inputs
    assert [layer.n_beside for layer in network.layers] == [len(weights), 0]


def test_the_same_trees_on_every_path_and_in_every_batch(blocks: list[Block]) -> None:
    parser, block = random_parser(blocks, ["root", "obj"], context=True), blocks[0]
    whole, before = parser.trees(block), current()
    for path in paths():
        try:
            use_path(path)
            assert parser.trees(block).heads == whole.heads
        finally:
            use_path(before)
    alone = array("i")
    for number in range(block.n_sentences):
        alone += parser.trees(Block(block.text_of(number), block.layout)).heads
    assert alone == whole.heads


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda settings, arrays: settings["context"]["widths"].pop("ngrams"), "ngrams"),
        (lambda settings, arrays: settings.pop("context"), "context"),
        (lambda settings, arrays: settings["context"].update(hidden=7), "damaged"),
        (lambda settings, arrays: settings["context"].update(layers=2), "layer1"),
        (lambda settings, arrays: arrays.pop("context.layer0.bias"), "layer0.bias"),
        (lambda settings, arrays: arrays.pop("context.vocabulary.words"), "vocabulary"),
        (lambda settings, arrays: arrays.update({"context.tables.ngrams.weight": b"x"}), "tables.ngrams.weight"),
        (lambda settings, arrays: arrays.update({"tables.context.project.bias": b"1234"}), "project.bias"),
        (lambda settings, arrays: arrays["context.layer0.bias"].__setitem__(0, math.nan), "context.layer0.bias"),
    ],
)
def test_damage_is_told(blocks: list[Block], change: Any, told: str) -> None:
    from treewright.steps.loading import step_of

    parser = random_parser(blocks, ["root", "obj"], context=True)
    header, typed = parser.to_file()
    arrays: dict[str, Any] = {name: values for name, (_, values) in typed.items()}
    change(header["settings"]["network"], arrays)
    with pytest.raises(ModelFileError, match=told):
        step_of(header, {name: memoryview(values).cast("B") for name, values in arrays.items()})


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("torch")
    from treewright.kinds.language_model.recipe import LanguageModelRecipe
    from treewright.kinds.language_model.training import pretrain

    path = tmp_path_factory.mktemp("text") / "text.lm"
    pretrain(sentences(150), "text", LanguageModelRecipe(**SMALL_TEXT, steps=20)).save(path)
    return str(path)


@needs("torch")
def test_a_parser_learns_with_a_language_model_and_holds_what_it_needs(language_model: str, tmp_path: Path) -> None:
    options = {**SMALL, "pretrained": language_model, "pretrained_width": 9}
    parser = tw.train(TRAIN, DEV, system="neural", iterations=2, **options)
    parser.save(tmp_path / "parser.tw")
    Path(language_model).rename(tmp_path / "gone.lm")
    loaded = tw.load(tmp_path / "parser.tw")
    (tmp_path / "gone.lm").rename(language_model)
    assert isinstance(loaded, NeuralParser)
    assert loaded._details()["network"]["context"]["source"].startswith("text, 1,")
    assert not any(name.startswith("context.guesses") for name in loaded.arrays)
    block = next(iter(read_blocks(TEST)))
    assert loaded.trees(block).heads == parser.trees(block).heads
    again = tw.train(TRAIN, DEV, system="neural", iterations=2, **options)
    again.save(tmp_path / "again.tw")
    assert (tmp_path / "again.tw").read_bytes() == (tmp_path / "parser.tw").read_bytes()
    further = tw.train(TRAIN, DEV, init_from=loaded, iterations=1)
    assert isinstance(further, NeuralParser)
    assert further.network.context is not None
    with pytest.raises(CombinationError, match="keeps the model's clusters, vectors and language model"):
        tw.train(TRAIN, DEV, init_from=loaded, iterations=1, pretrained=language_model)


@needs("torch")
def test_a_network_of_moves_learns_with_it_too(language_model: str) -> None:
    options = {"hidden": 16, "move_size": 16, "buckets": 128, "pretrained": language_model}
    parser = tw.train(TRAIN, DEV, system="arc-hybrid", learner="neural", iterations=1, **options)
    assert parser.trees(next(iter(read_blocks(TEST)))).heads


@needs("torch")
def test_the_network_that_learns_sees_what_the_kernel_does(language_model: str) -> None:
    import torch

    from treewright.kinds.network.inputs.context import Context
    from treewright.kinds.network.learning.pretrained_torch import ContextTable

    context, blocks = Context.of(language_model), list(read_blocks(DEV))
    table = ContextTable(context.states(blocks), 5)
    rows = [row for block in blocks for row in context.encoder.read(block, 0, block.n_sentences).rows.tolist()]
    chosen = torch.tensor([3, 0, len(rows) - 1])
    expected = table.project(torch.tensor([rows[number] for number in chosen.tolist()]) / ONE)
    assert torch.allclose(table(chosen), expected, atol=1e-6)


@needs("torch")
def test_what_is_no_language_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parser.tw"
    tw.train(TRAIN, iterations=1, features="tiny").save(path)
    with pytest.raises(CombinationError, match="no language model"):
        tw.train(TRAIN, DEV, system="neural", iterations=1, pretrained=str(path))
    with pytest.raises(CombinationError, match="pretrained_width has no effect"):
        tw.train(TRAIN, DEV, system="neural", iterations=1, pretrained_width=5)
