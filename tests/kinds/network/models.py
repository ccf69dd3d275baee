"""Small networks with random weights, made without PyTorch."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from treewright.treebank.blocks.block import Block

from treewright.kinds.network.inputs.distances import N_KINDS
from treewright.kinds.network.inputs.tags import tag_values
from treewright.kinds.network.inputs.vocabulary import LISTED, Vocabulary
from treewright.kinds.network.network import EncoderSettings, NetworkSettings, vocabulary_arrays
from treewright.kinds.network.parser import Member, NeuralParser, NeuralSettings

HIDDEN, ARCS, RELATIONS, TAGS, BUCKETS = 12, 10, 9, 8, 64
WIDTHS = {"words": 11, "ngrams": 7, "lemmas": 5, "upos": 4, "xpos": 3, "feats": 6}


def random_parser(
    blocks: Sequence[Block],
    labels: Sequence[str],
    seed: int = 1,
    members: Sequence[Member] = (),
    retag: bool = False,
    context: bool = False,
    **settings: Any,
) -> NeuralParser:
    """Return a parser with random weights that knows the words of some blocks."""
    vocabulary = Vocabulary.of(blocks, 1, BUCKETS)
    network: NetworkSettings = {
        "widths": dict(WIDTHS),
        "hidden": HIDDEN,
        "layers": 2,
        "arcs": ARCS,
        "relations": RELATIONS,
        "tags": TAGS,
        "buckets": BUCKETS,
        "tag_values": tag_values(blocks) if retag else {},
    }
    if context:
        network["widths"]["context"] = WIDTHS["words"]
        network["context"] = {**deepcopy(OF_CONTEXT), "source": "nothing"}
    made: NeuralSettings = {
        "network": network,
        "relations": list(labels),
        "single_root": True,
        "projective": False,
        "leaf_tags": [],
        "votes": [(member.for_heads, member.for_labels) for member in members],
    }
    made.update(settings)  # type: ignore[typeddict-item]
    arrays = random_arrays(network, vocabulary, len(labels), random.Random(seed))
    if context:
        arrays |= {f"context.{name}": values for name, values in random_context(blocks).items()}
    return NeuralParser(made, arrays, {"recipe": {}, "columns": []}, members)


OF_CONTEXT: EncoderSettings = {"widths": {"words": 5, "ngrams": 4}, "hidden": 6, "layers": 1, "buckets": 32}


def random_context(blocks: Sequence[Block], seed: int = 2) -> dict[str, Any]:
    """Return the arrays of the encoder of a language model that knows the words of some blocks."""
    words = Vocabulary.of(blocks, 2, OF_CONTEXT["buckets"]).lists["words"]
    vocabulary = Vocabulary({**dict.fromkeys(LISTED, ()), "words": words}, OF_CONTEXT["buckets"])
    return RandomArrays(OF_CONTEXT, vocabulary, random.Random(seed)).arrays


class RandomArrays:
    """The weights of an encoder, drawn at random, and of what is put on top of it."""

    def __init__(self, settings: EncoderSettings, vocabulary: Vocabulary, chance: random.Random) -> None:
        self.arrays: dict[str, Any] = {name: values for name, (_, values) in vocabulary_arrays(vocabulary).items()}
        self.chance = chance
        hidden, out = settings["hidden"], 2 * settings["hidden"]
        for name, width in settings["widths"].items():
            if name == "context":
                self.layer(f"tables.{name}.project", width, 2 * settings["context"]["hidden"])
            else:
                self.matrix(f"tables.{name}.weight", vocabulary.sizes()[name], width)
        for number in range(settings["layers"]):
            self.matrix(f"layer{number}.input", 8 * hidden, out if number else sum(settings["widths"].values()))
            self.matrix(f"layer{number}.recurrent", 8 * hidden, hidden)
            self.vector(f"layer{number}.bias", 8 * hidden)

    def matrix(self, name: str, rows: int, columns: int) -> None:
        self.arrays[name] = array("b", (self.chance.randint(-127, 127) for _ in range(rows * columns)))
        self.arrays[f"{name}.scales"] = array("f", (self.chance.uniform(0.002, 0.01) for _ in range(rows)))

    def vector(self, name: str, size: int) -> None:
        self.arrays[name] = array("f", (self.chance.uniform(-0.5, 0.5) for _ in range(size)))

    def layer(self, name: str, rows: int, columns: int) -> None:
        self.matrix(f"{name}.weight", rows, columns)
        self.vector(f"{name}.bias", rows)


def random_arrays(
    settings: NetworkSettings, vocabulary: Vocabulary, n_labels: int, chance: random.Random
) -> dict[str, Any]:
    made, out = RandomArrays(settings, vocabulary, chance), 2 * settings["hidden"]
    for name, rows, columns in (
        ("arc_dep", settings["arcs"], out),
        ("arc_head", settings["arcs"], out),
        ("arc_mix", settings["arcs"], settings["arcs"]),
        ("arc_distance", N_KINDS, settings["arcs"]),
        ("relation_dep", settings["relations"], out),
        ("relation_head", settings["relations"], out),
        ("relation_both", n_labels, settings["relations"]),
    ):
        made.layer(name, rows, columns)
    made.matrix("relation_from_dep.weight", n_labels, settings["relations"])
    made.matrix("relation_from_head.weight", n_labels, settings["relations"])
    if settings["tag_values"]:
        made.layer("tag_hidden", settings["tags"], out)
    for name, values in settings["tag_values"].items():
        made.layer(f"tag_scores.{name}", len(values), settings["tags"])
    return made.arrays
