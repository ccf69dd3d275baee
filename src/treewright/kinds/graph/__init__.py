"""Parsers that build dependency graphs move by move."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"dag": "parser:GraphParser"},
    check="schema:check",
    recipe="recipe:GraphRecipe",
    training="training:strategy",
)
