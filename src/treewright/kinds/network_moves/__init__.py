"""Transition parsers whose moves a network scores."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"neural-moves": "parser:NeuralMoves", "neural-graph-moves": "parser:NeuralGraphMoves"},
    check="schema:check",
    recipe="recipe:NeuralMoveRecipe",
    training="training:strategy",
)
