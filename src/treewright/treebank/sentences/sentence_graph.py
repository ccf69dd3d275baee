"""The graph of a sentence as an object: the arcs of DEPS between words, empty nodes and the root."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from treewright.errors import TreewrightError
from treewright.treebank.sentences.list_like import ListLike

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token

    Node: TypeAlias = int | str | Token  # a token or its ID, 0 for the root

ROOT = 0


class GraphArc(NamedTuple):
    """An arc of a graph; a node is named by its ID: 3 is a word, '3.1' an empty node, 0 the root."""

    head: int | str
    dependent: int | str
    relation: str


class SentenceGraph(ListLike[GraphArc]):
    """The arcs of DEPS when the graph was asked for, by dependent; changes are made by ``token.deps``."""

    __slots__ = ("_arcs", "_by_id", "nodes")

    def __init__(self, sentence: Sentence) -> None:
        #: words and empty nodes, in the order of the sentence
        self.nodes = [token for token in sentence.tokens if not token.is_multiword]
        self._by_id = {token.id: token for token in self.nodes}
        known = sentence.layout.index("DEPS") >= 0
        self._arcs = [
            GraphArc(head, token.id, relation)
            for token in (self.nodes if known else ())
            for head, relation in token.deps
        ]

    @property
    def arcs(self) -> list[GraphArc]:
        """All arcs, in the order of their dependents."""
        return list(self._arcs)

    def parents(self, node: Node) -> list[Token]:
        """Return the heads of a node, each once; the root is no token and left out."""
        number = self._number(node)
        return self._tokens(arc.head for arc in self._arcs if arc.dependent == number)

    def children(self, node: Node) -> list[Token]:
        """Return the nodes that have a node for a head, 0 being the root, each once."""
        number = self._number(node)
        return self._tokens(arc.dependent for arc in self._arcs if arc.head == number)

    def reachable(self, node: Node = ROOT) -> list[Token]:
        """Return the nodes that arcs lead to from a node, in the order of the sentence; in a cycle, also itself."""
        below: dict[int | str, list[int | str]] = {}
        for head, dependent, _ in self._arcs:
            below.setdefault(head, []).append(dependent)
        reached: set[int | str] = set()
        waiting = [self._number(node)]
        while waiting:
            new = [child for child in below.get(waiting.pop(), ()) if child not in reached]
            reached.update(new)
            waiting += new
        return [token for token in self.nodes if token.id in reached]

    @property
    def is_connected(self) -> bool:
        """Do arcs lead from the root to every node?"""
        return len(self.reachable()) == len(self.nodes)

    def _number(self, node: Node) -> int | str:
        number = node if isinstance(node, (int, str)) else node.id
        if number != ROOT and number not in self._by_id:
            raise TreewrightError(f"the graph has no node {number!r}: give a word, an empty node or 0, the root.")
        return number

    def _tokens(self, numbers: Iterable[int | str]) -> list[Token]:
        return [self._by_id[number] for number in dict.fromkeys(numbers) if number in self._by_id]

    def _items(self) -> list[GraphArc]:
        return self._arcs

    def __repr__(self) -> str:
        return f"<SentenceGraph: {len(self.nodes)} nodes, {len(self._arcs)} arcs>"
