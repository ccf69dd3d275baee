"""Python keywords with real types: ``keywords.py`` is made from the declarations of the options.

``python -m treewright.recipes.keyword_file`` prints it; a test compares. Editors and type checkers then know every
option of ``train(…)``, and a misspelt one is a type error.
"""

from __future__ import annotations

from treewright.recipes.catalogue import all_options

HEADER = '''"""The options of recipes as keywords of ``train``: see keyword_file.py, which makes this file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from treewright.learners.estimator import Estimator


class RecipeOptions(TypedDict, total=False):
    """Every option of everything that can be trained; the reference page says what each one means."""

'''


def keyword_file() -> str:
    """Return the text of ``keywords.py``."""
    lines = []
    for name, listed in all_options().items():
        kind = listed.first.type.__name__
        optional = any(declared.default is None for declared in listed.by_kind.values())
        other = " | Estimator" if name == "learner" else ""
        lines.append(f"    {name}: {kind}{other}{' | None' if optional else ''}\n")
    return HEADER + "".join(lines)


if __name__ == "__main__":
    print(keyword_file(), end="")
