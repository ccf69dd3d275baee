"""The option that all parsers have: whether words may govern others whose tag does not in the treebank."""

from __future__ import annotations

from treewright.recipes import topics
from treewright.recipes.option import option


def governors_option() -> str:
    """Declare the option."""
    chosen: str = option(
        "learnt",
        "words that may have dependents: learnt: not those whose tag has none in the treebank, like PUNCT",
        topics.PARSER,
        choices=("learnt", "any"),
    )
    return chosen
