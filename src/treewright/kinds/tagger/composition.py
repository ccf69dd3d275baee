"""Tags that a treebank lacks, put together from the attributes of those that it has.

A small treebank shows few of the combinations that a language has: all cases of the plural, but one of them never with
this gender. The scores of single attributes say how good such a tag would be; it only has to be among those tried.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from treewright.kinds.tagger.corpus import Tag, TaggedWords

LEAST_NEIGHBOURS = 2  # tags of the treebank that a new one must resemble in all values but one
MOST_COMPOSED = 4000


def add_composed(words: TaggedWords) -> range:
    """Add new tags to those of a treebank, at the end; return their numbers.

    Tags of a tagger to go on from that the treebank lacks serve as no examples: they may have been put together.
    """
    known = set(words.tags)
    first = len(words.tags)
    words.tags.extend(
        tag for tag in composed_tags(words.tags[number] for number in set(words.tag_of)) if tag not in known
    )
    return range(first, len(words.tags))


def composed_tags(seen: Iterable[Tag]) -> list[Tag]:
    """Return new tags: each differs in one value of FEATS from several tags with the same UPOS and attributes.

    Its XPOS is that of the first such tag. Those that resemble most tags come first.
    """
    alike: defaultdict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], str]] = defaultdict(dict)
    for upos, xpos, feats in sorted(set(seen)):
        pairs = tuple(feats.split("|"))
        if all("=" in pair for pair in pairs):
            alike[upos, tuple(pair.split("=")[0] for pair in pairs)].setdefault(pairs, xpos)
    neighbours: Counter[Tag] = Counter()
    xpos_of: dict[tuple[str, str], str] = {}
    for (upos, _), bundles in alike.items():
        values = [sorted(set(column)) for column in zip(*bundles, strict=True)]
        for pairs, xpos in bundles.items():
            for place, choices in enumerate(values):
                for made in ((*pairs[:place], value, *pairs[place + 1 :]) for value in choices):
                    if made not in bundles:
                        feats = "|".join(made)
                        neighbours[upos, xpos_of.setdefault((upos, feats), xpos), feats] += 1
    found = [tag for tag, count in neighbours.items() if count >= LEAST_NEIGHBOURS]
    return sorted(found, key=lambda tag: (-neighbours[tag], tag))[:MOST_COMPOSED]
