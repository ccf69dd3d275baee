"""Every default of every kind of recipe: whoever changes one changes models, and says so here."""

from __future__ import annotations

from typing import Any

import pytest

from treewright.recipes.catalogue import recipe_from

LEARNING = {
    "as_paper": "",
    "iterations": 15,
    "cutoff": 3,
    "kind_weights": True,
    "prune": True,
    "keep": "best",
    "precision": "byte",
}
LEARNING |= {"seed": 1, "learner": "perceptron", "learner_options": ""}
EXPLORING = {"governors": "learnt", "lifting": "head", "features": "rich", "policy": "explore", "k": 1, "p": 0.9}
EXPLORING |= {"zero_cost": "best", "costs": "exact"}
TRANSITION: dict[str, Any] = {
    "rules": "none",
    **LEARNING,
    **EXPLORING,
    "root": None,
    "single_root": True,
    "decision": None,
    "exploration": "2013",
    "cost_sensitive": None,
    "passive_aggressive": None,
    "aggressiveness": 1.0,
    "arc_weights": "",
    "seeds": 1,
    "calibration": "temperature",
    "beam": 1,
    "update": "max-violation",
    "split_on": "",
    "split_threshold": 1000,
    "dagger_rounds": 3,
}
EXACT = {
    "as_paper": "",
    "single_root": True,
    "governors": "learnt",
    "features": "exact",
    "order": 2,
    "parts": None,
    "projective": False,
    "learning": "sgd",
    "adviser": "greedy",
    "adviser_folds": 5,
    "first_order_rounds": 0,
    "rate": 0.1,
    "dropout": 0.0,
    "messages": 5,
    "iterations": 5,
    "cutoff": 2,
    "seed": 1,
}
NETWORK = {
    "hidden": 160,
    "layers": 2,
    "word_width": 96,
    "ngram_width": 64,
    "lemma_width": 64,
    "tag_width": 24,
    "feats_width": 48,
    "buckets": 16384,
    "raw": "",
    "clusters": 256,
    "cluster_width": 48,
    "vectors": "",
    "vector_width": 64,
    "encoder": "",
    "encoder_width": 128,
    "encoder_layers": 4,
    "pretrained": "",
    "pretrained_width": 128,
    "fine_tune": False,
    "cutoff": 2,
    "iterations": None,
    "time_limit": "",
    "rate": 0.002,
    "batch_words": 200,
    "dropout": 0.33,
    "recurrent_dropout": 0.0,
    "smoothing": 0.995,
    "threads": 1,
    "seed": 1,
    "governors": "learnt",
    "arc_size": 160,
    "relation_size": 96,
}
TREES = {
    "rules": "none",
    "single_root": True,
    "projective": False,
    "members": None,
    "retag": False,
    "tag_size": 128,
    "dropout": None,
    "recurrent_dropout": None,
    "label_smoothing": 0.05,
}
PIPELINE: dict[str, Any] = {
    "pipeline": True,
    "jackknife": 4,
    "widen": "all",
    "enhanced": "auto",
    "graph_iterations": 8,
    "graph_cutoff": 1,
    "graph_empty_nodes": "words",
    "raw": "",
    "vectors": "",
    "clusters": 256,
    "tokenizer_iterations": 10,
    "tokenizer_cutoff": 2,
    "tokenizer_margin": 60.0,
    "tokenizer_seeds": 0,
    "tagger_search": "twice",
    "tagger_width": 8,
    "tagger_iterations": None,
    "tagger_cutoff": 2,
    "tagger_margin": 100.0,
    "tagger_closed_from": 30,
    "tagger_dropout": 2.0,
    "tagger_compose": False,
    "tagger_least": 1.0,
    "tagger_seeds": 0,
    "seeds": 4,
}


@pytest.mark.parametrize(
    ("choices", "defaults"),
    [
        ({"system": "arc-eager"}, TRANSITION),
        ({"system": "covington"}, TRANSITION | {"lifting": "none"}),
        ({"learner": "liblinear"}, TRANSITION | {"system": "arc-eager", "cutoff": 1, "policy": "static"}),
        ({"system": "dag-crossing"}, LEARNING | EXPLORING | {"cycles": "keep"}),
        ({"system": "dag-shift-reduce"}, LEARNING | EXPLORING | {"cycles": "keep", "policy": "static"}),
        ({"system": "exact"}, EXACT),
        ({"system": "neural-graph"}, NETWORK),
        ({"system": "neural"}, NETWORK | TREES),
        ({"system": "hybrid"}, NETWORK | TREES | {"members": "greedy,beam"}),
        ({"pipeline": True}, {"system": "arc-eager"} | TRANSITION | PIPELINE | {"seeds": 4}),
    ],
)
def test_a_recipe_is_what_was_chosen_and_these_defaults(choices: dict[str, Any], defaults: dict[str, Any]) -> None:
    assert recipe_from(choices).to_dict() == defaults | choices
