"""What an exact parser proves of a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.notebook import Cell


@dataclass
class Certificate:
    """What is proved about a parse, and what it cost.

    ``objective``: the optimum of the relaxation, a bound on the scores of all trees. ``score``: that of the tree.
    ``optimal``: no tree is better. ``integral``: the solution of the relaxation was a tree.
    """

    score: float
    objective: float
    optimal: bool
    integral: bool
    by: str  # "bounds", "programme", "branching", "spans", "first order"
    parts: int  # of the full model
    scored: int
    added: int
    iterations: int
    programmes: int
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """By how much another tree could be better at most."""
        return max(0.0, self.objective - self.score)

    def _repr_html_(self) -> str:
        from treewright.notebook import facts  # only notebooks need it, and the HTML of the standard library

        shown: dict[str, Cell] = {"optimal": self.optimal, "by": self.by, "score": self.score}
        shown |= {"bound": self.objective, "gap": self.gap}
        for name in ("parts", "scored", "added", "iterations", "programmes"):
            shown[name] = int(getattr(self, name))
        return facts("Certificate", shown)
