"""Presets: what papers set, what users override, and what models say about it."""

import pytest

from treewright.errors import CombinationError
from treewright.options.option import options_of
from treewright.recipes.catalogue import all_options, all_systems, recipe, recipe_class, recipe_from
from treewright.recipes.papers import differences, papers


@pytest.mark.parametrize("name", papers())
def test_every_choice_is_an_option_with_a_known_value(name: str) -> None:
    for choice in papers()[name].choices:
        all_options()[choice.option]
        for system in choice.systems or (papers()[name].system,):
            options_of(recipe_class(system))[choice.option].check(choice.value)
        assert choice.where


@pytest.mark.parametrize("name", papers())
def test_a_preset_alone_differs_in_nothing(name: str) -> None:
    made = recipe_from({"as": name})
    assert differences(made.to_dict()) == {}
    assert made.to_dict()["as_paper"] == name


def test_goldberg_and_nivre_2013_by_system() -> None:
    easy = recipe(as_paper="goldberg-nivre-2013", system="easy-first").to_dict()
    assert (easy["iterations"], easy["features"]) == (20, "goldberg-elhadad")
    eager = recipe(as_paper="goldberg-nivre-2013").to_dict()
    assert (eager["iterations"], eager["root"], eager["cutoff"]) == (15, "last", 1)


def test_what_is_given_overrides_and_is_told() -> None:
    made = recipe(as_paper="goldberg-nivre-2012", policy="static", features="rich").to_dict()
    assert differences(made) == {"features": ("zhang-nivre", "rich"), "policy": ("explore", "static")}


def test_options_of_the_preset_that_change_nothing_are_no_mistake_but_given_ones_are() -> None:
    recipe(as_paper="goldberg-nivre-2012", policy="static")
    with pytest.raises(CombinationError, match="k has no effect"):
        recipe(as_paper="goldberg-nivre-2012", policy="static", k=1)


def test_an_unknown_paper_gets_the_nearest() -> None:
    with pytest.raises(CombinationError, match=r"Did you mean 'goldberg-nivre-201[23]'"):
        recipe(as_paper="goldberg-nivre-2011")


def test_systems_of_a_paper_exist() -> None:
    assert {paper.system for paper in papers().values()} <= set(all_systems())
