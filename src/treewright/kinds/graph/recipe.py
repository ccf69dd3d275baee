"""The recipe of a parser of dependency graphs, in which words may have several heads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.kinds.transition.moves import MoveRecipe
from treewright.kinds.transition.recipe import EXPLORATIONS
from treewright.kinds.transition.system_options import (
    ONLINE_POLICIES,
    costs_option,
    policy_option,
    probability_option,
    rounds_option,
    zero_cost_option,
)
from treewright.options import topics
from treewright.options.option import choice, option
from treewright.recipes.shared_options import governors_option
from treewright.systems.graphs import GRAPH_COSTS, GRAPH_SYSTEMS, make_graph_system


@dataclass(frozen=True)
class GraphRecipe(MoveRecipe):
    """The recipe of a graph parser."""

    kind: ClassVar[str] = "graph"
    whose: ClassVar[str] = "graph parsers"
    kept: ClassVar[tuple[str, ...]] = ("system", "features", "lifting", "cycles")

    system: str = option(GRAPH_SYSTEMS[0], "transition system", topics.PARSER, metavar="NAME", choices=GRAPH_SYSTEMS)
    governors: str = governors_option()
    lifting: str = choice("head", ("none", "head"), "how crossing arcs are lifted", topics.PARSER, metavar="SCHEME")
    cycles: str = choice(
        "keep", ("keep", "reverse"), "keep cycles, or reverse the shortest arc of each before training", topics.PARSER
    )
    features: str = option("rich", "feature model: a bundled one, or a file", topics.FEATURES, metavar="NAME|FILE")
    policy: str | None = policy_option(ONLINE_POLICIES, "explore where there is a dynamic oracle, else static")
    k: int = rounds_option(EXPLORATIONS["2013"].k)
    p: float = probability_option(EXPLORATIONS["2013"].p)
    zero_cost: str = zero_cost_option("best")
    costs: str = costs_option(
        "dag-arc-eager's oracle: the exact ones; Tokgöz & Eryiğit's, as meant (gold-arcs) or as printed (paper)",
        GRAPH_COSTS,
    )

    def check_together(self) -> None:
        """Reject what does not go together."""
        make_graph_system(self.system, self.costs)
        if self.learner == "sklearn":
            raise CombinationError("graphs are learnt by the perceptron or by liblinear, not by scikit-learn")
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
        return replace(self, policy=self.policy or ("static" if follows_oracle else "explore"), cutoff=self.needed)

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle = self.idle_learning()
        if self.policy not in (None, "explore"):
            idle |= dict.fromkeys(("k", "p"), f"the policy {self.policy} does not explore")
        if self.policy == "static":
            idle |= dict.fromkeys(("zero_cost", "costs"), "the static oracle names one right move")
        if self.lifting == "none":
            idle["cycles"] = "graphs are learnt as they are (lifting none)"
        return idle
