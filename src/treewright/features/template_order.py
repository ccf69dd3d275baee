"""The order in which an extractor lays out templates and writes their keys."""

from __future__ import annotations

from treewright.features.templates import FeatureModel, Template

#: what templates help to decide; positions are LABELS_ONLY, BOTH and MOVES_ONLY of extractor.pxd
GROUPS = (("labels",), ("moves", "labels"), ("moves",))
#: templates of one, two, three and four values, and those that list the single FEATS of a word
N_SHAPES = 5


def order_of(template: Template) -> tuple[int, int]:
    """Return the group and the shape of a template."""
    shape = N_SHAPES - 1 if any(function.many for function in template.functions) else len(template.functions) - 1
    return GROUPS.index(template.parts), shape


def in_key_order(model: FeatureModel) -> list[Template]:
    """Return the templates of a model in the order of their keys: by group, by shape, then as listed."""
    return sorted(model.templates, key=order_of)
