"""Feature functions from other packages: ``plugin(NAME, address)`` in a feature model.

A package offers a function by an entry point in the group ``treewright.features``. The function is called once per
sentence, before the compiled loop over moves. It gets the words as dictionaries from column to text and returns one
text for each word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from treewright.errors import FeatureModelError, ModelFileError
from treewright.features.trust import allow_plugins

ENTRY_POINTS = "treewright.features"
FeatureFunction = Callable[[Sequence[dict[str, str]]], Iterable[str]]


class MissingFunctionError(FeatureModelError, ModelFileError):
    """A feature model or a trained model needs a function that is not available; the file itself is fine."""


def installed_functions() -> list[str]:
    """Return the names of the feature functions that installed packages offer."""
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=ENTRY_POINTS)})


def feature_function(name: str) -> FeatureFunction:
    """Return a feature function by name; raise an error if no installed package offers it."""
    from importlib.metadata import entry_points

    points = list(entry_points(group=ENTRY_POINTS, name=name))
    if not points:
        there_are = ", ".join(installed_functions()) or "none"
        raise MissingFunctionError(
            f"the feature function plugin({name}, …) is not installed (installed: {there_are})."
            f" Install the package that offers {name!r} in the entry point group {ENTRY_POINTS}"
        )
    try:
        function: FeatureFunction = points[0].load()
    except Exception as error:
        raise MissingFunctionError(
            f"the feature function plugin({name}, …) cannot be loaded ({error})."
            f" Fix or remove the package that provides {points[0].value}"
        ) from error
    if not callable(function):
        raise MissingFunctionError(f"plugin({name}, …) is {points[0].value}, which is not a function")
    allow_plugins(name)  # the user named it, or allowed it before
    return function
