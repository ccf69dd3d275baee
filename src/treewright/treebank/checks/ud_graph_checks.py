"""Find what Universal Dependencies does not allow in DEPS: levels 1 to 3 of its validator, as far as graphs go.

Whether every arc has a head, none leads from a word to itself, and the root reaches every word is found by
graph_checks.py, for graphs of any kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from treewright.treebank.blocks.block import COLUMNS, ID, Block
from treewright.treebank.checks.ud_checks import RELATIONS, ROOT_RELATION, UNKNOWN_RELATION, Finding
from treewright.treebank.graphs.graph import arcs_in

DEPS_ORDER = "deps-order"
EMPTY_NODE = "empty-node"
IN_GRAPHS = RELATIONS | {b"ref"}


def find_in_graphs(block: Block) -> Iterator[Finding]:
    """Yield the problems of the arcs to words and to empty nodes; sentences that cannot be read are left out."""
    layout = block.layout
    unreadable = {sentence for sentence, _, code in block.problems if code in (COLUMNS, ID)}
    for sentence in range(block.n_sentences if layout.deps >= 0 and layout.id >= 0 else 0):
        if sentence in unreadable:
            continue
        place, word, empty = block.line_of(sentence), 0, 0
        for line, text in enumerate(block.text_of(sentence).removeprefix(b"\xef\xbb\xbf").split(b"\n"), place):
            cells = text.removesuffix(b"\r").split(b"\t")
            if not cells[0][:1].isdigit() or b"-" in cells[0]:
                continue
            if b"." in cells[0]:
                empty += 1
                yield from _empty_node(cells, block, sentence, line, f"{word}.{empty}")
            else:
                word, empty = word + 1, 0
            deps = cells[layout.deps].decode("utf-8", "replace")
            yield from _arcs(deps, cells[0].decode("ascii", "replace"), sentence, line, word if not empty else 0)


def _empty_node(cells: list[bytes], block: Block, sentence: int, line: int, number: str) -> Iterator[Finding]:
    if cells[0] != number.encode():
        shown = cells[0].decode("ascii", "replace")
        yield Finding(sentence, line, EMPTY_NODE, f"the empty node {shown[:20]} should have the number {number}")
    for name in ("HEAD", "DEPREL"):
        if cells[block.layout.index(name)] != b"_":
            yield Finding(sentence, line, EMPTY_NODE, f"{name} of the empty node {number} is not `_`: it is in no tree")


def _arcs(deps: str, name: str, sentence: int, line: int, word: int) -> Iterator[Finding]:
    """Yield what is wrong with the arcs to a node; arcs that cannot be read are found elsewhere."""
    arcs = arcs_in(deps)
    if not all(head.replace(".", "", 1).isdecimal() and relation for head, relation in arcs):
        return
    words = (word,) if word else ()
    order = [(tuple(map(int, head.split("."))), relation) for head, relation in arcs]
    if order != sorted(set(order)):
        message = f"DEPS of {name} is not in order of heads and relations, each arc once: `{deps[:60]}`"
        yield Finding(sentence, line, DEPS_ORDER, message, words)
    for head, relation in arcs:
        base = relation.partition(":")[0]
        if base.encode() not in IN_GRAPHS:
            message = f"DEPS of {name} has the relation `{relation[:60]}`, which UD does not have"
            yield Finding(sentence, line, UNKNOWN_RELATION, message, words)
        elif (head == "0") != (base == "root"):
            message = (
                f"DEPS of {name} has `{head}:{relation[:60]}`: arcs from 0, and no others, have the relation `root`"
            )
            yield Finding(sentence, line, ROOT_RELATION, message, words)
