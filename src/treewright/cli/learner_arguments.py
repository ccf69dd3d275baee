"""What `treewright train` can be told about learners."""

from __future__ import annotations

import argparse
from typing import Any

#: options of training that these arguments set
LEARNER_CHOICES = ("learner", "learner_options", "split_on", "split_threshold", "dagger_rounds", "calibration")


def add_learner_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--learner", metavar="NAME", help="perceptron (default), liblinear, libsvm, timbl, or one of another package"
    )
    parser.add_argument("--learner-options", metavar="TEXT", help="options in the learner's own notation")
    parser.add_argument("--split-on", metavar="TEMPLATE", help="libsvm: split the instances by this feature")
    parser.add_argument(
        "--split-threshold", type=int, metavar="N", help="instances that a value needs for a part (default 1000)"
    )
    parser.add_argument("--dagger-rounds", type=int, metavar="N", help="rounds of dagger after the first (default 3)")
    parser.add_argument(
        "--dump-instances", metavar="FILE", help="write the instances of a batch learner (.timbl, .libsvm, .parquet)"
    )
    parser.add_argument(
        "--calibration", choices=("temperature", "isotonic", "none"), help="of confidences on dev (default temperature)"
    )


def rounds_of(choices: dict[str, Any]) -> int:
    """Return how many rounds the training will have."""
    if choices.get("learner", "perceptron") == "perceptron":
        return int(choices.get("iterations", 5 if choices.get("system") == "exact" else 15))
    return 1 + (choices.get("dagger_rounds", 3) if choices.get("policy") == "dagger" else 0)
