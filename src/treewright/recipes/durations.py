"""How long something may take, as people write it: 90s, 10m, 2h."""

from __future__ import annotations

from treewright.errors import CombinationError

SECONDS = {"s": 1, "m": 60, "h": 3600}
LONGEST = 1e7


def seconds_in(text: str, name: str) -> float:
    """Return a time in seconds, which a number alone counts, too; ``name``: the option, for messages."""
    given = text.strip().lower()
    unit = SECONDS.get(given[-1:], 0)
    try:
        seconds = float(given[:-1] if unit else given) * (unit or 1)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= LONGEST:
        raise CombinationError(f"{name} is {text!r}, but must be a time such as 90s, 10m or 1h")
    return seconds
