"""The recipe of an exact parser: parts of trees, and the best tree by parse, price and cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from treewright.kinds.transition.moves import MOST_SEED
from treewright.options import topics
from treewright.options.option import choice, count, option
from treewright.options.recipe import Recipe
from treewright.recipes.papers import as_paper_option
from treewright.recipes.shared_options import governors_option


@dataclass(frozen=True)
class ExactRecipe(Recipe):
    """The recipe of an exact parser."""

    kind: ClassVar[str] = "exact"
    whose: ClassVar[str] = "exact parsers"
    kept: ClassVar[tuple[str, ...]] = ("system", "single_root", "features", "order", "parts", "projective", "adviser")

    as_paper: str = as_paper_option()
    system: str = choice("exact", ("exact",), "what finds the tree", topics.PARSER)
    single_root: bool = option(True, "build trees with exactly one root", topics.PARSER)
    governors: str = governors_option()
    features: str = option("exact", "templates: bundled ones, or a file", topics.FEATURES, metavar="NAME|FILE")
    order: int | None = option(
        None, "1: arcs alone; 2: arcs and parts of three words", topics.EXACT, 1, 2, metavar="1|2", usual="2"
    )
    parts: str | None = choice(
        None,
        ("grandparents", "siblings", "both"),
        "parts of three words: an arc with the one above, with the sibling before, or both",
        topics.EXACT,
        usual="grandparents; what they have, with templates of your own",
    )
    projective: bool = option(False, "build projective trees only", topics.EXACT)
    learning: str = choice("sgd", ("sgd", "mira", "perceptron"), "how weights are learnt", topics.EXACT)
    adviser: str = choice(
        "greedy",
        ("greedy", "beam", "none"),
        "parser whose trees the templates look at: a greedy one, one with a beam, or none",
        topics.EXACT,
    )
    adviser_folds: int = count(5, "folds in which advisers parse the training set", topics.EXACT, 2)
    first_order_rounds: int = count(
        0, "rounds before parts of three words join, after the one that finds likely arcs", topics.EXACT, 0
    )
    rate: float = option(0.1, "learning rate", topics.EXACT, 1e-9, 100)
    dropout: float = option(0.0, "share of the features left out of each sentence", topics.EXACT, 0, 0.99)
    messages: int = count(5, "rounds of belief propagation", topics.EXACT)
    iterations: int = count(5, "rounds over the treebank", topics.LEARNING)
    cutoff: int = count(2, "times that a feature must occur before it counts", topics.LEARNING, 1, 200)
    seed: int = option(1, "of the order of sentences", topics.LEARNING, 0, MOST_SEED)

    def completed(self) -> ExactRecipe:
        """Return the recipe with the order decided."""
        return replace(self, order=self.order or 2)

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle: dict[str, str] = {}
        if self.adviser == "none":
            idle["adviser_folds"] = "there is no adviser"
        if self.order == 1:
            reason = "the model has no parts of three words (order 1)"
            idle |= dict.fromkeys(("parts", "first_order_rounds", "messages"), reason)
        if self.learning != "sgd":
            reason = f"{self.learning} learns from best trees, not by gradient steps"
            idle |= dict.fromkeys(("rate", "dropout", "messages"), reason)
        return idle
