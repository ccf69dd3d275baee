"""Greedy parsing: the best legal move, until the parse is complete. No GIL, no allocation per sentence."""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport BOTH, LABELS_ONLY, MAX_FEATURES, MOVES_ONLY, Extractor, Seen
from treewright.learners.learner cimport MAX_CLASSES, Moves, Scorer, arc_classes, forced_kind, legal_classes
from treewright.learners.table cimport TW_AT_ONCE, LinearTable, tw_rows, tw_table
from treewright.systems.configuration cimport NONE, Configuration, Workspace
from treewright.systems.system cimport MAX_KINDS, System
from treewright.treebank.block cimport Block
from treewright.treebank.deprojectivizer cimport Deprojectivizer
from treewright.treebank.projectivity cimport NO_MEMORY, TreeWorkspace

cdef extern from "score.h" nogil:
    int tw_best(const tw_table* t, const int16_t* x, int n)


cdef class Scratch:
    def __cinit__(self, Extractor extractor):
        self.workspace = Workspace()
        self.trees = TreeWorkspace()
        self.encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
        self.keys = <uint64_t*>malloc(MAX_FEATURES * sizeof(uint64_t))
        self.rows = <tw_rows*>malloc(sizeof(tw_rows))
        self.kind_scores = <float*>calloc(8, sizeof(float))
        self.class_scores = <float*>calloc(MAX_CLASSES, sizeof(float))
        self.class_sums = <int16_t*>calloc(MAX_CLASSES + 32, sizeof(int16_t))
        if (self.keys == NULL or self.rows == NULL or self.kind_scores == NULL or self.class_scores == NULL
                or self.class_sums == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.keys)
        free(self.rows)
        free(self.kind_scores)
        free(self.class_scores)
        free(self.class_sums)


cdef class GreedyParser:
    """A system, a guide and a scorer at work. Read-only: any number of threads may share one."""

    def __init__(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split=False,
                 Deprojectivizer deprojectivizer=None, bint fast=True):
        """``fast=False`` scores a LinearTable as any other scorer, through floats: slower, for comparison."""
        if system.has_places and type(self) is GreedyParser:
            raise CombinationError(f"{system.name} makes its moves anywhere in the sentence: EasyFirstParser is for it")
        if any(not 0 <= label < len(extractor.relations) for _, label in moves.classes):
            raise CombinationError("a move has a relation that the extractor does not know")
        if scorer.n_classes != moves.n_classes:
            raise CombinationError(f"{moves.n_classes} labelled moves, and weights for {scorer.n_classes}")
        self.system, self.extractor, self.moves, self.scorer = system, extractor, moves, scorer
        self.split = split
        self.deprojectivizer = deprojectivizer
        self.undo_lifting = deprojectivizer is not None and deprojectivizer.n_encoded > 0
        self.table = scorer if fast and isinstance(scorer, LinearTable) else None

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return Scratch(self.extractor)

    def parse_block(self, Block block, int32_t[::1] heads, int32_t[::1] labels, Scratch scratch=None):
        """Parse every sentence of a block; heads and relations go to the arrays, word by word."""
        cdef int sentence, first, n
        cdef bint root_last = self.system._root_last()
        cdef Scratch s = scratch if scratch is not None else self.new_scratch()
        if heads.shape[0] < block.n_words or labels.shape[0] < block.n_words:
            raise ValueError("heads and labels must cover every word of the block")
        if block.n_words == 0:
            return
        self.extractor.encoder.bind(block, s.encoded)
        with nogil:
            for sentence in range(block.n_sentences):
                first = block.sentence_word[sentence]
                n = block.sentence_word[sentence + 1] - first
                if n == 0:
                    continue
                s.encoded.clear()
                self.extractor.encoder.encode(block, sentence, root_last, s.encoded)
                self.parse(s.encoded, 0, n, s, &heads[first], &labels[first])

    cdef int parse(self, Encoded e, int64_t row, int n, Scratch s, int32_t* heads, int32_t* labels) except -1 nogil:
        """Parse one encoded sentence of n words. Heads are sentence numbers, 0 for the root."""
        cdef Configuration* c
        cdef unsigned legal
        cdef int kind, label, word
        s.workspace.reserve(n)
        c = &s.workspace.c
        self.system.start(c, n)
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            kind, label = forced_kind(self.moves, legal), NONE
            if kind == NONE and self.table is not None:
                kind = self.choose_fast(c, e, row, s, legal, &label)
            elif kind == NONE:
                kind = self.choose(c, e, row, s, legal, &label)
            self.system.apply(c, kind, label)
        self.finish(c, e, row, s)
        for word in range(n):
            heads[word] = c.head[word + 1] if c.head[word + 1] != c.root else 0
            labels[word] = c.label[word + 1]
        if self.undo_lifting and self.deprojectivizer.undo(heads, labels, n, s.trees) == NO_MEMORY:
            with gil:
                raise MemoryError
        return 0

    cdef void class_range(self, const Configuration* c, int kind, int* first, int* end) noexcept nogil:
        """Give the classes that a legal move of a kind may take: an arc from the root has its own relations."""
        cdef int head, dependent
        self.system.arc(c, kind, &head, &dependent)
        arc_classes(self.moves, kind, head == c.root, first, end)

    cdef int choose_fast(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int* label) noexcept nogil:
        """The best legal move by a LinearTable, in whole numbers."""
        cdef Seen seen
        cdef int32_t sums[MAX_KINDS]
        cdef int32_t ignored[MAX_KINDS]
        cdef int kind, first, end, at, n, best = NONE
        cdef int32_t score, best_score = 0
        self.extractor.look(c, e, row, &seen)
        # More features than the sums have room for are met only with products of many single FEATS; the last
        # are then left out.
        memset(sums, 0, sizeof(sums))
        n = self.extractor.keys_of(BOTH, &seen, e, row, &self.table.place, s.keys, MAX_FEATURES // 2)
        self.table.sum_moves(s.keys, n if n < TW_AT_ONCE else TW_AT_ONCE, sums, s.rows)
        n = self.extractor.keys_of(MOVES_ONLY, &seen, e, row, &self.table.place, s.keys, MAX_FEATURES // 2)
        if n:
            self.table.sum_moves_only(s.keys, n if n < TW_AT_ONCE else TW_AT_ONCE, sums)
        label[0] = NONE
        if self.split:
            for kind in range(self.moves.n_kinds):
                if legal >> kind & 1 and (best == NONE or sums[kind] > best_score):
                    best, best_score = kind, sums[kind]
            if self.moves.labelled >> best & 1 == 0:
                return best
            legal = 1 << best
            best = NONE
        if legal & self.moves.labelled:
            legal_classes(self.moves, legal, &first, &end)
            self.table.begin_rows(s.rows, first, end, s.class_sums)
            n = self.extractor.keys_of(LABELS_ONLY, &seen, e, row, &self.table.place, s.keys, MAX_FEATURES // 4)
            if n:
                memset(ignored, 0, sizeof(ignored))
                self.table.sum_moves(s.keys, n if n < TW_AT_ONCE else TW_AT_ONCE, ignored, s.rows)
                self.table.sum_rows(s.rows, first, end, s.class_sums)
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            score = sums[kind]
            at = NONE
            if self.moves.labelled >> kind & 1:
                self.class_range(c, kind, &first, &end)
                at = first + tw_best(&self.table.table, s.class_sums + first, end - first)
                score += s.class_sums[at]
            if best == NONE or score > best_score:
                best, best_score = kind, score
                label[0] = self.moves.label[at] if at != NONE else NONE
        s.best_score = best_score
        return best

    cdef int choose(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int* label) noexcept nogil:
        """The best legal move by any scorer."""
        cdef int counts[3]
        cdef int kind, first, end, i, best = NONE
        cdef float score, best_score = 0
        self.extractor.extract(c, e, row, s.keys, counts)
        self.scorer.score(s.keys, counts, s.kind_scores, s.class_scores)
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
            self.class_range(c, kind, &first, &end)
            for i in range(first, end):
                score = s.kind_scores[kind] + s.class_scores[i]
                if best == NONE or score > best_score:
                    best, best_score, label[0] = kind, score, self.moves.label[i]
        s.best_score = best_score
        return best

    cdef void finish(self, Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        """Attach words that no move gave a head: the first to the root if no word is there, others to the root word."""
        cdef int word, root_word = NONE, kind
        for word in range(1, c.n + 1):
            if c.head[word] == c.root:
                root_word = word
                break
        for word in range(1, c.n + 1):
            if c.head[word] != NONE:
                continue
            if root_word == NONE or not self.system.single_root:
                c.head[word] = c.root
                kind = self.system.pose(c, c.root, word)
                c.label[word] = self.best_label(c, e, row, s, kind, True)
                root_word = word if root_word == NONE else root_word
            else:
                c.head[word] = root_word
                kind = self.system.pose(c, root_word, word)
                c.label[word] = self.best_label(c, e, row, s, kind, False)

    cdef int best_label(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind, bint root) noexcept nogil:
        """The best relation for an arc of that kind in this configuration."""
        cdef int counts[3]
        cdef int i, best, first, end
        arc_classes(self.moves, kind, root, &first, &end)
        self.extractor.extract(c, e, row, s.keys, counts)
        self.scorer.score(s.keys, counts, s.kind_scores, s.class_scores)
        best = first
        for i in range(first, end):
            if s.class_scores[i] > s.class_scores[best]:
                best = i
        return self.moves.label[best]
