"""What calibration learns from: how clear the decisions on a corpus were, and which arcs they got right."""
from array import array

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t

from treewright.parsing.confidence cimport ConfidentParser, Margins
from treewright.parsing.walk cimport Encoded, Output, Scratch, Sentence
from treewright.training.corpus cimport Corpus


cdef class MarginRecorder(ConfidentParser):
    """A parser that keeps the margins of all arcs."""
    cdef Margins kept
    cdef int64_t first                   # position of the sentence's first word

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        self.first = sentence.first
        return ConfidentParser.take(self, e, sentence, s, out)

    cdef int record(self, Scratch s, int dependent, int64_t n_first, int64_t n) except -1 nogil:
        self.kept.add(s.margins, n_first, self.first + dependent - 1)
        if n > n_first:
            self.kept.add(s.margins + n_first, n - n_first, self.first + dependent - 1)
        return 0


def margins_on(ConfidentParser parser, Corpus corpus):
    """Parse a corpus; return the margins of all arcs and, for every word, whether head and relation are right."""
    cdef MarginRecorder recorder = MarginRecorder(parser.parser, {"beta": parser.beta})
    cdef int32_t[::1] heads = array("i", bytes(4 * (corpus.n_words + 1)))
    cdef int32_t[::1] labels = array("i", bytes(4 * (corpus.n_words + 1)))
    cdef int64_t word
    cdef Output out
    out.heads, out.labels, out.confidences = &heads[0], &labels[0], NULL
    recorder.kept = Margins()
    corpus.parse(recorder, parser.parser.new_scratch(), &out)
    right = bytearray(corpus.n_words)
    for word in range(corpus.n_words):
        right[word] = heads[word] == corpus.heads[word] and labels[word] == corpus.labels[word]
    return recorder.kept, right


def likelihood(const float[::1] confidences, const uint8_t[::1] right):
    """Return the mean log probability of the outcomes; words without a confidence do not count."""
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
