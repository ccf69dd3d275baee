"""Python keywords with real types: ``keywords.pyi`` is made from the declarations of the options.

``python -m treewright.recipes.keyword_file`` prints it; a test compares. Editors and type checkers then know every
option of ``train(…)``, and a misspelt one is a type error. Nobody else needs it: it is a stub without a module.
"""

from __future__ import annotations

from treewright.recipes.catalogue import all_options

HEADER = """# The options of recipes as keywords of ``train``: see keyword_file.py, which makes this file.
from typing import TypedDict

from treewright.learners.estimator import Estimator

class RecipeOptions(TypedDict, total=False):
"""


def keyword_file() -> str:
    """Return the text of ``keywords.pyi``."""
    lines = []
    for name, listed in all_options().items():
        kind = listed.first.type.__name__
        optional = any(declared.default is None for declared in listed.by_kind.values())
        other = " | Estimator" if name == "learner" else ""
        lines.append(f"    {name}: {kind}{other}{' | None' if optional else ''}\n")
    return HEADER + "".join(lines)


if __name__ == "__main__":
    print(keyword_file(), end="")
