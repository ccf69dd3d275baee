"""Which words may not govern others, learnt from trees; and trees that break this rule, changed to obey it."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from treewright.systems.leaf_tags import LeafTags, tags_of
from treewright.treebank.blocks.block import Block

LEAST_WORDS = 300  # with a tag, before it says anything: if none governs, at most 1 % do (95 % confidence)
MOST_GOVERNING = 0.001  # share of the words with a tag that govern others all the same: annotation errors


def learn_leaf_tags(blocks: Iterable[Block], governs: Sequence[int], base: Sequence[str] | None = None) -> list[str]:
    """Return the tags whose words do not govern others; ``governs`` has a 1 for every word that does.

    ``base``: those of a model to go on from. It keeps those that the new treebank does not contradict.
    """
    tags = [tag for block in blocks for tag in tags_of(block)]
    words = Counter(tags)
    governing = Counter(tag for tag, governs_others in zip(tags, governs, strict=True) if governs_others)
    if base is not None:
        known = [tag.encode("utf-8", "surrogateescape") for tag in base]
        found = [tag for tag in known if governing[tag] <= MOST_GOVERNING * words[tag]]
    else:
        found = [
            tag
            for tag, count in words.items()
            if tag != b"_" and count >= LEAST_WORDS and governing[tag] <= MOST_GOVERNING * count
        ]
    return sorted(tag.decode("utf-8", "surrogateescape") for tag in found)


def governing_words(heads: Sequence[int], offsets: Sequence[int]) -> bytearray:
    """Return a 1 for every word that governs another; sentences begin at ``offsets``."""
    governs = bytearray(len(heads))
    for start, end in pairwise(offsets):
        for head in heads[start:end]:
            if head > 0:
                governs[start + head - 1] = 1
    return governs


def leaf_flags(tags: Sequence[str], blocks: Iterable[Block]) -> bytes:
    """Return a byte for every word of blocks, 1 for leaves."""
    leaves = LeafTags(tags)
    return b"".join(leaves.flags(block) for block in blocks)


def obey(
    heads: array[int], labels: array[int], offsets: Sequence[int], leaves: Sequence[int], single_root: bool
) -> int:
    """Move the arcs from leaves to the next words above them that may govern; return how many trees have changed.

    A projective tree stays projective.
    """
    changed = 0
    for start, end in pairwise(offsets):
        own = leaves[start:end]
        if any((own[head - 1] if head else single_root and own[word]) for word, head in enumerate(heads[start:end])):
            _obey_in_sentence(heads, labels, start, end, own, single_root)
            changed += 1
    return changed


def _obey_in_sentence(
    heads: array[int], labels: array[int], start: int, end: int, own: Sequence[int], single_root: bool
) -> None:
    old = heads[start:end]
    for word in range(start, end):
        while heads[word] and own[heads[word] - 1]:
            heads[word] = old[heads[word] - 1]
    tops = [word for word in range(start, end) if heads[word] == 0]
    if not single_root:
        return
    root = next(word for word in tops if not own[word - start])
    for word in tops:
        if word != root:
            heads[word] = root - start + 1
            if old[word - start] == 0:  # the old root word and the new one change places
                labels[root], labels[word] = labels[word], labels[root]
