"""Parsers that build trees move by move."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"transition": "parser:TransitionParser"},
    check="schema:check",
    recipe="recipe:TransitionRecipe",
    training="training:strategy",
)
