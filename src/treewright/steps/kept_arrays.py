"""Weights and word clusters as arrays of model files."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from treewright.features.word_clusters import WordClusters
from treewright.learners.frozen import FrozenWeights
from treewright.steps.border.arrays import WEIGHT_ARRAYS

TYPES = {"keys": "Q", "numbers": "H", "paths": "I", "depths": "B"}
#: how model files name types of numbers
NAMES = {"Q": "U64", "H": "U16", "I": "U32", "B": "U8", "b": "I8"}


def weight_arrays(weights: FrozenWeights, prefix: str = "") -> dict[str, tuple[str, Any]]:
    """Return the arrays that a model file keeps of weights, each with its type; their names begin with a prefix."""
    return {f"{prefix}{name}": (NAMES[WEIGHT_ARRAYS[name]], data) for name, data in weights.arrays.items()}


def weights_in(arrays: Mapping[str, Any], settings: Mapping[str, Any], prefix: str = "") -> FrozenWeights:
    """Return the weights that a model file holds under a prefix."""
    return FrozenWeights({name: arrays[f"{prefix}{name}"] for name in WEIGHT_ARRAYS}, settings)


def cluster_arrays(clusters: WordClusters) -> dict[str, tuple[str, Any]]:
    """Return the arrays that a model file keeps of word clusters, each with its type."""
    return {f"clusters.{name}": (NAMES[code], getattr(clusters, name)) for name, code in TYPES.items()}


def clusters_in(arrays: Mapping[str, Any], source: object) -> WordClusters:
    """Return the word clusters that a model file holds."""
    kept = {name: array_of(arrays[f"clusters.{name}"], code) for name, code in TYPES.items()}
    return WordClusters(kept["keys"], kept["numbers"], kept["paths"], kept["depths"], str(source))


def array_of(data: Any, code: str) -> array[Any]:
    """Return the bytes of a model file as numbers of a type, in memory of their own."""
    made: array[Any] = array(code)
    made.frombytes(memoryview(data).cast("B") if len(data) else b"")
    return made
