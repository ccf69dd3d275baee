"""Greedy parsers of trees and graphs that ask a network for the next move.

The network has read the sentence: every word has a row with a projection for each position of the configuration. The
positions are the addresses of a feature model; a position without a word and each of the last two moves have rows of
their own. The kind of the move comes first; a kind that adds an arc then gets its best relation.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from treewright.errors import CombinationError, TreewrightError
from treewright.kinds.network.kernel.rows cimport Rows
from treewright.kinds.transition.engines.chooser cimport fits, settle
from treewright.kinds.transition.engines.confidence cimport ConfidentParser
from treewright.kinds.graph.dag_greedy cimport GraphScratch, copied
from treewright.kinds.transition.engines.greedy cimport take_arrays
from treewright.kinds.transition.engines.walk cimport Block, Encoded, System, Walker, class_range
from treewright.systems.configuration cimport NONE
from treewright.systems.graphs.graph_system cimport GraphSystem
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.lifting.deprojectivizer cimport Deprojectivizer


def n_positions(Extractor extractor not None):
    """Return how many words of a configuration a network looks at."""
    return extractor.n_nodes


def n_fixed_rows(Extractor extractor not None):
    """Return how many rows stand for no word: one for each position that is empty, and those of past moves."""
    return extractor.n_nodes + PAST_MOVES * (MAX_KINDS + 1)


cdef class MoveInput:
    def __cinit__(self, PositionLayers layers not None):
        self.sums = PositionSums(layers)

    cdef int enter(self, int n) except -1 nogil:
        """Go on to the next sentence, of n words."""
        self.start = self.next
        self.next += n + 1
        if self.sums.words is None or self.next > self.sums.words.n:
            with gil:
                raise TreewrightError("a network that has not read the sentence")
        return 0

    cdef void look(self, Extractor extractor, const Configuration* c) noexcept nogil:
        """Find the rows of all positions."""
        cdef int32_t nodes[MAX_NODES]
        cdef int i, n = extractor.n_nodes
        extractor.locate(c, nodes)
        for i in range(n):
            if nodes[i] == NONE:
                self.places[i] = -1 - i
            else:
                self.places[i] = <int32_t>self.start + (0 if nodes[i] == c.root else nodes[i])
        for i in range(PAST_MOVES):
            self.places[n + i] = -1 - (n + i * (MAX_KINDS + 1) + c.last_kind[i] + 1)
        self.n_places = n + PAST_MOVES


cdef Scratch with_input(Scratch made, Scorer scorer):
    """Give the memory of a thread what a network sees."""
    made.network_input = MoveInput((<NetworkScorer>scorer).layers)
    return made


cdef MoveInput bound_input(Block block, int first, int last, Rows words, Scratch s):
    """Return what a network sees of some sentences, at the first of them."""
    cdef MoveInput made = input_of(s)
    if not 0 <= first <= last <= block.n_sentences:
        raise IndexError(f"sentences {first} to {last} of {block.n_sentences}")
    made.sums.bind_rows(words)
    made.next = 0
    return made


cdef class NetworkScorer(Scorer):
    """What scores moves by positions; it has no use for the keys of features."""

    def __init__(self, PositionLayers layers not None, Extractor extractor not None):
        self.layers = layers
        self.kind_weights, self.n_classes = layers.n_outputs
        if layers.fixed.n != n_fixed_rows(extractor):
            raise CombinationError(f"{n_fixed_rows(extractor)} rows that stand for no word, but {layers.fixed.n} given")


cdef void score_kinds(Chooser parser, const Configuration* c, MoveInput m, Scratch s) noexcept nogil:
    """Score all kinds of move in a configuration."""
    m.look(parser.extractor, c)
    memcpy(s.kind_scores, m.sums.score(m.places, m.n_places, False), parser.moves.n_kinds * sizeof(float))


cdef void score_classes(Chooser parser, MoveInput m, Scratch s) noexcept nogil:
    """Score all labelled moves in the latest configuration."""
    memcpy(s.class_scores, m.sums.score(m.places, m.n_places, True), parser.moves.n_classes * sizeof(float))


cdef int choose_move(Chooser parser, const Configuration* c, MoveInput m, Scratch s, unsigned legal,
                     int* label) noexcept nogil:
    """Return the best legal kind, and set its best relation; the scores stay in the scratch memory."""
    cdef int kind, first, end, i, at, best = NONE
    if legal & (legal - 1) != 0:
        score_kinds(parser, c, m, s)
    else:
        m.look(parser.extractor, c)  # no other kind to choose
    for kind in range(parser.moves.n_kinds):
        if legal >> kind & 1 and (best == NONE or s.kind_scores[kind] > s.kind_scores[best]):
            best = kind
    label[0] = NONE
    if parser.moves.labelled >> best & 1:
        score_classes(parser, m, s)
        class_range(parser, c, best, &first, &end)
        at = first
        for i in range(first, end):
            if s.class_scores[i] > s.class_scores[at]:
                at = i
        label[0] = parser.moves.label[at]
    s.best_score = s.kind_scores[best]
    return best


cdef class NetworkParser(GreedyParser):
    """A greedy parser of trees that asks a network. Read-only: any number of threads may share one."""

    def __init__(self, System system, Extractor extractor, Moves moves, NetworkScorer scorer,
                 Deprojectivizer deprojectivizer=None):
        GreedyParser.__init__(self, system, extractor, moves, scorer, True, deprojectivizer)

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return with_input(Scratch(self.extractor), self.scorer)

    def parse_sentences(self, Block block, int first, int last, Rows words, int32_t[::1] heads, int32_t[::1] labels,
                        Scratch s, float[::1] confidences=None):
        """Parse sentences ``first`` to ``last`` of a block; ``words``: their projections, each sentence after its root.

        Heads, relations and confidences go to the arrays, which cover the whole block.
        """
        cdef Walker walker = self if confidences is None else ConfidentParser(self)
        bound_input(block, first, last, words, s)
        take_arrays(walker, block, first, last, s, heads, labels, confidences)

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        return (<MoveInput>s.network_input).enter(c.n)

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        score_kinds(self, c, <MoveInput>s.network_input, s)
        score_classes(self, <MoveInput>s.network_input, s)

    cdef int choose_by_scores(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                              int* label) noexcept nogil:
        cdef int kind = choose_move(self, c, <MoveInput>s.network_input, s, legal, label)
        if c.rules == NULL or fits(self, c, s, kind, label[0], False):
            return kind
        s.best_score += s.class_scores[self.moves.class_of(kind, label[0])]
        return settle(self, c, s, legal, kind, label)


cdef class NetworkGraphParser(GreedyGraphParser):
    """A greedy parser of graphs that asks a network. Read-only: any number of threads may share one."""

    def __init__(self, GraphSystem system, Extractor extractor, Moves moves, NetworkScorer scorer):
        GreedyGraphParser.__init__(self, system, extractor, moves, scorer)
        self.split = True

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return with_input(GraphScratch(self.extractor), self.scorer)

    def parse_sentences(self, Block block, int first, int last, Rows words, GraphScratch s, bint confidences=False):
        """Parse sentences ``first`` to ``last``; return arrays of arcs: dependent, head, relation, confidence.

        Dependents are numbered over the block from 0. Confidences are measured on request.
        """
        cdef Walker walker = ConfidentParser(self) if confidences else self
        bound_input(block, first, last, words, s)
        s.n_arcs = s.n_finished = 0
        walker.take_sentences(block, first, last, s, NULL)
        return (copied("i", s.arc_dependent, s.n_arcs), copied("i", s.arc_head, s.n_arcs),
                copied("i", s.arc_label, s.n_arcs), copied("f", s.arc_confidence, s.n_arcs))

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        (<GraphScratch>s).kept = False
        return (<MoveInput>s.network_input).enter(c.n)

    cdef int choose_by_scores(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                              int* label) noexcept nogil:
        return choose_move(self, c, <MoveInput>s.network_input, s, legal, label)

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        score_kinds(self, c, <MoveInput>s.network_input, s)
        score_classes(self, <MoveInput>s.network_input, s)
