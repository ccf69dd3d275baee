"""Tokenisers: from raw text to sentences and words."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"tokenizer": "tokenizer:Tokenizer"},
    check="schema:check",
    recipe="recipe:TokenizerRecipe",
    training="training:strategy",
    step="tokenizer",
)
