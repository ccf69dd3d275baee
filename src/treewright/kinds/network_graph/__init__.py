"""Neural parsers of dependency graphs."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"neural-graph": "parser:NeuralGraphParser"},
    check="schema:check",
    recipe="recipe:NeuralGraphRecipe",
    training="training:strategy",
)
