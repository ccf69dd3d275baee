"""How a trainer goes through its sentences: see online.pyx for what the names mean."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RoundsPolicy:
    """Which moves are made (``name``: static, ambiguity or explore), and the seed of the order of the sentences."""

    name: str
    k: int
    p: float
    seed: int
    exploration: str = "2013"
    zero_cost: str = "best"
