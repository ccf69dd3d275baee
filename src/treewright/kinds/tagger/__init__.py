"""Taggers: part of speech, features and lemma of each word."""

from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    models={"tagger": "tagger:Tagger"},
    check="schema:check",
    recipe="recipe:TaggerRecipe",
    training="training:strategy",
    step="tagger",
)
