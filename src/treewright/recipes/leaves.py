"""The option that all parsers have: whether words may govern others whose tag does not in the treebank."""

from __future__ import annotations

from treewright.options import topics
from treewright.options.option import choice


def governors_option() -> str:
    """Declare the option."""
    what = "which words may have dependents; learnt leaves out tags that have none in the treebank, like PUNCT"
    return choice("learnt", ("learnt", "any"), what, topics.PARSER, metavar="")
