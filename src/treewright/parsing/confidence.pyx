"""How sure a parser is of an arc: the probability of the move that made it, among the legal ones.

Scores of any learner become probabilities by a softmax, after a factor ``beta`` (one over a temperature) that was
fitted on a dev set; a rising function (isotonic regression) may follow. Decisions in two steps, kind and then relation, have
the product of both. The trees are those of the greedy parser.
"""
from array import array

from libc.math cimport NAN, exp
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc

from treewright.errors import ModelFileError
from treewright.features.encoder cimport Encoded
from treewright.learners.learner cimport MAX_CLASSES, forced_kind
from treewright.learners.table cimport LinearTable
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport NONE, Configuration
from treewright.treebank.block cimport Block
from treewright.treebank.projectivity cimport NO_MEMORY

cdef enum:
    ROOM = 2 * (MAX_CLASSES + 8)


cdef class Margins:
    """What calibration needs of the decisions that made arcs, for any factor."""

    def __init__(self):
        self.starts = <int64_t*>malloc(sizeof(int64_t))
        if self.starts == NULL:
            raise MemoryError
        self.starts[0] = 0

    def __dealloc__(self):
        free(self.values)
        free(self.starts)
        free(self.words)

    def __len__(self):
        return self.n

    cdef int add(self, const float* row, int n, int64_t word) except -1 nogil:
        cdef int i
        cdef void* memory
        if self.n_values + n > self.values_room:
            self.values_room = n + 4096 + 2 * self.values_room
            memory = realloc(self.values, self.values_room * sizeof(float))
            if memory == NULL:
                with gil:
                    raise MemoryError
            self.values = <float*>memory
        if self.n >= self.room:
            self.room = 1024 + 2 * self.room
            memory = realloc(self.starts, (self.room + 1) * sizeof(int64_t))
            if memory != NULL:
                self.starts = <int64_t*>memory
                memory = realloc(self.words, self.room * sizeof(int64_t))
            if memory == NULL:
                with gil:
                    raise MemoryError
            self.words = <int64_t*>memory
        for i in range(n):
            self.values[self.n_values + i] = row[i]
        self.n_values += n
        self.words[self.n] = word
        self.n += 1
        self.starts[self.n] = self.n_values
        return 0

    def confidences(self, double beta, int64_t n_words):
        """Return the confidence of every word's arc with a factor; NaN for words that no move gave a head."""
        out = array("f", bytes(4 * n_words))
        cdef float[::1] view = out if n_words else array("f", [0])
        cdef int64_t i
        with nogil:
            for i in range(n_words):
                view[i] = NAN
            for i in range(self.n):
                if view[self.words[i]] != view[self.words[i]]:
                    view[self.words[i]] = 1
                view[self.words[i]] *= <float>share(self.values + self.starts[i], self.starts[i + 1] - self.starts[i], beta)
        return out


cdef double share(const float* row, int64_t n, double beta) noexcept nogil:
    """The probability of the chosen move, whose margins over all moves, itself included, are given."""
    cdef double total = 0
    cdef int64_t i
    for i in range(n):
        total += exp(-beta * row[i])
    return 1 / total if total > 0 else 1


cdef class ConfidentParser:
    """A greedy parser that says how sure it is. ``calibration``: as a model keeps it, or None for raw scores."""

    def __init__(self, GreedyParser parser, calibration=None):
        self.parser = parser
        calibration = calibration or {}
        scale = (<LinearTable>parser.scorer).scale if isinstance(parser.scorer, LinearTable) else 1.0
        self.beta = calibration.get("beta", 1 / scale)
        knots = calibration.get("knots", [])
        if not self.beta > 0 or any(not (0 <= a <= 1 and 0 <= b <= 1) for a, b in knots) or sorted(knots) != knots:
            raise ModelFileError("the calibration of the model is damaged")
        self.knots = array("f", [*(a for a, _ in knots), 2.0])
        self.levels = array("f", [*(b for _, b in knots), 1.0])

    def parse_block(self, Block block, int32_t[::1] heads, int32_t[::1] labels, float[::1] confidences,
                    Scratch scratch=None):
        """Parse every sentence of a block; NaN is the confidence of words that no move gave a head."""
        cdef int sentence, first, n
        cdef GreedyParser parser = self.parser
        cdef bint root_last = parser.system._root_last()
        cdef Scratch s = scratch if scratch is not None else Scratch(parser.extractor)
        cdef float* row
        if min(heads.shape[0], labels.shape[0], confidences.shape[0]) < block.n_words:
            raise ValueError("heads, labels and confidences must cover every word of the block")
        if block.n_words == 0:
            return
        row = <float*>malloc(ROOM * sizeof(float))
        if row == NULL:
            raise MemoryError
        parser.extractor.encoder.bind(block, s.encoded)
        try:
            with nogil:
                for sentence in range(block.n_sentences):
                    first = block.sentence_word[sentence]
                    n = block.sentence_word[sentence + 1] - first
                    if n == 0:
                        continue
                    s.encoded.clear()
                    parser.extractor.encoder.encode(block, sentence, root_last, s.encoded)
                    self.parse(s.encoded, 0, n, s, row, &heads[first], &labels[first], &confidences[first], None, 0)
        finally:
            free(row)

    cdef int parse(self, Encoded e, int64_t at, int n, Scratch s, float* row, int32_t* heads, int32_t* labels,
                   float* confidences, Margins margins, int64_t word) except -1 nogil:
        """Parse one encoded sentence. With ``margins``, those of its arcs are added, for words from ``word`` on."""
        cdef Configuration* c
        cdef unsigned legal
        cdef int kind, label, i, head, dependent, size, first
        s.workspace.reserve(n)
        c = &s.workspace.c
        for i in range(n):
            confidences[i] = NAN
        self.parser.system.start(c, n)
        while not self.parser.system.terminal(c):
            legal = self.parser.system.legal(c)
            kind, label = forced_kind(self.parser.moves, legal), NONE
            if kind == NONE:
                kind = self.parser.choose(c, e, at, s, legal, &label)
                self.parser.system.arc(c, kind, &head, &dependent)
                if dependent != NONE:
                    size = self.margins_of(c, s, legal, kind, label, row, &first)
                    confidences[dependent - 1] = self.calibrated(
                        share(row, first, self.beta) * (share(row + first, size - first, self.beta) if size > first else 1)
                    )
                    if margins is not None:
                        margins.add(row, first, word + dependent - 1)
                        if size > first:
                            margins.add(row + first, size - first, word + dependent - 1)
            self.parser.system.apply(c, kind, label)
        self.parser.finish(c, e, at, s)
        for i in range(n):
            heads[i] = c.head[i + 1] if c.head[i + 1] != c.root else 0
            labels[i] = c.label[i + 1]
        if self.parser.undo_lifting and self.parser.deprojectivizer.undo(heads, labels, n, s.trees) == NO_MEMORY:
            with gil:
                raise MemoryError
        return 0

    cdef int margins_of(self, const Configuration* c, Scratch s, unsigned legal, int kind, int label, float* row,
                        int* first) noexcept nogil:
        """Write by how much the chosen move, scored last, is better than each legal one; return how many.

        Where the kind is decided before the relation, those of kinds are first, ``first`` of them.
        """
        cdef int k, i, n = 0, begin, end, chosen = self.parser.moves.class_of(kind, label) if label >= 0 else NONE
        cdef float mine = s.kind_scores[kind]
        if self.parser.split:
            for k in range(self.parser.moves.n_kinds):
                if legal >> k & 1:
                    row[n] = mine - s.kind_scores[k]
                    n += 1
            first[0] = n
            if chosen >= 0:
                self.parser.class_range(c, kind, &begin, &end)
                for i in range(begin, end):
                    row[n] = s.class_scores[chosen] - s.class_scores[i]
                    n += 1
            return n
        if chosen >= 0:
            mine += s.class_scores[chosen]
        for k in range(self.parser.moves.n_kinds):
            if legal >> k & 1 == 0:
                continue
            if self.parser.moves.labelled >> k & 1 == 0:
                row[n] = mine - s.kind_scores[k]
                n += 1
                continue
            self.parser.class_range(c, k, &begin, &end)
            for i in range(begin, end):
                row[n] = mine - s.kind_scores[k] - s.class_scores[i]
                n += 1
        first[0] = n
        return n

    cdef float calibrated(self, double confidence) noexcept nogil:
        """The rising function: straight between its knots."""
        cdef Py_ssize_t i = 0, n = self.knots.shape[0] - 1
        cdef double width
        if n == 0:
            return <float>confidence
        while i < n and self.knots[i] < confidence:
            i += 1
        if i == 0:
            return self.levels[0]
        if i == n:
            return self.levels[n - 1]
        width = self.knots[i] - self.knots[i - 1]
        if width <= 0:
            return self.levels[i]
        return <float>(self.levels[i - 1] + (confidence - self.knots[i - 1]) / width * (self.levels[i] - self.levels[i - 1]))
