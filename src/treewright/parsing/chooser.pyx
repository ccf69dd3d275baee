"""Moves chosen by their scores: the best legal one, and how much better it is than the others."""
cimport cython
from libc.stdint cimport INT32_MIN, int16_t, uint64_t
from libc.string cimport memset

from treewright.errors import CombinationError
from treewright.features.extractor cimport BOTH, LABELS_ONLY, MAX_FEATURES, MOVES_ONLY, Seen
from treewright.learners.learner cimport legal_classes
from treewright.learners.table cimport TW_AT_ONCE, tw_rows, tw_table
from treewright.parsing.walk cimport class_range
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, lowest

cdef extern from "score.h" nogil:
    int16_t tw_most(const tw_table* t, const int16_t* x, int n)
    int tw_place_of(const tw_table* t, const int16_t* x, int n, int16_t wanted)
    void tw_probe(const tw_table* t, const uint64_t* keys, int n, int32_t* moves, tw_rows* rows, int want_rows)
    void tw_sum_rows(const tw_table* t, const tw_rows* rows, int fresh, int first, int end, int16_t* sums)


cdef enum:
    ROOM = MAX_FEATURES // 4             # for the keys of each of the three groups


cdef inline int at_once(int n) noexcept nogil:
    """Return how many of n keys can be summed."""
    return n if n < TW_AT_ONCE else TW_AT_ONCE


cdef class Chooser(Walker):
    """A system, a feature model and a scorer. Read-only: any number of threads may share one."""

    cdef int equip(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split,
                   bint fast) except -1:
        """Set all parts; reject those that do not fit together."""
        if any(not 0 <= label < len(extractor.relations) for _, label in moves.classes):
            raise CombinationError("a move has a relation that the extractor does not know")
        if scorer.n_classes != moves.n_classes:
            raise CombinationError(f"{moves.n_classes} labelled moves, and weights for {scorer.n_classes}")
        if scorer.kind_weights < moves.n_kinds:
            raise CombinationError(f"{moves.n_kinds} kinds of move, and weights for {scorer.kind_weights}")
        self.system, self.extractor, self.moves = system, extractor, moves
        self.scorer, self.split = scorer, split
        self.table = scorer if fast and isinstance(scorer, LinearTable) else None
        return 0

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return Scratch(self.extractor)

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        self.walk(e, sentence.row, sentence.n, s)
        return self.put(e, sentence, s, out)

    cdef int put(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        """Write what a walk through a sentence has found."""
        return 0

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        return self.choose(c, e, row, s, legal, label)

    @cython.final
    cdef int choose(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) noexcept nogil:
        """Return the kind of the best legal move, and set its relation."""
        if self.table is not None:
            return self.choose_by_table(c, e, row, s, legal, label)
        return self.choose_by_scores(c, e, row, s, legal, label)

    cdef int choose_by_table(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                             int* label) noexcept nogil:
        """Choose by a LinearTable, in whole numbers."""
        cdef Seen seen
        cdef int32_t sums[MAX_KINDS]
        cdef int32_t ignored[MAX_KINDS]
        cdef int kind, first, end, n, n_moves, n_labels, best = NONE
        cdef uint64_t* keys = s.keys
        cdef const tw_table* table = &self.table.table
        # The keys of all groups come first: their lines are on the way while the first ones are looked up. Only
        # products of many single FEATS give more features than the sums have room for; the last ones are dropped.
        memset(sums, 0, sizeof(sums))
        self.extractor.look_and_join(
            c, e, row, &self.table.place, not self.split and legal & self.moves.labelled != 0,
            &seen if self.split else NULL, keys, ROOM, s.counts
        )
        n, n_moves, n_labels = s.counts[BOTH], s.counts[MOVES_ONLY], s.counts[LABELS_ONLY]
        s.rows.n_dense = s.rows.n_sparse = 0
        tw_probe(table, keys, at_once(n), sums, s.rows, 1)
        keys += n
        if n_moves:
            tw_probe(table, keys, at_once(n_moves), sums, NULL, 0)
        keys += n_moves
        label[0] = NONE
        if self.split:
            for kind in range(self.moves.n_kinds):
                if legal >> kind & 1 and (best == NONE or sums[kind] > sums[best]):
                    best = kind
            if self.moves.labelled >> best & 1 == 0:
                return best
            legal = 1 << best
            n_labels = self.extractor.keys_of(LABELS_ONLY, &seen, e, row, &self.table.place, keys, ROOM)
        if legal & self.moves.labelled:
            legal_classes(self.moves, legal, &first, &end)
            if n_labels:
                # their rows join the others, so that all are added at once
                memset(ignored, 0, sizeof(ignored))
                tw_probe(table, keys, min(n_labels, TW_AT_ONCE - at_once(n)), ignored, s.rows, 1)
            tw_sum_rows(table, s.rows, 1, first, end, s.class_sums)
        return self.best_by_sums(c, s, legal, sums, label)

    @cython.final
    cdef int best_by_sums(self, const Configuration* c, Scratch s, unsigned legal, const int32_t* kinds,
                          int* label) noexcept nogil:
        """Return the best kind by the sums of kinds and those of classes in ``s.class_sums``, and set its relation."""
        cdef unsigned left = legal
        cdef int kind, first = 0, end = 0, best = NONE, best_first = 0, best_end = 0
        cdef int32_t score, best_score = INT32_MIN
        cdef int16_t most = 0, best_most = 0
        cdef bint is_better
        while left:
            kind = lowest(left)
            left &= left - 1
            score = kinds[kind]
            if self.moves.labelled >> kind & 1:
                class_range(self, c, kind, &first, &end)
                most = tw_most(&self.table.table, s.class_sums + first, end - first)
                score += most
            # of equal ones the lower kind wins
            is_better = score > best_score
            best = kind if is_better else best
            best_score = score if is_better else best_score
            best_first = first if is_better else best_first
            best_end = end if is_better else best_end
            best_most = most if is_better else best_most
        s.best_score = best_score
        label[0] = NONE
        if self.moves.labelled >> best & 1:
            label[0] = self.moves.label[
                best_first + tw_place_of(&self.table.table, s.class_sums + best_first, best_end - best_first, best_most)
            ]
        return best

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        """Score all kinds and classes with any scorer."""
        self.extractor.extract(c, e, row, s.keys, s.counts)
        self.scorer.score(s.keys, s.counts, s.kind_scores, s.class_scores)

    cdef int choose_by_scores(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                              int* label) noexcept nogil:
        """Choose by any scorer, in floats; the scores stay in the scratch memory."""
        cdef int kind, first, end, i, best = NONE
        cdef float score, best_score = 0
        self.score(c, e, row, s)
        label[0] = NONE
        if self.split:
            for kind in range(self.moves.n_kinds):
                if legal >> kind & 1 and (best == NONE or s.kind_scores[kind] > best_score):
                    best, best_score = kind, s.kind_scores[kind]
            legal = 1 << best
            best = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            if self.moves.labelled >> kind & 1 == 0:
                if best == NONE or s.kind_scores[kind] > best_score:
                    best, best_score, label[0] = kind, s.kind_scores[kind], NONE
                continue
            class_range(self, c, kind, &first, &end)
            for i in range(first, end):
                score = s.kind_scores[kind] + s.class_scores[i]
                if best == NONE or score > best_score:
                    best, best_score, label[0] = kind, score, self.moves.label[i]
        s.best_score = best_score
        return best

    cdef int64_t measure(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int kind, int label,
                         int64_t* n_first) except -1 nogil:
        """Write to ``s.margins`` by how much a labelled move beats each legal one, itself included; return how many.

        ``choose_by_scores`` must have chosen it. If kinds are decided before relations, the ``n_first`` margins over
        other kinds come first, then those over other relations.
        """
        cdef int k, i, first, end, chosen = self.moves.class_of(kind, label)
        cdef int64_t n = 0
        if not self.split:
            n_first[0] = self.add_margins(c, s, legal, s.kind_scores[kind] + s.class_scores[chosen], 0)
            return n_first[0]
        s.reserve_margins(self.moves.n_classes + MAX_KINDS)
        for k in range(self.moves.n_kinds):
            if legal >> k & 1:
                s.margins[n] = s.kind_scores[kind] - s.kind_scores[k]
                n += 1
        n_first[0] = n
        class_range(self, c, kind, &first, &end)
        for i in range(first, end):
            s.margins[n] = s.class_scores[chosen] - s.class_scores[i]
            n += 1
        return n

    cdef int64_t add_margins(self, const Configuration* c, Scratch s, unsigned legal, float score,
                             int64_t n) except -1 nogil:
        """Add the margins of a score over all legal moves, which were scored last, to n margins; return how many."""
        cdef int k, i, first, end
        s.reserve_margins(n + self.moves.n_classes + MAX_KINDS)
        for k in range(self.moves.n_kinds):
            if legal >> k & 1 == 0:
                continue
            if self.moves.labelled >> k & 1 == 0:
                s.margins[n] = score - s.kind_scores[k]
                n += 1
                continue
            class_range(self, c, k, &first, &end)
            for i in range(first, end):
                s.margins[n] = score - s.kind_scores[k] - s.class_scores[i]
                n += 1
        return n

    cdef int note(self, const Configuration* c, Scratch s, int kind, int label, float confidence) except -1 nogil:
        """Note the confidence in the arc that a move is about to add."""
        cdef int head, dependent
        self.system.arc(c, kind, &head, &dependent)
        s.workspace.confidence[dependent] = confidence
        return 0
