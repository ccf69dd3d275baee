"""The recipe of a transition parser: online, with a beam, or with a batch learner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from treewright.errors import CombinationError
from treewright.recipes import topics
from treewright.recipes.leaves import governors_option
from treewright.recipes.moves import MoveRecipe
from treewright.recipes.option import option
from treewright.recipes.system_options import WIDEST_BEAM, lifting_option, root_option
from treewright.systems import COSTS, SYSTEMS, make_system

POLICIES = ("static", "ambiguity", "explore", "dagger")


class Exploration(NamedTuple):
    """What a paper sets where the user does not."""

    k: int
    p: float
    zero_cost: str


#: Goldberg & Nivre 2012 follow a wrong move if RAND() > p, Goldberg & Nivre 2013 if RAND() < p
EXPLORATIONS = {"2012": Exploration(2, 0.1, "random"), "2013": Exploration(1, 0.9, "best")}


@dataclass(frozen=True)
class TransitionRecipe(MoveRecipe):
    """The recipe of a transition parser."""

    kind: ClassVar[str] = "transition"
    whose: ClassVar[str] = "transition parsers"
    kept: ClassVar[tuple[str, ...]] = ("system", "root", "single_root", "features", "decision", "lifting")

    system: str = option("arc-eager", "transition system", topics.PARSER, metavar="NAME", choices=SYSTEMS)
    root: str | None = root_option()
    single_root: bool = option(True, "build trees with exactly one root", topics.PARSER)
    governors: str = governors_option()
    lifting: str | None = lifting_option()
    features: str = option("rich", "feature model: a bundled one, or a file", topics.FEATURES, metavar="NAME|FILE")
    decision: str | None = option(
        None,
        "choose kind and relation of a move together or one after the other",
        topics.FEATURES,
        choices=("joint", "split"),
        usual="as the feature model says",
    )
    policy: str | None = option(
        None,
        "which moves training follows",
        topics.ORACLE,
        metavar="NAME",
        choices=POLICIES,
        usual="explore where there is a dynamic oracle, else ambiguity; static for batch learners",
    )
    exploration: str = option(
        "2013",
        "2013: follow a wrong move if RAND() < p, k=1, p=0.9; 2012: if RAND() > p, k=2, p=0.1",
        topics.ORACLE,
        metavar="YEAR",
        choices=tuple(EXPLORATIONS),
    )
    k: int | None = option(
        None, "rounds before exploration begins", topics.ORACLE, minimum=0, maximum=(1 << 31) - 1, usual="as the paper"
    )
    p: float | None = option(
        None, "probability of exploring, see --exploration", topics.ORACLE, minimum=0, maximum=1, usual="as the paper"
    )
    zero_cost: str | None = option(
        None,
        "which of several right moves to take: the one that scores best, or a random one",
        topics.ORACLE,
        metavar="NAME",
        choices=("best", "random"),
        usual="as the paper",
    )
    costs: str = option(
        "exact",
        "costs of arc-eager's oracle: the exact ones, or as printed in 2012 or 2013 (see the errata page)",
        topics.ORACLE,
        metavar="WHICH",
        choices=COSTS,
    )
    cost_sensitive: str | None = option(
        None,
        "give mistakes that lose more arcs more weight: by the size of the update, or by a margin",
        topics.ORACLE,
        metavar="NAME",
        choices=("scale", "margin"),
    )
    calibration: str = option(
        "temperature",
        "how confidences are fitted on dev",
        topics.LEARNING,
        metavar="NAME",
        choices=("temperature", "isotonic", "none"),
    )
    beam: int = option(
        1, "states to follow at a time; 1 is greedy", topics.BEAM, metavar="N", minimum=1, maximum=WIDEST_BEAM
    )
    update: str = option(
        "max-violation",
        "where a beam learns from a sentence",
        topics.BEAM,
        metavar="NAME",
        choices=("early", "max-violation"),
    )
    split_on: str = option("", "libsvm: split the instances by this feature", topics.BATCH, metavar="TEMPLATE")
    split_threshold: int = option(
        1000, "libsvm: instances that a value needs for a part of its own", topics.BATCH, metavar="N", minimum=1
    )
    dagger_rounds: int = option(
        3, "rounds of DAgger after the first", topics.BATCH, metavar="N", minimum=1, maximum=100
    )

    @property
    def scheme(self) -> str:
        """How labels remember a lift; without lifting they have nothing to remember."""
        return "baseline" if self.lifting in (None, "none") else str(self.lifting)

    def check_together(self) -> None:
        """Reject what does not go together."""
        if self.beam > 1:
            self._check_beam()
        if self.is_batch and self.decision == "split":
            raise CombinationError(
                f"{self.learner} decides over all moves at once, kind and relation together: choose decision joint,"
                " or the learner perceptron"
            )
        system = make_system(self.system, root=self.root, single_root=self.single_root, costs=self.costs)
        if system.has_places and self.is_batch:
            raise CombinationError(
                f"{system.name} chooses among moves at many places, and batch learners among the moves at one:"
                " choose the system arc-eager, or the learner perceptron"
            )
        policy_for(self.policy, self.system, system.oracles, self.learner)

    def _check_beam(self) -> None:
        if self.is_batch:
            raise CombinationError(
                f"a beam learns from whole sequences of moves, which {self.learner} cannot: leave one of the two out"
            )
        if self.decision == "split":
            raise CombinationError("a beam compares whole moves, kind and relation in one: leave decision split out")
        if make_system(self.system).has_places:
            raise CombinationError(f"{self.system} has no beam: it does not make its moves from left to right")

    def completed(self) -> TransitionRecipe:
        """Return the recipe with nothing left for the paper or the system to say."""
        system = make_system(self.system, root=self.root, single_root=self.single_root)
        k, p, zero_cost = self.exploring()
        return replace(
            self,
            policy=policy_for(self.policy, self.system, system.oracles, self.learner),
            lifting=self.lifting or ("head" if system.projective else "none"),
            cutoff=self.needed,
            k=k,
            p=p,
            zero_cost=zero_cost,
        )

    def exploring(self) -> Exploration:
        """Return k, p and the choice among right moves: the user's, else those of the paper."""
        paper = EXPLORATIONS[self.exploration]
        return Exploration(
            paper.k if self.k is None else self.k,
            paper.p if self.p is None else self.p,
            paper.zero_cost if self.zero_cost is None else self.zero_cost,
        )

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle = self.idle_learning()
        if self.is_batch:
            reason = f"{self.learner} learns from all instances at once"
            idle |= dict.fromkeys(("exploration", "k", "p", "zero_cost", "cost_sensitive"), reason)
            if self.policy == "dagger":
                del idle["keep"]
        else:
            reason = idle["learner_options"]
            idle |= dict.fromkeys(("split_on", "split_threshold", "dagger_rounds"), reason)
        if self.policy not in (None, "explore"):
            idle |= dict.fromkeys(("k", "p"), f"the policy {self.policy} does not explore")
        if self.policy == "static":
            idle |= dict.fromkeys(("exploration", "zero_cost", "costs"), "the static oracle names one right move")
        if self.policy != "dagger":
            idle.setdefault("dagger_rounds", "the policy is not dagger")
        if not self.split_on:
            idle.setdefault("split_threshold", "no instances are split; name a template with --split-on")
        if self.beam == 1:
            idle["update"] = "only a beam learns this way; set its width with --beam"
        else:
            reason = "a beam learns from whole sequences of moves; it is for greedy parsers"
            idle |= dict.fromkeys(("zero_cost", "cost_sensitive"), reason)
            idle["calibration"] = "a beam's confidences come from the trees that it keeps"
        return idle


def policy_for(policy: str | None, system: str, oracles: tuple[str, ...], learner: str = "perceptron") -> str:
    """Return the policy to train with; reject one that the system's oracles or the learner cannot serve."""
    if learner != "perceptron":
        return _batch_policy(policy, system, oracles)
    if policy == "dagger":
        raise CombinationError(
            "dagger is for learners that learn from all instances at once; the perceptron follows its own moves while"
            " it learns: choose the policy explore"
        )
    if policy is None:
        return "explore" if "dynamic" in oracles else "ambiguity"
    if policy == "explore" and "dynamic" not in oracles:
        raise CombinationError(
            f"explore needs an oracle that knows what to do after a wrong move, which {system} lacks here:"
            " choose the policy ambiguity, or another system"
        )
    if policy == "static" and "static" not in oracles:
        raise CombinationError(
            f"{system} has no canonical order of moves, so no static oracle: choose the policy ambiguity, which stays"
            " in a configuration until the model's move is right"
        )
    return policy


def _batch_policy(policy: str | None, system: str, oracles: tuple[str, ...]) -> str:
    """Return the policy of a batch learner."""
    dynamic = "dynamic" in oracles
    if policy in ("ambiguity", "explore"):
        remedy = "dagger" if dynamic else "static"
        raise CombinationError(
            f"{policy} chooses moves by what was learnt so far, but a batch learner learns only when it has all"
            f" instances: choose the policy {remedy}, or the learner perceptron"
        )
    if policy == "dagger" and not dynamic:
        raise CombinationError(
            f"dagger needs an oracle that knows what to do after a wrong move, which {system} lacks here:"
            " choose the policy static, or the system arc-eager or arc-hybrid"
        )
    return policy or "static"
