"""Transition parsers with small networks of random weights, made without PyTorch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast

from treewright.features.extractor import Extractor
from treewright.kinds.network_moves.walking import n_fixed_rows, n_positions
from treewright.treebank.blocks.block import Block

from tests.kinds.network.models import BUCKETS, HIDDEN, WIDTHS, RandomArrays
from treewright.kinds.network.inputs.vocabulary import Vocabulary
from treewright.kinds.network_moves.move_network import MoveNetworkSettings
from treewright.kinds.network_moves.parser import MoveNetworkParser, NeuralGraphMoves, NeuralMoves, NeuralMoveSettings
from treewright.kinds.network_moves.positions import positions_for
from treewright.systems import make_system
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system

MOVES, RELATIONS = 10, 7


def random_moves(
    blocks: Sequence[Block], labels: Sequence[str], system: str, seed: int = 1, **settings: Any
) -> MoveNetworkParser:
    """Return a parser with random weights that knows the words of some blocks."""
    graphs = system in GRAPH_SYSTEMS
    made = make_graph_system(system) if graphs else make_system(system)
    model = positions_for("positions", made)
    kinds = [kind for kind, name in enumerate(made.kinds) if name in made.labelled_kinds]
    classes = [[kind, label] for kind in kinds for label in range(len(labels))]
    network: MoveNetworkSettings = {
        "widths": dict(WIDTHS),
        "hidden": HIDDEN,
        "layers": 1,
        "buckets": BUCKETS,
        "moves": MOVES,
        "relations": RELATIONS,
    }
    kept: NeuralMoveSettings = {
        "system": system if graphs else made.settings(),
        "features": str(model),
        "feature_model": model.name,
        "relations": list(labels),
        "classes": classes,
        "root_labels": [0],
        "word_labels": list(range(1, len(labels))),
        "leaf_tags": [],
        "lifting": "baseline",
        "network": network,
    }
    kept = cast(NeuralMoveSettings, {**kept, **settings})
    extractor = Extractor(model, labels)
    arrays = RandomArrays(network, Vocabulary.of(blocks, 1, BUCKETS), random.Random(seed))
    arrays.layer("move_word", MOVES, 2 * HIDDEN)
    arrays.matrix("move_positions.weight", n_positions(extractor) * (MOVES + RELATIONS), MOVES)
    arrays.matrix("move_fixed", n_fixed_rows(extractor), MOVES + RELATIONS)
    arrays.layer("move_kinds", len(made.kinds), MOVES)
    arrays.layer("move_labels", len(classes), RELATIONS)
    kind = NeuralGraphMoves if graphs else NeuralMoves
    return kind(kept, arrays.arrays, {"recipe": {}, "columns": []})
