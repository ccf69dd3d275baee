"""Parsers whose network scores all arcs of a sentence; in hybrids, linear parsers vote beside it."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"neural": "parser:NeuralParser"}, "recipe:NeuralRecipe")
