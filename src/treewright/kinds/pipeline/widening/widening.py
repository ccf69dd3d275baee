"""Sentences that a treebank lacks, made of those that it has: parts of its trees, and changes to them.

Each member is one small function. Parts are chosen such that rare patterns of relations are not too rare, each then
gets some of the changes. They stand behind the sentence that they were made of, so that a tagger that has not seen the
one has not seen the other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from treewright.errors import CombinationError, unknown
from treewright.kinds.pipeline.widening import changes, parts
from treewright.kinds.pipeline.widening.facts import Facts
from treewright.kinds.pipeline.widening.trees import Tree, trees_in
from treewright.training.gathering import Gathered
from treewright.treebank.blocks.block import Block

Part = Callable[[Tree, Facts, random.Random], Iterator[Tree]]
Change = Callable[[Tree, Facts, random.Random], Tree]
#: parts, with how many words they add at most, as a share of the treebank's
PARTS: dict[str, tuple[Part, float]] = {
    "whole": (parts.whole, 0.05),
    "pruned": (parts.pruned, 0.07),
    "clauses": (parts.clauses, 0.07),
    "bare": (parts.bare, 0.08),
    "questions": (parts.questions, 0.06),
    "fragments": (parts.fragments, 0.01),
}
#: changes, with the share of the parts that they are made to
CHANGES: dict[str, tuple[Change, float]] = {
    "phrases": (changes.phrases, 0.9),
    "words": (changes.words, 0.9),
    "stops": (changes.stops, 0.1),
    "typing": (changes.typing, 0.1),
    "case": (changes.case, 0.1),
}
MEMBERS = (*PARTS, *CHANGES)
COMMON = 0.5  # a pattern is chosen as often as it is found, to this power


class Made(NamedTuple):
    """A tree, and the number of the sentence that it was made of."""

    source: int
    tree: Tree


def chosen_members(names: str) -> tuple[str, ...]:
    """Return the members that an option names: all, none, or some with commas."""
    named = {"all": MEMBERS, "none": ()}.get(names.strip())
    if named is not None:
        return named
    members = tuple(name.strip() for name in names.split(","))
    for name in members:
        if name not in MEMBERS:
            raise CombinationError(unknown("name in widen", name, ("all", "none", *MEMBERS)))
    return members


def widened(data: Gathered, members: Sequence[str], seed: int) -> Gathered:
    """Return a treebank with what members make of its trees; changes alone are made to whole sentences."""
    if not members:
        return data
    trees = [tree for block in data.blocks for tree in trees_in(block)]
    facts, dice = Facts(trees), random.Random(seed)
    chosen = [name for name in PARTS if name in members] or ["whole"]
    if not facts.is_universal:
        chosen = [name for name in chosen if name == "whole"]
    made: dict[int, list[Tree]] = {}
    notes = []
    for name in chosen:
        part, share = PARTS[name]
        found = [Made(number, each) for number, tree in enumerate(trees) for each in part(tree, facts, dice)]
        sample = list(_sample(found, share * data.n_words, dice))
        for each in sample:
            made.setdefault(each.source, []).append(_changed(each.tree, members, facts, dice))
        notes.append(f"{name} {len(sample):,}")
    blocks, before = [], 0
    for block in data.blocks:
        blocks.append(Block(_text(block, before, made), block.layout, block.source))
        before += block.n_sentences
    return replace(data, blocks=blocks, notes=[*data.notes, f"sentences added: {', '.join(notes)}"])


def _sample(found: Sequence[Made], most: float, dice: random.Random) -> Iterator[Made]:
    """Yield trees until there are enough words; of a rare pattern more than there are of it, some more than once."""
    patterns = [_pattern(each.tree) for each in found]
    counts = Counter(patterns)
    weights = list(accumulate(counts[pattern] ** (COMMON - 1) for pattern in patterns))
    words = 0
    while found and words < most:
        (each,) = dice.choices(found, cum_weights=weights)
        words += len(each.tree.rows)
        yield each


def _pattern(tree: Tree) -> tuple[str, ...]:
    """Return the root and what it cannot do without, with their parts of speech, and which auxiliaries they are."""
    root = tree.root
    core = (
        word for word in tree.words if word == root or (tree.heads[word] == root and tree.relation(word) in parts.KEPT)
    )
    return tuple(
        f"{tree.relation(word)}/{tree.form(word).lower() if tree.upos(word) == 'AUX' else tree.upos(word)}"
        for word in core
    )


def _changed(tree: Tree, members: Sequence[str], facts: Facts, dice: random.Random) -> Tree:
    for name, (change, share) in CHANGES.items():
        if name in members and dice.random() < share:
            tree = change(tree, facts, dice)
    return tree


def _text(block: Block, before: int, made: dict[int, list[Tree]]) -> bytes:
    """Return the text of a block, each sentence with what was made of it behind it."""

    def texts() -> Iterable[bytes]:
        for number in range(block.n_sentences):
            yield block.text_of(number)
            for tree in made.get(before + number, ()):
                yield tree.lines().encode("utf-8", "surrogateescape")

    return b"".join(texts())
