"""The usual part of speech of words, for the tokeniser: what ends and begins sentences without any mark.

"Best regards John" and "See you there Mark" end where no verb can go on. The tokeniser knows no tags, but the treebank
says which one a word usually has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from treewright.treebank.block import Block

#: the parts of speech of Universal Dependencies, in the order of their numbers; verbs first
PARTS = tuple("VERB AUX NOUN PROPN PRON DET ADJ ADV ADP CCONJ SCONJ PART NUM INTJ SYM PUNCT X".split())
FIRST_TAG = 32  # the number of a part of speech, times this, joins the class of a word


def with_tags(words: dict[str, int], blocks: Iterable[Block], known: str, least: int) -> dict[str, int]:
    """Return the classes of words with the part of speech that each usually has, added."""
    letters = frozenset(known)
    tags: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for block in blocks:
        column = block.layout.upos
        if column < 0:
            continue
        for word in range(block.n_words):
            tags[_text(block, word, block.layout.form).lower()][_text(block, word, column)] += 1
    classes = dict(words)
    for word, counts in tags.items():
        tag = counts.most_common(1)[0][0]
        if tag in PARTS and counts.total() >= least and word.isalpha() and letters.issuperset(word):
            classes[word] = classes.get(word, 0) | FIRST_TAG * (PARTS.index(tag) + 1)
    return dict(sorted(classes.items()))


def _text(block: Block, word: int, column: int) -> str:
    return block.value(word, column).decode("utf-8", "replace")
