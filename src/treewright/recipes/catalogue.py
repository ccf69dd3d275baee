"""The options of everything that can be trained, and how options by name become a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, unknown
from treewright.options.option import SHORT_NAMES, Option, OptionValue, options_of
from treewright.options.recipe import Recipe
from treewright.recipes.presets import Presets, check_speed, without_presets
from treewright.recipes.synonyms import SYNONYMS
from treewright.steps.kinds import kind_of_model, kinds_of_parsers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.recipes.keywords import RecipeOptions

USUAL_SYSTEM = "arc-eager"


@cache
def recipes_of_parsers() -> tuple[type[Recipe], ...]:
    """Return the recipes of all kinds of parsers."""
    return tuple(kind.recipe_class for kind in kinds_of_parsers())


@cache
def pipeline_recipe() -> type[Any]:
    """Return the recipe of steps in a row."""
    return kind_of_model("pipeline").recipe_class


@cache
def all_systems() -> tuple[str, ...]:
    """Return the names of everything that can be trained as a parser."""
    return tuple(
        dict.fromkeys(name for kind in recipes_of_parsers() for name in options_of(kind)["system"].known_values())
    )


@cache
def step_options() -> dict[str, Option]:
    """Return the options of the steps beside a parser, under the names that they have in a pipeline."""
    options: dict[str, Option] = kind_of_model("pipeline").named("recipe:step_options")()
    return options


@dataclass(frozen=True)
class ListedOption:
    """An option as users see it: one name, declared by one or several kinds of recipes."""

    name: str
    by_kind: Mapping[str, Option]  # kind of recipe → its declaration

    @property
    def first(self) -> Option:
        """The declaration of the first kind that has the option."""
        return next(iter(self.by_kind.values()))

    @property
    def default_in_words(self) -> str:
        """The default, with those of other kinds of parsers where they differ."""
        if self.name == "system":
            return self.first.default_in_words
        kinds: dict[str, list[str]] = {}
        for kind, declared in self.by_kind.items():
            kinds.setdefault(declared.default_in_words, []).append(kind)
        usual, *others = kinds
        return "; ".join([usual, *(f"{', '.join(kinds[words])}: {words}" for words in others)])

    def known_values(self) -> tuple[str, ...]:
        """Return the values to choose from, of all kinds of parsers."""
        if self.name == "system":
            return all_systems()
        return tuple(dict.fromkeys(value for declared in self.by_kind.values() for value in declared.known_values()))


@cache
def all_options() -> dict[str, ListedOption]:
    """Return every option by name."""
    declared: dict[str, dict[str, Option]] = {}
    pipeline = pipeline_recipe()
    for kind in (*recipes_of_parsers(), pipeline):
        for name, one in options_of(kind).items():
            declared.setdefault(name, {})[kind.kind] = one
    for name, one in options_of(Presets).items():
        declared[name] = {Presets.kind: one}
    for name, one in step_options().items():
        declared[name] = {pipeline.kind: one}
    return {name: ListedOption(name, by_kind) for name, by_kind in declared.items()}


def parser_options() -> tuple[str, ...]:
    """Return the names of the options of parsers, without those of the steps beside them."""
    return tuple(dict.fromkeys(name for kind in recipes_of_parsers() for name in options_of(kind)))


def recipe_class(system: object, learner: object = None) -> type[Recipe]:
    """Return the kind of recipe that a system and a learner need."""
    if system not in all_systems():
        raise CombinationError(unknown("system", str(system), all_systems()))
    recipes = recipes_of_parsers()
    fitting = (kind for with_learner in (learner, None) for kind in recipes if kind.trains(system, with_learner))
    return next(fitting)


def recipe_from(given: Mapping[str, Any], allow_idle: bool = False) -> Recipe:
    """Return the complete recipe that options by name stand for.

    Unknown options, values out of range, options of another kind of parser and (unless ``allow_idle``) options without
    effect are rejected.
    """
    options = current_names(given)
    check_names(options)
    asked = set(options)
    options = without_presets(options)
    kind = recipe_class(options.get("system", USUAL_SYSTEM), options.get("learner"))
    options = {**kind.implied(options), **options}
    wants_pipeline = options.get("pipeline", False) or bool(options.get("step"))
    pipeline = {name: value for name, value in options.items() if "pipeline" in all_options()[name].by_kind}
    shared = {name for name in pipeline if name in options_of(kind)}
    parser = {name: value for name, value in options.items() if name not in pipeline or name in shared}
    if "speed" in asked:
        check_speed(given["speed"], kind, [name for name in parser if name not in asked])
    _check_kind(kind, parser)
    recipe = kind(**parser)
    if wants_pipeline:
        recipe = _pipeline(pipeline, recipe)
    elif own := [name for name in pipeline if name != "pipeline" and name not in shared]:
        name = own[0]
        raise CombinationError(f"{name} is an option of pipelines: add --pipeline, or leave it out")
    recipe.check()
    complete = recipe.completed()
    if not allow_idle:
        complete.check_given(asked)
    return complete


def recipe(**options: Unpack[RecipeOptions]) -> Recipe:
    """Return the recipe that options stand for: ``recipe(system="exact", seed=7)``."""
    return recipe_from(options)


def current_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options under their whole names."""
    return {SHORT_NAMES.get(name, name): value for name, value in given.items()}


def check_names(options: Mapping[str, Any]) -> None:
    """Reject options that nothing has, with the nearest name."""
    for name in options:
        if name not in all_options():
            raise CombinationError(unknown("option", name, all_options(), SYNONYMS))


def _check_kind(kind: type[Recipe], options: Mapping[str, Any]) -> None:
    """Reject options of another kind of parser."""
    own = options_of(kind)
    for name in options:
        if name not in own:
            owners = [other.whose for other in recipes_of_parsers() if name in options_of(other)]
            raise CombinationError(f"{name} is an option of {' and '.join(owners)}; {kind.whose} have {', '.join(own)}")


def _pipeline(options: Mapping[str, Any], parser: Recipe) -> Recipe:
    """Return the recipe of all steps."""
    whole = pipeline_recipe()
    beside: dict[str, Recipe] = {}
    for step, usual in whole().beside.items():
        start = f"{step}_"
        given = {name.removeprefix(start): value for name, value in options.items() if name.startswith(start)}
        beside[step] = replace(usual, **given)
    plain = {name: value for name, value in options.items() if name in options_of(whole)}
    recipe: Recipe = whole(**plain, beside=beside, parser=parser)
    return recipe


def known_of(kept: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return what a model says of its recipe, without what is no option."""
    return {name: value for name, value in kept.items() if name in all_options()}
