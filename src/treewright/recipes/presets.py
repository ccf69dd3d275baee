"""Options that stand for several others: one word for a point between speed and accuracy.

What is given beside them overrides them. A recipe holds what they stand for, so that models need no presets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from treewright.errors import CombinationError
from treewright.options import topics
from treewright.options.option import choice, options_of
from treewright.options.recipe import Recipe
from treewright.recipes.papers import with_paper

#: from the fastest parser to the most accurate one; docs/how-to/choose.md says what each is
SPEEDS: dict[str, dict[str, Any]] = {
    "fastest": {"features": "lean"},
    "fast": {},
    "balanced": {"beam": 8},
    "accurate": {"system": "hybrid"},
    "best": {"system": "hybrid", "members": "greedy,beam,exact"},
}


@dataclass(frozen=True)
class Presets:
    """The options that stand for others."""

    kind: ClassVar[str] = "preset"
    whose: ClassVar[str] = "all parsers of trees"

    speed: str = choice(
        "fast", tuple(SPEEDS), "a point between speed and accuracy; options given beside it override it", topics.PARSER
    )


def check_speed(speed: str, kind: type[Recipe], implied: Sequence[str]) -> None:
    """Reject a point with options that the wanted kind of parser does not have."""
    for name in implied:
        if name in SPEEDS[speed] and name not in options_of(kind):
            raise CombinationError(
                f"speed {speed!r} stands for {name} {SPEEDS[speed][name]!r}, which {kind.whose} do not have."
                " Leave --speed or --system out"
            )


def without_presets(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with presets replaced by what they stand for."""
    options = dict(given)
    if "speed" in options:
        speed = options.pop("speed")
        options_of(Presets)["speed"].check(speed)
        options = {**SPEEDS[speed], **options}
    return with_paper(options) if options.get("as_paper") else options
