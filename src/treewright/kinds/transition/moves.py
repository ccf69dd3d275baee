"""What the recipes of all parsers that make moves share, of trees and of graphs: how moves are learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treewright.learners.batch import learner_names
from treewright.options import topics
from treewright.options.option import OptionValue, choice, count, option
from treewright.options.recipe import Recipe
from treewright.recipes.papers import as_paper_option

MOST_SEED = (1 << 64) - 1


#: feature models of learners that cannot use the usual one: TiMBL needs a fixed number of columns
USUAL_FEATURES = {"timbl": "malt"}


def known_learners() -> tuple[str, ...]:
    """Return the names of all learners; scikit-learn's are given as objects, from Python."""
    return ("perceptron", *learner_names(), "sklearn")


@dataclass(frozen=True)
class MoveRecipe(Recipe):
    """The options of learning moves."""

    as_paper: str = as_paper_option()
    iterations: int = count(15, "rounds over the treebank", topics.LEARNING)
    cutoff: int | None = count(
        None,
        "mistakes (or, for batch learners, instances) that must show a feature before it counts",
        topics.LEARNING,
        1,
        200,
        usual="3; 1 for batch learners",
    )
    kind_weights: bool = option(
        True, "a weight that all relations of a kind of move share, besides that of each relation", topics.LEARNING
    )
    prune: bool = option(True, "drop features that dev does not miss", topics.LEARNING)
    keep: str = choice(
        "best", ("best", "last"), "round to keep: the best on dev, or the last", topics.LEARNING, "ROUND"
    )
    precision: str = choice(
        "byte",
        ("byte", "float"),
        "how models keep weights: in a byte each, which is fast and small, or as learnt",
        topics.LEARNING,
        "TYPE",
    )
    seed: int = option(
        1, "seed of the order of sentences and of exploration", topics.LEARNING, minimum=0, maximum=MOST_SEED
    )
    learner: str = option("perceptron", "what learns the scores", topics.BATCH, metavar="NAME", choices=known_learners)
    learner_options: str = option("", "options in the learner's own notation", topics.BATCH, metavar="TEXT")

    @classmethod
    def implied(cls, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return the feature model of a learner that cannot use the usual one."""
        usual = USUAL_FEATURES.get(str(given.get("learner")))
        return {} if usual is None else {"features": usual}

    def idle_learning(self) -> dict[str, str]:
        """Return the options of learning that change nothing in this recipe, each with the reason."""
        if self.is_batch:
            reason = f"{self.learner} learns from all instances at once"
            return dict.fromkeys(("iterations", "keep", "precision", "kind_weights"), reason)
        idle = {"learner_options": "it is for learners of other libraries; name one with --learner"}
        if self.precision == "float":
            idle["prune"] = "weights are kept as learnt (precision float)"
        return idle

    @property
    def is_batch(self) -> bool:
        """Does the learner learn from all instances at once?"""
        return self.learner != "perceptron"

    @property
    def needed(self) -> int:
        """How often a feature must be seen before it counts."""
        return self.cutoff or (1 if self.is_batch else 3)
