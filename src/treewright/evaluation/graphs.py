"""Score dependency graphs: precision, recall and F1 over all arcs and over secondary arcs.

Empty nodes are collapsed in both files (``3:conj>obl``). The head of a *secondary* arc differs from the word's HEAD in
the gold treebank. Sentences and words must be the same in both files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

from treewright.errors import TreebankError
from treewright.evaluation.score import PrecisionAndRecall
from treewright.evaluation.stretches import name_of
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import check
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source
from treewright.treebank.graphs.graph import Arc, Graph, sentence_graphs


@dataclass
class ArcScore(PrecisionAndRecall):
    """Counts of arcs, and percentages computed from them."""

    gold: int = 0
    system: int = 0
    correct: int = 0

    def add(self, gold: set[Any], system: set[Any]) -> None:
        """Count the arcs of one word."""
        self.gold += len(gold)
        self.system += len(system)
        self.correct += len(gold & system)


@dataclass
class GraphScores:
    """Labelled and unlabelled scores over all arcs and over secondary arcs."""

    sentences: int = 0
    words: int = 0
    labelled: ArcScore = field(default_factory=ArcScore)
    unlabelled: ArcScore = field(default_factory=ArcScore)
    secondary_labelled: ArcScore = field(default_factory=ArcScore)
    secondary_unlabelled: ArcScore = field(default_factory=ArcScore)

    def rows(self) -> list[tuple[str, ArcScore]]:
        """Return the scores with their names."""
        return [
            ("all arcs, labelled", self.labelled),
            ("all arcs, unlabelled", self.unlabelled),
            ("secondary arcs, labelled", self.secondary_labelled),
            ("secondary arcs, unlabelled", self.secondary_unlabelled),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return counts and percentages for JSON."""
        scores = {
            name.replace(" arcs, ", "_"): asdict(score)
            | dict(zip(("precision", "recall", "f1"), score.rates, strict=True))
            for name, score in self.rows()
        }
        return {"sentences": self.sentences, "words": self.words, **scores}

    def __str__(self) -> str:
        lines = [
            f"{self.sentences:,} sentences, {self.words:,} words",
            "",
            f"{'':28}{'precision':>9} {'recall':>9} {'F1':>9} {'gold arcs':>10}",
        ]
        for name, score in self.rows():
            lines.append(f"{name:28}{score.precision:9.2f} {score.recall:9.2f} {score.f1:9.2f} {score.gold:10,}")
        return "\n".join(lines)


def evaluate_graphs(gold: Source, system: Source, *, tree_as_graph: bool = False) -> GraphScores:
    """Score the graphs of one treebank against those of another.

    ``tree_as_graph`` uses the system's HEAD and DEPREL as its graph: the baseline of a tree parser.
    """
    scores = GraphScores()
    for wanted, found, heads in paired_sentences(gold, system, tree_as_graph):
        scores.sentences += 1
        scores.words += len(wanted)
        for ours, theirs, head in zip(wanted, found, heads, strict=True):
            _add(scores, set(ours), set(theirs), head)
    if not scores.labelled.gold:
        raise TreebankError(
            "has no graphs", source=name_of(gold), remedy="Give a gold treebank with arcs in the DEPS column"
        )
    return scores


def paired_sentences(
    gold: Source, system: Source, tree_as_graph: bool = False
) -> Iterator[tuple[Graph, Graph, list[int]]]:
    """Yield the gold graph, the system's graph and the heads of the gold tree for every sentence."""
    pairs = zip_longest(_sentences(gold, False), _sentences(system, tree_as_graph))
    for number, (ours, theirs) in enumerate(pairs, start=1):
        if ours is None or theirs is None or len(ours[0]) != len(theirs[0]):
            raise TreebankError(
                f"the words of sentence {number} differ from {name_of(gold) or 'the gold treebank'}",
                source=name_of(system),
                remedy="Graphs are scored word by word: parse the gold treebank itself",
            )
        yield ours[0], theirs[0], ours[1]


def _add(scores: GraphScores, wanted: set[Arc], found: set[Arc], tree_head: int) -> None:
    scores.labelled.add(wanted, found)
    scores.unlabelled.add({head for head, _ in wanted}, {head for head, _ in found})
    further = {arc for arc in wanted if arc[0] != tree_head}, {arc for arc in found if arc[0] != tree_head}
    scores.secondary_labelled.add(*further)
    scores.secondary_unlabelled.add({head for head, _ in further[0]}, {head for head, _ in further[1]})


def _sentences(source: Source, trees: bool) -> Iterator[tuple[Graph, list[int]]]:
    """Yield the graph and the heads of the tree of every sentence."""
    for block in read_blocks(source):
        check(block)
        graphs = _trees(block) if trees else sentence_graphs(block)
        for sentence, graph in enumerate(graphs):
            yield graph, [block.head_of(word) for word in block.words_of(sentence)]


def _trees(block: Block) -> Iterator[Graph]:
    for sentence in range(block.n_sentences):
        yield [
            [(block.head_of(word), block.value(word, block.layout.deprel).decode("utf-8", "surrogateescape"))]
            for word in block.words_of(sentence)
        ]
