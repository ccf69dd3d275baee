"""The options as tables for the reference page: ``python -m treewright.recipes.reference`` prints them."""

from __future__ import annotations

from treewright.options.option import flags_of
from treewright.options.recipe import Recipe
from treewright.options.topics import TOPICS
from treewright.recipes.catalogue import ListedOption, all_options, pipeline_recipe, recipes_of_parsers
from treewright.recipes.presets import Presets

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


if __name__ == "__main__":
    print(option_tables(), end="")
