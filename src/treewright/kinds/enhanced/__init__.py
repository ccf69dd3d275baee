"""Enhanced graphs: what a graph says beyond the tree of the same sentence."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"enhanced": "parser:EnhancedParser"}, "recipe:EnhancedRecipe", step="graph")
