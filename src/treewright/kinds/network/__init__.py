"""Parsers whose network scores all arcs of a sentence; in hybrids, linear parsers vote beside it."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"neural": "parser:NeuralParser"},
    check="schema:check",
    recipe="recipe:NeuralRecipe",
    training="training:strategy",
)
