"""Transition parsers whose moves a network scores."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    {"neural-moves": "parser:NeuralMoves", "neural-graph-moves": "parser:NeuralGraphMoves"},
    "recipe:NeuralMoveRecipe",
)
