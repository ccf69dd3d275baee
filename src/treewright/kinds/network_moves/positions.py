"""Which words of a configuration a network looks at, unless a feature model says so."""

from __future__ import annotations

from treewright.features.bundled import load_feature_model
from treewright.features.fitting import check_addresses
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.kinds.network_moves.recipe import POSITIONS
from treewright.systems.system import System

#: words on the stack and in the buffer, and their outermost dependents so far
_ALL = ("stack[0]", "stack[1]", "stack[2]", "input[0]", "input[1]", "ld(stack[0])", "rd(stack[0])")
#: systems that link the two topmost words of the stack
_ON_THE_STACK = ("ld(stack[1])", "rd(stack[1])")
#: systems that link the top of the stack and the next word, which may have a head by then
_FACING = ("ld(input[0])", "h(stack[0])")
_WITH_HEADS = ("h(input[0])",)
_CONTEXT = ("context[0]", "context[1]")


def positions_for(name: str, system: System) -> FeatureModel:
    """Return the feature model whose addresses are the positions: the usual ones for the system, or by name."""
    model = load_feature_model(name) if name != POSITIONS else parse_model(_text(system), POSITIONS)
    check_addresses(model, system)
    return model


def _text(system: System) -> str:
    addresses: tuple[str, ...] = _ALL
    if system.name in ("arc-standard", "arc-hybrid", "dag-shift-reduce"):
        addresses += _ON_THE_STACK
    if system.name != "arc-standard":
        addresses += _FACING
    if "context" in system.addresses or system.name.startswith("dag"):
        addresses += _WITH_HEADS
    if "context" in system.addresses:
        addresses += _CONTEXT
    return "[moves labels]\n" + "\n".join(f"exists({address})" for address in addresses)
