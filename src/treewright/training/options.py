"""What can be chosen about a training, and which choices go together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treewright.errors import CombinationError
from treewright.treebank.lifted_labels import SCHEMES

POLICIES = ("static", "ambiguity", "explore")
DECISIONS = ("joint", "split")


@dataclass(frozen=True)
class TrainingOptions:
    """The recipe of a parser; a model keeps it."""

    system: str = "arc-eager"
    root: str | None = None
    single_root: bool = True
    policy: str | None = None  # explore, where the system has a dynamic oracle; else ambiguity
    k: int = 1
    p: float = 0.9
    features: str = "rich"
    decision: str | None = None  # joint, unless the feature model is made for split
    lifting: str = "head"
    iterations: int = 15
    cutoff: int = 3
    prune: bool = True
    seed: int = 1

    def check(self) -> None:
        """Refuse values out of range, with the reason."""
        _one_of("policy", self.policy, (None, *POLICIES))
        _one_of("lifting", self.lifting, SCHEMES)
        _one_of("decision", self.decision, (None, *DECISIONS))
        if self.iterations < 1:
            raise CombinationError(f"{self.iterations} iterations: at least one round is needed")
        if not 0 <= self.p <= 1:
            raise CombinationError(f"p is a probability, from 0 to 1, not {self.p}")
        if not 0 <= self.k < 1 << 31:
            raise CombinationError(f"k counts rounds without exploration, from 0 to 2**31 - 1, not {self.k}")
        if not 0 <= self.seed < 1 << 64:
            raise CombinationError(f"the seed is a number from 0 to 2**64 - 1, not {self.seed}")
        if not 1 <= self.cutoff <= 200:
            raise CombinationError(f"the cutoff counts mistakes, from 1 to 200, not {self.cutoff}")

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
    return policy
