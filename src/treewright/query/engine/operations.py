"""The steps of the program of a pattern, by number; `matcher.pyx` says what their arguments are."""

from __future__ import annotations

#: those that bind, then those that check, then the ends
OPERATIONS = (
    *("any-node", "child", "parent", "next", "previous", "arc"),
    *("has-arc", "has-arc-in", "has-arc-out", "has-path", "is-next", "is-before", "compare", "compare-number"),
    *("delta", "length", "depth", "edge-label", "fits", "cross", "covered", "disjoint", "inside"),
    *("filter", "succeed", "found"),
)
NUMBER = {name: number for number, name in enumerate(OPERATIONS)}
ARGUMENTS = 7

Step = tuple[tuple[int, ...], float]


def step(name: str, *arguments: int, number: float = 0.0) -> Step:
    """Return a step as numbers."""
    return (NUMBER[name], *arguments, *[0] * (ARGUMENTS - len(arguments))), number
