"""Parsers that build trees move by move."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"transition": "parser:TransitionParser"}, "recipe:TransitionRecipe")
