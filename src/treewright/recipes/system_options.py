"""Options that transition parsers of trees share, whatever learns their moves."""

from __future__ import annotations

from treewright.recipes import topics
from treewright.recipes.option import option
from treewright.treebank.lifted_labels import SCHEMES

WIDEST_BEAM = 4096  # of training, of parsing, and of what a model file may say


def root_option() -> str | None:
    """Declare where the root is."""
    chosen: str | None = option(
        None,
        "where arc-eager and covington place the root",
        topics.PARSER,
        choices=("first", "last"),
        usual="as usual for the system",
    )
    return chosen


def lifting_option() -> str | None:
    """Declare how arcs are lifted."""
    chosen: str | None = option(
        None,
        "how labels encode the lifting of non-projective arcs",
        topics.PARSER,
        metavar="SCHEME",
        choices=("none", *SCHEMES),
        usual="head where the system is projective, else none",
    )
    return chosen


def rounds_option(default: int) -> int:
    """Declare k of exploration."""
    chosen: int = option(default, "rounds before exploration begins", topics.ORACLE, minimum=0, maximum=(1 << 31) - 1)
    return chosen


def probability_option(default: float) -> float:
    """Declare p of exploration."""
    chosen: float = option(default, "probability of exploring", topics.ORACLE, minimum=0, maximum=1)
    return chosen
