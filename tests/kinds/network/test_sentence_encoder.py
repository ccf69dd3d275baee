"""Pretrained encoders by themselves: transformers is made up, whose pieces are letters."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.optional import needs
from tests.toy import SOME
from treewright.errors import ModelFileError, TreewrightError
from treewright.kinds.network import parser as parser_module
from treewright.kinds.network.inputs import pretrained_inputs, sentence_encoder
from treewright.kinds.network.inputs.pretrained import PretrainedInput
from treewright.kinds.network.inputs.pretrained_inputs import Pretrained
from treewright.kinds.network.inputs.sentence_encoder import SentenceEncoder, encoder_in, fingerprint, place_of
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.lexicon.vectors import WordVectors
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU

if TYPE_CHECKING:
    from torch import Tensor

pytestmark = needs("torch")

LAYERS = 3  # besides the vectors of the pieces, which come before them


class Pieces(dict[str, Any]):
    """What a tokenizer makes of some texts: numbers of letters, and the word that each belongs to."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        import torch

        self.words = [[number for number, word in enumerate(text) for _ in word.strip()] for text in texts]
        longest = max(map(len, self.words))
        letters = [list(map(ord, "".join(map(str.strip, text)).ljust(longest))) for text in texts]
        super().__init__(input_ids=torch.tensor(letters))

    def word_ids(self, place: int) -> list[int | None]:
        """Return the words of a text's pieces; those that fill it up belong to none."""
        return [*self.words[place], *[None] * (self["input_ids"].shape[1] - len(self.words[place]))]


class Tokenizer:
    """Each letter is a piece; a space is none."""

    is_fast = True

    def __call__(self, texts: Any, add_special_tokens: bool = True, **options: Any) -> Any:
        if not add_special_tokens:
            return {"input_ids": [ord(letter) for word in texts for letter in word]}
        assert options == {"is_split_into_words": True, "padding": True, "return_tensors": "pt"}
        return Pieces(texts)


def model() -> Any:
    """Return a network: layer n makes n times its number of a letter, in two dimensions."""
    from torch import nn

    class Model(nn.Module):
        config = SimpleNamespace(hidden_size=2, num_hidden_layers=LAYERS, max_position_embeddings=30)

        def __init__(self) -> None:
            super().__init__()
            self.texts_read = 0
            self.scale = nn.Linear(1, 1)
            self.register_buffer("positions", self.scale.weight.new_zeros(3).long())

        def forward(self, input_ids: Tensor, output_hidden_states: bool) -> Any:
            assert output_hidden_states
            self.texts_read += len(input_ids)
            pieces = input_ids.float()[:, :, None].expand(-1, -1, 2)
            return SimpleNamespace(hidden_states=tuple(n * pieces for n in range(LAYERS + 1)))

    return Model()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what transformers is asked to read."""
    found: list[Any] = []

    def reads(made: Any) -> Any:
        return SimpleNamespace(from_pretrained=lambda folder, **options: found.append((folder, options)) or made())

    bars = SimpleNamespace(disable_progress_bar=lambda: found.append("no bars"))
    utils = SimpleNamespace(logging=bars)
    fake: Any = SimpleNamespace(AutoTokenizer=reads(Tokenizer), AutoModel=reads(model), utils=utils)
    monkeypatch.setitem(sys.modules, "transformers", fake)
    return found


def test_only_files_that_are_there_are_read(asked: list[Any]) -> None:
    """Words of a sentence are read as such: each with a space before it."""
    encoder = SentenceEncoder("a folder")
    here: dict[str, Any] = {"local_files_only": True}
    assert asked == ["no bars", ("a folder", {**here, "add_prefix_space": True}), ("a folder", here)]
    assert (encoder.n_layers, encoder.dimensions, encoder.most) == (LAYERS + 1, 2, 26)
    assert not encoder.model.training


def test_a_word_is_the_mean_of_its_pieces_in_the_top_layers(asked: list[Any]) -> None:
    encoder = SentenceEncoder("a folder")
    found, nothing = encoder.vectors([["ac", " ", "x", ""], []], 2)
    means = [float(ord("b")), 0.0, float(ord("x")), float(ord("?"))]  # a word without letters is read as "?"
    assert found.tolist() == [[[2 * mean] * 2, [3 * mean] * 2] for mean in means]
    assert nothing.shape == (0, 2, 2)


def test_sentences_without_words_have_no_vectors(asked: list[Any]) -> None:
    assert [each.shape for each in SentenceEncoder("a folder").vectors([[], []], 3)] == [(0, 3, 2)] * 2


def test_long_sentences_are_read_in_halves(asked: list[Any]) -> None:
    encoder = SentenceEncoder("a folder")
    assert [len(part) for part in encoder._parts(["a"] * 40)] == [20, 20]
    assert encoder.vectors([["a"] * 10 + ["b"] * 50], 1)[0][:, 0, 0].tolist() == [291.0] * 10 + [294.0] * 50


def test_vectors_are_kept_up_to_so_many_words(asked: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_encoder, "MOST_REMEMBERED", 4)
    encoder = SentenceEncoder("a folder")
    encoder.vectors([["a"]], 1)
    assert not encoder._known  # nothing is asked to remember
    encoder.remembers = True
    sentences = [["a"], ["b", "c"], ["d", "e"], ["f"]]
    before = encoder.model.texts_read
    first = [each.tolist() for each in encoder.vectors(sentences, 1)]
    assert set(encoder._known) == {("a",), ("f",), ("b", "c")}
    assert [each.tolist() for each in encoder.vectors(sentences, 1)] == first
    assert encoder.model.texts_read - before == 4 + 1


def test_a_folder_without_an_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TreewrightError, match=r"^nowhere: no encoder there: No such file or directory$"):
        fingerprint("nowhere")

    def fail(path: Path) -> bytes:
        raise OSError("odd")

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(TreewrightError, match=r"^nowhere: no encoder there: odd$"):
        fingerprint("nowhere")


@pytest.mark.parametrize("learns", [False, True])
def test_a_model_keeps_what_an_encoder_has_learnt(learns: bool, asked: list[Any]) -> None:
    from treewright.kinds.network.learning.pretrained_torch import EncoderTable

    encoder = SentenceEncoder("a folder")
    table = EncoderTable(encoder, [["a"], ["b", "c"]], 2, 5, learns)
    kept = table.kept("encoder")
    own = {"encoder.mix.bias": "F32", "encoder.project.bias": "F32", "encoder.project.weight": "I8"}
    learnt = {"encoder.learnt.scale.weight.bias": "F32", "encoder.learnt.scale.bias.bias": "F32"}
    types = {name: kind for name, (kind, _) in kept.items() if not name.endswith(".scales")}
    assert types == {**own, **(learnt if learns else {})}
    if learns:
        assert list(kept["encoder.learnt.scale.weight.bias"][1]) == encoder.model.scale.weight.flatten().tolist()


def test_a_network_learns_with_the_vectors_of_its_treebank(
    asked: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text("{}")
    options: dict[str, Any] = {"hidden": 8, "arc_size": 8, "relation_size": 8, "buckets": 64, "batch_words": 60}
    own = {"encoder": str(tmp_path), "encoder_layers": 2, "encoder_width": 8}
    block = next(iter(read_blocks(SOME)))
    parser = tw.train(SOME, system="neural", iterations=1, **own, **options)
    words = {tuple(block.value(word, 1).decode() for word in block.words_of(n)) for n in range(block.n_sentences)}
    assert words <= set(encoder_in(str(tmp_path))._known)
    whole = parser.parse_block(block).data
    monkeypatch.setattr(parser_module, "MOST_ROWS", 30)
    assert parser.parse_block(block).data == whole


def test_an_encoder_learns_more_slowly_than_the_rest(asked: list[Any]) -> None:
    from treewright.kinds.network.learning.pretrained_torch import SLOWER, EncoderTable, learning_groups
    from treewright.kinds.network.learning.torch_network import DropoutShares, LearningNetwork, Outputs, Sizes

    network = LearningNetwork({}, Sizes({}, 8, 0, 8, 8, 8), Outputs(2, {}), DropoutShares(0, 0))
    assert [group["share"] for group in learning_groups(network)] == [1.0]
    for learns in (False, True):
        table = EncoderTable(SentenceEncoder("a folder"), [["a"]], 1, 5, learns)
        network.tables["encoder"] = table
        slow = list(table.words.encoder.model.parameters()) if learns else []
        found = {id(values): group["share"] for group in learning_groups(network) for values in group["params"]}
        assert found == {id(values): 1.0 for values in network.parameters()} | {id(values): SLOWER for values in slow}
        assert SLOWER < 1


def test_a_model_looks_for_the_encoder_of_its_training(
    asked: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(name)
    first, other = str(tmp_path / "first"), str(tmp_path / "other")
    monkeypatch.delenv("TREEWRIGHT_ENCODER", raising=False)
    assert place_of(first, fingerprint(first)) == first
    monkeypatch.setenv("TREEWRIGHT_ENCODER", other)
    assert place_of(first, fingerprint(other)) == other
    with pytest.raises(ModelFileError, match=rf"^the encoder in {other} is not the one that the model"):
        place_of(first, fingerprint(first))


def test_a_model_projects_the_mean_of_the_top_layers(asked: list[Any], tmp_path: Path) -> None:
    """Activations are 2048 times as large in the kernel, and cut off where they are too large for 16 bits."""
    (tmp_path / "config.json").write_text("{}")
    weights = array("b", [1, 0, 0, -1, -100, 0])  # the first dimension, minus the second, and much less than nothing
    arrays = {
        "encoder.project.weight": weights,
        "encoder.project.weight.scales": array("f", [0.01, 0.01, 1.0]),
        "encoder.project.bias": array("f", [0.5, 0.0, 0.0]),
        "encoder.mix.bias": array("f", [0.0, 0.0]),
    }
    folder = str(tmp_path)
    made = PretrainedInput({"folder": folder, "fingerprint": fingerprint(folder), "layers": 2}, arrays, 3)
    block = Block(b"".join(b"1\t%c%s\n\n" % (letter, b"\t_" * 8) for letter in b"ad"), CONLLU)
    root, word = made.rows(block, 1, 2).tolist()
    mean = 2.5 * ord("d")  # the top layers make 2 and 3 times its number of a letter
    assert root == [1024, 0, 0]
    assert word == pytest.approx([2048 * (0.01 * mean + 0.5), -20.48 * mean, -32767], abs=1)


def test_what_a_recipe_names_is_read(asked: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the vectors, those of frequent words and of words of the treebank; none of what is no word of a model file."""
    (tmp_path / "config.json").write_text("{}")
    data, observer = gather(SOME), TrainingObserver()
    form = next(iter(read_blocks(SOME))).value(0, 1).decode()
    vectors = WordVectors(["a", "b\nc", "rare", form.lower()], array("f", range(8)), 2)
    monkeypatch.setattr(pretrained_inputs, "read_vectors", lambda path, most: vectors)
    monkeypatch.setattr(pretrained_inputs, "ALWAYS_KEPT", 2)
    recipe = NeuralRecipe(encoder=str(tmp_path), encoder_layers=2, vectors="vectors.txt")
    found = Pretrained.of(recipe, data, observer)
    assert (list(found.words), list(found.places)) == (["a", form.lower()], [0, 3])
    assert found.encoder == {"folder": str(tmp_path), "fingerprint": fingerprint(str(tmp_path)), "layers": 2}
    assert Pretrained.of(NeuralRecipe(), data, observer) == Pretrained()
    widths = {name: width for name, width in recipe.widths().items() if name in ("vectors", "encoder", "clusters")}
    assert widths == {"vectors": recipe.vector_width, "encoder": recipe.encoder_width, "clusters": 0}
    assert (NeuralRecipe().widths()["vectors"], NeuralRecipe().widths()["encoder"]) == (0, 0)


def test_the_encoder_of_a_training_gives_the_vectors_of_each_row(asked: list[Any]) -> None:
    import torch

    from treewright.kinds.network.learning.pretrained_torch import EncoderTable

    table = EncoderTable(SentenceEncoder("a folder"), [["a"], ["b", "c"]], 1, 5, learns=False)
    rows = torch.tensor([2, 4, 0, 1])  # each sentence begins with its root
    states = table.words.states(rows, learns=False)
    assert states[:, 0, 0].tolist() == [0, LAYERS * ord("c"), 0, LAYERS * ord("a")]
