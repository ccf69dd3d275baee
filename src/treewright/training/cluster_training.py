"""Word clusters of a step: from what its recipe names, raw text or word vectors, or from the step it goes on from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from treewright.errors import CombinationError
from treewright.recipes.shared_options import files_in
from treewright.training.observer import TrainingObserver

if TYPE_CHECKING:
    from treewright.features.word_clusters import WordClusters

_LAST: dict[tuple[str, int], WordClusters] = {}  # the files of the last training, and their clusters


class FromRawText(Protocol):
    """A recipe that may name raw text or word vectors."""

    @property
    def raw(self) -> str:
        """Files of raw text, a line each."""

    @property
    def vectors(self) -> str:
        """A file of word vectors."""

    @property
    def clusters(self) -> int:
        """How many clusters there are."""


def learn_clusters(recipe: FromRawText, observer: TrainingObserver) -> WordClusters | None:
    """Learn the clusters that a recipe asks for; None if it asks for none."""
    if not recipe.raw and not recipe.vectors:
        return None
    from treewright.lexicon import clustering

    if recipe.vectors:
        observer.begun("clusters", 1)
        made = clustering.clusters_of_vectors(recipe.vectors, recipe.clusters, os.path.basename(recipe.vectors))
        observer.advanced(1)
        return made
    return clusters_of_raw_text(recipe.raw, recipe.clusters, observer)


def clusters_of_raw_text(raw: str, n_clusters: int, observer: TrainingObserver) -> WordClusters:
    """Learn clusters from raw text; a tagger and a network that learn from the same text share them."""
    if (raw, n_clusters) not in _LAST:
        from treewright.lexicon import clustering

        paths = files_in(raw)
        observer.begun("clusters", clustering.MOST_WORDS * clustering.ROUNDS)
        name = " + ".join(os.path.basename(path) for path in paths)
        made = clustering.clusters_of_text(paths, n_clusters, name, observer.advanced)
        _LAST.clear()
        _LAST[raw, n_clusters] = made
    return _LAST[raw, n_clusters]


class WithClusters(Protocol):
    """A tokeniser or tagger."""

    clusters: WordClusters | None


def kept_clusters(base: WithClusters | None, new: WordClusters | None, step: str) -> WordClusters | None:
    """Return the clusters of ``base`` where there is one, else the new ones; ``step`` names what is trained."""
    if base is None:
        return new
    if new is not None and new is not base.clusters:
        raise CombinationError(
            f"the {step} to go on from keeps its word clusters, or has none: leave --raw and --vectors out"
        )
    return base.clusters
