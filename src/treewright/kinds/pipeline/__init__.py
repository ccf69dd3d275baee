"""Steps in a row, trained from one treebank."""

from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"pipeline": "schema:Pipeline"}, "recipe:PipelineRecipe", step="pipeline")
