"""Neural parsers of dependency graphs."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"neural-graph": "parser:NeuralGraphParser"}, "recipe:NeuralGraphRecipe")
