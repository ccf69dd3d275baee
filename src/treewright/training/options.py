"""What can be chosen about a training, and which choices go together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from treewright.errors import CombinationError
from treewright.treebank.lifted_labels import SCHEMES

POLICIES = ("static", "ambiguity", "explore", "dagger")
DECISIONS = ("joint", "split")
UPDATES = ("early", "max-violation")
LIFTINGS = ("none", *SCHEMES)
ZERO_COST = ("best", "random")
COST_SENSITIVE = ("scale", "margin")


class Exploration(NamedTuple):
    """What a paper sets where the user does not."""

    k: int
    p: float
    zero_cost: str


#: Goldberg & Nivre 2012 follow a wrong move if RAND() > p, Goldberg & Nivre 2013 if RAND() < p
EXPLORATIONS = {"2012": Exploration(2, 0.1, "random"), "2013": Exploration(1, 0.9, "best")}
CALIBRATIONS = ("temperature", "isotonic", "none")


@dataclass(frozen=True)
class TrainingOptions:
    """The recipe of a parser; a model keeps it."""

    system: str = "arc-eager"
    root: str | None = None
    single_root: bool = True
    policy: str | None = None  # explore, where the system has a dynamic oracle; else ambiguity
    exploration: str = "2013"
    k: int | None = None  # these three as the paper has them
    p: float | None = None
    zero_cost: str | None = None
    cost_sensitive: str | None = None
    features: str = "rich"
    decision: str | None = None  # joint, unless the feature model is made for split
    lifting: str | None = None  # head, where the system can build projective trees only; else none
    beam: int = 1  # states followed at a time; 1 is greedy
    update: str = "max-violation"  # where a beam learns from a sentence
    iterations: int = 15
    cutoff: int = 3
    prune: bool = True
    seed: int = 1
    learner: str = "perceptron"
    learner_options: str = ""  # in the learner's own notation
    split_on: str = ""  # libsvm: the template by whose values instances are split
    split_threshold: int = 1000  # instances that a value needs for a part of its own
    dagger_rounds: int = 3  # after the first, with the policy dagger
    calibration: str = "temperature"  # of confidences, on dev

    def check(self) -> None:
        """Refuse values out of range, with the reason."""
        _one_of("policy", self.policy, (None, *POLICIES))
        _one_of("exploration", self.exploration, tuple(EXPLORATIONS))
        _one_of("zero_cost", self.zero_cost, (None, *ZERO_COST))
        _one_of("cost_sensitive", self.cost_sensitive, (None, *COST_SENSITIVE))
        _one_of("lifting", self.lifting, (None, *LIFTINGS))
        _one_of("decision", self.decision, (None, *DECISIONS))
        _one_of("calibration", self.calibration, CALIBRATIONS)
        _one_of("update", self.update, UPDATES)
        if self.beam < 1:
            raise CombinationError(f"a beam of {self.beam}: its width is at least 1, which is greedy parsing")
        if self.beam > 1:
            self._check_beam()
        if self.iterations < 1:
            raise CombinationError(f"{self.iterations} iterations: at least one round is needed")
        if self.p is not None and not 0 <= self.p <= 1:
            raise CombinationError(f"p is a probability, from 0 to 1, not {self.p}")
        if self.k is not None and not 0 <= self.k < 1 << 31:
            raise CombinationError(f"k counts rounds without exploration, from 0 to 2**31 - 1, not {self.k}")
        if not 0 <= self.seed < 1 << 64:
            raise CombinationError(f"the seed is a number from 0 to 2**64 - 1, not {self.seed}")
        if not 1 <= self.cutoff <= 200:
            raise CombinationError(f"the cutoff counts mistakes, from 1 to 200, not {self.cutoff}")
        self._check_learner()

    def _check_learner(self) -> None:
        """Refuse options of batch learners where there is none, and the other way round."""
        if self.learner != "perceptron":
            if self.decision == "split":
                raise CombinationError(
                    f"{self.learner} decides over all moves at once, kind and relation together: choose --decision"
                    " joint, or --learner perceptron"
                )
            if not 1 <= self.dagger_rounds <= 100:
                raise CombinationError(f"DAgger goes on for 1 to 100 rounds, not {self.dagger_rounds}")
            if self.split_threshold < 1:
                raise CombinationError(f"a part needs one instance at least, not {self.split_threshold}")
            return
        for name, value in (("--learner-options", self.learner_options), ("--split-on", self.split_on)):
            if value:
                raise CombinationError(
                    f"{name} is for learners of other libraries, and the perceptron has none: name one with --learner"
                )

    def exploring(self) -> Exploration:
        """Return k, p and the choice among right moves: the user's, else those of the paper."""
        paper = EXPLORATIONS[self.exploration]
        return Exploration(
            paper.k if self.k is None else self.k,
            paper.p if self.p is None else self.p,
            paper.zero_cost if self.zero_cost is None else self.zero_cost,
        )

    def complete(self, projective: bool = True) -> TrainingOptions:
        """Return the options with nothing left for the paper or the system to say: what a model keeps."""
        k, p, zero_cost = self.exploring()
        return replace(self, k=k, p=p, zero_cost=zero_cost, lifting=self.lifting or ("head" if projective else "none"))

    @property
    def scheme(self) -> str:
        """How labels remember a lift; without lifting they have nothing to remember."""
        return "baseline" if self.lifting in (None, "none") else str(self.lifting)

    def _check_beam(self) -> None:
        if self.learner != "perceptron":
            raise CombinationError(
                f"a beam learns from whole sequences of moves, which {self.learner} cannot: leave one of the two out"
            )
        if self.decision == "split":
            raise CombinationError("a beam compares whole moves, kind and relation in one: leave --decision split out")
        if self.zero_cost is not None or self.cost_sensitive is not None:
            raise CombinationError(
                "a beam learns from whole sequences of moves: zero_cost and cost_sensitive are for greedy parsers"
            )

    def recipe(self) -> dict[str, Any]:
        """Return the options as plain data."""
        return asdict(self)


def _one_of(name: str, value: str | None, choices: tuple[str | None, ...]) -> None:
    if value not in choices:
        listed = ", ".join(str(choice) for choice in choices if choice is not None)
        raise CombinationError(f"there is no {name} {value!r}; there are: {listed}")


def policy_for(policy: str | None, system: str, oracles: tuple[str, ...], learner: str = "perceptron") -> str:
    """Return the policy to train with; refuse one that the system's oracles or the learner cannot serve."""
    if learner != "perceptron":
        return _batch_policy(policy, system, oracles)
    if policy == "dagger":
        raise CombinationError(
            "dagger is for learners that learn from all instances at once; the perceptron follows its own moves while"
            " it learns: choose --policy explore"
        )
    if policy is None:
        return "explore" if "dynamic" in oracles else "ambiguity"
    if policy == "explore" and "dynamic" not in oracles:
        raise CombinationError(
            f"explore needs an oracle that knows what to do after a wrong move, and {system} has none here:"
            " choose --policy ambiguity, or another system"
        )
    if policy == "static" and "static" not in oracles:
        raise CombinationError(
            f"{system} has no canonical order of moves, so no static oracle: choose --policy ambiguity, which stays in"
            " a configuration until the model's move is right"
        )
    return policy


def _batch_policy(policy: str | None, system: str, oracles: tuple[str, ...]) -> str:
    """Return the policy of a batch learner."""
    dynamic = "dynamic" in oracles
    if policy in ("ambiguity", "explore"):
        nearest = "dagger" if dynamic else "static"
        raise CombinationError(
            f"{policy} chooses moves by what was learnt so far, and a batch learner learns when all instances are"
            f" there: choose --policy {nearest}, or --learner perceptron"
        )
    if policy == "dagger" and not dynamic:
        raise CombinationError(
            f"dagger needs an oracle that knows what to do after a wrong move, and {system} has none here:"
            " choose --policy static, or --system arc-eager or arc-hybrid"
        )
    return policy or "static"
