"""Moves as people write them: ``SHIFT LEFT(nsubj) RIGHT(obj)``, or as the papers do: ``SH LA(nsubj) RA(obj)``."""

from __future__ import annotations

import re

from treewright.apps.tracing.window import kind_of
from treewright.errors import CombinationError, unknown

ALIASES = {
    "SH": "SHIFT",
    "RE": "REDUCE",
    "LA": "LEFT",
    "RA": "RIGHT",
    "NA": "NO-ARC",
    "LEFT-ARC": "LEFT",
    "RIGHT-ARC": "RIGHT",
    "LEFT_ARC": "LEFT",
    "RIGHT_ARC": "RIGHT",
    "NOARC": "NO-ARC",
}
_MOVE = re.compile(r"([A-Za-z]+(?:[_-][A-Za-z]+)*(?:_\d+)?)(?:\((.*?)\)(?=[\s,;]|$))?[\s,;]*")


def parse_moves(text: str, kinds: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """Return the moves in a text as (kind, relation)."""
    moves, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _MOVE.match(text, at)
        if match is None:
            raise CombinationError(
                f"--moves: {text[at : at + 20]!r} is not a move. Write e.g. SHIFT LEFT(nsubj) REDUCE"
            )
        name = match[1].upper()
        base = kind_of(name)
        kind = base if base in kinds else ALIASES.get(base, base)
        if kind not in kinds:
            raise CombinationError(f"--moves: {unknown('move', match[1], kinds)}")
        moves.append((kind + name[len(base) :], match[2]))
        at = match.end()
    return moves
