"""Parsers of graphs with small networks of random weights, made without PyTorch."""

from __future__ import annotations

import random
from array import array
from typing import Any, cast

from treewright.treebank.blocks.block import Block

from tests.kinds.network import models
from tests.kinds.network.models import random_arrays
from treewright.kinds.network.inputs.vocabulary import Vocabulary
from treewright.kinds.network.network import NetworkSettings
from treewright.kinds.network_graph.parser import NeuralGraphParser, NeuralGraphSettings

LABELS = ["root", "nsubj", "obj", "det", "punct"]


def random_graph_parser(block: Block, seed: int = 1, **settings: Any) -> NeuralGraphParser:
    """Return a parser with random weights that knows the words of a block."""
    network: NetworkSettings = {
        "widths": dict(models.WIDTHS),
        "hidden": models.HIDDEN,
        "layers": 1,
        "arcs": models.ARCS,
        "relations": models.RELATIONS,
        "tags": 1,
        "buckets": models.BUCKETS,
        "tag_values": {},
    }
    kept: NeuralGraphSettings = {
        "network": network,
        "relations": LABELS,
        "leaf_tags": ["PUNCT"],
        "threshold": 0.1,
        "rules": {"connected": True, "headed": True, "single_root": True},
    }
    kept = cast(NeuralGraphSettings, {**kept, **settings})
    vocabulary = Vocabulary.of([block], 1, models.BUCKETS)
    arrays = random_arrays(network, vocabulary, len(LABELS), random.Random(seed))
    return NeuralGraphParser(kept, {**arrays, "arc_offset.bias": array("f", [-0.2])}, {"recipe": {}, "columns": []})
