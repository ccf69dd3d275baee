"""The recipe of a parser of dependency graphs, in which words may have several heads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.learners.batch import learner_names
from treewright.recipes import topics
from treewright.recipes.base import Recipe
from treewright.recipes.option import option
from treewright.recipes.transition import EXPLORATIONS, MOST_SEED
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system


def known_learners() -> tuple[str, ...]:
    """Return the names of all learners."""
    return ("perceptron", *learner_names())


@dataclass(frozen=True)
class GraphRecipe(Recipe):
    """The recipe of a graph parser."""

    kind: ClassVar[str] = "graph"
    whose: ClassVar[str] = "graph parsers"
    kept: ClassVar[tuple[str, ...]] = ("system", "features", "lifting")

    system: str = option(GRAPH_SYSTEMS[0], "transition system", topics.PARSER, metavar="NAME", choices=GRAPH_SYSTEMS)
    lifting: str = option(
        "head", "how crossing arcs are lifted", topics.PARSER, metavar="SCHEME", choices=("none", "head")
    )
    features: str = option("rich", "feature model: a bundled one, or a file", topics.FEATURES, metavar="NAME|FILE")
    policy: str | None = option(
        None,
        "which moves training follows",
        topics.ORACLE,
        metavar="NAME",
        choices=("static", "ambiguity", "explore"),
        usual="explore where there is a dynamic oracle, else static",
    )
    k: int = option(
        EXPLORATIONS["2013"].k, "rounds before exploration begins", topics.ORACLE, minimum=0, maximum=(1 << 31) - 1
    )
    p: float = option(EXPLORATIONS["2013"].p, "probability of exploring", topics.ORACLE, minimum=0, maximum=1)
    iterations: int = option(15, "rounds over the treebank", topics.LEARNING, metavar="N", minimum=1)
    cutoff: int | None = option(
        None,
        "mistakes (or, for batch learners, instances) that must show a feature before it counts",
        topics.LEARNING,
        metavar="N",
        minimum=1,
        maximum=200,
        usual="3; 1 for batch learners",
    )
    prune: bool = option(True, "drop features that dev does not miss", topics.LEARNING)
    seed: int = option(1, "of the order of sentences and of exploration", topics.LEARNING, minimum=0, maximum=MOST_SEED)
    learner: str = option("perceptron", "what learns the scores", topics.BATCH, metavar="NAME", choices=known_learners)
    learner_options: str = option("", "options in the learner's own notation", topics.BATCH, metavar="TEXT")

    @property
    def is_batch(self) -> bool:
        """Does the learner learn from all instances at once?"""
        return self.learner != "perceptron"

    def check_together(self) -> None:
        """Reject what does not go together."""
        if self.is_batch and self.policy not in (None, "static"):
            raise CombinationError(
                f"{self.learner} learns from all instances at once: for graphs choose the policy static, or the"
                " learner perceptron"
            )
        if self.policy not in (None, "static") and "dynamic" not in make_graph_system(self.system).oracles:
            raise CombinationError(f"{self.system} has only a static oracle: the policy cannot be {self.policy}")

    def completed(self) -> GraphRecipe:
        """Return the recipe with nothing left for the system to say."""
        follows_oracle = self.is_batch or "dynamic" not in make_graph_system(self.system).oracles
        return replace(
            self,
            policy=self.policy or ("static" if follows_oracle else "explore"),
            cutoff=self.cutoff or (1 if self.is_batch else 3),
        )

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle: dict[str, str] = {}
        if self.is_batch:
            idle["iterations"] = f"{self.learner} learns from all instances at once"
        else:
            idle["learner_options"] = "it is for learners of other libraries; name one with --learner"
        if self.policy not in (None, "explore"):
            idle |= dict.fromkeys(("k", "p"), f"the policy {self.policy} does not explore")
        return idle
