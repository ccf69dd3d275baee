"""`make model` has the options with which the bundled models were trained, whatever the defaults are by now."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import treewright as tw
from treewright.recipes.catalogue import recipe_from

#: what was given when the models were trained, besides the recipe
GIVEN = {
    "english": {
        "raw": "en.txt.xz",
        "silver": "silver.conllu",
        "keep_step": "tokenizer=english",
        "iterations": 2,
        "rate": 0.0007,
        "dropout": 0.33,
        "recurrent_dropout": 0.0,
        "label_smoothing": 0.0,
    },
    "english-fast": {"raw": "en.txt.xz", "silver": "silver.conllu", "keep_step": "tokenizer=english-fast"},
}
ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "tools" / "make_english_model.py"


@pytest.mark.parametrize("name", ["english", "english-fast"])
def test_the_sentences_of_readme_and_demo_are_parsed_right(name: str) -> None:
    text = "The old shepherd who sang gave her a red lantern."
    for page in ("README.md", "Makefile"):
        assert not (ROOT / page).exists() or text in (ROOT / page).read_text(encoding="utf-8")
    (sentence,) = tw.load(name).parse_text(text)
    assert [word.head for word in sentence] == [3, 3, 6, 5, 3, 0, 6, 10, 10, 6, 6]
    relations = ["det", "amod", "nsubj", "nsubj", "acl:relcl", "root", "iobj", "det", "amod", "obj", "punct"]
    assert [word.deprel for word in sentence] == relations


@pytest.mark.parametrize("name", ["english", "english-fast"])
def test_the_recorded_recipe_is_that_of_the_model(name: str) -> None:
    if not SCRIPT.exists():
        pytest.skip("tools/ is not part of the package")
    _, options = runpy.run_path(str(SCRIPT))["RECIPES"][name]
    recorded = recipe_from({**options, "pipeline": True, "jackknife": 4}).to_dict()
    used = {option: value for option, value in tw.load(name).info["recipe"].items() if value is not None}
    given = {option: used.pop(option) for option in GIVEN[name]}
    assert given == GIVEN[name]
    others = {option: (value, recorded[option]) for option, value in used.items() if recorded[option] != value}
    assert others in ({}, {"decision": ("joint", None)})  # None: as the feature model says
