"""Steps in a row, trained from one treebank."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"pipeline": "schema:Pipeline"},
    check="schema:check",
    recipe="recipe:PipelineRecipe",
    training="training:strategy",
    step="pipeline",
)
