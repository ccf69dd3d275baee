"""List what `train --as PAPER` sets, each choice with the section of the paper that makes it."""

from __future__ import annotations

import argparse

from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.shared_arguments import add_json
from treewright.recipes.papers import Paper, paper_named, papers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="a preset (default: all)")
    parser.add_argument("--system", metavar="NAME", help="only what is set for this system")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print presets."""
    from treewright.errors import CombinationError, unknown
    from treewright.recipes.catalogue import all_systems

    if arguments.system is not None and arguments.system not in all_systems():
        raise CombinationError(unknown("system", arguments.system, all_systems()))
    chosen = papers() if arguments.paper is None else {arguments.paper: paper_named(arguments.paper)}
    if arguments.json:
        listed = {name: _as_data(paper, arguments.system) for name, paper in chosen.items()}
        print_json(listed)
        return 0
    print("\n\n".join("\n".join(_lines(name, paper, arguments.system)) for name, paper in chosen.items()))
    return 0


def _as_data(paper: Paper, system: str | None) -> dict[str, object]:
    return {
        "title": paper.title,
        "scored": paper.scored,
        "choices": [
            {"option": each.option, "value": each.value, "where": each.where, "systems": list(each.systems)}
            for each in paper.choices_for(system)
        ],
    }


def _lines(name: str, paper: Paper, system: str | None) -> list[str]:
    lines = [name, f"  {paper.title}", f"  scores: {paper.scored}"]
    for each in paper.choices_for(system):
        value = {True: "yes", False: "no"}.get(each.value, each.value) if isinstance(each.value, bool) else each.value
        only = f" ({', '.join(each.systems)})" if each.systems and system is None else ""
        lines.append(f"  {each.option:12} {value!s:17} {each.where}{only}")
    return lines
