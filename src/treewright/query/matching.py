"""A pattern ready to be matched with blocks, and its matches."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from treewright.errors import TreebankError
from treewright.query.engine.block_reader import BlockReader, Condition
from treewright.query.engine.matcher import Matcher
from treewright.query.engine.sentence_graph import SentenceGraph
from treewright.query.engine.value_table import ValueTable
from treewright.query.evaluating import N_COLUMNS
from treewright.query.language.pattern import Feature, Pattern
from treewright.query.language.patterns import parse_pattern
from treewright.query.planning import Plan
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import check
from treewright.treebank.sentences.sentence import Sentence
from treewright.treebank.sentences.token import Token

if TYPE_CHECKING:
    from treewright.query.engine.operations import Step

#: candidates that one sentence may take: a pattern of many nodes that nothing connects would go on for ever
MOST_STEPS = 20_000_000
#: matches that are counted, or kept, if nobody says how many
ALL = 1 << 60


class Query:
    """A pattern and what finds its matches. Several threads may use it at once.

    ``tree``: look at words and the tree alone, without empty nodes and the arcs of DEPS.
    """

    def __init__(
        self,
        pattern: str | Pattern,
        tree: bool = False,
        wanted: Sequence[Feature] = (),
        most_steps: int = MOST_STEPS,
    ) -> None:
        """``wanted``: features of its nodes and edges that ``SentenceMatches.values`` gives."""
        self.pattern = parse_pattern(pattern) if isinstance(pattern, str) else pattern
        self.tree = tree
        self.most_steps = most_steps
        self.wanted = tuple(wanted)
        self.plan = Plan(self.pattern, not tree, self.wanted)
        self.nodes: tuple[str, ...] = tuple(self.plan.found_nodes)
        self.edges: tuple[str, ...] = tuple(self.plan.found_edges)
        self._own = threading.local()

    @property
    def width(self) -> int:
        """How many numbers a match has: the sentence, nodes, labels of edges, values of features."""
        return 1 + len(self.nodes) + len(self.plan.outputs)

    def label(self, number: int) -> str:
        """Return the label of an edge that a match gives as a number."""
        return self.plan.values.texts[number]

    def value(self, number: int) -> str | None:
        """Return the value of a feature that a match gives as a number; None if it has none."""
        return None if number < 0 else self.plan.values.texts[number]

    def in_block(self, block: Block, most: int = ALL) -> Iterator[SentenceMatches]:
        """Yield the matches of a block, sentence by sentence; stop after ``most`` matches."""
        for rows in self._rows(block, most):
            yield from self._by_sentence(block, rows)

    def _by_sentence(self, block: Block, rows: array[int]) -> Iterator[SentenceMatches]:
        width = self.width
        start = 0
        while start < len(rows):
            end = start
            while end < len(rows) and rows[end] == rows[start]:
                end += width
            found = sorted({tuple(rows[at + 1 : at + width]) for at in range(start, end, width)})
            matches = SentenceMatches(self, block, rows[start], found)
            if matches.has_metadata:
                yield matches
            start = end

    def count(self, block: Block, most: int = ALL) -> tuple[int, int]:
        """Return how many matches a block has, and in how many sentences."""
        if self.pattern.metadata:
            numbers = [len(each.rows) for each in self.in_block(block, most)]
            return sum(numbers), len(numbers)
        check(block)
        matcher = self._matcher(block)
        before, sentences = matcher.count, matcher.n_sentences
        for _ in self._rows(block, most, keep=False):
            pass
        return matcher.count - before, matcher.n_sentences - sentences

    def _rows(self, block: Block, most: int, keep: bool = True) -> Iterator[array[int]]:
        check(block)
        matcher = self._matcher(block)
        sentence = 0
        while sentence < block.n_sentences and most > 0:
            before = matcher.count
            raw, following, too_long = matcher.find(block, sentence, keep, most)
            if too_long:
                raise self._too_long(block, following)
            most -= matcher.count - before
            sentence = following
            rows: array[int] = array("i")
            rows.frombytes(raw)
            yield rows

    def _too_long(self, block: Block, sentence: int) -> TreebankError:
        return TreebankError(
            f"the pattern has more than {self.most_steps:,} possible beginnings of matches in this sentence",
            source=block.source,
            line=block.line_of(sentence),
            sent_id=block.sent_id(sentence),
            remedy="Connect its nodes with edges, or say more of them.",
        )

    # Matchers: one for each thread, with a plan that suits the blocks

    def _matcher(self, block: Block) -> Matcher:
        own = self._own
        if not hasattr(own, "matcher"):
            own.matcher, own.blocks = self.new_matcher(), 0
        own.blocks += 1
        if own.blocks & (own.blocks - 1) == 0 and block.n_words:
            self._adapt(own.matcher, block)
        return own.matcher  # type: ignore[no-any-return]

    def _adapt(self, matcher: Matcher, block: Block) -> None:
        """Choose a plan by how many nodes of a block fit each node of the pattern."""
        plan = self.plan
        conditions = [Condition(each) for each in (*plan.conditions, *plan.rare)]
        counts = matcher.shares(block, conditions)
        nodes = max(1, block.n_words)
        matcher.set_program(plan.steps([count / nodes for count in counts[: len(plan.conditions)]]))
        rarest = plan.rarest(counts[len(plan.conditions) :])
        if rarest is None:
            matcher.look_for(None, (), False)
        else:
            matcher.look_for(Condition(rarest[0]), rarest[1], rarest[2])

    def new_matcher(self) -> Matcher:
        """Return a matcher with a plan that knows nothing of the treebank."""
        plan = self.plan
        nodes, labels = plan.node_tests, plan.label_tests
        tables = [
            ValueTable(partial(nodes.evaluate, at), len(nodes.slots), nodes.constants(at))
            if nodes.is_used(at)
            else None
            for at in range(N_COLUMNS)
        ]
        of_tree = ValueTable(labels.evaluate, len(labels.slots))
        of_graph = ValueTable(lambda label: labels.evaluate(label, "E:"), len(labels.slots))
        graph = SentenceGraph(len(nodes.slots), len(labels.slots))
        reader = BlockReader(graph, tables, of_tree, of_graph, plan.with_graph, plan.with_arcs, nodes.misc_names())
        conditions = [Condition(each) for each in plan.conditions]
        matcher = Matcher(
            graph,
            reader,
            conditions,
            plan.free,
            plan.n_edges,
            len(self.nodes),
            plan.outputs,
            plan.structures,
            self.most_steps,
        )
        steps: list[Step] = plan.steps([1.0] * len(conditions))
        matcher.set_program(steps)
        return matcher


class SentenceMatches:
    """The matches in one sentence, of which there is at least one, in the order of their nodes."""

    def __init__(self, query: Query, block: Block, number: int, rows: Sequence[tuple[int, ...]]) -> None:
        self.query, self.block, self.number = query, block, number
        #: of each match: its nodes, by position, the anchor being 0, and the numbers of labels and of wanted values
        self.rows = rows

    @cached_property
    def sentence(self) -> Sentence:
        """The sentence as an object."""
        return Sentence.from_block(self.block, self.number)

    @cached_property
    def tokens(self) -> list[Token | None]:
        """What stands at each position: None for the anchor, then words and empty nodes."""
        return [None, *nodes_of(self.sentence, self.query.tree)]

    @cached_property
    def arcs(self) -> list[tuple[int, int, str]]:
        """The arcs between positions, with their labels."""
        return arcs_of(self.tokens, self.query.tree)

    @property
    def has_metadata(self) -> bool:
        """Whether the comments are as the pattern says."""
        metadata = self.query.pattern.metadata
        if not metadata:
            return True
        given = self.sentence.metadata
        return all(each.test.accepts(given.get(each.key)) for each in metadata)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Match]:
        return (Match(self, row) for row in self.rows)


class Match:
    """One match: which token each node of the pattern is, and the label of each named edge."""

    __slots__ = ("_row", "of")

    def __init__(self, of: SentenceMatches, row: tuple[int, ...]) -> None:
        self.of, self._row = of, row

    @property
    def sentence(self) -> Sentence:
        """The sentence."""
        return self.of.sentence

    @property
    def positions(self) -> dict[str, int]:
        """The position of each node among words and empty nodes, from 1; the anchor has 0."""
        return dict(zip(self.of.query.nodes, self._row, strict=False))

    @property
    def nodes(self) -> dict[str, Token | None]:
        """The token of each node; None for the anchor, from which the arc to the root comes."""
        tokens = self.of.tokens
        return {name: tokens[place] for name, place in self.positions.items()}

    @property
    def edges(self) -> dict[str, str]:
        """The label of each named edge; arcs of DEPS begin with ``E:``."""
        query = self.of.query
        numbers = self._row[len(query.nodes) :]
        return {name: query.label(number) for name, number in zip(query.edges, numbers, strict=False)}

    @property
    def values(self) -> list[str | None]:
        """The features that the query wanted."""
        query = self.of.query
        return [query.value(number) for number in self._row[len(query.nodes) + len(query.edges) :]]

    def labels_between(self, source: int, target: int) -> list[str]:
        """Return the labels of the arcs between two positions."""
        return [label for start, end, label in self.of.arcs if (start, end) == (source, target)]

    def __getitem__(self, name: str) -> Any:
        """Return the token of a node, or the label of an edge."""
        return self.edges[name] if name in self.of.query.edges else self.nodes[name]

    def __repr__(self) -> str:
        shown = [f"{name}={token.id if token else 0}" for name, token in self.nodes.items()]
        return f"<Match {' '.join([*shown, *(f'{name}={label}' for name, label in self.edges.items())])}>"


def nodes_of(sentence: Sentence, tree: bool = False) -> list[Token]:
    """Return the nodes of a sentence besides the anchor: words, and empty nodes unless only the tree counts."""
    return [token for token in sentence.tokens if token.is_word or (token.is_empty and not tree)]


def arcs_of(tokens: Sequence[Token | None], tree: bool = False) -> list[tuple[int, int, str]]:
    """Return the arcs between tokens by position, the first of which is the anchor, with their labels."""
    place = {"0": 0} | {str(token.id): at for at, token in enumerate(tokens) if token is not None}
    arcs: dict[tuple[int, int, str], None] = {}
    for at, token in enumerate(tokens):
        if token is None:
            continue
        if token.is_word and str(token.head) in place:
            arcs[place[str(token.head)], at, token.deprel] = None
        if not tree and token.text_of("DEPS"):
            for head, relation in token.deps:
                if str(head) in place:
                    arcs[place[str(head)], at, f"E:{relation}"] = None
    return list(arcs)


def matches(source: Sentence | Block, pattern: str | Pattern | Query, *, tree: bool = False) -> list[Match]:
    """Return all matches of a pattern in a sentence or a block.

    Whoever asks the same pattern of many sentences makes a ``Query`` of it once.
    """
    query = pattern if isinstance(pattern, Query) else Query(pattern, tree)
    block = source if isinstance(source, Block) else Block(source.to_bytes(), source.layout, source.source, source.line)
    return [match for found in query.in_block(block) for match in found]
