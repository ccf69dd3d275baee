"""Confidence in an arc: the probability of the move that made it, among the legal ones.

A softmax turns the scores of any learner into probabilities, after a factor ``beta`` (one over a temperature) that was
fitted on a dev set; a rising function (isotonic regression) may follow. Decisions in two steps, kind and then relation,
have the product of both. In easy-first, the legal moves are those at all places. The trees and graphs are those of the
greedy parser.
"""
from array import array

from libc.math cimport NAN, exp
from libc.stdint cimport int32_t

from treewright.errors import ModelFileError
from treewright.learners.table cimport LinearTable
from treewright.kinds.transition.engines.greedy cimport GreedyParser, take_arrays
from treewright.kinds.transition.engines.walk cimport Block, Configuration, Encoded, Output, Sentence
from treewright.systems.configuration cimport NONE, is_barred


cdef class Margins:
    """The margins of the decisions that made arcs: from them, calibration gets confidences for any factor."""

    def __init__(self):
        self.starts = <int64_t*>self.new_block(1, sizeof(int64_t))

    def __len__(self):
        return self.n

    cdef int add(self, const float* row, int64_t n, int64_t word) except -1 nogil:
        cdef int64_t i
        if self.n_values + n > self.values_room:
            i = n + 4096 + 2 * self.values_room
            self.values = <float*>self.resized(self.values, i, sizeof(float))
            self.values_room = i
        if self.n >= self.room:
            i = 1024 + 2 * self.room
            self.starts = <int64_t*>self.resized(self.starts, i + 1, sizeof(int64_t))
            self.words = <int64_t*>self.resized(self.words, i, sizeof(int64_t))
            self.room = i
        for i in range(n):
            self.values[self.n_values + i] = row[i]
        self.n_values += n
        self.words[self.n] = word
        self.n += 1
        self.starts[self.n] = self.n_values
        return 0

    def confidences(self, double beta, int64_t n_words):
        """Return the confidence in every word's arc for a factor; NaN for words that no move gave a head."""
        out = array("f", bytes(4 * n_words))
        cdef float[::1] view = out if n_words else array("f", [0])
        cdef int64_t i, word
        with nogil:
            for i in range(n_words):
                view[i] = NAN
            for i in range(self.n):
                word = self.words[i]
                if view[word] != view[word]:
                    view[word] = 1
                view[word] *= <float>share(self.values + self.starts[i], self.starts[i + 1] - self.starts[i], beta)
        return out


cdef double share(const float* row, int64_t n, double beta) noexcept nogil:
    """Return the probability of a move, given its margins over all moves, itself included."""
    cdef double total = 0
    cdef int64_t i
    for i in range(n):
        total += exp(-beta * row[i])
    return 1 / total if total > 0 else 1


cdef class ConfidentParser(Walker):
    """A greedy parser that measures its confidence. ``calibration``: as a model keeps it, or None for raw scores."""

    def __init__(self, Chooser parser, calibration=None):
        self.parser = parser
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
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
        """Parse every sentence of a block into trees; NaN is the confidence of words that no move gave a head."""
        if not isinstance(self.parser, GreedyParser):
            raise TypeError("this parser builds graphs: call its parse_block with confidences=True")
        scratch = scratch if scratch is not None else self.parser.new_scratch()
        take_arrays(self, block, 0, block.n_sentences, scratch, heads, labels, confidences)

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        self.walk(e, sentence.row, sentence.n, s)
        return self.parser.put(e, sentence, s, out)

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        cdef int node
        for node in range(c.n + 2):
            s.workspace.confidence[node] = NAN
        return self.parser.begin(c, e, row, s)

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        cdef int kind = self.parser.choose_by_scores(c, e, row, s, legal, label), head, dependent
        cdef int64_t n, n_first
        cdef double probability
        self.system.arc(c, kind, &head, &dependent)
        if dependent != NONE and not is_barred(c, head, dependent, self.system.single_root):
            n = self.parser.measure(c, e, row, s, legal, kind, label[0], &n_first)
            probability = share(s.margins, n_first, self.beta)
            if n > n_first:
                probability *= share(s.margins + n_first, n - n_first, self.beta)
            self.record(s, dependent, n_first, n)
            self.parser.note(c, s, kind, label[0], calibrated(self, probability))
        return kind

    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil:
        return self.parser.moved(c, e, row, s, kind)

    cdef int record(self, Scratch s, int dependent, int64_t n_first, int64_t n) except -1 nogil:
        """Keep the margins in the scratch memory of the move that attaches a word; for calibration."""
        return 0


cdef float calibrated(ConfidentParser self, double confidence) noexcept nogil:
    """Apply the rising function: straight between its knots."""
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
    return <float>(
        self.levels[i - 1] + (confidence - self.knots[i - 1]) / width * (self.levels[i] - self.levels[i - 1])
    )
