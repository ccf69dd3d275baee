"""Scores of moves for a beam, each computed once.

The states of a beam are much alike: most differ in decisions that lie far back, or in one relation. Two things are
remembered for the length of a sentence.

- *Contexts*: what the feature model sees of a configuration, as a whole. Whenever the same is seen again, by another
  state or in a later step, the ranked moves are there.
- *Pairs*: templates that look only at words of the buffer and at the top of the stack, not at arcs, have the same
  sum wherever these words meet, whatever has been built around them. They are the larger half of a model.

Keys are 64-bit hashes, as those of features are.
"""
from dataclasses import replace

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport (
    BOTH, LABELS_ONLY, MAX_FEATURES, MAX_NODES, MAX_SCALARS, MOVES_ONLY, Extractor, Seen,
)
from treewright.features.language import Attribute
from treewright.learners.learner cimport MAX_CLASSES, Scorer
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.table cimport TW_AT_ONCE, LinearTable, tw_rows
from treewright.parsing.greedy cimport GreedyParser
from treewright.systems.configuration cimport NONE, Configuration, top

cdef extern from "text_hash.h" nogil:
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef extern from "above.h" nogil:
    int tw_next_above(const int16_t* x, int at, int end, int limit)

cdef uint64_t MULTIPLIERS[MAX_NODES + MAX_SCALARS]


cdef void make_multipliers() noexcept:
    cdef int i
    cdef uint64_t x = 0x9E3779B97F4A7C15ULL
    for i in range(MAX_NODES + MAX_SCALARS):
        x = tw_mix(x + <uint64_t>i * 0xD6E8FEB86659FD93ULL, 0xA0761D6478BD642FULL)
        MULTIPLIERS[i] = x | 1


make_multipliers()


cdef class Memo:
    def __cinit__(self):
        self.mask = 1023
        self.sentence = 1
        self.entries = <Known*>calloc(self.mask + 1, sizeof(Known))
        if self.entries == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)

    cdef void forget(self) noexcept nogil:
        """Begin with nothing known."""
        self.n = 0
        self.sentence += 1
        if self.sentence == 0:
            memset(self.entries, 0, (self.mask + 1) * sizeof(Known))
            self.sentence = 1

    cdef Known* find(self, uint64_t key) noexcept nogil:
        """Return the entry of a key, NULL where there is none."""
        cdef uint64_t at = key >> 20 & self.mask
        while self.entries[at].sentence == self.sentence:
            if self.entries[at].key == key:
                return &self.entries[at]
            at = (at + 1) & self.mask
        return NULL

    cdef Known* add(self, uint64_t key, uint32_t record) except NULL nogil:
        """Make an entry for a key that has none."""
        cdef uint64_t at
        if 2 * self.n > <int64_t>self.mask:
            self.grow()
        at = key >> 20 & self.mask
        while self.entries[at].sentence == self.sentence:
            at = (at + 1) & self.mask
        self.entries[at].key = key
        self.entries[at].sentence = self.sentence
        self.entries[at].record = record
        self.n += 1
        return &self.entries[at]

    cdef int grow(self) except -1 nogil:
        cdef uint64_t i, at, size = self.mask + 1, mask = 2 * size - 1
        cdef Known* entries = <Known*>calloc(mask + 1, sizeof(Known))
        if entries == NULL:
            with gil:
                raise MemoryError
        for i in range(size):
            if self.entries[i].sentence == self.sentence:
                at = self.entries[i].key >> 20 & mask
                while entries[at].sentence == self.sentence:
                    at = (at + 1) & mask
                entries[at] = self.entries[i]
        free(self.entries)
        self.entries, self.mask = entries, mask
        return 0


def at_anchors(function, int depth):
    """Does a feature function look only at the buffer and at the first ``depth`` words of the stack, not at arcs?"""
    if isinstance(function, Attribute):
        if function.name == "l":
            return False
        addresses = (function.address,)
    elif function.name == "distance":
        addresses = function.addresses
    else:
        return False
    return all(
        (a.base == "input" or (a.base == "stack" and a.index < depth)) and all(isinstance(step, int) for step in a.steps)
        for a in addresses
    )


cdef Extractor part_of(Extractor whole, templates):
    """Return an extractor of some of a model's templates that reads words as encoded for all of them."""
    cdef Extractor part = Extractor(replace(whole.model, templates=tuple(templates)), whole.relations)
    cdef int i
    names = list(part.numbers[1])
    for i in range(part.n_static):
        part.scalars[i].argument = whole.numbers[1][names[part.scalars[i].argument]]
    part._pack()
    return part


cdef class BeamScores:
    """Ranks the legal moves of configurations. The memory of one thread."""

    def __cinit__(self):
        self.keys = <uint64_t*>malloc(MAX_FEATURES * sizeof(uint64_t))
        self.rows = <tw_rows*>malloc(sizeof(tw_rows))
        self.class_sums = <int16_t*>calloc(MAX_CLASSES + 32, sizeof(int16_t))
        self.kind_scores = <float*>calloc(8, sizeof(float))
        self.class_scores = <float*>calloc(MAX_CLASSES + 32, sizeof(float))
        if (self.keys == NULL or self.rows == NULL or self.class_sums == NULL or self.kind_scores == NULL
                or self.class_scores == NULL):
            raise MemoryError

    def __init__(self, GreedyParser parser, int most, bint keep_all=False, bint share=True):
        self.parser = parser
        self.table = parser.table if not keep_all else None
        self.keep_all = keep_all
        self.most = min(most, parser.moves.n_classes + parser.moves.n_kinds)
        self.ranked = <Ranked*>calloc(self.most + 1, sizeof(Ranked))
        if self.ranked == NULL:
            raise MemoryError
        self.n_padded = (parser.moves.n_classes + 15) // 16 * 16     # as in a LinearTable
        self.pairs, self.contexts = Memo(), Memo()
        # Sums of parts make the whole only with linear weights.
        self._divide(share and isinstance(parser.scorer, (LinearTable, Perceptron)))

    def _divide(self, bint share):
        templates = self.parser.extractor.model.templates
        for self.depth in (1, 2):
            anchored = [t for t in templates if all(at_anchors(f, self.depth) for f in t.functions)]
            if 2 * len(anchored) >= len(templates):
                break
        rest = [t for t in templates if t not in anchored]
        self.pair, self.context = None, self.parser.extractor
        if share and anchored and rest:
            self.pair, self.context = part_of(self.parser.extractor, anchored), part_of(self.parser.extractor, rest)

    def __dealloc__(self):
        free(self.keys)
        free(self.rows)
        free(self.class_sums)
        free(self.kind_scores)
        free(self.class_scores)
        free(self.ranked)
        free(self.pool)

    cdef void forget(self) noexcept nogil:
        """Begin another sentence, or go on with other weights."""
        self.pairs.forget()
        self.contexts.forget()
        self.pool_size = 0

    cdef int64_t take(self, int64_t size) except -1 nogil:
        """Return the place of so many bytes of the pool."""
        cdef int64_t place = self.pool_size
        cdef void* memory
        self.pool_size += (size + 7) // 8
        if self.pool_size > self.pool_room:
            self.pool_room = max(self.pool_size, 8192 + self.pool_room + self.pool_room // 2)
            memory = realloc(self.pool, self.pool_room * sizeof(uint64_t))
            if memory == NULL:
                with gil:
                    raise MemoryError
            self.pool = <uint64_t*>memory
        return place

    cdef uint64_t context_key(self, const Configuration* c, const Seen* seen, unsigned legal, uint64_t pair) noexcept nogil:
        """A hash of all that the scores and the choice of moves depend on."""
        cdef uint64_t key = pair
        cdef int i, kind, head, dependent
        for i in range(0, self.context.n_nodes - 1, 2):
            key += ((<uint64_t><uint32_t>seen.nodes[i] << 32) | <uint32_t>seen.nodes[i + 1]) * MULTIPLIERS[i]
        if self.context.n_nodes & 1:
            key += <uint64_t>(seen.nodes[self.context.n_nodes - 1] + 2) * MULTIPLIERS[MAX_NODES - 1]
        for i in range(self.context.n_static, self.context.n_scalars):
            key += (seen.values[i] ^ seen.values[i] >> 29) * MULTIPLIERS[MAX_NODES + i]
        for kind in range(self.parser.moves.n_kinds):
            if legal & self.parser.moves.labelled & 1 << kind:
                self.parser.system.arc(c, kind, &head, &dependent)
                legal |= <unsigned>(head == c.root) << (8 + kind)
        return tw_mix(key ^ <uint64_t>legal * 0x9E3779B97F4A7C15ULL, 0xE7037ED1A0B428DBULL)

    cdef int best(self, const Configuration* c, Encoded e, int64_t row, unsigned legal, Best* out) except -1 nogil:
        """Give the best legal moves. What ``out`` points to stays until the next call."""
        cdef Seen seen
        cdef uint64_t pair = <uint64_t>(c.buffer + 1) * 0xD6E8FEB86659FD93ULL, key
        cdef Known* known
        cdef int64_t place, pair_place = 0
        cdef int32_t kinds[4]
        cdef int counts[3]
        cdef int i, n, first, end
        cdef float* full
        self.asked += 1
        for i in range(self.depth):
            pair += <uint64_t>(top(c, i) + 2) * (MULTIPLIERS[i] ^ 0x9E3779B97F4A7C15ULL)
        self.context.look(c, e, row, &seen)
        key = self.context_key(c, &seen, legal, pair)
        known = self.contexts.find(key)
        if known == NULL:
            self.computed += 1
            if self.pair is not None:
                pair_place = self.pair_record(pair, c, e, row)
            if self.table is not None:
                kinds[0] = kinds[1] = kinds[2] = kinds[3] = 0
                if self.pair is not None:
                    memcpy(kinds, self.pool + pair_place, 16)
                    memcpy(self.class_sums, self.pool + pair_place + 2, self.n_padded * sizeof(int16_t))
                else:
                    memset(self.class_sums, 0, self.n_padded * sizeof(int16_t))
                self.parser.legal_classes(legal, &first, &end)
                self.add_keys(self.context, &seen, e, row, first, end, kinds)
                self.rank_sums(c, legal, kinds, &n)
            else:
                self.context.extract(c, e, row, self.keys, counts)
                self.parser.scorer.score(self.keys, counts, self.kind_scores, self.class_scores)
                if self.pair is not None:
                    full = <float*>(self.pool + pair_place)
                    for i in range(4):
                        self.kind_scores[i] += full[i]
                    for i in range(self.n_padded):
                        self.class_scores[i] += full[4 + i]
                self.rank_scores(c, legal, &n)
            place = self.take(8 + self.most * sizeof(Ranked) + (4 + self.n_padded) * sizeof(float) * self.keep_all)
            (<int32_t*>(self.pool + place))[0] = n
            memcpy(self.pool + place + 1, self.ranked, n * sizeof(Ranked))
            if self.keep_all:
                full = <float*>(self.pool + place + 1 + self.most)
                memcpy(full, self.kind_scores, 4 * sizeof(float))
                memcpy(full + 4, self.class_scores, self.n_padded * sizeof(float))
            known = self.contexts.add(key, <uint32_t>place)
        out.n = (<int32_t*>(self.pool + known.record))[0]
        out.moves = <Ranked*>(self.pool + known.record + 1)
        out.kinds = <const float*>(self.pool + known.record + 1 + self.most)
        out.classes = out.kinds + 4
        return 0

    cdef int64_t pair_record(self, uint64_t key, const Configuration* c, Encoded e, int64_t row) except -1 nogil:
        """Return the place of the sums of the templates that look at the anchors alone."""
        cdef Seen seen
        cdef Known* known = self.pairs.find(key)
        cdef int64_t place
        cdef int counts[3]
        cdef int32_t* kinds
        cdef float* full
        if known != NULL:
            return known.record
        self.pairs_computed += 1
        if self.table is not None:
            place = self.take(16 + self.n_padded * sizeof(int16_t))
            kinds = <int32_t*>(self.pool + place)
            kinds[0] = kinds[1] = kinds[2] = kinds[3] = 0
            memset(self.class_sums, 0, self.n_padded * sizeof(int16_t))
            self.pair.look(c, e, row, &seen)
            self.add_keys(self.pair, &seen, e, row, 0, self.n_padded, kinds)
            memcpy(kinds + 4, self.class_sums, self.n_padded * sizeof(int16_t))
        else:
            self.pair.extract(c, e, row, self.keys, counts)
            self.parser.scorer.score(self.keys, counts, self.kind_scores, self.class_scores)
            place = self.take((4 + self.n_padded) * sizeof(float))
            full = <float*>(self.pool + place)
            memcpy(full, self.kind_scores, 4 * sizeof(float))
            memcpy(full + 4, self.class_scores, self.n_padded * sizeof(float))
        self.pairs.add(key, <uint32_t>place)
        return place

    cdef int add_keys(self, Extractor extractor, const Seen* seen, Encoded e, int64_t row, int first, int end,
                      int32_t* kinds) noexcept nogil:
        """Add the weights of an extractor's features to the sums of kinds and of classes first .. end."""
        cdef int32_t ignored[4]
        cdef int n
        ignored[0] = ignored[1] = ignored[2] = ignored[3] = 0
        n = extractor.keys_of(BOTH, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 2)
        self.table.sum_moves(self.keys, min(n, <int>TW_AT_ONCE), kinds, self.rows)
        # The rows are on their way while other keys are looked up.
        n = extractor.keys_of(MOVES_ONLY, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 2)
        if n:
            self.table.sum_moves_only(self.keys, min(n, <int>TW_AT_ONCE), kinds)
        self.table.sum_rows(self.rows, first, end, self.class_sums)
        n = extractor.keys_of(LABELS_ONLY, seen, e, row, &self.table.place, self.keys, MAX_FEATURES // 4)
        if n:
            self.table.sum_moves(self.keys, min(n, <int>TW_AT_ONCE), ignored, self.rows)
            self.table.sum_rows(self.rows, first, end, self.class_sums)
        return 0

    cdef void rank_sums(self, const Configuration* c, unsigned legal, const int32_t* kinds, int* n) noexcept nogil:
        """Rank the legal moves by the sums."""
        cdef int kind, first, end, i
        n[0] = 0
        for kind in range(self.parser.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            if self.parser.moves.labelled >> kind & 1 == 0:
                insert(self.ranked, n, self.most, <float>kinds[kind], kind, NONE)
                continue
            self.parser.class_range(c, kind, &first, &end)
            i = first
            while i < end:
                insert(self.ranked, n, self.most, <float>(kinds[kind] + self.class_sums[i]), kind, i)
                i += 1
                if n[0] == self.most:
                    # Only what is above the last of the best can get among them.
                    i = tw_next_above(self.class_sums, i, end, <int>self.ranked[self.most - 1].score - kinds[kind])

    cdef void rank_scores(self, const Configuration* c, unsigned legal, int* n) noexcept nogil:
        """Rank the legal moves by the scores."""
        cdef int kind, first, end, i
        n[0] = 0
        for kind in range(self.parser.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            if self.parser.moves.labelled >> kind & 1 == 0:
                insert(self.ranked, n, self.most, self.kind_scores[kind], kind, NONE)
                continue
            self.parser.class_range(c, kind, &first, &end)
            for i in range(first, end):
                insert(self.ranked, n, self.most, self.kind_scores[kind] + self.class_scores[i], kind, i)


cdef inline void insert(Ranked* ranked, int* n, int most, float score, int kind, int label_class) noexcept nogil:
    """Put a move in its place among the best; of equals, the first stays first."""
    cdef int at = n[0]
    if at == most:
        if score <= ranked[at - 1].score:
            return
        at -= 1
    else:
        n[0] += 1
    while at > 0 and ranked[at - 1].score < score:
        ranked[at] = ranked[at - 1]
        at -= 1
    ranked[at].score, ranked[at].kind, ranked[at].label_class = score, <int16_t>kind, <int16_t>label_class
