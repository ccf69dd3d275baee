"""What a model file keeps of a parser that makes moves, beside its weights."""

from __future__ import annotations

from typing import Any, TypedDict

from treewright.features.word_clusters import WordClusters


class _Always(TypedDict):
    """Of every such parser."""

    system: Any  # for graphs the name; for trees what ``make_system`` takes
    features: str  # the templates as text
    feature_model: str  # their name
    relations: list[str]
    classes: list[list[int]]  # labelled moves: kind and relation
    root_labels: list[int]  # relations of arcs from the root
    word_labels: list[int]


class LinearSettings(_Always, total=False):
    """Also of parsers of trees. What is not fitted on dev is left out, and older files lack what came later."""

    split: bool  # is the kind of move decided first?
    lifting: str
    leaf_tags: list[str]  # of words that may not govern others
    rules: list[list[Any]]  # that trees keep, see systems/rules
    clusters: WordClusters  # that features look at; in a file the name of their source, beside arrays
    beam: int
    beam_margin: float | None
    beam_confidence: dict[str, float]
    confidence: dict[str, Any]  # as ``ConfidentParser`` takes it
