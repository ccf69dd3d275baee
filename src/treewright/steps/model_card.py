"""A model as a notebook shows it: what it is, what it was trained on, what it gets right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.notebook import Cell, facts

if TYPE_CHECKING:
    from treewright.steps.step import Step


def card_of(step: Step) -> str:
    """Return a model as HTML."""
    info, details = step.info, step._details()
    recipe = info.get("recipe", {})
    shown: dict[str, Cell] = {"file": step.origin.path if step.origin is not None else None}
    shown["steps"] = ", ".join(details["steps"]) if "steps" in details else None
    shown["system"] = recipe.get("system")
    for name in ("treebank", "description", "licence"):
        shown[name] = str(info[name]) if info.get(name) else None
    shown["relations"] = len(step.relations)
    for name, score in info.get("dev", {}).items():
        if isinstance(score, (str, int, float)):
            shown[f"dev {name}"] = score
    shown["can do"] = ", ".join(sorted(step.capabilities))
    return facts(repr(step), shown)
