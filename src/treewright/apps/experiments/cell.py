"""One cell of a grid: a training, the parse of a test set, and its scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from treewright.apps.experiments.treebank_files import TreebankFiles
from treewright.errors import TreewrightError
from treewright.kinds.network.recipe import MOST_ROUNDS
from treewright.kinds.network_graph.recipe import SYSTEM as NEURAL_GRAPH
from treewright.options.option import options_of
from treewright.recipes.catalogue import parser_options, recipe_class, recipe_from
from treewright.recipes.presets import Presets, without_presets
from treewright.systems.graphs import GRAPH_SYSTEMS

FORMAT = 1  # of the files that keep results
#: options of cells that are about the data, not about the training
DATA_OPTIONS = (
    "train_sentences",
    "train_fraction",
    "dev_sentences",
    "test_sentences",
    "tags",
    "jackknife",
    "tagger_search",
    "on_error",
    "scaling",
    "solver_sentences",
    "solver_longest",
)
#: what a parse is measured by: trees, then graphs
TREE_SCORES = (
    "uas",
    "las",
    "label_accuracy",
    "exact_match",
    "root_accuracy",
    "uas_without_punctuation",
    "las_without_punctuation",
    "clas",
    "mlas",
    "blex",
)
GRAPH_SCORES = tuple(
    f"{arcs}_{measure}" for arcs in ("labelled", "unlabelled", "secondary") for measure in ("precision", "recall", "f1")
)
TRAINING_OPTIONS = (*(name for name in parser_options() if name != "seed"), *options_of(Presets))
#: options of the data that mean nothing without grandparents
OF_SECOND_ORDER = ("solver_sentences", "solver_longest")


@dataclass(frozen=True)
class Cell:
    """A treebank, a seed, and the options that were named for this cell: of the training and of the data."""

    treebank: TreebankFiles
    seed: int
    options: Mapping[str, Any]

    @property
    def training(self) -> dict[str, Any]:
        """The options for ``train``."""
        chosen = {name: value for name, value in self.options.items() if name not in DATA_OPTIONS}
        return {**chosen, "seed": self.seed}

    @property
    def data(self) -> dict[str, Any]:
        """The options about the data."""
        return {name: value for name, value in self.options.items() if name in DATA_OPTIONS}

    @cached_property
    def content(self) -> dict[str, Any]:
        """All that the result follows from, as plain data."""
        return {
            "format": FORMAT,
            "treebank": self.treebank.name,
            "files": self.treebank.fingerprints(),
            "parts": dict(self.treebank.parts),
            "training": self.training,
            "data": self.data,
        }

    @cached_property
    def key(self) -> str:
        """The name of the cell's files: a digest of its content."""
        return key_of(self.content)

    @property
    def builds_graphs(self) -> bool:
        """Are there graphs to score, and not trees?"""
        return builds_graphs(self.options)

    @property
    def rounds(self) -> int:
        """How many rounds the training has, at most."""
        options = without_presets(self.options)
        kind = recipe_class(options.get("system", "arc-eager"), options.get("learner"))
        return int(options.get("iterations") or kind.options()["iterations"].default or MOST_ROUNDS)

    def label(self, names: tuple[str, ...] = ()) -> str:
        """Return the values of some options in a few words; of all options, if none are named."""
        return label_of({name: self.options.get(name) for name in names or self.options})


def key_of(content: Mapping[str, Any]) -> str:
    """Return the name of the files of a cell with this content."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return sha256(text.encode()).hexdigest()[:20]


#: options whose values explain themselves; others are shown with their names
_PLAIN = ("system", "features", "policy", "learner", "learner_options")


def label_of(options: Mapping[str, Any]) -> str:
    """Return options in a few words, with their names where the value alone does not explain itself."""
    known = {name: value for name, value in options.items() if value is not None}
    return ", ".join(str(value) if name in _PLAIN else f"{name} {value}" for name, value in known.items()) or "default"


def meaningful(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without those that the others make void.

    Static training has no k and p: a grid of policies with k and p has one static cell and not one for each.
    """
    idle = idle_options(options)
    kept = {name: value for name, value in options.items() if name not in idle}
    if kept.get("order") == 1 or kept.get("projective"):
        kept = {name: value for name, value in kept.items() if name not in OF_SECOND_ORDER}
    if kept.get("train_fraction") == 1:
        del kept["train_fraction"]
    return kept


def idle_options(options: Mapping[str, Any]) -> set[str]:
    """Return the options of the training that change nothing; none where they do not make a recipe."""
    training = {name: value for name, value in options.items() if name in TRAINING_OPTIONS}
    try:
        return set(recipe_from(training, allow_idle=True).idle())
    except TreewrightError:
        return set()  # the cell will say what is wrong


def builds_graphs(options: Mapping[str, Any]) -> bool:
    """Do these options train a parser of graphs?"""
    return options.get("system") in (*GRAPH_SYSTEMS, NEURAL_GRAPH)
