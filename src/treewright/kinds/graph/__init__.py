"""Parsers that build dependency graphs move by move."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"dag": "parser:GraphParser"}, "recipe:GraphRecipe")
