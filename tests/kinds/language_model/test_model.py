"""The file of a language model: written, read, and damaged."""

from __future__ import annotations

import random
from array import array
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.every_kind import treebank
from tests.kinds.network.models import OF_CONTEXT, RandomArrays, random_context
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.language_model.model import LanguageModel
from treewright.kinds.network.inputs.context import Context
from treewright.steps.loading import step_of
from treewright.treebank.files.reading import read_blocks


def made() -> LanguageModel:
    """Return a language model with random weights."""
    arrays: dict[str, Any] = random_context(list(read_blocks(treebank())))
    n_guesses = 2 + len(arrays["vocabulary.words"].split(b"\n")) + 2
    guesses = RandomArrays.__new__(RandomArrays)
    guesses.arrays, guesses.chance = arrays, random.Random(3)
    guesses.matrix("guesses.weight", n_guesses, OF_CONTEXT["hidden"])
    arrays["guesses.logs.bias"] = array("f", [-2.0] * n_guesses)
    arrays["guesses.endings"] = b"ing\nes"
    info = {"recipe": {}, "training": {"name": "novels.txt", "words": 1234}}
    return LanguageModel(deepcopy(OF_CONTEXT), arrays, info)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model, path = made(), tmp_path / "small.lm"
    model.save(path)
    again = tw.load(path)
    assert isinstance(again, LanguageModel)
    assert again.guesses.endings == ["ing", "es"]
    assert again.guesses.numbers[b"Walking"] == len(again.guesses) - 2
    again.save(tmp_path / "again.lm")
    assert (tmp_path / "again.lm").read_bytes() == path.read_bytes()
    assert again._details() == {"units": 6, "words": len(model.network.vocabulary.lists["words"]), "endings": 2}


def test_a_network_takes_its_encoder_and_says_from_what_it_learnt(tmp_path: Path) -> None:
    made().save(tmp_path / "small.lm")
    context = Context.of(str(tmp_path / "small.lm"))
    assert context.settings == {**OF_CONTEXT, "source": "novels.txt, 1,234 words"}
    names = set(context.kept())
    assert "context.layer0.bias" in names
    assert not any("guesses" in name for name in names)


def test_nothing_is_parsed() -> None:
    model = made()
    for use in (lambda: model("Ann sees figs."), lambda: list(model.parse_blocks(read_blocks(treebank())))):
        with pytest.raises(CombinationError, match="finds nothing in a text by itself"):
            use()


@pytest.mark.parametrize("name", sorted(name for name, values in made().arrays.items() if len(values)))
@pytest.mark.parametrize("damage", ["missing", "shorter", "odd"])
def test_every_array_must_be_there_and_as_long_as_it_should_be(name: str, damage: str) -> None:
    header, typed = made().to_file()
    arrays: dict[str, Any] = {own: memoryview(values).cast("B") for own, (_, values) in typed.items()}
    if damage == "missing":
        del arrays[name]
    else:
        arrays[name] = arrays[name][: len(arrays[name]) // 2 - (damage == "odd")]
    with pytest.raises(ModelFileError):
        step_of(header, arrays)


def test_cut_and_foreign_files_give_one_message(tmp_path: Path) -> None:
    made().save(tmp_path / "small.lm")
    data = (tmp_path / "small.lm").read_bytes()
    for size in (0, 5, 100, len(data) // 2, len(data) - 1):
        (tmp_path / "cut.lm").write_bytes(data[:size])
        with pytest.raises(ModelFileError, match=r"cut\.lm"):
            tw.load(tmp_path / "cut.lm")
