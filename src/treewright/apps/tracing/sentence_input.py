"""What a user gives to be traced: words, CoNLL-U or a Sentence, with or without its gold tree or graph."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

from treewright.apps.tracing.record import TraceArc
from treewright.apps.tracing.traced_model import TracedModel, block_of
from treewright.apps.tracing.window import builds_graphs, can_cross
from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.systems.obeying import obey
from treewright.systems.system import System
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.checks.checks import find_cycles
from treewright.treebank.files.text_format import is_conllu
from treewright.treebank.graphs.graph import Graph, graph_of
from treewright.treebank.graphs.graph_preparation import prepare, reduce_relation, with_heads
from treewright.treebank.graphs.graph_signs import JOINED, LIFTED
from treewright.treebank.graphs.relation_fillers import RelationFillers
from treewright.treebank.lifting.lifted_labels import LiftedLabel, decode, encode
from treewright.treebank.lifting.lifting import projectivize
from treewright.treebank.sentences.sentence import Sentence


@dataclass(frozen=True)
class TracedSentence:
    """A sentence and, if it is known, its gold tree (one arc per word, in order) or graph."""

    sentence: Sentence
    gold: list[TraceArc] | None

    @property
    def words(self) -> list[str]:
        """The forms."""
        return [_clean(word.form) for word in self.sentence]

    @property
    def tags(self) -> list[str]:
        """The parts of speech; '' for words without one."""
        return ["" if word.upos in (None, "_") else _clean(str(word.upos)) for word in self.sentence]


@dataclass(frozen=True)
class GivenGold:
    """A gold standard that the user gives beside the sentence: a tree by its heads, or a graph as in DEPS."""

    heads: Sequence[int] | None = None
    relations: Sequence[str] | None = None
    graph: str | Sequence[Sequence[tuple[int, str]]] | None = None


def sentence_from(sentence: Sentence | Sequence[str] | str) -> Sentence:
    """Return the Sentence of CoNLL-U text, of words separated by spaces, or of a list of words."""
    if isinstance(sentence, str):
        if is_conllu(sentence):
            sentence = Sentence.from_conllu(sentence if sentence.endswith("\n") else sentence + "\n\n")
        else:
            sentence = Sentence.from_words(sentence.split())
    elif not isinstance(sentence, Sentence):
        sentence = Sentence.from_words(list(sentence))
    if not len(sentence):
        raise TreewrightError("a sentence without words has nothing to trace")
    return sentence


def with_gold(sentence: Sentence, system: System, beside: GivenGold) -> TracedSentence:
    """Return a sentence with the gold standard that the system is measured against."""
    if beside.relations is not None and beside.heads is None:
        raise CombinationError("relations need heads: give the heads too")
    if builds_graphs(system):
        return TracedSentence(sentence, _gold_graph(sentence, beside))
    if beside.graph is not None:
        raise CombinationError(f"{system.name} builds trees, and a graph was given: give the tree with heads instead")
    return TracedSentence(sentence, _gold_tree(sentence, beside.heads, beside.relations))


def _gold_tree(
    sentence: Sentence, heads: Sequence[int] | None, relations: Sequence[str] | None
) -> list[TraceArc] | None:
    if heads is None and all(head is not None for head in sentence.heads):
        heads = [head for head in sentence.heads if head is not None]
        relations = [word.deprel or "_" for word in sentence]
    if heads is None:
        return None
    arcs = _arcs_by_word(len(sentence), heads, relations)
    rings = [[word] for word, head in enumerate(heads, 1) if head == word]
    for cycle in rings or find_cycles(list(heads)):
        raise TreebankError(f"the gold heads form no tree: word {cycle[0]} does not lead to the root")
    return arcs


def _arcs_by_word(n: int, heads: Sequence[int], relations: Sequence[str] | None) -> list[TraceArc]:
    relations = ["_"] * n if relations is None else relations
    if len(heads) != n or len(relations) != n:
        raise CombinationError(f"{n} words need {n} heads, and {n} relations if any are given")
    arcs = [TraceArc(*arc) for arc in zip(heads, range(1, n + 1), relations, strict=True)]
    _check_heads(n, arcs)
    return arcs


def _check_heads(n: int, arcs: Sequence[TraceArc]) -> None:
    for arc in arcs:
        if not 0 <= arc.head <= n:
            raise TreebankError(f"word {arc.dependent} has the head {arc.head}, but the last word is {n}")


def _gold_graph(sentence: Sentence, beside: GivenGold) -> list[TraceArc] | None:
    n = len(sentence)
    if beside.graph is not None:
        if beside.heads is not None:
            raise CombinationError("heads and a graph were both given: leave one out")
        graph = _parse_graph(beside.graph) if isinstance(beside.graph, str) else [list(arcs) for arcs in beside.graph]
        if len(graph) != n:
            raise CombinationError(f"{n} words need a graph with {n} words, not {len(graph)}")
        arcs = _arcs_of(graph)
        _check_heads(n, arcs)
    elif beside.heads is not None:
        arcs = _arcs_by_word(n, beside.heads, beside.relations)
    else:
        arcs = _arcs_of(graph_of(sentence))
    # A system links two words once: arcs from the same head become one, with a joined relation.
    return _arcs_of(prepare(_graph_from(n, arcs), crossing=True)) or None


def _parse_graph(text: str) -> Graph:
    """Return the graph of a text that has a cell of DEPS for every word: ``2:nsubj|4:nsubj 0:root _ 2:conj``."""
    graph: Graph = []
    for cell in text.split():
        graph.append([])
        for item in cell.split("|") if cell != "_" else ():
            head, _, relation = item.partition(":")
            if not (head.isascii() and head.isdecimal()) or not relation:
                raise CombinationError(
                    f"{item!r} in the graph is not an arc. Write head:relation, e.g. 2:nsubj|4:nsubj"
                )
            graph[-1].append((int(head), relation))
    return graph


def _arcs_of(graph: Graph) -> list[TraceArc]:
    return [TraceArc(head, word, relation) for word, arcs in enumerate(graph, 1) for head, relation in arcs]


def _graph_from(n: int, arcs: Sequence[TraceArc]) -> Graph:
    graph: Graph = [[] for _ in range(n)]
    for arc in arcs:
        graph[arc.dependent - 1].append((arc.head, arc.relation or "_"))
    return graph


def _clean(text: str) -> str:
    """Replace bytes that are not UTF-8: readers cannot see them, and JSON cannot hold them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def as_learned(given: TracedSentence, model: TracedModel) -> TracedSentence:
    """Return the gold standard in the form that the model learned: without arcs from words that may not govern, lifted
    where its arcs cross, with such labels."""
    if given.gold is None:
        return given
    if builds_graphs(model.system):
        return replace(given, gold=_graph_as_learned(given, model))
    scheme, leaves = model.lifting, model.leaves(given.sentence)
    if scheme is None and not leaves:
        return given
    relations = [arc.relation or "_" for arc in given.gold]
    interner = Interner(list(dict.fromkeys(relations)))
    heads = array("i", [arc.head for arc in given.gold])
    labels = array("i", [interner.strings.index(relation) for relation in relations])
    offsets = array("i", [0, len(heads)])
    obey(heads, labels, offsets, [word in leaves for word in range(1, len(heads) + 1)], model.system.single_root)
    if scheme is not None:
        projectivize(heads, labels, offsets, interner, scheme)
    known = set(model.relations)
    names = [interner.strings[label] for label in labels]
    if scheme is None:
        return replace(given, gold=_arcs_by_word(len(heads), heads, names))
    # Labels that were too rare to learn were learned as their plain relations.
    plain = [name if name in known else encode(LiftedLabel(decode(name, scheme).base)) for name in names]
    return replace(given, gold=_arcs_by_word(len(heads), heads, plain))


def _graph_as_learned(given: TracedSentence, model: TracedModel) -> list[TraceArc]:
    """Return the gold graph with patterns for relations that copy words, with lifts, and with a head for every word."""
    known = set(model.relations)
    parts = {part for name in known for lifted in name.split(JOINED) for part in lifted.split(LIFTED)}
    graph = _graph_from(
        len(given.sentence),
        [
            TraceArc(arc.head, arc.dependent, relation)
            for arc in given.gold or ()
            for relation in (arc.relation or "_").split(JOINED)
        ],
    )
    names = sorted({relation for arcs in graph for _, relation in arcs})
    patterns = RelationFillers(names).patterns_of(block_of(given.sentence), 0, graph)
    graph = [
        [(head, pattern if pattern in parts else name) for (head, name), pattern in zip(arcs, of_word, strict=True)]
        for arcs, of_word in zip(graph, patterns, strict=True)
    ]
    graph = prepare(with_heads(graph), crossing=model.lifting is None or can_cross(model.system))
    return [
        arc if arc.relation in known else replace(arc, relation=reduce_relation(arc.relation or "_"))
        for arc in _arcs_of(graph)
    ]
