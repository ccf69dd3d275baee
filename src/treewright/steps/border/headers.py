"""Pieces of headers that several kinds of steps share.

A field that not every model has is under ``perhaps``. Ranges are those that training can give, with room to spare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.schema import (
    Check,
    anything,
    damaged,
    list_of,
    map_of,
    number,
    one_of,
    optional,
    row,
    scalar,
    table,
    text,
    whole,
)

MOST_CLASSES = 8192  # as MAX_CLASSES of learners/learner.pxd
MOST_KINDS = 8
MOST_RELATIONS = 1 << 16
MOST_TAGS = 1 << 16
MOST_RULES = 1 << 19
RULES = ("direction", "tag", "pair", "chain", "projective", "usual")  # as KINDS of systems/rules/rule.py

value = text(10_000, "\t\n\r")  # the values of a column
name = text(10_000)
features = text(4 << 20)
labels = list_of(whole(0, MOST_RELATIONS), most=MOST_RELATIONS)
leaves: dict[str, Check] = {"leaf_tags": list_of(value, most=MOST_TAGS)}
_count = whole(0, 1 << 40)
#: what trees must not have, see systems/rules; a field of those models that keep rules
rules: dict[str, Check] = {
    "rules": list_of(row(one_of(*RULES), value, list_of(value, most=MOST_TAGS), _count, _count), most=MOST_RULES)
}
weights = table(
    {"n_classes": whole(0, MOST_CLASSES), "scale": number(1e-30, 1e30)}, {"kind_weights": whole(1, MOST_KINDS)}
)
info = table(
    {},
    {
        "columns": list_of(name, most=1000),
        "recipe": map_of(optional(scalar), name, 1000),
        "training": table({}, {"name": name, "notes": list_of(anything)}),
        "dev": table({}, {"name": name}),
        "version": name,
        "description": features,
        "licence": features,
    },
)


def check_references(settings: Mapping[str, Any]) -> None:
    """Check that labels and classes name existing relations."""
    n = len(settings["relations"])
    for place in ("root_labels", "word_labels"):
        if max(settings[place], default=-1) >= n:
            raise damaged(f"settings.{place}", f"names a relation that is none of the {n}")
    for _, label in settings.get("classes", ()):
        if label >= n:
            raise damaged("settings.classes", f"names a relation that is none of the {n}")
