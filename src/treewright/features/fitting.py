"""Which feature models fit a system: those that look at nothing it lacks."""

from __future__ import annotations

from treewright.errors import CombinationError
from treewright.features.language import parse_model
from treewright.features.templates import TO_FURTHER_HEADS, FeatureModel
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.systems.system import System


def fitting_model(text: str, name: str, system: System) -> FeatureModel:
    """Return the feature model that a text describes; reject one with addresses that the system lacks."""
    model = parse_model(text, name)
    check_addresses(model, system)
    return model


def check_addresses(model: FeatureModel, system: System) -> None:
    """Reject a feature model with addresses that the system lacks."""
    for address in model.addresses:
        if address.base not in system.addresses:
            raise CombinationError(
                f"{model.name}: {system.name} has no {address.base}, which {address} needs: choose a feature model with"
                f" {' and '.join(system.addresses)} only"
            )
    if not isinstance(system, GraphSystem):
        _reject_further_heads(model, system.name)


def _reject_further_heads(model: FeatureModel, system: str) -> None:
    for template in model.templates:
        for function in template.functions:
            steps = {step for address in function.addresses for step in address.steps}
            if getattr(function, "argument", "") == "heads" or not steps.isdisjoint(TO_FURTHER_HEADS):
                raise CombinationError(
                    f"{model.name}: {function} looks at several heads of a word, which {system} never gives it:"
                    " leave it out, or train a system for graphs, such as dag-arc-eager"
                )
