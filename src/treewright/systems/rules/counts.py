"""How often relations stand with tags, sides and other relations in trees: what rules are learnt and checked from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from treewright.systems.rules.rule import CHAIN, DIRECTION, LEFT, PAIR, PROJECTIVE, RIGHT, TAG, USUAL, Rule
from treewright.systems.rules.table import outward_tags
from treewright.treebank.blocks.block import Block

#: a tree: heads (0 is the root), relations and tags of its words
Tree = tuple[Sequence[int], Sequence[str], Sequence[str]]


def trees_in(blocks: Iterable[Block]) -> Iterable[Tree]:
    """Yield the trees of blocks; sentences without a head for each word are left out."""
    for block in blocks:
        if block.layout.deprel < 0:
            continue
        tags = outward_tags(block)
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            heads = [block.head_of(word) for word in words]
            if all(0 <= head <= len(heads) for head in heads):
                relations = [_text(block.value(word, block.layout.deprel)) for word in words]
                yield heads, relations, tags[words.start : words.stop]


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


class Counts:
    """Counts over trees. What hangs from the root is free of rules, and counts only as a governor of others."""

    def __init__(self) -> None:
        self.words = 0
        self.relations: Counter[str] = Counter()  # words with a relation
        self.roots: Counter[str] = Counter()  # relations of what hangs from the root
        self.tags: Counter[str] = Counter()
        self.tagged: Counter[tuple[str, str]] = Counter()  # a relation and a tag
        self.sides: Counter[tuple[str, str]] = Counter()  # a relation and its side of the head
        self.nonprojective: Counter[str] = Counter()  # words of a relation whose arc spans others than its head's
        self.arcs: Counter[tuple[str, str]] = Counter()  # the relation of the head and that of the dependent
        self.pairs: Counter[tuple[str, str]] = Counter()  # heads that have both (twice the same), in order
        self.having: Counter[tuple[str, str]] = Counter()  # heads with a dependent so related, by their tag
        self.heads: Counter[str] = Counter()  # words with dependents, by their tag

    def add(self, tree: Tree) -> Counts:
        """Count a tree."""
        heads, relations, tags = tree
        dependents: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.words += len(heads)
        self.tags.update(tags)
        for word, (head, relation, tag) in enumerate(zip(heads, relations, tags, strict=True), 1):
            if head == 0:
                self.roots[relation] += 1
                continue
            self.relations[relation] += 1
            self.tagged[relation, tag] += 1
            self.sides[relation, LEFT if word < head else RIGHT] += 1
            self.arcs[relations[head - 1] if heads[head - 1] else "", relation] += 1
            dependents[head][relation] += 1
        for word in nonprojective(heads):
            self.nonprojective[relations[word - 1]] += 1
        for head, found in dependents.items():
            tag = tags[head - 1]
            self.heads[tag] += 1
            self.having.update((relation, tag) for relation in found)
            self.pairs.update(combinations(sorted(found), 2))
            self.pairs.update((relation, relation) for relation, count in found.items() if count > 1)
        return self

    def together(self, one: str, other: str) -> int:
        """Return how many heads have dependents of both relations."""
        return self.pairs[(one, other) if one <= other else (other, one)]

    def broken(self, rule: Rule) -> int:
        """Return how often the trees break a rule."""
        count = {
            DIRECTION: lambda side: self.sides[rule.relation, side],
            TAG: lambda tag: self.tagged[rule.relation, tag],
            PAIR: lambda other: self.together(rule.relation, other),
            CHAIN: lambda other: self.arcs[rule.relation, other],
        }
        if rule.kind == PROJECTIVE:
            return self.nonprojective[rule.relation]
        if rule.kind == USUAL:
            return 0
        return sum(map(count[rule.kind], rule.others))


def counts_of(blocks: Iterable[Block]) -> Counts:
    """Count the trees of blocks."""
    counts = Counts()
    for tree in trees_in(blocks):
        counts.add(tree)
    return counts


def broken_rules(rules: Iterable[Rule], blocks: Iterable[Block]) -> dict[Rule, int]:
    """Return the rules that trees break, and how often."""
    counts = counts_of(blocks)
    return {rule: broken for rule in rules if (broken := counts.broken(rule))}


def nonprojective(heads: Sequence[int]) -> list[int]:
    """Return the words whose arcs span words that do not descend from the head; those from the root are free."""
    if is_nested(heads):
        return []
    return [word for word, head in enumerate(heads, 1) if head and _spans_others(heads, head, word)]


def _spans_others(heads: Sequence[int], head: int, word: int) -> bool:
    between = range(min(head, word) + 1, max(head, word))
    return any(not _descends(heads, other, head) for other in between)


def _descends(heads: Sequence[int], word: int, above: int) -> bool:
    for _ in heads:
        if word in (0, above):
            break
        word = heads[word - 1]
    return word == above


def is_nested(heads: Sequence[int]) -> bool:
    """Do no arcs cross? In linear time: most trees are so."""
    arcs = sorted((min(head, word), -max(head, word)) for word, head in enumerate(heads, 1))
    open_arcs: list[int] = []
    for left, right in arcs:
        while open_arcs and open_arcs[-1] <= left:
            open_arcs.pop()
        if open_arcs and -right > open_arcs[-1]:
            return False
        open_arcs.append(-right)
    return True
