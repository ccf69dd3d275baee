"""Word clusters for a pipeline, from what its recipe names: raw text or word vectors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treewright.recipes.text import PipelineRecipe
from treewright.training.observer import TrainingObserver

if TYPE_CHECKING:
    from treewright.features.word_clusters import WordClusters


def learn_clusters(recipe: PipelineRecipe, observer: TrainingObserver) -> WordClusters | None:
    """Learn the clusters that a recipe asks for; None if it asks for none."""
    if not recipe.raw and not recipe.vectors:
        return None
    from treewright.lexicon import clustering

    if recipe.vectors:
        observer.begun("clusters", 1)
        made = clustering.clusters_of_vectors(recipe.vectors, recipe.clusters, os.path.basename(recipe.vectors))
        observer.advanced(1)
        return made
    paths = recipe.raw_files
    observer.begun("clusters", clustering.MOST_WORDS * clustering.ROUNDS)
    name = " + ".join(os.path.basename(path) for path in paths)
    return clustering.clusters_of_text(paths, recipe.clusters, name, observer.advanced)
