"""Greedy graph parsing: the best legal move until every word has left the stack."""
from array import array

from libc.math cimport NAN
from libc.string cimport memcpy, memset

from treewright.features.extractor cimport BOTH, LABELS_ONLY, MAX_FEATURES, MOVES_ONLY, Seen
from treewright.features.split import split_by_arcs
from treewright.learners.learner cimport MAX_CLASSES, Scorer, legal_classes
from treewright.learners.table cimport TW_AT_ONCE
from treewright.kinds.transition.engines.confidence cimport ConfidentParser
from treewright.kinds.transition.engines.walk cimport Block, Moves, Output, Sentence, Walker
from treewright.systems.configuration cimport NONE


cdef class GraphScratch(Scratch):
    def __cinit__(self, Extractor extractor):
        self.kept_sums = <int16_t*>self.new_block(MAX_CLASSES + 32, sizeof(int16_t))

    cdef int add_arc(self, int head, int dependent, int label, float confidence) except -1 nogil:
        """List an arc."""
        cdef int room = 256 + 2 * self.arc_room, i = self.n_arcs
        if i == self.arc_room:
            self.arc_head = <int32_t*>self.resized(self.arc_head, room, sizeof(int32_t))
            self.arc_dependent = <int32_t*>self.resized(self.arc_dependent, room, sizeof(int32_t))
            self.arc_label = <int32_t*>self.resized(self.arc_label, room, sizeof(int32_t))
            self.arc_confidence = <float*>self.resized(self.arc_confidence, room, sizeof(float))
            self.arc_room = room
        self.arc_head[i], self.arc_dependent[i], self.arc_label[i] = head, dependent, label
        self.arc_confidence[i] = confidence
        self.n_arcs += 1
        return 0


cdef class GreedyGraphParser(Chooser):
    """A greedy parser of graphs. Read-only: any number of threads may share one."""

    def __init__(self, GraphSystem system, Extractor extractor, Moves moves, Scorer scorer, bint fast=True):
        """``fast=False`` scores a LinearTable like any other scorer, through floats: slower, for comparison."""
        self.equip(system, extractor, moves, scorer, False, fast)
        self.graph_system = system
        self.without_arcs, self.with_arcs = split_by_arcs(extractor)
        self.most_kept = max(0, TW_AT_ONCE - self.with_arcs.groups[BOTH].count)

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return GraphScratch(self.extractor)

    def parse_block(self, Block block, GraphScratch s, bint confidences=False):
        """Parse every sentence; return arrays of arcs: dependent (numbered over the block from 0), head, relation.

        With ``confidences``, a fourth array has the confidence in each arc: the probability of the move that made it.
        """
        cdef Walker walker = ConfidentParser(self) if confidences else self
        s.n_arcs = s.n_finished = 0
        walker.take_sentences(block, 0, block.n_sentences, s, NULL)
        found = (
            copied("i", s.arc_dependent, s.n_arcs),
            copied("i", s.arc_head, s.n_arcs),
            copied("i", s.arc_label, s.n_arcs),
        )
        return (*found, copied("f", s.arc_confidence, s.n_arcs)) if confidences else found

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        (<GraphScratch>s).kept = False
        return 0

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        cdef int kind = self.choose(c, e, row, s, legal, label)
        if self.moves.labelled >> kind & 1:
            self.note(c, s, kind, label[0], NAN)
        return kind

    cdef int note(self, const Configuration* c, Scratch s, int kind, int label, float confidence) except -1 nogil:
        """List the arc that a move is about to add."""
        cdef int head, dependent
        if self.graph_system.has_arc(c, kind):
            return 0
        self.system.arc(c, kind, &head, &dependent)
        return (<GraphScratch>s).add_arc(head, dependent, label, confidence)

    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil:
        (<GraphScratch>s).kept = (<GraphScratch>s).kept and self.graph_system.stays >> kind & 1
        return 0

    cdef int put(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        if s.workspace.c.leaf != NULL:
            attach_words(self, &s.workspace.c, e, sentence.row, <GraphScratch>s)
        finish_arcs(<GraphScratch>s, sentence)
        return 0

    cdef void keep(self, const uint64_t* keys, int n_both, int n_moves, GraphScratch s) noexcept nogil:
        """Sum the weights of features that new arcs do not change: they also hold for the next configurations."""
        memset(s.kept_kinds, 0, sizeof(s.kept_kinds))
        self.table.sum_moves(keys, min(n_both, self.most_kept), s.kept_kinds, s.rows)
        self.table.begin_rows(s.rows, 0, self.moves.n_classes, s.kept_sums)
        self.table.sum_moves_only(keys + n_both, min(n_moves, TW_AT_ONCE), s.kept_kinds)
        s.kept = True

    cdef int choose_by_table(self, Configuration* c, Encoded e, int64_t row, Scratch scratch, unsigned legal,
                             int* label) noexcept nogil:
        """Choose by a LinearTable, in whole numbers; only features that look at arcs are summed each time."""
        return choose_with_kept(self, c, e, row, <GraphScratch>scratch, legal, label)


cdef int attach_words(GreedyGraphParser self, Configuration* c, Encoded e, int64_t row, GraphScratch s) except -1 nogil:
    """Let the root take words without a head: those that met none that may govern."""
    cdef int word, kind, label
    for word in range(1, c.n + 1):
        if c.head[word] == NONE:
            kind = self.system.pose(c, c.root, word)
            self.choose_by_scores(c, e, row, s, 1 << kind, &label)
            s.add_arc(c.root, word, label, NAN)
    return 0


cdef int choose_with_kept(GreedyGraphParser self, const Configuration* c, Encoded e, int64_t row, GraphScratch s,
                          unsigned legal, int* label) noexcept nogil:
    cdef Seen seen
    cdef int32_t sums[MAX_KINDS]
    cdef int32_t ignored[MAX_KINDS]
    cdef int lowest, highest, n, n_both, n_moves, kept_both = 0, kept_moves = 0
    cdef uint64_t* keys = s.keys + MAX_FEATURES // 2
    self.extractor.look(c, e, row, &seen)
    # All keys are made, and their lines prefetched, before the first look-up.
    n_both = self.with_arcs.keys_of(BOTH, &seen, e, row, &self.table.place, keys, MAX_FEATURES // 4)
    n_moves = self.with_arcs.keys_of(MOVES_ONLY, &seen, e, row, &self.table.place, keys + n_both, MAX_FEATURES // 8)
    if not s.kept:
        kept_both = self.without_arcs.keys_of(BOTH, &seen, e, row, &self.table.place, s.keys, MAX_FEATURES // 4)
        kept_moves = self.without_arcs.keys_of(
            MOVES_ONLY, &seen, e, row, &self.table.place, s.keys + kept_both, MAX_FEATURES // 8
        )
        self.keep(s.keys, kept_both, kept_moves, s)
    memcpy(sums, s.kept_kinds, sizeof(s.kept_kinds))
    self.table.sum_moves(keys, min(n_both, TW_AT_ONCE), sums, s.rows)
    self.table.sum_moves_only(keys + n_both, min(n_moves, TW_AT_ONCE), sums)
    if legal & self.moves.labelled:
        legal_classes(self.moves, legal, &lowest, &highest)
        lowest &= ~15                  # rows are added in sixteens
        highest = min((highest + 15) & ~15, MAX_CLASSES)
        memcpy(s.class_sums + lowest, s.kept_sums + lowest, (highest - lowest) * sizeof(int16_t))
        self.table.sum_rows(s.rows, lowest, highest, s.class_sums)
        n = self.extractor.keys_of(LABELS_ONLY, &seen, e, row, &self.table.place, keys, MAX_FEATURES // 4)
        if n:
            memset(ignored, 0, sizeof(ignored))
            self.table.sum_moves(keys, min(n, TW_AT_ONCE), ignored, s.rows)
            self.table.sum_rows(s.rows, lowest, highest, s.class_sums)
    return self.best_by_sums(c, s, legal, sums, label)


cdef void finish_arcs(GraphScratch s, const Sentence* sentence) noexcept nogil:
    """Number the dependents of a sentence's arcs over the block, and the root as head with 0."""
    cdef int i
    for i in range(s.n_finished, s.n_arcs):
        s.arc_dependent[i] += <int32_t>sentence.first - 1
        if s.arc_head[i] > sentence.n:
            s.arc_head[i] = 0
    s.n_finished = s.n_arcs


cdef copied(str code, const void* numbers, int n):
    """Return an array of numbers of four bytes."""
    out = array(code)
    out.frombytes((<const char*>numbers)[:4 * n])
    return out
