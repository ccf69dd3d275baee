"""Recipes: every option is declared once; defaults, refusals, files and keywords follow from the declaration."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import treewright as tw
from tests.outside import module_at
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import CombinationError, TreewrightError
from treewright.features.bundled import load_feature_model
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network_moves.recipe import NeuralMoveRecipe
from treewright.options.option import Option
from treewright.options.topics import TOPICS
from treewright.recipes.catalogue import all_options, all_systems, recipe_from
from treewright.recipes.toml_file import config_text, read_config
from treewright.steps.call import Call, call_from
from treewright.steps.call_keywords import CallKeywords

GRAPHS = Path(__file__).parents[2] / "examples" / "graphs.conllu"
#: what a recipe is if only the system is named; the first row is the default
DEFAULTS: dict[str, dict[str, Any]] = {
    "arc-eager": {"root": None, "policy": "explore", "lifting": "head", "iterations": 15, "cutoff": 3, "beam": 1},
    "arc-hybrid": {"policy": "explore", "lifting": "head", "k": 1, "p": 0.9, "zero_cost": "best", "seed": 1},
    "arc-standard": {"policy": "explore", "lifting": "head", "features": "rich", "prune": True},
    "nivre-standard": {"policy": "explore", "lifting": "head", "features": "rich", "prune": True},
    "covington-projective": {"policy": "explore", "lifting": "head", "single_root": True},
    "covington": {"policy": "explore", "lifting": "none", "exploration": "2013"},
    "easy-first": {"policy": "explore", "lifting": "head", "learner": "perceptron", "calibration": "temperature"},
    "planar": {"policy": "explore", "lifting": "none", "k": 1},
    "2-planar": {"policy": "explore", "lifting": "none", "root": None},
    "non-monotonic": {"policy": "explore", "lifting": "head", "rules": "none"},
    "swap": {"policy": "static", "lifting": "none", "root": None},
    "swap-hybrid": {"policy": "explore", "lifting": "none", "k": 1},
    "dag-arc-eager": {"policy": "explore", "lifting": "head", "iterations": 15, "cutoff": 3, "k": 1, "p": 0.9},
    "dag-crossing": {"policy": "explore", "lifting": "head", "features": "rich"},
    "dag-shift-reduce": {"policy": "static", "lifting": "head"},
    "exact": {"order": 2, "iterations": 5, "cutoff": 2, "adviser": "greedy", "adviser_folds": 5, "learning": "sgd"},
    "neural": {"hidden": 160, "layers": 2, "iterations": None, "dropout": None, "rate": 0.002, "retag": False},
    "neural-graph": {"hidden": 160, "arc_size": 160, "relation_size": 96, "governors": "learnt"},
    "hybrid": {"hidden": 160, "members": "greedy,beam", "cutoff": 2, "batch_words": 200, "smoothing": 0.995},
}


def test_the_defaults_of_every_system() -> None:
    assert set(DEFAULTS) == set(all_systems())
    assert recipe_from({}) == recipe_from({"system": "arc-eager"})
    for system, expected in DEFAULTS.items():
        found = recipe_from({"system": system}).to_dict()
        assert {name: found[name] for name in expected} == expected, system


def test_networks_that_read_much_leave_out_less() -> None:
    usual, given = NeuralRecipe(), NeuralRecipe(dropout=0.5, recurrent_dropout=0.0)
    assert usual.left_out(99_999) == (0.33, 0.3)
    assert usual.left_out(100_000) == (0.22, 0.15)
    assert given.left_out(10) == given.left_out(1_000_000) == (0.5, 0.0)
    assert NeuralMoveRecipe().left_out(1_000_000) == (0.33, 0.0)


def test_defaults_that_depend_on_other_options() -> None:
    assert tw.recipe(learner="liblinear").to_dict()["cutoff"] == 1
    assert tw.recipe(learner="liblinear").to_dict()["policy"] == "static"
    old = tw.recipe(exploration="2012").to_dict()
    assert (old["k"], old["p"], old["zero_cost"]) == (2, 0.1, "random")
    assert tw.recipe(system="exact", projective=True).to_dict()["order"] == 2
    assert tw.recipe(pipeline=True).to_dict()["jackknife"] == 4
    assert tw.recipe(pipeline=True, seed=7).beside["tagger"].seed == 7  # type: ignore[attr-defined]


def test_one_word_for_a_point_between_speed_and_accuracy() -> None:
    assert tw.recipe(speed="fast") == tw.recipe()
    assert tw.recipe(speed="fastest").to_dict()["features"] == "lean"
    assert tw.recipe(speed="balanced").to_dict()["beam"] == 8
    assert tw.recipe(speed="accurate").to_dict()["system"] == "hybrid"
    assert tw.recipe(speed="best").to_dict()["members"] == "greedy,beam,exact"
    assert tw.recipe(speed="balanced", beam=4).to_dict()["beam"] == 4
    assert tw.recipe(speed="accurate", pipeline=True).to_dict()["retag"] is True
    assert tw.recipe(speed="accurate", system="neural").to_dict()["system"] == "neural"
    with pytest.raises(CombinationError, match="balanced"):
        tw.recipe(speed="balancd")
    with pytest.raises(CombinationError, match=r"'best' stands for members .*transition parsers do not have"):
        tw.recipe(speed="best", system="arc-eager")
    with pytest.raises(CombinationError, match="'balanced' stands for beam 8, which neural and hybrid parsers"):
        tw.recipe(speed="balanced", system="hybrid")


def test_every_option_has_a_topic_and_help() -> None:
    for name, listed in all_options().items():
        assert listed.first.topic in TOPICS
        assert listed.first.help, name


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"beem": 3}, "unknown option 'beem'. Did you mean 'beam'"),
        ({"system": "arc-eagr"}, "unknown system 'arc-eagr'. Did you mean 'arc-eager'"),
        ({"system": "exact", "beam": 3}, "beam is an option of transition parsers; exact parsers have"),
        ({"system": "dag-crossing", "root": "first"}, "root is an option of transition parsers.*; graph parsers"),
        ({"order": 1}, "order is an option of exact parsers; transition parsers have"),
        ({"update": "early"}, "update has no effect here: only a beam"),
        ({"policy": "static", "k": 2}, "k has no effect here: the policy static does not explore"),
        ({"learner_options": "-c 1"}, "learner_options has no effect here"),
        ({"learner": "liblinear", "iterations": 3}, "iterations has no effect here: liblinear learns from all"),
        ({"beam": 4, "cost_sensitive": "scale"}, "cost_sensitive has no effect here"),
        ({"system": "exact", "adviser": "none", "adviser_folds": 3}, "adviser_folds has no effect here"),
        ({"jackknife": 3}, "jackknife is an option of pipelines"),
        ({"tagger_cutoff": 3}, "tagger_cutoff is an option of pipelines"),
        ({"pipeline": True, "jackknife": 1}, "jackknife is 1"),
        ({"pipeline": True, "tagger_iterations": 0}, "iterations is 0, but must be at least 1"),
        ({"iterations": "x"}, "iterations is a whole number, not 'x'"),
        ({"beam": True}, "beam is a whole number, not True"),
        ({"single_root": 1}, "single_root is true or false, not 1"),
        ({"p": float("nan")}, "p is nan, but must be from 0 to 1"),
        ({"seed": 1 << 64}, r"must be from 0 to 2\*\*64 - 1"),
        ({"cutoff": 201}, "must be from 1 to 200"),
    ],
)
def test_what_is_rejected(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CombinationError, match=message):
        recipe_from(given)


def test_boundaries_belong_to_the_range() -> None:
    for name, values in {
        "cutoff": (1, 200),
        "p": (0, 1),
        "seed": (0, (1 << 64) - 1),
        "dagger_rounds": (1, 100),
    }.items():
        for value in values:
            more = {"learner": "liblinear", "policy": "dagger"} if name == "dagger_rounds" else {}
            assert recipe_from({name: value, **more}).to_dict()[name] == value


@pytest.mark.parametrize("name", ["guide", "kbest", "folds"])
def test_old_names_are_refused(name: str) -> None:
    with pytest.raises(CombinationError, match=f"unknown option '{name}'"):
        recipe_from({"system": "exact", name: 5})
    with pytest.raises(CombinationError, match="system 'graph'"):
        recipe_from({"system": "graph"})


def test_a_recipe_or_options_but_not_both() -> None:
    with pytest.raises(CombinationError, match="not both: seed"):
        tw.train(TRAIN, recipe=tw.recipe(), seed=2)


def test_a_whole_recipe_counts(tmp_path: Path) -> None:
    """Seed and rounds of an exact recipe were once ignored."""
    recipe = tw.recipe(system="exact", seed=7, iterations=1, adviser="none", order=1, learning="perceptron")
    first = tw.train(DEV, recipe=recipe)
    assert first.info["recipe"] == recipe.to_dict()
    assert first.info["training"]["rounds"] == 1
    first.save(tmp_path / "first.tw")
    tw.train(DEV, recipe=tw.recipe(**{**recipe.to_config(), "seed": 8})).save(tmp_path / "other.tw")  # type: ignore[typeddict-item]
    assert (tmp_path / "first.tw").read_bytes() != (tmp_path / "other.tw").read_bytes()


def test_the_keywords_are_those_of_the_declarations() -> None:
    stubs = Path(tw.__file__).parents[1] / "treewright-stubs"
    assert (stubs / "recipes" / "keywords.pyi").read_text(encoding="utf-8") == module_at(
        "tools/option_tables.py"
    ).keyword_stub()
    names = {each.name for each in fields(Call)} - {"filled"}  # which no user gives
    assert set(CallKeywords.__annotations__) == names
    hints = get_type_hints(Call, localns={"Certificate": object})
    own = get_type_hints(CallKeywords, localns={"Certificate": object})
    assert {name: hints[name] for name in names} == own


def test_options_of_a_call() -> None:
    with pytest.raises(CombinationError, match="unknown option 'filled'"):
        call_from({"filled": frozenset({"UPOS"})})
    with pytest.raises(CombinationError, match=r"unknown option 'kbest'. Did you mean 'k_best'"):
        call_from({"kbest": 2})
    with pytest.raises(CombinationError, match="beam is 0"):
        call_from({"beam": 0})


LEAN = str(load_feature_model("lean"))
MODELS: dict[str, dict[str, Any]] = {
    "greedy": {"features": "lean", "iterations": 1, "k": 0},
    "beam": {"beam": 3, "features": "lean", "iterations": 1},
    "bias": {"learner": "liblinear", "learner_options": "-s 0 -B 1", "features": "malt"},
    "liblinear": {"learner": "liblinear", "learner_options": "-s 1", "features": "malt"},
    "exact": {"system": "exact", "iterations": 1, "order": 1, "adviser": "none", "learning": "mira"},
    "graphs": {"system": "dag-arc-eager", "iterations": 2},
    "graphs without crossing": {"system": "dag-shift-reduce", "iterations": 1, "features": "rich"},
    "pipeline": {"pipeline": True, "iterations": 1, "tagger_iterations": 2, "tokenizer_iterations": 2, "jackknife": 2},
}


@pytest.mark.parametrize(
    ("before", "is_in_the_file"),
    [
        ("p(stack[0])\np(input[0])\n", True),
        (re.sub(r"^\[.*\]\n", "", LEAN, flags=re.MULTILINE), True),  # the same templates, all for moves and labels
        (LEAN + "[moves]\np(stack[2])\n", False),  # one more: training may have added it
    ],
)
def test_templates_that_a_name_does_not_stand_for_any_more_are_in_the_file(
    before: str, is_in_the_file: bool, tmp_path: Path
) -> None:
    from treewright.apps.cli.commands.info_command import config_of

    (tmp_path / "old.features").write_text(before, encoding="utf-8")
    model = tw.train(DEV, features=str(tmp_path / "old.features"), iterations=1)
    model.info["recipe"]["features"] = "lean"  # as if these had been `lean`
    (tmp_path / "recipe.toml").write_text(config_of(model), encoding="utf-8")
    options: Any = read_config(tmp_path / "recipe.toml")
    assert (tw.train(DEV, **options)._feature_text == model._feature_text) == is_in_the_file
    assert (options["features"] == "lean") != is_in_the_file


@pytest.mark.parametrize("name", MODELS)
def test_any_model_prints_the_file_that_makes_it_again(name: str, tmp_path: Path) -> None:
    from treewright.apps.cli.commands.info_command import config_of

    treebank = str(GRAPHS) if name.startswith("graphs") else DEV
    model = tw.train(treebank, **MODELS[name])
    model.save(tmp_path / "one.tw")
    (tmp_path / "recipe.toml").write_text(config_of(model), encoding="utf-8")
    options: Any = read_config(tmp_path / "recipe.toml")
    assert {name: options[name] for name in MODELS[name]} == MODELS[name]
    tw.train(treebank, **options).save(tmp_path / "two.tw")
    assert (tmp_path / "one.tw").read_bytes() == (tmp_path / "two.tw").read_bytes()


def test_a_feature_model_of_ones_own_is_in_the_file(tmp_path: Path) -> None:
    from treewright.apps.cli.commands.info_command import config_of

    (tmp_path / "my.features").write_text("p(stack[0])\np(input[0])\np(stack[0]) & p(input[0])\n", encoding="utf-8")
    model = tw.train(DEV, TEST, features=str(tmp_path / "my.features"), iterations=1)
    (tmp_path / "recipe.toml").write_text(config_of(model), encoding="utf-8")
    (tmp_path / "my.features").unlink()
    options: Any = read_config(tmp_path / "recipe.toml")
    again = tw.train(DEV, TEST, **options)
    assert again.settings["features"] == model.settings["features"]
    assert again.info["dev"] == model.info["dev"]


def test_config_files_with_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    for text, message in (("beam = [1]", "an option is text or a number"), ("beam = ", "not TOML")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TreewrightError, match=message):
            read_config(path)
    with pytest.raises(TreewrightError, match="cannot be read"):
        read_config(tmp_path / "absent.toml")
    path.write_text('[parser]\nsystem = "arc-hybrid"\n[beam]\nbeam = 4\n', encoding="utf-8")
    assert read_config(path) == {"system": "arc-hybrid", "beam": 4}


def test_text_of_any_kind_survives_a_config_file(tmp_path: Path) -> None:
    for text in ('say "x" \\ y', "tab\tand # sign", "ünï ✓", "first\nsecond 'quoted'\n", "'''\nthree quotes\n"):
        (tmp_path / "one.toml").write_text(config_text({"learner_options": text}), encoding="utf-8")
        assert read_config(tmp_path / "one.toml") == {"learner_options": text}


def test_a_default_is_not_looked_up_among_the_choices() -> None:
    """Their list may have to be put together from all installed packages, and every recipe is checked."""
    asked = []
    option = Option("", "", choices=lambda: asked.append(1) or ("a", "b"), name="x", default="a")
    option.check("a")
    assert not asked
    option.check("b")
    assert asked
    with pytest.raises(CombinationError, match="unknown x 'c'"):
        option.check("c")
