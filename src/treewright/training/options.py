"""What can be chosen about a training, and which choices go together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from treewright.errors import CombinationError
from treewright.treebank.lifted_labels import SCHEMES

POLICIES = ("static", "ambiguity", "explore")
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

    def check(self) -> None:
        """Refuse values out of range, with the reason."""
        _one_of("policy", self.policy, (None, *POLICIES))
        _one_of("exploration", self.exploration, tuple(EXPLORATIONS))
        _one_of("zero_cost", self.zero_cost, (None, *ZERO_COST))
        _one_of("cost_sensitive", self.cost_sensitive, (None, *COST_SENSITIVE))
        _one_of("lifting", self.lifting, (None, *LIFTINGS))
        _one_of("decision", self.decision, (None, *DECISIONS))
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
        if self.decision == "split":
            raise CombinationError("a beam compares whole moves, kind and relation together: leave --decision split out")
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


def policy_for(policy: str | None, system: str, oracles: tuple[str, ...]) -> str:
    """Return the policy to train with; refuse one that the system's oracles cannot serve."""
    if policy is None:
        return "explore" if "dynamic" in oracles else "ambiguity"
    if policy == "explore" and "dynamic" not in oracles:
        raise CombinationError(
            f"explore needs an oracle that knows what to do after a wrong move, and {system} has none here:"
            " choose --policy ambiguity, or --system arc-eager or arc-hybrid"
        )
    if policy == "static" and "static" not in oracles:
        raise CombinationError(
            f"{system} has no canonical order of moves, so no static oracle: choose --policy ambiguity, which stays in a"
            " configuration until the model's move is right"
        )
    return policy
