# The options of recipes as keywords of ``train``: see tools/option_tables.py, which makes this file.
from typing import TypedDict

from treewright.learners.estimator import Estimator

class RecipeOptions(TypedDict, total=False):
    as_paper: str
    iterations: int | None
    cutoff: int | None
    kind_weights: bool
    prune: bool
    keep: str
    precision: str
    seed: int
    learner: str | Estimator
    learner_options: str
    system: str
    root: str | None
    single_root: bool
    governors: str
    rules: str
    lifting: str | None
    features: str
    decision: str | None
    policy: str | None
    exploration: str
    k: int | None
    p: float | None
    zero_cost: str | None
    costs: str
    cost_sensitive: str | None
    passive_aggressive: str | None
    aggressiveness: float
    arc_weights: str
    seeds: int | None
    calibration: str
    beam: int
    update: str
    split_on: str
    split_threshold: int
    dagger_rounds: int
    cycles: str
    order: int | None
    parts: str | None
    projective: bool
    learning: str
    adviser: str
    adviser_folds: int
    first_order_rounds: int
    rate: float
    dropout: float | None
    messages: int
    hidden: int
    layers: int
    word_width: int
    ngram_width: int
    lemma_width: int
    tag_width: int
    feats_width: int
    buckets: int
    raw: str
    clusters: int
    cluster_width: int
    vectors: str
    vector_width: int
    encoder: str
    encoder_width: int
    encoder_layers: int
    pretrained: str
    pretrained_width: int
    fine_tune: bool
    time_limit: str
    batch_words: int
    recurrent_dropout: float | None
    smoothing: float
    threads: int
    members: str | None
    retag: bool
    label_smoothing: float
    arc_size: int
    relation_size: int
    tag_size: int
    move_size: int
    pipeline: bool
    step: str
    keep_step: str
    jackknife: int
    widen: str
    enhanced: str
    speed: str
    tokenizer_iterations: int
    tokenizer_cutoff: int
    tokenizer_margin: float
    tokenizer_seeds: int
    tagger_search: str
    tagger_width: int
    tagger_iterations: int | None
    tagger_closed_from: int
    tagger_cutoff: int
    tagger_margin: float
    tagger_dropout: float
    tagger_compose: bool
    tagger_least: float
    tagger_seeds: int
    graph_iterations: int
    graph_cutoff: int
    graph_empty_nodes: str
