"""Values of training options that a grid names, checked one by one: what no training could take is rejected at once.

Which values go together is not asked here. A grid may well hold combinations that make no sense: they fail as cells.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from treewright.errors import TreewrightError
from treewright.features.bundled import load_feature_model
from treewright.recipes.catalogue import recipe_class


@lru_cache(maxsize=None, typed=True)  # a grid has the same values again and again
def check_option(name: str, value: Any, system: Any, where: str) -> None:
    """Reject a value that the option never has with a system."""
    try:
        kind = recipe_class(system, value if name == "learner" else None)
        declared = kind.options().get(name)
        if declared is None or name == "system":
            return  # of another kind of parser: the training says so
        declared.check(value)
        if name == "features" and kind.kind != "exact":
            load_feature_model(str(value))
    except TreewrightError as error:
        raise TreewrightError(f"{where}: {error}") from None
