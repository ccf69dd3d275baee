"""Options that transition parsers share, whatever learns their moves."""

from __future__ import annotations

from typing import TypeVar

from treewright.options import topics
from treewright.options.option import choice, option
from treewright.treebank.lifting.lifted_labels import SCHEMES

WIDEST_BEAM = 4096  # of training, of parsing, and of what a model file may say
T = TypeVar("T", str, str | None)
ONLINE_POLICIES = ("static", "ambiguity", "explore")
#: which right move training takes: the best by score, any kind with its best relation, any labelled move
ZERO_COSTS = ("best", "random", "random-labelled")
MOST_ROUNDS = (1 << 31) - 1


def root_option() -> str | None:
    """Declare where the root is."""
    places, usual = ("first", "last"), "as usual for the system"
    return choice(None, places, "where arc-eager and covington place the root", topics.PARSER, "", usual)


def lifting_option() -> str | None:
    """Declare how arcs are lifted."""
    schemes, usual = ("none", *SCHEMES), "head where the system is projective, else none"
    return choice(None, schemes, "how labels encode the lifting of non-projective arcs", topics.PARSER, "SCHEME", usual)


def policy_option(policies: tuple[str, ...], usual: str) -> str | None:
    """Declare what training follows."""
    return choice(None, policies, "which moves training follows", topics.ORACLE, usual=usual)


def zero_cost_option(default: T, usual: str = "") -> T:
    """Declare how training chooses among right moves."""
    what = "which of several right moves to take: the one that scores best, a random kind, or a random labelled move"
    return choice(default, ZERO_COSTS, what, topics.ORACLE, usual=usual)


def costs_option(whose: str, which: tuple[str, ...]) -> str:
    """Declare the costs of an oracle; the first are the exact ones."""
    return choice(which[0], which, f"costs of {whose}", topics.ORACLE, "WHICH")


def rounds_option(default: int) -> int:
    """Declare k of exploration."""
    return option(default, "rounds before exploration begins", topics.ORACLE, minimum=0, maximum=MOST_ROUNDS)


def probability_option(default: float) -> float:
    """Declare p of exploration."""
    return option(default, "probability of exploring", topics.ORACLE, minimum=0, maximum=1)
