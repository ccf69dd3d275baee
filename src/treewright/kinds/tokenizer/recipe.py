"""The recipe of a tokeniser and sentence splitter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.options import topics
from treewright.options.option import count, option
from treewright.options.recipe import Recipe
from treewright.recipes.shared_options import seeds_option


@dataclass(frozen=True)
class TokenizerRecipe(Recipe):
    """The recipe of a tokeniser and sentence splitter."""

    kind: ClassVar[str] = "tokenizer"
    whose: ClassVar[str] = "tokenisers"

    iterations: int = count(10, "tokeniser: rounds over the text", topics.TEXT)
    cutoff: int = count(2, "tokeniser: mistakes before a feature counts", topics.TEXT, 1, 200)
    margin: float = option(60.0, "tokeniser: lead that the right label must have", topics.TEXT, minimum=0, maximum=1e6)
    seeds: int = seeds_option("tokeniser: trainings in different orders", 5)
    seed: int = 1
