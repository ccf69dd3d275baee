"""All options of everything that can be trained, and the way from options by name to a recipe."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError, TreewrightWarning, unknown
from treewright.kinds.exact.recipe import ExactRecipe
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network_graph.recipe import NeuralGraphRecipe
from treewright.kinds.network_moves.recipe import NEURAL, NeuralMoveRecipe
from treewright.kinds.pipeline.recipe import STEPS, PipelineRecipe, step_options
from treewright.kinds.transition.moves import USUAL_FEATURES
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options.option import Option, OptionValue, options_of
from treewright.options.recipe import Recipe
from treewright.recipes.presets import Presets, check_speed, without_presets
from treewright.recipes.synonyms import SYNONYMS
from treewright.systems import SYSTEMS
from treewright.systems.graphs import GRAPH_SYSTEMS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from treewright.recipes.keywords import RecipeOptions

#: kinds of parsers, and with "pipeline" what comes before them
PARSERS: tuple[type[Recipe], ...] = (
    TransitionRecipe,
    GraphRecipe,
    ExactRecipe,
    NeuralRecipe,
    NeuralMoveRecipe,
    NeuralGraphRecipe,
)
ALL_SYSTEMS = (*SYSTEMS, *GRAPH_SYSTEMS, "exact", "neural", "hybrid", "neural-graph")
#: names that options and values had in earlier versions
OLD_OPTIONS = {"guide": "adviser", "folds": "adviser_folds"}
#: shorter names of options
SHORT_NAMES = {"as": "as_paper"}
OLD_VALUES = {("system", "graph"): "exact", ("features", "graph"): "exact"}


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
            return ALL_SYSTEMS
        return tuple(dict.fromkeys(value for declared in self.by_kind.values() for value in declared.known_values()))


@cache
def all_options() -> dict[str, ListedOption]:
    """Return every option by name."""
    declared: dict[str, dict[str, Option]] = {}
    kinds: tuple[type[Recipe], ...] = (*PARSERS, PipelineRecipe)
    for kind in kinds:
        for name, one in options_of(kind).items():
            declared.setdefault(name, {})[kind.kind] = one
    for name, one in options_of(Presets).items():
        declared[name] = {Presets.kind: one}
    for name, one in step_options().items():
        declared[name] = {PipelineRecipe.kind: one}
    return {name: ListedOption(name, by_kind) for name, by_kind in declared.items()}


def parser_options() -> tuple[str, ...]:
    """Return the names of the options of parsers, without those of the steps before them."""
    return tuple(dict.fromkeys(name for kind in PARSERS for name in options_of(kind)))


def recipe_class(system: object, learner: object = None) -> type[Recipe]:
    """Return the kind of recipe that a system and a learner need."""
    if system not in ALL_SYSTEMS:
        raise CombinationError(unknown("system", str(system), ALL_SYSTEMS))
    if learner == NEURAL and system in options_of(NeuralMoveRecipe)["system"].known_values():
        return NeuralMoveRecipe
    return next(kind for kind in PARSERS if system in options_of(kind)["system"].known_values())


def recipe_from(given: Mapping[str, Any], allow_idle: bool = False) -> Recipe:
    """Return the complete recipe that options by name stand for.

    Unknown options, values out of range, options of another kind of parser and (unless ``allow_idle``) options without
    effect are rejected.
    """
    options = current_names(given)
    check_names(options)
    asked = set(options)
    options = without_presets(options)
    if options.get("learner") in USUAL_FEATURES:
        options.setdefault("features", USUAL_FEATURES[options["learner"]])
    kind = recipe_class(options.get("system", TransitionRecipe().system), options.get("learner"))
    wants_pipeline = options.get("pipeline", False)
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
    """Return options under their current names; old names go on with a warning."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        current = OLD_OPTIONS.get(name, SHORT_NAMES.get(name, name))
        if name in OLD_OPTIONS:
            warnings.warn(f"the option {name} is now called {current}", TreewrightWarning, stacklevel=3)
        meant = OLD_VALUES.get((current, value), value) if isinstance(value, str) else value
        if meant is not value:
            warnings.warn(f"{current} {value!r} is now called {meant!r}", TreewrightWarning, stacklevel=3)
        options[current] = meant
    return options


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
            owners = [other.whose for other in PARSERS if name in options_of(other)]
            raise CombinationError(f"{name} is an option of {' and '.join(owners)}; {kind.whose} have {', '.join(own)}")


def _pipeline(options: Mapping[str, Any], parser: Recipe) -> PipelineRecipe:
    """Return the recipe of all steps."""
    steps: dict[str, Any] = {}
    for step, kind in STEPS.items():
        start = f"{step}_"
        steps[step] = kind(**{n[len(start) :]: value for n, value in options.items() if n.startswith(start)})
    plain = {name: value for name, value in options.items() if name in options_of(PipelineRecipe)}
    return PipelineRecipe(**plain, **steps, parser=parser)


def known_of(kept: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return what a model of any version says of its recipe, under current names, without what is not known now."""
    options = {OLD_OPTIONS.get(name, name): value for name, value in kept.items()}
    return {name: OLD_VALUES.get((name, value), value) for name, value in options.items() if name in all_options()}
