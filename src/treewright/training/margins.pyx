"""What calibration learns from: how clear the decisions on a corpus were, and which arcs they got right."""
from array import array

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

from treewright.learners.learner cimport MAX_CLASSES
from treewright.parsing.confidence cimport ConfidentParser, Margins
from treewright.parsing.greedy cimport Scratch
from treewright.training.corpus cimport Corpus


def margins_on(ConfidentParser parser, Corpus corpus):
    """Parse a corpus; return the margins of all arcs and, for every word, whether head and relation are right."""
    cdef Margins margins = Margins()
    cdef Scratch s = Scratch(parser.parser.extractor)
    cdef int32_t[::1] heads = array("i", bytes(4 * (corpus.longest + 1)))
    cdef int32_t[::1] labels = array("i", bytes(4 * (corpus.longest + 1)))
    cdef float[::1] confidences = array("f", bytes(4 * (corpus.longest + 1)))
    right = bytearray(corpus.n_words + 1)
    cdef uint8_t[::1] right_view = right
    cdef int sentence, i, n
    cdef int64_t word
    cdef float* row = <float*>malloc(2 * (MAX_CLASSES + 8) * sizeof(float))
    if row == NULL:
        raise MemoryError
    try:
        with nogil:
            for sentence in range(corpus.n_sentences):
                word = corpus.word_start[sentence]
                n = <int>(corpus.word_start[sentence + 1] - word)
                if n == 0:
                    continue
                parser.parse(
                    corpus.encoded, corpus.row_start[sentence], n, s, row, &heads[0], &labels[0], &confidences[0], margins,
                    word,
                )
                for i in range(n):
                    right_view[word + i] = heads[i] == corpus.heads[word + i] and labels[i] == corpus.labels[word + i]
    finally:
        free(row)
    return margins, right[:corpus.n_words]


def likelihood(const float[::1] confidences, const uint8_t[::1] right):
    """Return the mean logarithm of the probability of what happened; words without a confidence do not count."""
    cdef int64_t i, n = 0
    cdef double total = 0, p
    with nogil:
        for i in range(min(confidences.shape[0], right.shape[0])):
            p = confidences[i]
            if p != p:
                continue
            p = min(max(p, 1e-6), 1 - 1e-6)
            total += log(p if right[i] else 1 - p)
            n += 1
    return total / n if n else 0.0
