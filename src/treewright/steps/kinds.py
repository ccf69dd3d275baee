"""Kinds of steps: where everything is that one kind needs to be trained, written, read and checked.

A kind is a folder of ``treewright.kinds`` whose ``__init__.py`` holds one record, ``KIND``. A package of its own adds a
kind through an entry point in the group ``treewright.kinds`` that names such a record. Nothing else lists kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.errors import CombinationError, ModelFileError

if TYPE_CHECKING:
    from treewright.options.recipe import Recipe
    from treewright.steps.step import Step

ENTRY_POINTS = "treewright.kinds"
#: the folders of ``treewright.kinds``; where several can train a system, the first one does, unless options say else
BUILTIN = (
    *("transition", "graph", "exact", "network", "network_moves", "network_graph"),
    *("tokenizer", "tagger", "enhanced", "pipeline", "language_model"),
)
IN_NO_PIPELINE = ""  # the ``step`` of a kind that others learn from


class Kind(NamedTuple):
    """One kind of step: where its parts are, in its own folder (``"parser:ExactParser"``). They are imported late."""

    folder: str  # the package: ``__name__`` of the record's module
    models: Mapping[str, str]  # name in model files → class of the step
    recipe: str  # class of the recipe
    step: str = "parser"  # what a pipeline calls it
    check: str = "schema:check"  # function (header, arrays): rejects what a step could not be made from
    training: str = "training:strategy"  # function (recipe, base, estimator): what trains it
    does: str = (
        ""  # the one thing of ``call.CAPABILITIES`` that its steps do; in a pipeline, they wait until it is asked
    )
    knows: str = ""  # function (header, arrays, block): how much of a block a step knows, without making it

    def named(self, place: str) -> Any:
        """Return what a text like ``"parser:ExactParser"`` names."""
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.folder}.{module}"), name)

    @property
    def recipe_class(self) -> type[Recipe]:
        """The recipe, whose fields are the options of the kind."""
        recipe: type[Recipe] = self.named(self.recipe)
        return recipe

    def made(self, header: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> Step:
        """Return the step that header and arrays of a model of this kind make; they have been checked."""
        step: Step = self.named(self.models[header["kind"]]).from_file(header, arrays)
        return step


def builtin_kind(folder: str) -> Kind:
    """Return the kind in a folder of ``treewright.kinds``."""
    kind: Kind = import_module(f"treewright.kinds.{folder}").KIND
    return kind


@cache
def builtin_kinds() -> tuple[Kind, ...]:
    """Return the kinds that come with treewright."""
    return tuple(map(builtin_kind, BUILTIN))


@cache
def plugin_kinds() -> tuple[Kind, ...]:
    """Return the kinds of other packages."""
    from importlib.metadata import entry_points

    return tuple(_plugin(entry) for entry in entry_points(group=ENTRY_POINTS))


def _plugin(entry: Any) -> Kind:
    try:
        kind = entry.load()
    except Exception as error:
        raise CombinationError(
            f"cannot load the plug-in {entry.name} ({error}). Fix or remove the package that provides {entry.value}"
        ) from error
    if not isinstance(kind, Kind):
        raise CombinationError(f"the plug-in {entry.name} names no Kind: {entry.value} is a {type(kind).__name__}")
    return kind


def all_kinds() -> tuple[Kind, ...]:
    """Return the kinds of treewright and of plug-ins."""
    return builtin_kinds() + plugin_kinds()


def kinds_of_parsers() -> tuple[Kind, ...]:
    """Return the kinds that find trees or graphs."""
    return tuple(kind for kind in all_kinds() if kind.step == "parser")


def kind_of_model(name: object) -> Kind:
    """Return the kind of a model, as its file calls it; plug-ins are looked at for names that are unknown."""
    if name in BUILTIN and name in (kind := builtin_kind(str(name))).models:
        return kind  # most models are called like the folder
    for kind in _in_turn():
        if name in kind.models:
            return kind
    raise ModelFileError(f"a model of kind {str(name)[:40]!r}, which this version does not know")


def kind_of_recipe(recipe: Recipe) -> Kind:
    """Return the kind that a recipe trains."""
    return next(kind for kind in _in_turn() if kind.recipe_class is type(recipe))


def _in_turn() -> Iterator[Kind]:
    yield from builtin_kinds()
    yield from plugin_kinds()
