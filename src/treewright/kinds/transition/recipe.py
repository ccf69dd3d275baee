"""The recipe of a transition parser: online, with a beam, or with a batch learner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from treewright.errors import CombinationError
from treewright.kinds.transition.moves import MoveRecipe
from treewright.kinds.transition.system_options import (
    costs_option,
    lifting_option,
    policy_option,
    root_option,
    zero_cost_option,
)
from treewright.options import topics
from treewright.options.option import choice, count, option
from treewright.recipes.shared_options import governors_option, rules_option
from treewright.steps.call import WIDEST_BEAM
from treewright.systems import COSTS, SYSTEMS, make_system
from treewright.systems.system import WITH_COSTS
from treewright.systems.weighted_gold import ADDITIVE, MOST

POLICIES = ("static", "ambiguity", "explore", "dagger")


class Exploration(NamedTuple):
    """What a paper sets where the user does not."""

    k: int
    p: float
    zero_cost: str


#: options of how far updates go
OF_UPDATES = ("cost_sensitive", "passive_aggressive", "aggressiveness", "arc_weights")

#: Goldberg & Nivre 2012 follow a wrong move if RAND() > p, Goldberg & Nivre 2013 if RAND() < p
EXPLORATIONS = {"2012": Exploration(2, 0.1, "random"), "2013": Exploration(1, 0.9, "best")}
SEEDS_IN_PIPELINES = 4  # on dev sets, the mean of four parsers is better than one, and no slower


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
    rules: str = rules_option()
    lifting: str | None = lifting_option()
    features: str = option("rich", "feature model: a bundled one, or a file", topics.FEATURES, metavar="NAME|FILE")
    decision: str | None = option(
        None,
        "choose kind and relation of a move together or one after the other",
        topics.FEATURES,
        choices=("joint", "split"),
        usual="as the feature model says",
    )
    policy: str | None = policy_option(
        POLICIES, "explore where there is a dynamic oracle, else ambiguity; static for batch learners"
    )
    exploration: str = choice(
        "2013",
        tuple(EXPLORATIONS),
        "2013: follow a wrong move if RAND() < p, k=1, p=0.9; 2012: if RAND() > p, k=2, p=0.1",
        topics.ORACLE,
        "YEAR",
    )
    k: int | None = option(
        None, "rounds before exploration begins", topics.ORACLE, minimum=0, maximum=(1 << 31) - 1, usual="as the paper"
    )
    p: float | None = option(
        None, "probability of exploring, see --exploration", topics.ORACLE, minimum=0, maximum=1, usual="as the paper"
    )
    zero_cost: str | None = zero_cost_option(None, usual="as the paper")
    costs: str = costs_option(
        "arc-eager's oracle: the exact ones, or as printed in 2012 or 2013 (see the errata page)", COSTS
    )
    cost_sensitive: str | None = choice(
        None, ("scale", "margin"), "mistakes that lose more arcs weigh more: larger updates, or a margin", topics.ORACLE
    )
    passive_aggressive: str | None = choice(
        None,
        ("prediction", "max-loss"),
        "update as far as needed to win by a margin, against the model's move or the one that violates it most",
        topics.ORACLE,
    )
    aggressiveness: float = option(
        1.0, "passive-aggressive: the longest step (C)", topics.ORACLE, metavar="X", minimum=1e-6, maximum=1e6
    )
    arc_weights: str = option(
        "",
        "how much gold arcs count in costs, by relation: punct=0,nsubj=3; others 1 (weighted Hamming loss)",
        topics.ORACLE,
        metavar="LIST",
    )
    seeds: int | None = count(
        None,
        "trainings with different seeds whose weights are averaged; 0: as many as in pipelines",
        topics.LEARNING,
        0,
        100,
        usual="1; 4 in pipelines",
    )
    calibration: str = choice(
        "temperature", ("temperature", "isotonic", "none"), "how confidences are fitted on dev", topics.LEARNING
    )
    beam: int = count(1, "states to follow at a time; 1 is greedy", topics.BEAM, 1, WIDEST_BEAM)
    update: str = choice(
        "max-violation", ("early", "max-violation"), "where a beam learns from a sentence", topics.BEAM
    )
    split_on: str = option("", "libsvm: split the instances by this feature", topics.BATCH, metavar="TEMPLATE")
    split_threshold: int = count(1000, "libsvm: instances that a value needs for a part of its own", topics.BATCH)
    dagger_rounds: int = count(3, "rounds of DAgger after the first", topics.BATCH, 1, 100)

    @property
    def scheme(self) -> str:
        """How labels remember a lift; without lifting they have nothing to remember."""
        return "baseline" if self.lifting in (None, "none") else str(self.lifting)

    @property
    def trainings(self) -> int:
        """How many trainings there are, of which the mean is kept."""
        return 1 if self.seeds is None else self.seeds or SEEDS_IN_PIPELINES

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
        if self.rules == "learnt" and self.system == "non-monotonic":
            raise CombinationError(
                "in non-monotonic, arcs may be replaced, so that what a rule costs is not known: choose rules none,"
                " or the system arc-eager"
            )
        self._check_costs()

    def _check_costs(self) -> None:
        """Reject weights and updates that the system or the way of deciding does not have."""
        if weights_in(self.arc_weights) and self.system not in ADDITIVE:
            raise CombinationError(
                f"in {self.system} the costs of arcs do not add up, so that they cannot be weighted: leave arc_weights"
                f" out, or choose {', '.join(ADDITIVE)}"
            )
        if self.passive_aggressive and self.cost_sensitive == "scale":
            raise CombinationError(
                "passive-aggressive updates choose their own step: leave cost_sensitive out, or choose margin"
            )
        if not self.kind_weights and self.decision == "split":
            raise CombinationError("kind and relation by themselves need weights of kinds: leave decision split out")
        if self.passive_aggressive and self.decision == "split":
            raise CombinationError("passive-aggressive updates compare whole moves: leave decision split out")

    def _check_beam(self) -> None:
        if self.is_batch:
            raise CombinationError(
                f"a beam learns from whole sequences of moves, which {self.learner} cannot: leave one of the two out"
            )
        if self.decision == "split":
            raise CombinationError("a beam compares whole moves, kind and relation in one: leave decision split out")
        if make_system(self.system).has_places:
            raise CombinationError(f"{self.system} has no beam: it does not make its moves from left to right")

    def in_pipeline(self) -> TransitionRecipe:
        """Return the recipe with the mean of several trainings; papers had one."""
        alone = self.seeds is not None or self.as_paper or self.is_batch or self.keep == "last"
        return self if alone else replace(self, seeds=SEEDS_IN_PIPELINES)

    def completed(self) -> TransitionRecipe:
        """Return the recipe with nothing left for the paper or the system to say."""
        system = make_system(self.system, root=self.root, single_root=self.single_root)
        k, p, zero_cost = self.exploring()
        return replace(
            self,
            policy=policy_for(self.policy, self.system, system.oracles, self.learner),
            lifting=self.lifting or ("head" if system.projective else "none"),
            cutoff=self.needed,
            seeds=1 if self.seeds is None else self.seeds,
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
            idle |= dict.fromkeys(("exploration", "k", "p", "zero_cost", "seeds", *OF_UPDATES), reason)
            if self.policy == "dagger":
                del idle["keep"]
        else:
            reason = idle["learner_options"]
            idle |= dict.fromkeys(("split_on", "split_threshold", "dagger_rounds"), reason)
        if self.trainings > 1:
            idle["keep"] = f"the mean of {self.trainings} trainings is kept"
        if self.policy not in (None, "explore"):
            idle |= dict.fromkeys(("k", "p"), f"the policy {self.policy} does not explore")
        if self.policy == "static":
            no_choice = ("exploration", "zero_cost", *(() if self.system == "swap" else ("costs",)))
            idle |= dict.fromkeys(no_choice, "the static oracle names one right move")
        if self.policy != "dagger":
            idle.setdefault("dagger_rounds", "the policy is not dagger")
        if not self.split_on:
            idle.setdefault("split_threshold", "no instances are split; name a template with --split-on")
        if self.passive_aggressive is None:
            idle["aggressiveness"] = "no update is passive-aggressive; choose one with --passive-aggressive"
        if self.policy == "static" and not self.cost_sensitive:
            idle["arc_weights"] = "the static oracle names one right move, and all mistakes count the same"
        if self.system == "easy-first":
            reason = "easy-first learns until the model's move is right"
            idle |= dict.fromkeys(("zero_cost", "cost_sensitive", "passive_aggressive", "aggressiveness"), reason)
        if self.beam == 1:
            idle["update"] = "only a beam learns this way; set its width with --beam"
        else:
            reason = "a beam learns from whole sequences of moves; it is for greedy parsers"
            idle |= dict.fromkeys(("zero_cost", *OF_UPDATES), reason)
            idle["calibration"] = "a beam's confidences come from the trees that it keeps"
        return idle


def weights_in(text: str) -> dict[str, int]:
    """Read weights of arcs by relation: ``punct=0,nsubj=3``."""
    found: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        relation, _, weight = part.rpartition("=")
        if not relation or not weight.isdigit() or int(weight) > MOST:
            raise CombinationError(
                f"arc_weights {text!r}: write relations with whole numbers up to {MOST}, such as punct=0,nsubj=3"
            )
        if relation in found:
            raise CombinationError(f"arc_weights {text!r}: {relation} has two weights")
        found[relation] = int(weight)
    return found


#: the usual policy for the best oracle that a system has
_USUAL = {"explore": WITH_COSTS, "ambiguity": WITH_COSTS | {"nondeterministic"}, "static": frozenset(("static",))}


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
        return next(each for each, known in _USUAL.items() if not known.isdisjoint(oracles))
    if policy == "ambiguity" and _USUAL["ambiguity"].isdisjoint(oracles):
        raise CombinationError(
            f"ambiguity needs an oracle that knows all right moves, which {system} lacks: choose the policy static, or"
            " another system, such as covington"
        )
    if policy == "explore" and WITH_COSTS.isdisjoint(oracles):
        raise CombinationError(
            f"explore needs an oracle that knows what to do after a wrong move, which {system} lacks here:"
            f" choose the policy {'ambiguity' if 'nondeterministic' in oracles else 'static'}, or another system"
        )
    if policy == "static" and "static" not in oracles:
        raise CombinationError(
            f"{system} has no canonical order of moves, so no static oracle: choose the policy ambiguity, which stays"
            " in a configuration until the model's move is right"
        )
    return policy


def _batch_policy(policy: str | None, system: str, oracles: tuple[str, ...]) -> str:
    """Return the policy of a batch learner."""
    dynamic = not WITH_COSTS.isdisjoint(oracles)
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
