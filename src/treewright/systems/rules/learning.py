"""Rules learnt from a treebank: what its trees do (nearly) never, though they would if it came by chance.

A rule needs evidence: so many cases expected if relations, tags and sides were independent. Where a relation is too
rare by itself, its subtypes are taken together (``nsubj`` and ``nsubj:pass``), those apart that the treebank treats in
another way (``nsubj:outer``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from treewright.systems.rules.counts import Counts, counts_of
from treewright.systems.rules.rule import CHAIN, DIRECTION, LEFT, PAIR, PROJECTIVE, RIGHT, TAG, USUAL, Rule
from treewright.treebank.blocks.block import Block

MOST_BROKEN = 0.001  # share of the words with a relation that do it all the same: annotation errors
LEAST_EXPECTED = 5  # cases by chance: with none found, it hardly ever happens (99 % confidence)
LEAST_WORDS = 30  # with a relation, before its side and its arcs say anything
LEAF = 0.05  # dependents that a word of a relation has on average, at most, where rules say which it has

Found = Callable[[str, str], float]


def learn_rules(blocks: Iterable[Block], base: Iterable[Rule] | None = None) -> tuple[Rule, ...]:
    """Return the rules that the trees of blocks keep.

    ``base``: those of a model to go on from. It keeps those that the new treebank does not contradict.
    """
    counts = counts_of(blocks)
    if base is not None:
        most = {relation: MOST_BROKEN * n for relation, n in counts.relations.items()}
        return tuple(rule for rule in base if rule.kind == USUAL or counts.broken(rule) <= most.get(rule.relation, 0))
    rules = [*_single(counts), *_of_tags(counts), *_of_pairs(counts), *_of_chains(counts)]
    return tuple(sorted(rules))


def _base(relation: str) -> str:
    return relation.partition(":")[0]


def _single(counts: Counts) -> Iterable[Rule]:
    """Yield the rules about sides and projective arcs, of relations that are frequent enough."""
    for relation, n in counts.roots.items():
        if n >= LEAST_WORDS and counts.relations[relation] <= MOST_BROKEN * n:
            yield Rule(DIRECTION, relation, (LEFT, RIGHT), counts.relations[relation], n)
    leaves = _leaves(counts)
    for relation, n in counts.relations.items():
        if n < LEAST_WORDS or counts.relations[relation] < counts.roots[relation]:
            continue
        most = MOST_BROKEN * n
        for side in (LEFT, RIGHT):
            if counts.sides[relation, side] <= most:
                yield Rule(DIRECTION, relation, (side,), counts.sides[relation, side], n)
        if relation in leaves and counts.nonprojective[relation] <= most:
            yield Rule(PROJECTIVE, relation, (), counts.nonprojective[relation], n)


class _Evidence:
    """What two things, such as a relation and a tag, do together: found and expected, over groups of them."""

    def __init__(self, found: Found, expected: Found, most: Found) -> None:
        self.found, self.expected, self.most = found, expected, most
        self.barred: set[tuple[str, str]] = set()

    def weigh(self, pairs: Iterable[tuple[str, str]], least: float = LEAST_EXPECTED) -> None:
        """Bar those pairs of a group that are (nearly) never found, if so many were expected of them in all."""
        rare = [pair for pair in pairs if self.found(*pair) <= self.most(*pair)]
        if sum(self.expected(*pair) for pair in rare) >= least:
            self.barred.update(rare)

    def rules(self, kind: str, counts: Counts) -> Iterable[Rule]:
        """Yield what is barred, one rule for each relation."""
        others: defaultdict[str, list[str]] = defaultdict(list)
        for relation, other in sorted(self.barred):
            others[relation].append(other)
        for relation, barred in others.items():
            rule = Rule(kind, relation, tuple(barred), 0, counts.relations[relation])
            yield rule._replace(broken=counts.broken(rule))


def _groups(relations: Iterable[str]) -> dict[str, list[str]]:
    """Return relations by what they are subtypes of."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for relation in sorted(relations):
        groups[_base(relation)].append(relation)
    return groups


def _leaves(counts: Counts) -> set[str]:
    """Return the relations whose words hardly have dependents: those of function words and punctuation."""
    found: set[str] = set()
    for group in _groups(counts.relations).values():
        dependents = sum(counts.arcs[above, below] for above in group for below in counts.relations)
        if dependents <= LEAF * sum(counts.relations[above] for above in group):
            found.update(group)
    return found


def _of_tags(counts: Counts) -> Iterable[Rule]:
    """Yield which tags the words of a relation do not have."""
    evidence = _Evidence(
        lambda relation, tag: counts.tagged[relation, tag],
        lambda relation, tag: counts.relations[relation] * counts.tags[tag] / counts.words,
        lambda relation, tag: MOST_BROKEN * min(counts.relations[relation], counts.tags[tag]),
    )
    for tag in sorted(counts.tags):
        for group in _groups(counts.relations).values():
            evidence.weigh([(relation, tag) for relation in group])
        # of relations that are rare by themselves, all that this tag never has
        evidence.weigh(
            [
                (relation, tag)
                for relation in counts.relations
                if (relation, tag) not in evidence.barred and not counts.tagged[relation, tag]
            ]
        )
    for rule in evidence.rules(TAG, counts):
        yield rule
        allowed = [tag for tag in sorted(counts.tags) if tag not in rule.others]
        usual = max(allowed, key=lambda tag: counts.tagged[rule.relation, tag])
        if counts.tagged[rule.relation, usual]:
            yield Rule(USUAL, rule.relation, (usual,), rule.of - counts.tagged[rule.relation, usual], rule.of)


def _of_pairs(counts: Counts) -> Iterable[Rule]:
    """Yield which relations the dependents of one head do not share."""
    having = {relation: sum(counts.having[relation, tag] for tag in counts.heads) for relation in counts.relations}

    def expected(one: str, other: str) -> float:
        both = sum(counts.having[one, tag] * counts.having[other, tag] / n for tag, n in counts.heads.items())
        return both / 2 if one == other else both

    evidence = _Evidence(counts.together, expected, lambda one, other: MOST_BROKEN * min(having[one], having[other]))
    groups = _groups(counts.relations)
    for one, subtypes in groups.items():
        for other, more in groups.items():
            if one <= other:
                evidence.weigh({(min(a, b), max(a, b)) for a in subtypes for b in more})
    once = {a for a, b in evidence.barred if a == b}
    # what never stands beside a relation that stands once, and is too rare to tell, stands once, too: csubj like nsubj
    for a, b in sorted(evidence.barred):
        for alone, other in ((a, b), (b, a)):
            if alone in once and not counts.together(other, other) and expected(other, other) < LEAST_EXPECTED:
                evidence.barred.add((other, other))
    evidence.barred |= {(b, a) for a, b in evidence.barred}
    yield from evidence.rules(PAIR, counts)


def _of_chains(counts: Counts) -> Iterable[Rule]:
    """Yield which dependents the words of a relation do not have."""
    evidence = _Evidence(
        lambda above, below: counts.arcs[above, below],
        lambda above, below: counts.relations[above] * counts.relations[below] / counts.words,
        lambda above, below: MOST_BROKEN * min(counts.relations[above], counts.relations[below]),
    )
    groups = _groups(counts.relations)
    for above in _groups(_leaves(counts)).values():
        for below in groups.values():
            evidence.weigh([(a, b) for a in above for b in below])
        unseen = [(a, b) for a in above for b in counts.relations if not counts.arcs[a, b]]
        evidence.weigh([pair for pair in unseen if pair not in evidence.barred])
    yield from evidence.rules(CHAIN, counts)
