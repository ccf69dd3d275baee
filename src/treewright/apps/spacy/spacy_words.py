"""Tokens of spaCy as words of a treebank, and the words' tree back as a tree of tokens.

Treebanks split some tokens into words: French *aux* is *à les*. spaCy keeps such a token whole. The model's tokeniser
says which tokens are split; the words are tagged and parsed; then a token takes the place of its words:

- its *chief* word is the one nearest to the root of the tree, the first of them if there are several (*à* of *aux*);
- the token gets the chief's tags and relation, and the head of the chief, or rather the token with that head;
- dependents of any of its words become its dependents.

The head of a token is thus always nearer to the root than the token: the result is a tree again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.writer import ConlluWriter, label_given
from treewright.treebank.blocks.block import Block

Sizes = list[list[int]]


@dataclass(frozen=True)
class TokenTree:
    """A tree over the tokens of a sentence: positions from 0; the root's head is -1; chiefs are words of the block."""

    heads: list[int]
    chiefs: list[int]
    words: list[range]


def split_tokens(tokenizer: Tokenizer, sentences: Sequence[Sequence[str]]) -> tuple[bytes, Sizes] | None:
    """Return the words of tokens as CoNLL-U, and how many words each token has; None where no token is split."""
    text = Characters("".join("\n".join(tokens) + "\n\n" for tokens in sentences).encode("utf-8", "replace"))
    labels = bytearray(len(text))
    label_given(text, labels, "vertical")
    data = ConlluWriter(tokenizer.multiwords, spaces=False, paragraphs=False).write(text, labels, len(text))
    sizes = _sizes(data)
    if [len(sentence) for sentence in sizes] != [len(tokens) for tokens in sentences]:
        return None  # a token with odd characters was taken for several: all stay as they are
    return (data, sizes) if any(size > 1 for sentence in sizes for size in sentence) else None


def _sizes(data: bytes) -> Sizes:
    sizes: Sizes = []
    for sentence in data.decode().split("\n\n"):
        spans: list[int] = []
        covered = 0
        for line in sentence.split("\n"):
            first, dash, last = line.partition("\t")[0].partition("-")
            if line.startswith("#") or not first.isdigit():
                continue
            if dash:
                spans.append(int(last) - int(first) + 1)
                covered = int(last)
            elif int(first) > covered:
                spans.append(1)
        if spans:
            sizes.append(spans)
    return sizes


def token_tree(block: Block, start: int, sizes: Sequence[int]) -> TokenTree:
    """Return the tree of the tokens of one sentence, whose words begin at ``start`` in the block."""
    n = sum(sizes)
    heads = [block.head_of(start + k) - 1 for k in range(n)]  # -1 and below: the root, or none
    depths = _depths(heads)
    token_of = [token for token, size in enumerate(sizes) for _ in range(size)]
    groups: list[range] = []
    for size in sizes:
        first = groups[-1].stop if groups else 0
        groups.append(range(first, first + size))
    chiefs = [min(group, key=lambda word: depths[word]) for group in groups]
    token_heads = [token_of[heads[chief]] if heads[chief] >= 0 else -1 for chief in chiefs]
    words = [range(start + group.start, start + group.stop) for group in groups]
    return TokenTree(token_heads, [start + chief for chief in chiefs], words)


def _depths(heads: Sequence[int]) -> list[int]:
    """Return how far each word is from the root."""
    depths = [-1] * len(heads)
    for word in range(len(heads)):
        path = []
        node = word
        while node >= 0 and depths[node] < 0:
            path.append(node)
            node = heads[node]
        depth = depths[node] if node >= 0 else -1
        for passed in reversed(path):
            depth += 1
            depths[passed] = depth
    return depths
