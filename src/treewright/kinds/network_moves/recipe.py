"""The recipe of a transition parser whose moves a network scores: of trees, or of graphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from treewright.errors import CombinationError
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.network.recipe import ENCODER_KEPT, EncoderRecipe
from treewright.kinds.transition.recipe import EXPLORATIONS, TransitionRecipe, policy_for
from treewright.kinds.transition.system_options import (
    ONLINE_POLICIES,
    lifting_option,
    policy_option,
    probability_option,
    root_option,
    rounds_option,
)
from treewright.options import topics
from treewright.options.option import count, option
from treewright.recipes.shared_options import governors_option, rules_option
from treewright.systems import SYSTEMS, make_system
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system

NEURAL = "neural"  # the learner that asks for this kind of recipe
POSITIONS = "positions"


@dataclass(frozen=True)
class NeuralMoveRecipe(EncoderRecipe):
    """The recipe of a transition parser with a network: ``--learner neural``."""

    kind: ClassVar[str] = "neural moves"
    whose: ClassVar[str] = "transition parsers with --learner neural"
    kept: ClassVar[tuple[str, ...]] = (
        *("learner", "system", "root", "single_root", "lifting", "features", "move_size", "relation_size"),
        *ENCODER_KEPT,
    )

    learner: str = option(NEURAL, "what learns the scores", topics.BATCH, metavar="NAME", choices=(NEURAL,))
    system: str = option(
        "arc-eager", "transition system", topics.PARSER, metavar="NAME", choices=(*SYSTEMS, *GRAPH_SYSTEMS)
    )
    root: str | None = root_option()
    single_root: bool = option(True, "build trees with exactly one root", topics.PARSER)
    governors: str = governors_option()
    rules: str = rules_option()
    lifting: str | None = lifting_option()
    features: str = option(
        POSITIONS,
        "neural: a feature model whose addresses are the positions that the network looks at",
        topics.FEATURES,
        metavar="NAME|FILE",
    )
    policy: str | None = policy_option(
        ONLINE_POLICIES, "explore where there is a dynamic oracle, else ambiguity or static"
    )
    k: int = rounds_option(EXPLORATIONS["2013"].k)
    p: float = probability_option(EXPLORATIONS["2013"].p)
    move_size: int = count(128, "units that score moves", topics.NEURAL, 8, 512)
    relation_size: int = count(96, "units that score relations", topics.NEURAL, 8, 512)

    @property
    def builds_graphs(self) -> bool:
        """Does the system build graphs?"""
        return self.system in GRAPH_SYSTEMS

    @property
    def inner(self) -> TransitionRecipe | GraphRecipe:
        """The recipe of a linear parser with the same system: how the treebank is prepared."""
        if self.builds_graphs:
            return GraphRecipe(
                system=self.system,
                governors=self.governors,
                lifting=self.lifting or "head",
                policy=self.policy,
            )
        return TransitionRecipe(
            system=self.system,
            root=self.root,
            single_root=self.single_root,
            governors=self.governors,
            rules=self.rules,
            lifting=self.lifting,
            policy=self.policy,
        )

    def check_together(self) -> None:
        """Reject what does not go together."""
        super().check_together()
        if not self.builds_graphs and make_system(self.system).has_places:
            raise CombinationError(
                f"{self.system} makes moves at many places, and a network scores those at one: choose the system"
                " arc-hybrid, or the learner perceptron"
            )
        self.inner.check()

    def completed(self) -> NeuralMoveRecipe:
        """Return the recipe with nothing left for the system to say."""
        inner = self.inner.completed()
        return replace(self, policy=inner.policy, lifting=inner.lifting)

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle = super().idle()
        if self.builds_graphs:
            idle |= dict.fromkeys(("root", "single_root"), "graphs have roots as the moves build them")
            idle["rules"] = "they are about trees"
        if self._chosen_policy != "explore":
            idle |= dict.fromkeys(("k", "p"), f"the policy {self._chosen_policy} does not explore")
        return idle

    @property
    def _chosen_policy(self) -> str:
        if self.policy is not None:
            return self.policy
        if self.builds_graphs:
            return "explore" if "dynamic" in make_graph_system(self.system).oracles else "static"
        oracles = make_system(self.system, root=self.root, single_root=self.single_root).oracles
        return policy_for(None, self.system, oracles)
