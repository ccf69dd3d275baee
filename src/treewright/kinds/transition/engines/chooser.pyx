"""Moves chosen by their scores: the best legal one, and how much better it is than the others."""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t

from treewright.errors import CombinationError
from treewright.features.extractor cimport BOTH, LABELS_ONLY, MAX_FEATURES, MOVES_ONLY, Seen, tw_sentence
from treewright.learners.learner cimport arc_classes, legal_classes
from treewright.learners.table cimport tw_table
from treewright.kinds.transition.engines.arc_scores cimport Relabelling, relabel
from treewright.kinds.transition.engines.walk cimport class_range
from treewright.systems.configuration cimport NONE, RETURNED, is_barred
from treewright.systems.rules.table cimport breaks, is_tag_barred, keeps
from treewright.systems.system cimport MAX_KINDS, lowest

cdef extern from "decide.h" nogil:
    int tw_decide(const tw_table* t, const tw_moves* m, unsigned legal, unsigned from_root, tw_desk* d, int* label)
    int tw_best_move(const tw_table* t, const tw_moves* m, unsigned legal, unsigned from_root, const int32_t* kinds,
                     tw_desk* d, int* label)
    void tw_sum_kinds(const tw_table* t, tw_desk* d, int32_t* kinds)
    void tw_sum_classes(const tw_table* t, const tw_moves* m, unsigned legal, tw_desk* d)
    tw_decision tw_bundled_decision(uint64_t program, int n_attributes, bint has_items)


cdef enum:
    ROOM = MAX_FEATURES // 4             # for the keys of each of the three groups


cdef inline unsigned kinds_from_root(Chooser self, const Configuration* c, unsigned legal) noexcept nogil:
    """Return the labelled ones of the legal kinds whose arc would come from the root, as bits."""
    cdef unsigned found = 0, left = legal & self.moves.labelled
    cdef int head, dependent, kind
    # a ROOT that comes last takes part in no arc before it is the front of the buffer
    if c.buffer < c.root:
        return 0
    while left:
        kind = lowest(left)
        left &= left - 1
        self.system.arc(c, kind, &head, &dependent)
        found |= <unsigned>(head == c.root) << kind
    return found


cdef int broken_by(Chooser self, const Configuration* c, int kind, int label) noexcept nogil:
    """Return how many rules a labelled move breaks; 0 for other moves."""
    cdef int head, dependent
    if label < 0:
        return 0
    self.system.arc(c, kind, &head, &dependent)
    if dependent == NONE or keeps(c, head, dependent, label) or is_barred(c, head, dependent, self.system.single_root):
        return 0
    return breaks(c, head, dependent, label)


cdef int least_broken(Chooser self, const Configuration* c, unsigned legal) noexcept nogil:
    """Return how many rules have to be broken by whichever of some kinds of move."""
    cdef int kind, i, first, end, fewest = -1, broken
    if c.rules == NULL or legal & ~self.moves.labelled:
        return 0
    for kind in range(self.moves.n_kinds):
        if legal >> kind & 1:
            class_range(self, c, kind, &first, &end)
            for i in range(first, end):
                broken = broken_by(self, c, kind, self.moves.label[i])
                if broken == 0:
                    return 0
                if fewest < 0 or broken < fewest:
                    fewest = broken
    return max(fewest, 0)


cdef void note_arc(Chooser self, const Configuration* c, Scratch s, int kind, int word, bint by_sums) noexcept nogil:
    """Keep the scores of the relations that the arc to a word may have, for the case that it is in the way later."""
    cdef int first, end
    class_range(self, c, kind, &first, &end)
    if by_sums:
        s.arcs.note_sums(word, self.moves.label + first, s.class_sums + first, end - first)
    else:
        s.arcs.note_floats(word, self.moves.label + first, s.class_scores + first, end - first)


cdef bint fits(Chooser self, const Configuration* c, Scratch s, int kind, int label, bint by_sums) noexcept nogil:
    """Does a move keep the rules? If so, and it adds an arc, the scores of its relations are kept."""
    cdef int head, dependent
    if label < 0:
        return True
    self.system.arc(c, kind, &head, &dependent)
    if dependent == NONE or is_barred(c, head, dependent, self.system.single_root):
        return True
    if not keeps(c, head, dependent, label):
        return False
    note_arc(self, c, s, kind, dependent, by_sums)
    return True


cdef float price_of(Chooser self, const Configuration* c, int kind, int label) noexcept nogil:
    """Return what it costs a move to keep the rules: nothing, the price of another tag, or infinity: it cannot."""
    cdef int head, dependent, broken = broken_by(self, c, kind, label)
    if broken == 0:
        return 0
    self.system.arc(c, kind, &head, &dependent)
    return c.tag_price if broken == 1 and is_tag_barred(c, dependent, label) else INFINITY


cdef float best_within(Chooser self, const Configuration* c, Scratch s, unsigned legal, int* best,
                       int* label) noexcept nogil:
    """Find the best of the legal moves that keep the rules, whatever kind has been chosen before; return its score."""
    cdef int kind, first, end, i
    cdef float score, most = -INFINITY
    for kind in range(self.moves.n_kinds):
        if legal >> kind & 1 == 0:
            continue
        first, end = NONE, 0
        if self.moves.labelled >> kind & 1:
            class_range(self, c, kind, &first, &end)
        for i in range(first, end):
            score = s.kind_scores[kind] + (s.class_scores[i] if i >= 0 else 0)
            if score > most:
                score -= price_of(self, c, kind, self.moves.label[i] if i >= 0 else NONE)
                if score > most:
                    best[0], label[0], most = kind, self.moves.label[i] if i >= 0 else NONE, score
    return most


cdef int settle(Chooser self, Configuration* c, Scratch s, unsigned legal, int kind, int* label) noexcept nogil:
    """Return the move that takes the place of the best one, which breaks a rule.

    It is the best that breaks none, or the same one, if an arc that is in its way gets another relation: whichever
    loses less. If all moves break rules, those that break fewest are left.
    """
    cdef int head, dependent, other_kind = NONE, other_label = NONE
    cdef float score = s.best_score
    cdef Relabelling other
    cdef float most = best_within(self, c, s, 1 << kind if self.split else legal, &other_kind, &other_label)
    if other_kind == NONE and self.split:
        most = best_within(self, c, s, legal, &other_kind, &other_label)
    self.system.arc(c, kind, &head, &dependent)
    if self.mends and s.arcs.way_out(c, s.kept, head, dependent, label[0], &other) and score - other.loss > most:
        relabel(c, other.word, other.label)
        other_kind, other_label = kind, label[0]
    elif other_kind == NONE:
        other_kind = best_by_scores(self, c, s, legal, least_broken(self, c, legal), &other_label)
    else:
        s.best_score = most
    label[0] = other_label
    self.system.arc(c, other_kind, &head, &dependent)
    if other_label >= 0 and dependent != NONE:
        note_arc(self, c, s, other_kind, dependent, False)
    return other_kind


cdef int best_by_scores(Chooser self, const Configuration* c, Scratch s, unsigned legal, int most_broken,
                        int* label) noexcept nogil:
    """Return the best of the legal kinds by the scores, and set its relation; NONE: whatever rules it breaks."""
    cdef int kind, first, end, i, best = NONE
    cdef float score, best_score = 0
    label[0] = NONE
    if self.split:
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 and (best == NONE or s.kind_scores[kind] > best_score):
                if most_broken == NONE or least_broken(self, c, 1 << kind) <= most_broken:
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
                if most_broken == NONE or broken_by(self, c, kind, self.moves.label[i]) <= most_broken:
                    best, best_score, label[0] = kind, score, self.moves.label[i]
    s.best_score = best_score
    return best


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
        self.mends = not system.has_places   # where moves are judged before they are made, nothing else may change
        self.table = scorer if fast and isinstance(scorer, LinearTable) else None
        set_ranges(self)
        self.decision = tw_bundled_decision(
            extractor.program_hash, len(extractor.encoder.attributes), extractor.encoder.has_items
        )
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
        """Return the kind of the best legal move, and set its relation: the best that keeps the rules."""
        cdef int kind
        if self.table is None:
            return self.choose_by_scores(c, e, row, s, legal, label)
        kind = self.choose_by_table(c, e, row, s, legal, label)
        # Few choices break a rule: those that do are made again.
        if c.rules == NULL or fits(self, c, s, kind, label[0], True):
            return kind
        return self.choose_by_scores(c, e, row, s, legal, label)

    cdef int choose_by_table(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                             int* label) noexcept nogil:
        """Choose by a LinearTable, in whole numbers."""
        cdef tw_sentence sentence
        cdef tw_desk desk = desk_of(self, s)
        cdef const tw_table* table = &self.table.table
        cdef unsigned from_root = kinds_from_root(self, c, legal)
        cdef int best
        if self.split:
            return self.choose_twice(c, e, row, s, legal, label)
        if (self.decision != NULL and self.extractor.bundled != NULL and table.has_avx2 and not table.wide
                and c.context_use != RETURNED):
            sentence = self.extractor.see(e, row)
            best = self.decision(
                table, &self.table.place, &self.ranges, c, &sentence, legal, from_root, &desk, label
            )
        else:
            # The keys of all groups come first: their lines are on the way while the first ones are looked up.
            self.extractor.look_and_join(
                c, e, row, &self.table.place, legal & self.moves.labelled != 0, NULL, s.keys, ROOM, s.counts
            )
            best = tw_decide(table, &self.ranges, legal, from_root, &desk, label)
        s.best_score = desk.best
        return best

    @cython.final
    cdef int choose_twice(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                          int* label) noexcept nogil:
        """Choose the kind by the table, then the relation."""
        cdef Seen seen
        cdef int kind, n, best = NONE
        cdef int32_t sums[MAX_KINDS]
        cdef tw_desk desk = desk_of(self, s)
        cdef const tw_table* table = &self.table.table
        self.extractor.look_and_join(c, e, row, &self.table.place, False, &seen, s.keys, ROOM, s.counts)
        tw_sum_kinds(table, &desk, sums)
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 and (best == NONE or sums[kind] > sums[best]):
                best = kind
        label[0] = NONE
        if self.moves.labelled >> best & 1 == 0:
            return best
        n = s.counts[BOTH] + s.counts[MOVES_ONLY]
        s.counts[LABELS_ONLY] = self.extractor.keys_of(
            LABELS_ONLY, &seen, e, row, &self.table.place, s.keys + n, ROOM
        )
        tw_sum_classes(table, &self.ranges, 1 << best, &desk)
        return self.best_by_sums(c, s, 1 << best, sums, label)

    @cython.final
    cdef int best_by_sums(self, const Configuration* c, Scratch s, unsigned legal, const int32_t* kinds,
                          int* label) noexcept nogil:
        """Return the best kind by the sums of kinds and those of classes in ``s.class_sums``, and set its relation."""
        cdef tw_desk desk = desk_of(self, s)
        cdef int best = tw_best_move(
            &self.table.table, &self.ranges, legal, kinds_from_root(self, c, legal), kinds, &desk, label
        )
        s.best_score = desk.best
        return best

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        """Score all kinds and classes with any scorer."""
        self.extractor.extract(c, e, row, s.keys, s.counts)
        self.scorer.score(s.keys, s.counts, s.kind_scores, s.class_scores)

    cdef int choose_by_scores(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                              int* label) noexcept nogil:
        """Choose by any scorer, in floats; the scores stay in the scratch memory.

        Where the best move breaks a rule, the best relation that does not takes its place: for the same kind of move,
        or where there is none, for any. If all moves break rules, those that break fewest are left.
        """
        cdef int kind
        self.score(c, e, row, s)
        kind = best_by_scores(self, c, s, legal, NONE, label)
        if c.rules == NULL or fits(self, c, s, kind, label[0], False):
            return kind
        return settle(self, c, s, legal, kind, label)

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
                if c.rules != NULL and broken_by(self, c, k, self.moves.label[i]):
                    continue
                s.margins[n] = score - s.kind_scores[k] - s.class_scores[i]
                n += 1
        return n

    cdef int note(self, const Configuration* c, Scratch s, int kind, int label, float confidence) except -1 nogil:
        """Note the confidence in the arc that a move is about to add."""
        cdef int head, dependent
        self.system.arc(c, kind, &head, &dependent)
        s.workspace.confidence[dependent] = confidence
        return 0


cdef void set_ranges(Chooser self) noexcept:
    """Note which classes moves may have, see decide.h."""
    cdef int kind
    cdef unsigned kinds
    cdef tw_moves* m = &self.ranges
    m.labelled, m.label = self.moves.labelled, self.moves.label
    for kind in range(MAX_KINDS):
        arc_classes(self.moves, kind, False, &m.range[0][kind].first, &m.range[0][kind].end)
        arc_classes(self.moves, kind, True, &m.range[1][kind].first, &m.range[1][kind].end)
    for kinds in range(1 << MAX_KINDS):
        legal_classes(self.moves, kinds, &m.span[kinds].first, &m.span[kinds].end)


cdef tw_desk desk_of(Chooser self, Scratch s) noexcept nogil:
    """Return the memory that decisions are made with."""
    cdef tw_desk desk
    desk.keys, desk.room, desk.counts = s.keys, ROOM, s.counts
    desk.rows, desk.sums = s.rows, s.class_sums
    return desk
