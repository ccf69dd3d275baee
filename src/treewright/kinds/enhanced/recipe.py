"""The recipe of enhanced graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.options import topics
from treewright.options.option import choice, count
from treewright.options.recipe import Recipe


@dataclass(frozen=True)
class EnhancedRecipe(Recipe):
    """The recipe of graphs that follow trees."""

    kind: ClassVar[str] = "enhanced"
    whose: ClassVar[str] = "enhanced graphs"

    iterations: int = count(8, "enhanced graphs: rounds over the treebank", topics.TEXT)
    cutoff: int = count(1, "enhanced graphs: mistakes before a feature counts", topics.TEXT, 1, 200)
    empty_nodes: str = choice(
        "words",
        ("words", "bare", "paths"),
        "enhanced graphs: empty nodes with the words that they repeat, without, or as paths (3:conj>obj)",
        topics.TEXT,
    )
    seed: int = 1
