"""Taggers: part of speech, features and lemma of each word."""

from treewright.steps.call import TAGS
from treewright.steps.kinds import Kind

KIND = Kind(
    __name__,
    {"tagger": "tagger:Tagger"},
    "recipe:TaggerRecipe",
    step="tagger",
    does=TAGS,
    knows="vocabulary:known_words",
)
