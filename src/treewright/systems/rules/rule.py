"""What a rule says: which arcs may not be, by themselves or together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

DIRECTION = "direction"  # no dependent with the relation stands on these sides of its head
TAG = "tag"  # no word with the relation has one of these tags
PAIR = "pair"  # no head has a dependent with the relation and another with one of these
CHAIN = "chain"  # no word with the relation has dependents with one of these
PROJECTIVE = "projective"  # all words between head and dependent descend from the head
USUAL = "usual"  # no rule, but how one is kept: the tag of words with the relation if a guessed one breaks a rule
KINDS = (DIRECTION, TAG, PAIR, CHAIN, PROJECTIVE, USUAL)
#: how many times as likely a relation must be as the next best to be kept in spite of a guessed tag, as a logarithm
TAG_PRICE = 1.5
LEFT, RIGHT = "left", "right"
#: how `treewright info` says what a rule forbids
SAID = {
    DIRECTION: "never on the {} of its head",
    TAG: "never {}",
    PAIR: "never beside {}",
    CHAIN: "never governs {}",
    PROJECTIVE: "spans only what hangs from its head",
    USUAL: "{} where a guessed tag breaks a rule",
}


class Rule(NamedTuple):
    """What one relation may not, and how often words of the treebank do it all the same."""

    kind: str
    relation: str
    others: tuple[str, ...]  # sides, tags or relations
    broken: int
    of: int  # words with the relation

    def __str__(self) -> str:
        return f"{self.relation} {SAID[self.kind].format(', '.join(self.others))}"


def rules_in(kept: Iterable[Sequence[Any]]) -> tuple[Rule, ...]:
    """Return rules as a model file keeps them: as rows."""
    return tuple(Rule(kind, relation, tuple(others), broken, of) for kind, relation, others, broken, of in kept)


def rows_of(rules: Iterable[Rule]) -> list[list[Any]]:
    """Return what a model file keeps of rules."""
    return [[rule.kind, rule.relation, list(rule.others), rule.broken, rule.of] for rule in rules]


def listed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules of a model as `treewright info` lists them, with how often the treebank breaks each."""
    rules = rules_in(settings.get("rules", ()))
    return {str(rule): f"broken by {rule.broken:,} of {rule.of:,}" for rule in rules}
