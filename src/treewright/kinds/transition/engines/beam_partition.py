"""The templates of a feature model, divided by what they look at: a beam remembers the sums of each part."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.features.templates import Function, Template


def aspects(function: Function) -> set[tuple[str, int]]:
    """Return what a feature function looks at besides the anchors: the arcs of a word, or a word further down.

    The anchors are the words of the buffer and the top of the stack. What is told of an arc, a dependent or a
    head counts for the word from which the address starts, ``("stack", 0)``.
    """
    if not function.addresses:
        return {("past", 0)}
    found = set()
    for a in function.addresses:
        beside = all(isinstance(step, int) for step in a.steps)
        if function.of_arcs or not beside or not (a.base == "input" or (a.base, a.index) == ("stack", 0)):
            found.add((a.base, a.index))
    return found


def partition(templates: Sequence[Template]) -> list[list[Template]]:
    """Divide templates by what they look at: the anchors alone, arcs of one word, of another, and all else.

    States of a beam mostly differ in one of these. There are always four parts; a small model leaves some empty.
    """
    looks = [frozenset(aspect for f in t.functions for aspect in aspects(f)) for t in templates]
    single = sorted({look for look in looks if len(look) == 1}, key=lambda look: (-looks.count(look), sorted(look)))
    groups: list[frozenset[tuple[str, int]]] = [frozenset(), *single[:2]]
    parts = [[t for t, look in zip(templates, looks, strict=True) if look == group] for group in groups]
    parts += [[] for _ in range(3 - len(parts))]
    parts.append([t for t, look in zip(templates, looks, strict=True) if look not in groups])
    return parts
