"""Tokenisers: from raw text to sentences and words."""

from treewright.steps.call import TEXT
from treewright.steps.kinds import Kind

KIND = Kind(__name__, {"tokenizer": "tokenizer:Tokenizer"}, "recipe:TokenizerRecipe", step="tokenizer", does=TEXT)
