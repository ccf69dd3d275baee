"""Pretrained inputs of networks: word clusters, word vectors, and an encoder from a folder."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.kinds.network.kernel.rows import Rows, side_by_side
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError, TreewrightError
from treewright.kinds.network.inputs.vocabulary import FIRST, UNKNOWN, Vocabulary, prefixes
from treewright.kinds.network.network import EncoderNetwork, vocabulary_arrays
from treewright.kinds.network.parser import NeuralParser
from treewright.treebank.files.reading import read_blocks

SMALL: dict[str, Any] = {"hidden": 16, "arc_size": 16, "relation_size": 12, "buckets": 128, "batch_words": 80}


@pytest.fixture(scope="module")
def block() -> Block:
    return next(iter(read_blocks(DEV)))


def forms_of(path: str) -> list[str]:
    return [
        block.value(word, block.layout.form).decode() for block in read_blocks(path) for word in range(block.n_words)
    ]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    path, chance = tmp_path_factory.mktemp("vectors") / "vectors.txt", random.Random(2)
    words = sorted({form.lower() for form in forms_of(TRAIN)})
    path.write_text("".join(f"{word} {' '.join(str(chance.gauss(0, 1)) for _ in range(9))}\n" for word in words))
    return str(path)


def test_rows_side_by_side() -> None:
    left, right = Rows(np.array([[1, 2, 3], [4, 5, 6]], np.int16)), Rows(np.array([[7], [8]], np.int16))
    assert side_by_side(left, right).tolist() == [[1, 2, 3, 7], [4, 5, 6, 8]]
    with pytest.raises(TreewrightError, match="rows"):
        side_by_side(left, Rows(np.array([[1]], np.int16)))


def test_words_are_known_by_vectors_and_clusters(block: Block) -> None:
    clusters = WordClusters(
        array("Q", [cluster_key("the"), cluster_key("dog")]),
        array("H", [0, 1]),
        array("I", [0b01011, 0b0]),
        array("B", [5, 1]),
    )
    vocabulary = Vocabulary.of([block], 1, 64, clusters, ["The", "dog"])
    assert prefixes("01011") == ["0101", "01011"]
    assert vocabulary.lists["clusters"] == ["0", "0101", "01011"]
    text = "1\tthe\t_\t_\t_\t_\t0\troot\t_\t_\n2\tDog\t_\t_\t_\t_\t1\tdep\t_\t_\n3\tcat\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    numbers = vocabulary.numbers(Block(text.encode(), block.layout), 0, 1, ("clusters", "vectors"))
    assert numbers.single["vectors"][1:].tolist() == [UNKNOWN, FIRST + 1, UNKNOWN]
    found, starts = numbers.bags["clusters"]
    assert [found[starts[row] : starts[row + 1]].tolist() for row in range(4)] == [[], [3, 4], [2], []]
    kept = {name: values for name, (_, values) in vocabulary_arrays(vocabulary).items()}
    assert {"clusters.keys", "vocabulary.vectors"} <= set(kept)
    with pytest.raises(ModelFileError, match="clusters"):
        Vocabulary(vocabulary.lists, 64)


def test_options_of_pretrained_inputs_are_checked(vectors: str) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"system": "neural", "vector_width": 8}, "no --vectors"),
        ({"system": "neural", "clusters": 8}, "no --raw"),
        ({"system": "neural", "fine_tune": True}, "no --encoder"),
        ({"vectors": vectors}, "vectors is an option of pipelines"),
    ]
    for options, message in cases:
        with pytest.raises(CombinationError, match=message):
            tw.train(DEV, **options)


def same_after_saving(parser: NeuralParser, block: Block, path: Path) -> None:
    parser.save(path)
    loaded = tw.load(path)
    assert loaded.parse_block(block).data == parser.parse_block(block).data


def test_a_network_looks_at_vectors(block: Block, vectors: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    parser = tw.train(DEV, TEST, system="neural", vectors=vectors, vector_width=10, iterations=2, **SMALL)
    assert isinstance(parser, NeuralParser)
    assert parser.network.widths["vectors"] == 10
    same_after_saving(parser, block, tmp_path / "a.tw")
    more = tw.train(DEV, TEST, init_from=tmp_path / "a.tw", iterations=1)
    with pytest.raises(CombinationError, match="leave them out"):
        tw.train(DEV, TEST, init_from=tmp_path / "a.tw", vectors=vectors)
    assert isinstance(more, NeuralParser)
    assert bytes(more.arrays["tables.vectors.weight"]) == bytes(parser.arrays["tables.vectors.weight"])


def test_the_table_of_a_model_has_the_projected_vectors(vectors: str) -> None:
    torch = pytest.importorskip("torch")
    from treewright.kinds.network.learning.pretrained_torch import ProjectedVectors
    from treewright.lexicon.vectors import read_vectors

    table = ProjectedVectors(read_vectors(vectors, 20), [3, 5, 8], 7)
    kept = table.kept("vectors")
    weights = torch.tensor(kept["tables.vectors.weight"][1]).view(-1, 7)
    scales = torch.tensor(kept["tables.vectors.weight.scales"][1])
    expected = table(torch.arange(5))
    assert (weights * scales[:, None] - expected).abs().max() <= scales.max() / 2 + 1e-6


def test_a_network_looks_at_clusters(block: Block, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    raw = tmp_path / "raw.txt"
    raw.write_text("\n".join(" ".join(forms_of(TRAIN)) for _ in range(3)))
    parser = tw.train(DEV, TEST, system="neural", raw=str(raw), clusters=8, iterations=1, **SMALL)
    assert isinstance(parser, NeuralParser)
    assert parser.network.vocabulary.clusters is not None
    assert "clusters" in parser.network.inputs
    same_after_saving(parser, block, tmp_path / "a.tw")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small encoder with random weights, and a tokenizer that knows letters only."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    place = tmp_path_factory.mktemp("encoder")
    letters = "abcdefghijklmnopqrstuvwxyz.,?!'"
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    (place / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizerFast(str(place / "vocab.txt")).save_pretrained(place)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=20,
        max_position_embeddings=40,
    )
    transformers.set_seed(1)
    transformers.BertModel(config).save_pretrained(place)
    return str(place)


def plain_vectors(folder: str, words: Sequence[str], layers: int) -> Any:
    """Return the means over the pieces of words, one word after the other."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    pieces = [tokenizer.encode(word, add_special_tokens=False) for word in words]
    ids = [tokenizer.cls_token_id, *(piece for word in pieces for piece in word), tokenizer.sep_token_id]
    with torch.no_grad():
        states = model(torch.tensor([ids]), output_hidden_states=True).hidden_states[-layers:]
    found, start = [], 1
    for word in pieces:
        found.append(torch.stack([state[0, start : start + len(word)].mean(0) for state in states]))
        start += len(word)
    return torch.stack(found)


def test_vectors_of_words_are_the_means_of_their_pieces(folder: str) -> None:
    from treewright.kinds.network.inputs.sentence_encoder import SentenceEncoder

    encoder = SentenceEncoder(folder)
    sentences = [["the", "dog", "barks", "."], ["a"], ["ox", "?"]]
    for words, found in zip(sentences, encoder.vectors(sentences, 2), strict=True):
        assert (found - plain_vectors(folder, words, 2)).abs().max() < 1e-5
    long = encoder.vectors([["dog", "\u200b", "x" * 500, *["barks"] * 30]], 1)[0]
    assert long.shape == (33, 1, 16)
    encoder.remembers = True
    encoder.vectors([["the", "dog"]], 2)
    assert (encoder.vectors([["the", "dog"]], 2)[0] - plain_vectors(folder, ["the", "dog"], 2)).abs().max() < 1e-2


@pytest.mark.parametrize("fine_tune", [False, True])
def test_a_network_looks_at_an_encoder(
    block: Block, folder: str, fine_tune: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {**SMALL, "encoder": folder, "encoder_layers": 2, "encoder_width": 12, "iterations": 1}
    parser = tw.train(TEST, DEV, system="neural", fine_tune=fine_tune, **options)
    assert isinstance(parser, NeuralParser)
    assert isinstance(parser.network, EncoderNetwork)
    assert parser.network.pretrained is not None
    assert any(name.startswith("encoder.learnt.") for name in parser.arrays) is fine_tune
    same_after_saving(parser, block, tmp_path / "a.tw")
    with pytest.raises(CombinationError, match="init-from"):
        tw.train(TEST, init_from=tmp_path / "a.tw")
    monkeypatch.setenv("TREEWRIGHT_ENCODER", str(tmp_path / "nowhere"))
    with pytest.raises(ModelFileError, match="nowhere, which is not there"):
        tw.load(tmp_path / "a.tw")


def test_folders_without_an_encoder_are_rejected(folder: str, tmp_path: Path) -> None:
    with pytest.raises(TreewrightError, match="no encoder there"):
        tw.train(TEST, system="neural", encoder=str(tmp_path))
    with pytest.raises(CombinationError, match="encoder_layers is 9"):
        tw.train(TEST, system="neural", encoder=folder, encoder_layers=9)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(TreewrightError, match="no encoder can be read there"):
        tw.train(TEST, system="neural", encoder=str(tmp_path))
