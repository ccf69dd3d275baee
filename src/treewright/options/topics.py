"""The topics that group options on the help page, in configuration files and in the reference."""

from __future__ import annotations

PARSER = "parser"
FEATURES = "features"
ORACLE = "oracle and exploration"
LEARNING = "learning"
BEAM = "beam"
BATCH = "learners of other libraries"
EXACT = "exact parser"
NEURAL = "neural parser"
TEXT = "raw text"

#: topic, in the order in which they are shown → the word that asks for its options: ``train --help neural``
WORDS = {
    PARSER: "parser",
    FEATURES: "features",
    ORACLE: "oracle",
    LEARNING: "learning",
    BEAM: "beam",
    BATCH: "learners",
    EXACT: "exact",
    NEURAL: "neural",
    TEXT: "text",
}
TOPICS = tuple(WORDS)

#: the options that most people use: a help page shows these, that of a topic all of it
COMMON = frozenset(
    (
        *("system", "speed", "lifting", "single_root"),
        "features",
        "policy",
        *("iterations", "time_limit", "seed", "threads"),
        "beam",
        "learner",
        *("order", "projective"),
        *("pretrained", "members"),
        *("pipeline", "raw", "vectors"),
    )
)
