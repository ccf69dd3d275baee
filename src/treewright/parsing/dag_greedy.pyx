"""Greedy graph parsing: the best legal move until every word has left the stack. No GIL while it parses."""
from array import array

from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport BOTH, LABELS_ONLY, MAX_FEATURES, MOVES_ONLY, Extractor, Seen
from treewright.features.split import split_by_arcs
from treewright.learners.learner cimport (
    MAX_CLASSES, Choice, Moves, Scorer, arc_classes, forced_kind, legal_classes,
)
from treewright.learners.table cimport TW_AT_ONCE, LinearTable, tw_rows, tw_table
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.graph_system cimport GraphSystem, GraphWorkspace
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.block cimport Block

cdef extern from "score.h" nogil:
    int tw_best(const tw_table* t, const int16_t* x, int n)


cdef class GraphScratch:
    def __cinit__(self, Extractor extractor):
        self.graph = GraphWorkspace()
        self.encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
        self.keys = <uint64_t*>malloc(MAX_FEATURES * sizeof(uint64_t))
        self.rows = <tw_rows*>malloc(sizeof(tw_rows))
        self.kind_scores = <float*>calloc(8, sizeof(float))
        self.class_scores = <float*>calloc(MAX_CLASSES + 32, sizeof(float))
        self.class_sums = <int16_t*>calloc(MAX_CLASSES + 32, sizeof(int16_t))
        self.kept_sums = <int16_t*>calloc(MAX_CLASSES + 32, sizeof(int16_t))
        if (self.keys == NULL or self.rows == NULL or self.kind_scores == NULL or self.class_scores == NULL
                or self.class_sums == NULL or self.kept_sums == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.keys)
        free(self.rows)
        free(self.kind_scores)
        free(self.class_scores)
        free(self.class_sums)
        free(self.kept_sums)


cdef class GreedyGraphParser:
    """A system for graphs, features and a scorer at work. Read-only: any number of threads may share one."""

    def __init__(self, GraphSystem system, Extractor extractor, Moves moves, Scorer scorer, bint fast=True):
        """``fast=False`` scores a LinearTable as any other scorer, through floats: slower, for comparison."""
        if any(not 0 <= label < len(extractor.relations) for _, label in moves.classes):
            raise CombinationError("a move has a relation that the extractor does not know")
        if scorer.n_classes != moves.n_classes:
            raise CombinationError(f"{moves.n_classes} labelled moves, and weights for {scorer.n_classes}")
        if scorer.kind_weights < moves.n_kinds:
            raise CombinationError(f"{moves.n_kinds} kinds of move, and weights for {scorer.kind_weights}")
        self.system, self.extractor, self.moves, self.scorer = system, extractor, moves, scorer
        self.table = scorer if fast and isinstance(scorer, LinearTable) else None
        self.without_arcs, self.with_arcs = split_by_arcs(extractor)
        self.most_kept = max(0, TW_AT_ONCE - self.with_arcs.groups[BOTH].count)

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return GraphScratch(self.extractor)

    def parse_block(self, Block block, GraphScratch s):
        """Parse every sentence; return three arrays of arcs (dependent over the whole block from 0, head, relation)."""
        cdef int sentence, first, n, i, total = 0
        cdef GraphWorkspace w = s.graph
        cdef bint root_last = self.system._root_last()
        cdef int32_t[::1] dependents
        cdef int32_t[::1] heads
        cdef int32_t[::1] labels
        arrays = [array("i", bytes(4 * (block.n_words + block.n_words // 4 + 64))) for _ in range(3)]
        dependents, heads, labels = arrays
        self.extractor.encoder.bind(block, s.encoded)
        for sentence in range(block.n_sentences):
            first = block.sentence_word[sentence]
            n = block.sentence_word[sentence + 1] - first
            if n == 0:
                continue
            with nogil:
                s.encoded.clear()
                self.extractor.encoder.encode(block, sentence, root_last, s.encoded)
                self.parse(s.encoded, 0, n, s)
            if total + w.n_arcs > dependents.shape[0]:
                dependents = heads = labels = None
                for i in range(3):
                    arrays[i] = arrays[i] + array("i", bytes(4 * (len(arrays[i]) + w.n_arcs)))
                dependents, heads, labels = arrays
            for i in range(w.n_arcs):
                dependents[total + i] = first + w.arc_dependent[i] - 1
                heads[total + i] = w.arc_head[i] if w.arc_head[i] <= n else 0
                labels[total + i] = w.arc_label[i]
            total += w.n_arcs
        return tuple(one[:total] for one in arrays)

    cdef int parse(self, Encoded e, int64_t row, int n, GraphScratch s) except -1 nogil:
        """Parse one encoded sentence of n words into the arcs of the scratch memory."""
        cdef Configuration* c
        cdef unsigned legal
        cdef Choice choice
        cdef int counts[3]
        s.graph.reserve(n)
        c = &s.graph.workspace.c
        self.system.begin(s.graph, n)
        s.kept = False
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            choice.kind, choice.label_class = forced_kind(self.moves, legal), NONE
            if choice.kind == NONE and self.table is not None:
                self.choose_fast(c, e, row, s, legal, &choice)
            elif choice.kind == NONE:
                self.score(c, e, row, s, counts)
                self.best(c, s, legal, &choice)
            self.system.move(
                s.graph, choice.kind, self.moves.label[choice.label_class] if choice.label_class >= 0 else NONE
            )
            s.kept = s.kept and self.system.stays >> choice.kind & 1
        return 0

    cdef void class_range(self, const Configuration* c, int kind, int* first, int* end) noexcept nogil:
        """The classes that a move of this kind may have here: arcs from the root have relations of their own."""
        cdef int head, dependent
        self.system.arc(c, kind, &head, &dependent)
        arc_classes(self.moves, kind, head == c.root, first, end)

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, GraphScratch s, int* counts) noexcept nogil:
        self.extractor.extract(c, e, row, s.keys, counts)
        self.scorer.score(s.keys, counts, s.kind_scores, s.class_scores)

    cdef void best(self, const Configuration* c, GraphScratch s, unsigned legal, Choice* found) noexcept nogil:
        """The best of some kinds by the scores that were computed last."""
        cdef int kind, first, end, i
        cdef float score
        found.kind = found.label_class = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            if self.moves.labelled >> kind & 1 == 0:
                if found.kind == NONE or s.kind_scores[kind] > found.score:
                    found.kind, found.label_class, found.score = kind, NONE, s.kind_scores[kind]
                continue
            self.class_range(c, kind, &first, &end)
            for i in range(first, end):
                score = s.kind_scores[kind] + s.class_scores[i]
                if found.kind == NONE or score > found.score:
                    found.kind, found.label_class, found.score = kind, i, score

    cdef void keep(self, const uint64_t* keys, int n_both, int n_moves, GraphScratch s) noexcept nogil:
        """Sum the weights of features that new arcs leave as they are, for the configurations that follow, too."""
        memset(s.kept_kinds, 0, sizeof(s.kept_kinds))
        self.table.sum_moves(keys, min(n_both, self.most_kept), s.kept_kinds, s.rows)
        self.table.begin_rows(s.rows, 0, self.moves.n_classes, s.kept_sums)
        self.table.sum_moves_only(keys + n_both, min(n_moves, TW_AT_ONCE), s.kept_kinds)
        s.kept = True

    cdef void choose_fast(self, const Configuration* c, Encoded e, int64_t row, GraphScratch s, unsigned legal,
                          Choice* found) noexcept nogil:
        """The best legal move by a LinearTable, in whole numbers."""
        cdef Seen seen
        cdef int32_t sums[MAX_KINDS]
        cdef int32_t ignored[MAX_KINDS]
        cdef int kind, first, end, lowest, highest, at, n, n_both, n_moves, kept_both = 0, kept_moves = 0
        cdef int32_t score, best_score = 0
        cdef uint64_t* keys = s.keys + MAX_FEATURES // 2
        self.extractor.look(c, e, row, &seen)
        # All keys are made, and their lines asked for, before the first is looked up.
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
        found.kind = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            score, at = sums[kind], NONE
            if self.moves.labelled >> kind & 1:
                self.class_range(c, kind, &first, &end)
                at = first + tw_best(&self.table.table, s.class_sums + first, end - first)
                score += s.class_sums[at]
            if found.kind == NONE or score > best_score:
                found.kind, found.label_class, best_score = kind, at, score
        found.score = best_score
