"""What can be chosen about the training of an exact parser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from treewright.errors import CombinationError

LEARNERS = ("sgd", "mira", "perceptron")
ADVISERS = ("greedy", "none")


@dataclass(frozen=True)
class ExactOptions:
    """The recipe of an exact parser; a model keeps it."""

    system: str = "exact"
    single_root: bool = True
    features: str = "exact"
    order: int = 2  # 2: with grandparents
    projective: bool = False  # projective trees only; first order
    learning: str = "sgd"
    iterations: int = 5
    adviser: str = "greedy"  # a greedy parser whose trees templates look at, or "none"
    folds: int = 5  # in which advisers parse the training set
    first_order_rounds: int = 0  # before grandparents come in, after the one that finds likely arcs
    cutoff: int = 2
    rate: float = 0.1
    dropout: float = 0.0
    messages: int = 5  # rounds of belief propagation
    seed: int = 1

    def check(self) -> None:
        """Refuse values out of range, with the reason."""
        if self.order not in (1, 2):
            raise CombinationError(f"order {self.order}: 1 is arcs alone, 2 is arcs and grandparents")
        if self.projective and self.order == 2:
            raise CombinationError("projective trees are found in first order: add --order 1 or leave --projective out")
        if self.learning not in LEARNERS:
            raise CombinationError(f"there is no learning {self.learning!r}; there are: {', '.join(LEARNERS)}")
        if self.adviser not in ADVISERS:
            raise CombinationError(f"there is no adviser {self.adviser!r}; there are: {', '.join(ADVISERS)}")
        if self.folds < 2:
            raise CombinationError(f"{self.folds} folds: at least two are needed")
        if self.iterations < 1:
            raise CombinationError(f"{self.iterations} iterations: at least one round is needed")
        if not 0 <= self.dropout < 1:
            raise CombinationError(f"dropout is a share of the features, from 0 to less than 1, not {self.dropout}")
        if not 0 < self.rate < 100:
            raise CombinationError(f"the rate is a positive number, not {self.rate}")
        if not 1 <= self.cutoff <= 200:
            raise CombinationError(f"the cutoff counts occurrences, from 1 to 200, not {self.cutoff}")
        if not 0 <= self.seed < 1 << 64:
            raise CombinationError(f"the seed is a number from 0 to 2**64 - 1, not {self.seed}")

    def recipe(self) -> dict[str, Any]:
        """Return the options as plain data."""
        return asdict(self)


def options_from(choices: dict[str, Any], defaults: dict[str, Any]) -> ExactOptions:
    """Make options of what was chosen; refuse what only transition parsers have, unless it is their default."""
    known = {field.name for field in fields(ExactOptions)}
    strange = sorted(name for name, value in choices.items() if name not in known and value != defaults.get(name))
    if strange:
        raise CombinationError(
            f"an exact parser has no {', '.join(strange)}; it has: {', '.join(sorted(known - {'system'}))}"
        )
    options = ExactOptions(**{name: value for name, value in choices.items() if name in known})
    if options.projective and "order" not in choices:
        options = ExactOptions(**{**options.recipe(), "order": 1})
    options.check()
    return options
