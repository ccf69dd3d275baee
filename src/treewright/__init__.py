"""treewright: build dependency parsers.

Train on a treebank, save, load, parse, score. Everything is imported when it is first used:
``import treewright`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from treewright.analysis.report import Analysis, analyze
    from treewright.apps.tracing.record import Trace
    from treewright.apps.tracing.tracer import trace
    from treewright.errors import (
        CombinationError,
        FeatureModelError,
        MissingExtraError,
        ModelFileError,
        TreebankError,
        TreebankWarning,
        TreewrightError,
        TreewrightWarning,
    )
    from treewright.evaluation.report import Evaluation, evaluate
    from treewright.options.recipe import Recipe
    from treewright.query.finding import Found, find
    from treewright.query.language.tokens import PatternError
    from treewright.query.matching import Match
    from treewright.recipes.catalogue import recipe
    from treewright.steps.parser import Parser
    from treewright.steps.pipeline import Pipeline
    from treewright.steps.step import Step
    from treewright.training.observer import TrainingObserver
    from treewright.training.trainer import train, train_pipeline
    from treewright.treebank.files.treebank import Treebank, read
    from treewright.treebank.files.writing import convert, write
    from treewright.treebank.sentences.document import Document
    from treewright.treebank.sentences.exports import to_arrow, to_pandas
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token

__version__ = "0.1.0"

_HOME = {
    "CombinationError": "errors",
    "FeatureModelError": "errors",
    "MissingExtraError": "errors",
    "ModelFileError": "errors",
    "PatternError": "query.language.tokens",
    "TreebankError": "errors",
    "TreebankWarning": "errors",
    "TreewrightError": "errors",
    "TreewrightWarning": "errors",
    "Evaluation": "evaluation.report",
    "evaluate": "evaluation.report",
    "Analysis": "analysis.report",
    "analyze": "analysis.report",
    "find": "query.finding",
    "Found": "query.finding",
    "Match": "query.matching",
    "Parser": "steps.parser",
    "Step": "steps.step",
    "Recipe": "options.recipe",
    "recipe": "recipes.catalogue",
    "TrainingObserver": "training.observer",
    "train": "training.trainer",
    "Trace": "apps.tracing.record",
    "trace": "apps.tracing.tracer",
    "Pipeline": "steps.pipeline",
    "train_pipeline": "training.trainer",
    "Document": "treebank.sentences.document",
    "Sentence": "treebank.sentences.sentence",
    "Token": "treebank.sentences.token",
    "Treebank": "treebank.files.treebank",
    "read": "treebank.files.treebank",
    "to_arrow": "treebank.sentences.exports",
    "to_pandas": "treebank.sentences.exports",
    "convert": "treebank.files.writing",
    "write": "treebank.files.writing",
}

__all__ = [
    "Analysis",
    "CombinationError",
    "Document",
    "Evaluation",
    "FeatureModelError",
    "Found",
    "Match",
    "MissingExtraError",
    "ModelFileError",
    "Parser",
    "PatternError",
    "Pipeline",
    "Recipe",
    "Sentence",
    "Step",
    "Token",
    "Trace",
    "TrainingObserver",
    "Treebank",
    "TreebankError",
    "TreebankWarning",
    "TreewrightError",
    "TreewrightWarning",
    "analyze",
    "convert",
    "evaluate",
    "find",
    "load",
    "read",
    "recipe",
    "to_arrow",
    "to_pandas",
    "trace",
    "train",
    "train_pipeline",
    "write",
]


def load(path: str | os.PathLike[str] = "english") -> Step:
    """Load a model file; without one, or as ``english``, the bundled English model."""
    from treewright.steps.named_models import find_model
    from treewright.steps.step import Step

    return Step.load(find_model(path))


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
