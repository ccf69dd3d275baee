"""The feature models that model files keep, of this version and of earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel, with_new_names

#: what model files call today's feature language; the first ones have no number, and other names of steps
LANGUAGE = 2


def kept_model(settings: Mapping[str, Any]) -> FeatureModel:
    """Return the feature model of a model file."""
    text = (
        settings["features"] if settings.get("feature_language") == LANGUAGE else with_new_names(settings["features"])
    )
    return parse_model(text, settings["feature_model"])
