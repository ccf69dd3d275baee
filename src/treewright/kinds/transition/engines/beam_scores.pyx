"""Scores of moves for a beam, each computed once.

The states of a beam are much alike: most differ in decisions far back, or in one relation. Two things are remembered
for the length of a sentence.

- *Contexts*: all that the feature model sees of a configuration. When another state or a later step shows the same
  context, its sums are there, and its moves as far as they have been ranked.
- *Parts*: the templates are divided by what they look at: only the words at the top of the stack and in the buffer,
  whatever has been built around them; the arcs of one of these words; those of another; the rest. A part has
  the same sum wherever it sees the same.

Keys are 64-bit hashes, like those of features.
"""
from dataclasses import replace

from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from treewright.features.extractor cimport (
    BOTH, LABEL, LABELS_ONLY, LEFT_LABELS, MAX_FEATURES, MAX_NODES, MAX_SCALARS, MOVES_ONLY, RIGHT_LABELS, Scalar,
)
from treewright.features.measures cimport measure
from treewright.learners.learner cimport MAX_CLASSES, legal_classes
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.table cimport TW_AT_ONCE, tw_table
from treewright.kinds.transition.engines.beam_partition import partition
from treewright.kinds.transition.engines.memo cimport Known
from treewright.kinds.transition.engines.walk cimport class_range
from treewright.systems.configuration cimport NONE, RETURNED, top

cdef extern from "text_hash.h" nogil:
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef extern from "score.h" nogil:
    int tw_best(const tw_table* t, const int16_t* x, int n)

cdef enum:
    UNLABELLED = -2
    INT16_MIN = -32768

cdef uint64_t MULTIPLIERS[MAX_NODES + MAX_SCALARS]


cdef void make_multipliers() noexcept:
    cdef int i
    cdef uint64_t x = 0x9E3779B97F4A7C15ULL
    for i in range(MAX_NODES + MAX_SCALARS):
        x = tw_mix(x + <uint64_t>i * 0xD6E8FEB86659FD93ULL, 0xA0761D6478BD642FULL)
        MULTIPLIERS[i] = x | 1


make_multipliers()


cdef Extractor part_of(Extractor whole, templates):
    """Return an extractor of some of a model's templates that reads words as encoded for all of them."""
    cdef Extractor part = Extractor(
        replace(whole.model, templates=tuple(templates)), whole.relations, (), whole.clusters
    )
    cdef int i
    attributes = list(part.program.attributes)
    for i in range(part.n_static):
        part.scalars[i].argument = whole.program.attributes[attributes[part.scalars[i].argument]]
    part._pack()
    return part


cdef class Part:
    """Some templates, and the sums of their features that have been computed."""

    def __cinit__(self, Extractor extractor):
        self.extractor, self.memo = extractor, Memo()


cdef class BeamScores:
    """Ranks the legal moves of configurations. The memory of one thread."""

    def __cinit__(self):
        self.keys = <uint64_t*>self.new_block(MAX_FEATURES, sizeof(uint64_t))
        self.rows = <tw_rows*>self.new_block(1, sizeof(tw_rows))
        self.kind_scores = <float*>self.new_block(MAX_KINDS, sizeof(float))
        self.class_scores = <float*>self.new_block(MAX_CLASSES + 32, sizeof(float))
        self.seen = <Seen*>self.new_block(N_PARTS, sizeof(Seen))

    def __init__(self, Chooser parser, int most, bint keep_all=False):
        self.parser = parser
        self.table = parser.table if not keep_all else None
        self.keep_all = keep_all
        # rules can leave out any of the best moves
        self.most = parser.moves.n_classes + parser.moves.n_kinds
        if parser.extractor.encoder.rules is None:
            self.most = min(most, self.most)
        self.n_padded = (parser.moves.n_classes + 15) // 16 * 16     # as in a LinearTable
        self.contexts = Memo()
        templates = parser.extractor.model.templates
        # Sums of parts make the whole only with linear weights.
        linear = isinstance(parser.scorer, (LinearTable, Perceptron))
        parts = partition(templates) if linear else [[], [], [], templates]
        self.words, self.first, self.second, self.others = (
            Part((part_of(parser.extractor, part) if linear else parser.extractor) if part else None) for part in parts
        )

    @property
    def work(self):
        """How often moves were requested, how often added up, and how often the sums of each part were computed."""
        parts = (self.words, self.first, self.second, self.others)
        return self.asked, self.computed, *((<Part>part).computed for part in parts)

    cdef void forget(self) noexcept nogil:
        """Start another sentence, or continue with other weights."""
        self.contexts.forget()
        self.words.memo.forget()
        self.first.memo.forget()
        self.second.memo.forget()
        self.others.memo.forget()
        self.pool_size = 0

    cdef int64_t take(self, int64_t size) except -1 nogil:
        """Take bytes from the pool; return their position."""
        cdef int64_t place = self.pool_size, end = place + (size + 7) // 8, room
        if end > self.pool_room:
            room = max(end, 8192 + self.pool_room + self.pool_room // 2)
            self.pool = <uint64_t*>self.resized(self.pool, room, sizeof(uint64_t))
            self.pool_room = room
        self.pool_size = end
        return place

    cdef uint64_t look(self, Part part, const Configuration* c, Seen* seen) noexcept nogil:
        """Find the words that a part looks at; return a hash of all that its sums depend on, the anchors aside.

        What follows from the words alone is not evaluated: if the sums are known, it is not needed.
        """
        cdef uint64_t key = 0, value
        cdef const Scalar* scalar
        cdef int i, node, n
        if part.extractor is None:
            return 0
        n = part.extractor.n_nodes
        part.extractor.locate(c, seen.nodes)
        for i in range(0, n - 1, 2):
            key += (<uint64_t><uint32_t>seen.nodes[i] << 32 | <uint32_t>seen.nodes[i + 1]) * MULTIPLIERS[i]
        if n & 1:
            key += <uint64_t>(seen.nodes[n - 1] + 2) * MULTIPLIERS[n]
        for i in range(part.extractor.n_static, part.extractor.n_scalars):
            scalar = &part.extractor.scalars[i]
            node = seen.nodes[scalar.first]
            if scalar.op == LABEL:
                value = 0 if node == NONE else <uint64_t>(c.label[node] + 2)
            elif scalar.op == LEFT_LABELS:
                value = 0 if node == NONE else c.left_labels[node]
            elif scalar.op == RIGHT_LABELS:
                value = 0 if node == NONE else c.right_labels[node]
            else:
                value = <uint64_t>(<int64_t>measure(c, scalar, seen.nodes) + 64)
            key += (value ^ value >> 29) * MULTIPLIERS[MAX_NODES + i]
        return tw_mix(key, 0xE7037ED1A0B428DBULL)

    cdef int best(self, const Configuration* c, Encoded e, int64_t row, unsigned legal, BestMoves* out) except -1 nogil:
        """Give the best legal moves. ``out`` is valid until the next call."""
        cdef uint64_t anchors, key
        cdef uint64_t keys[N_PARTS]
        cdef Known* known
        cdef int64_t place
        cdef int k
        self.asked += 1
        anchors = <uint64_t>(c.buffer + 1) * 0xD6E8FEB86659FD93ULL + <uint64_t>(top(c, 0) + 2) * 0xA0761D6478BD642FULL
        if c.context_use == RETURNED:
            for k in range(c.context_size):      # all stand in front of the buffer, and features may look at several
                anchors = tw_mix(anchors + <uint64_t>(c.context[k] + 2), 0xE7037ED1A0B428DBULL)
        keys[0] = tw_mix(anchors, 0x9E3779B97F4A7C15ULL)
        keys[1] = keys[0] + self.look(self.first, c, &self.seen[1])
        keys[2] = keys[0] + self.look(self.second, c, &self.seen[2])
        keys[3] = keys[0] + self.look(self.others, c, &self.seen[3])
        key = keys[1] * MULTIPLIERS[0] + keys[2] * MULTIPLIERS[1] + keys[3] * MULTIPLIERS[2]
        # Arcs from the root have relations of their own; a head is one of the anchors, or the second word of the stack.
        legal |= <unsigned>(top(c, 1) == c.root) << 8
        key = tw_mix(key ^ <uint64_t>legal * 0x9E3779B97F4A7C15ULL, 0xE7037ED1A0B428DBULL)
        known = self.contexts.find(key)
        if known != NULL:
            place = known.record
        else:
            self.computed += 1
            place = compute(self, c, e, row, legal, keys)
            self.contexts.add(key, <uint32_t>place)
        out.record = <Record*>(self.pool + place)
        out.moves = <Ranked*>(self.pool + place + (sizeof(Record) + 7) // 8)
        out.scores = <float*>(out.moves + self.most)
        out.sums = <int16_t*>(out.moves + self.most)
        return 0

    cdef bint reach(self, BestMoves* best, int rank) noexcept nogil:
        """Rank the moves up to ``rank``; return whether there are that many."""
        cdef Record* record = best.record
        cdef int kind, chosen
        cdef float score, most = 0
        while record.n <= rank:
            if record.n == self.most:
                return False
            chosen = NONE
            for kind in range(self.parser.moves.n_kinds):
                if record.next[kind] == NONE:
                    continue
                score = record.scores[kind]
                if record.next[kind] != UNLABELLED:
                    score += best.scores[record.next[kind]] if self.table is None else best.sums[record.next[kind]]
                if chosen == NONE or score > most:
                    chosen, most = kind, score
            if chosen == NONE:
                return False
            best.moves[record.n].score = most
            best.moves[record.n].kind = <int16_t>chosen
            if record.next[chosen] == UNLABELLED:
                best.moves[record.n].label_class = NONE
                record.n += 1
                record.next[chosen] = NONE
            else:
                best.moves[record.n].label_class = <int16_t>record.next[chosen]
                record.n += 1
                if self.table is not None:
                    best.sums[record.next[chosen]] = INT16_MIN
                record.next[chosen] = best_of(self, <int64_t>(<uint64_t*>record - self.pool), chosen)
        return True


cdef int64_t compute(BeamScores self, const Configuration* c, Encoded e, int64_t row, unsigned legal,
                     const uint64_t* keys) except -1 nogil:
    """Add up the parts, and prepare the ranking; return the position of the record."""
    cdef int64_t size = sizeof(Record) + 8 + self.most * sizeof(Ranked), place
    cdef int64_t parts[N_PARTS]
    cdef int kind, first, end
    cdef Record* record
    parts[0] = part_record(self, self.words, keys[0], c, e, row, &self.seen[0], True)
    parts[1] = part_record(self, self.first, keys[1], c, e, row, &self.seen[1], False)
    parts[2] = part_record(self, self.second, keys[2], c, e, row, &self.seen[2], False)
    parts[3] = part_record(self, self.others, keys[3], c, e, row, &self.seen[3], False)
    place = self.take(size + self.n_padded * (sizeof(float) if self.table is None else sizeof(int16_t)))
    record = <Record*>(self.pool + place)
    record.n = 0
    for kind in range(MAX_KINDS):
        record.kinds[kind] = record.scores[kind] = 0
        record.next[kind] = record.end[kind] = record.first[kind] = 0
    if self.table is None:
        add_floats(self, place, parts)
    else:
        legal_classes(self.parser.moves, legal, &first, &end)
        add_integers(self, place, parts, first, end)
    for kind in range(self.parser.moves.n_kinds):
        if legal >> kind & 1 == 0:
            record.next[kind] = NONE
        elif self.parser.moves.labelled >> kind & 1:
            class_range(self.parser, c, kind, &first, &end)
            record.first[kind], record.end[kind] = first, end
            record.next[kind] = best_of(self, place, kind)
        else:
            record.next[kind] = UNLABELLED
    for kind in range(self.parser.moves.n_kinds, MAX_KINDS):
        record.next[kind] = NONE
    return place


cdef int64_t part_record(BeamScores self, Part part, uint64_t key, const Configuration* c, Encoded e, int64_t row,
                         Seen* seen, bint unseen) except -2 nogil:
    """Return the position of a part's sums in the pool, NONE of a part without templates."""
    cdef Known* known = part.memo.find(key)
    cdef int64_t place
    cdef int32_t* kinds
    cdef int counts[3]
    if known != NULL:
        return known.record
    if part.extractor is None:
        return NONE
    part.computed += 1
    if self.table is not None:
        place = self.take(MAX_KINDS * sizeof(int32_t) + self.n_padded * sizeof(int16_t))
        if unseen:
            part.extractor.locate(c, seen.nodes)
        part.extractor.evaluate(c, seen.nodes, e, row, seen.values)
        kinds = <int32_t*>(self.pool + place)
        sum_keys(self, part.extractor, seen, e, row, kinds, <int16_t*>(kinds + MAX_KINDS))
    else:
        place = self.take((MAX_KINDS + self.n_padded) * sizeof(float))
        part.extractor.extract(c, e, row, self.keys, counts)
        self.parser.scorer.score(self.keys, counts, self.kind_scores, self.class_scores)
        memcpy(self.pool + place, self.kind_scores, MAX_KINDS * sizeof(float))
        memcpy(self.pool + place + MAX_KINDS // 2, self.class_scores, self.n_padded * sizeof(float))
    part.memo.add(key, <uint32_t>place)
    return place


cdef void sum_keys(BeamScores self, Extractor extractor, const Seen* seen, Encoded e, int64_t row, int32_t* kinds,
                   int16_t* classes) noexcept nogil:
    """Add up the weights of an extractor's features."""
    cdef int32_t ignored[MAX_KINDS]
    cdef int n, both
    memset(kinds, 0, MAX_KINDS * sizeof(int32_t))
    n = extractor.keys_of(BOTH, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 2)
    both = min(n, <int>TW_AT_ONCE)
    self.table.sum_moves(self.keys, both, kinds, self.rows)
    # The rows are on their way while other keys are looked up.
    n = extractor.keys_of(MOVES_ONLY, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 2)
    if n:
        self.table.sum_moves_only(self.keys, min(n, <int>TW_AT_ONCE), kinds)
    self.table.begin_rows(self.rows, 0, self.n_padded, classes)
    n = extractor.keys_of(LABELS_ONLY, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 4)
    if n:
        memset(ignored, 0, sizeof(ignored))
        self.table.sum_moves(self.keys, min(n, <int>TW_AT_ONCE - both), ignored, self.rows)
        self.table.sum_rows(self.rows, 0, self.n_padded, classes)


cdef void add_integers(BeamScores self, int64_t place, const int64_t* parts, int first, int end) noexcept nogil:
    """Add up the sums of parts for the kinds and for classes first .. end."""
    cdef Record* record = <Record*>(self.pool + place)
    cdef int16_t* sums = <int16_t*>(self.pool + place + (sizeof(Record) + 7) // 8 + self.most)
    cdef const int32_t* kinds
    cdef const int16_t* classes
    cdef int i, k
    cdef bint begun = False
    for i in range(N_PARTS):
        if parts[i] == NONE:
            continue
        kinds = <const int32_t*>(self.pool + parts[i])
        classes = <const int16_t*>(kinds + MAX_KINDS)
        for k in range(MAX_KINDS):
            record.kinds[k] += kinds[k]
        if begun:
            for k in range(first, end):
                sums[k] = <int16_t>(sums[k] + classes[k])
        elif first < end:
            memcpy(sums + first, classes + first, (end - first) * sizeof(int16_t))
        begun = True
    if not begun:
        memset(sums, 0, self.n_padded * sizeof(int16_t))
    for k in range(MAX_KINDS):
        record.scores[k] = <float>record.kinds[k]


cdef void add_floats(BeamScores self, int64_t place, const int64_t* parts) noexcept nogil:
    """Add up the scores of parts."""
    cdef Record* record = <Record*>(self.pool + place)
    cdef float* scores = <float*>(self.pool + place + (sizeof(Record) + 7) // 8 + self.most)
    cdef const float* kinds
    cdef int i, k
    memset(scores, 0, self.n_padded * sizeof(float))
    for i in range(N_PARTS):
        if parts[i] == NONE:
            continue
        kinds = <const float*>(self.pool + parts[i])
        for k in range(MAX_KINDS):
            record.scores[k] += kinds[k]
        for k in range(self.n_padded):
            scores[k] += kinds[MAX_KINDS + k]


cdef int best_of(BeamScores self, int64_t place, int kind) noexcept nogil:
    """Return the best class of a kind that has not been ranked, or NONE."""
    cdef const Record* record = <const Record*>(self.pool + place)
    cdef int64_t behind = (sizeof(Record) + 7) // 8 + self.most
    cdef int first = record.first[kind], end = record.end[kind], i, best = NONE
    cdef const float* scores = <const float*>(self.pool + place + behind)
    cdef const int16_t* sums = <const int16_t*>(self.pool + place + behind)
    if self.table is None:
        for i in range(first, end):
            if not is_ranked(record, <const Ranked*>(self.pool + place + (sizeof(Record) + 7) // 8), i):
                if best == NONE or scores[i] > scores[best]:
                    best = i
        return best
    if first >= end:
        return NONE
    best = first + tw_best(&self.table.table, sums + first, end - first)
    return best if sums[best] != INT16_MIN else NONE


cdef inline bint is_ranked(const Record* record, const Ranked* moves, int label_class) noexcept nogil:
    cdef int i
    for i in range(record.n):
        if moves[i].label_class == label_class:
            return True
    return False
