"""Language models of words in their sentences, learnt from raw text, for other networks to look at."""

from treewright.steps.kinds import IN_NO_PIPELINE, Kind

KIND = Kind(__name__, {"language-model": "model:LanguageModel"}, "recipe:LanguageModelRecipe", step=IN_NO_PIPELINE)
