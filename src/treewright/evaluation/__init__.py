"""Evaluation: the official CoNLL 2018 scores, older conventions, breakdowns and significance tests."""

from treewright.evaluation.attachment import Attachment
from treewright.evaluation.breakdown import BREAKDOWNS, breakdown, breakdown_lines, sentence_scores
from treewright.evaluation.report import Evaluation, evaluate, official_scores
from treewright.evaluation.score import Score
from treewright.evaluation.significance import Bootstrap, McNemar, SystemComparison, bootstrap, compare_systems, mcnemar

__all__ = [
    "BREAKDOWNS",
    "Attachment",
    "Bootstrap",
    "Evaluation",
    "McNemar",
    "Score",
    "SystemComparison",
    "bootstrap",
    "breakdown",
    "breakdown_lines",
    "compare_systems",
    "evaluate",
    "mcnemar",
    "official_scores",
    "sentence_scores",
]
