"""Parsers that find the best tree of a second-order model, with a certificate."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"exact": "parser:ExactParser"}, "recipe:ExactRecipe")
