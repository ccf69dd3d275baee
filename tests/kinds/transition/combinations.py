"""Which systems, policies and learners go together.

``python -m tests.kinds.transition.combinations`` prints the table.

The table in the documentation is what this prints; a test compares them, and trains a parser for every combination that
is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treewright.errors import CombinationError
from treewright.kinds.transition.recipe import POLICIES, TransitionRecipe
from treewright.learners.batch import BATCH_LEARNERS
from treewright.systems import SYSTEMS

LEARNERS = ("perceptron", *BATCH_LEARNERS, "sklearn")

#: the oracle that a policy asks
ORACLES = {"static": "static", "ambiguity": "non-deterministic", "explore": "dynamic", "dagger": "dynamic"}


class Combination(NamedTuple):
    """A system, a policy and a learner, and why they do not go together (None if they do)."""

    system: str
    policy: str
    learner: str
    refusal: str | None


def combinations() -> Iterator[Combination]:
    """Yield all of them."""
    for system in SYSTEMS:
        for policy in POLICIES:
            for learner in LEARNERS:
                yield Combination(system, policy, learner, refusal(system, policy, learner))


def refusal(system: str, policy: str, learner: str) -> str | None:
    """Return why training refuses a combination, or None."""
    try:
        TransitionRecipe(system=system, policy=policy, learner=learner).check_together()
    except CombinationError as error:
        return str(error)
    return None


def table() -> str:
    """Return the combinations as a table in Markdown, the refusals numbered below it."""
    rows: dict[tuple[str, str], dict[str, str | None]] = {}
    for system, policy, learner, reason in combinations():
        rows.setdefault((system, policy), {})[learner] = reason
    numbers: dict[str, int] = {}
    lines = ["| system | policy | oracle | " + " | ".join(LEARNERS) + " |", "|---|---|---|" + "---|" * len(LEARNERS)]
    for (system, policy), cells in rows.items():
        shown = []
        for learner in LEARNERS:
            reason = cells[learner]
            shown.append("yes" if reason is None else f"no ({numbers.setdefault(reason, len(numbers) + 1)})")
        lines.append(f"| {system} | {policy} | {ORACLES[policy]} | " + " | ".join(shown) + " |")
    lines += ["", *(f"{number}. {reason}" for reason, number in numbers.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
