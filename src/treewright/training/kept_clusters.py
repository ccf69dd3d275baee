"""The word clusters of a step that goes on from another: they stay as they are."""

from __future__ import annotations

from typing import Protocol

from treewright.errors import CombinationError
from treewright.features.word_clusters import WordClusters


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
