"""What is made of the declarations of options; tests compare both with what is there.

    python tools/option_tables.py             # the tables of docs/reference/command-line.md
    python tools/option_tables.py keywords    # src/treewright-stubs/recipes/keywords.pyi: keywords with real types

With the stub, editors and type checkers know every option of ``train(…)``, and a misspelt one is a type error.
"""

from __future__ import annotations

import sys

from treewright.options.option import flags_of
from treewright.options.recipe import Recipe
from treewright.options.topics import TOPICS
from treewright.recipes.catalogue import ListedOption, all_options, pipeline_recipe, recipes_of_parsers
from treewright.recipes.presets import Presets

STUB = """# The options of recipes as keywords of ``train``: see tools/option_tables.py, which makes this file.
from typing import TypedDict

from treewright.learners.estimator import Estimator

class RecipeOptions(TypedDict, total=False):
"""
HEADER = "| option | values | default | for | meaning |\n|---|---|---|---|---|\n"


def option_tables() -> str:
    """Return a table of options for every topic, in Markdown."""
    parts = []
    for topic in TOPICS:
        rows = [_row(listed) for listed in all_options().values() if listed.first.topic == topic]
        parts.append(f"### {topic.capitalize()}\n\n{HEADER}{''.join(rows)}")
    return "\n".join(parts)


def _row(listed: ListedOption) -> str:
    first = listed.first
    flags = ", ".join(f"`{flag}`" for flag in flags_of(first))
    cells = [flags, _values(listed), listed.default_in_words, _for(listed), first.help]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _values(listed: ListedOption) -> str:
    """Return what an option can be, in words."""
    first = listed.first
    if first.type is bool:
        return "yes or no"
    known = listed.known_values()
    if known:
        return ", ".join(f"`{value}`" for value in known)
    if first.type is str:
        return first.metavar or "text"
    return f"{'whole number' if first.type is int else 'number'} {first.range_in_words()}"


def _for(listed: ListedOption) -> str:
    """Return which kinds of parsers have an option."""
    if len(listed.by_kind) == len(recipes_of_parsers()):
        return "all parsers"
    kinds: tuple[type[Recipe] | type[Presets], ...] = (*recipes_of_parsers(), pipeline_recipe(), Presets)
    whose = {kind.kind: kind.whose for kind in kinds}
    return ", ".join(whose[kind] for kind in listed.by_kind)


def keyword_stub() -> str:
    """Return the text of ``keywords.pyi``."""
    lines = []
    for name, listed in all_options().items():
        kind = listed.first.type.__name__
        optional = any(declared.default is None for declared in listed.by_kind.values())
        other = " | Estimator" if name == "learner" else ""
        lines.append(f"    {name}: {kind}{other}{' | None' if optional else ''}\n")
    return STUB + "".join(lines)


if __name__ == "__main__":
    print(keyword_stub() if sys.argv[1:] == ["keywords"] else option_tables(), end="")
