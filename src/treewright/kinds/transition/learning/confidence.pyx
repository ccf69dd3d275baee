"""What is learnt from held-out trees: how sure of its arcs a parser may be, and which states a beam need not follow.

A greedy parser is calibrated by how clear its decisions were and which arcs they got right (calibration.py). A beam's
confidence in an arc is the share of the beam's final trees that have it, weighted by a softmax of their scores.
The scores of a perceptron have no unit, so the softmax needs a *temperature*; and an arc that all trees of the beam
agree on can still be wrong, so a share of the probability lies *outside* the beam. Both are chosen to minimize the
mean squared error of the confidences (the Brier score).
"""
from array import array

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from treewright.kinds.transition.engines.beam cimport BeamParser, BeamScratch
from treewright.kinds.transition.engines.confidence cimport ConfidentParser, Margins
from treewright.kinds.transition.engines.walk cimport Encoded, Output, Scratch, Sentence
from treewright.kinds.transition.learning.corpus cimport Corpus
from treewright.kinds.transition.learning.online import accuracy

MARGINS = [2 ** (step / 4) for step in range(12, 41)]       # of the weights' unit, small ones first
MOST_LOST = 0.001              # of all words: fewer than another seed changes

cdef enum:
    MOST_TREES = 64

TEMPERATURES = [2 ** (step / 4) for step in range(-16, 41)]     # of the weights' unit


cdef class BeamAgreement:
    """Which of the beam's trees agree with the best one, for every word of a corpus, and whether that is right."""
    cdef double[::1] scores              # of all trees, less that of the best, sentence by sentence
    cdef int64_t[::1] first              # where those of a sentence begin
    cdef int64_t[::1] word_start
    cdef uint64_t[::1] agree             # by word: bit i for tree i
    cdef uint8_t[::1] right
    cdef int n_sentences

    def __init__(self, BeamParser parser, Corpus corpus):
        cdef BeamScratch s = parser.new_scratch()
        cdef int sentence, i, n, k
        cdef int64_t word
        cdef const int32_t* tree
        cdef uint64_t mask
        self.n_sentences = corpus.n_sentences
        self.word_start = corpus.word_start
        self.agree = array("Q", bytes(8 * (corpus.n_words + 1)))
        self.right = array("B", bytes(corpus.n_words + 1))
        scores, first = array("d"), array("q", [0])
        for sentence in range(corpus.n_sentences):
            word = corpus.word_start[sentence]
            n = <int>(corpus.word_start[sentence + 1] - word)
            if n > 0:
                parser.search(corpus.encoded, corpus.row_start[sentence], n, s)
                parser.write_trees(corpus.encoded, corpus.row_start[sentence], n, s, MOST_TREES)
                scores.extend([s.tree_scores[k] - s.tree_scores[0] for k in range(s.n_trees)])
                for i in range(n):
                    mask = 0
                    for k in range(s.n_trees):
                        tree = s.found + <int64_t>k * 2 * n
                        mask |= <uint64_t>(tree[i] == s.found[i] and tree[n + i] == s.found[n + i]) << k
                    self.agree[word + i] = mask
                    self.right[word + i] = (s.found[i] == corpus.heads[word + i]
                                            and s.found[n + i] == corpus.labels[word + i])
            first.append(len(scores))
        scores.append(0)
        self.scores, self.first = scores, first

    def fit(self, double temperature):
        """Return the mean squared error at a temperature, and the share outside the beam that makes it least."""
        cdef double total, share, both = 0, squares = 0, n_right = 0, kept
        cdef double weights[MOST_TREES]
        cdef int sentence, k, n_trees
        cdef int64_t word
        with nogil:
            for sentence in range(self.n_sentences):
                n_trees = <int>(self.first[sentence + 1] - self.first[sentence])
                total = 0
                for k in range(n_trees):
                    weights[k] = exp(self.scores[self.first[sentence] + k] / temperature)
                    total += weights[k]
                for word in range(self.word_start[sentence], self.word_start[sentence + 1]):
                    share = 0
                    for k in range(n_trees):
                        if self.agree[word] >> k & 1:
                            share += weights[k] / total
                    squares += share * share
                    if self.right[word]:
                        both += share
                        n_right += 1
        # The error, Σ (kept · share − right)², is a parabola in the share that is kept inside.
        kept = min(1.0, max(0.01, both / squares)) if squares > 0 else 1.0
        word = self.word_start[self.n_sentences]
        return (kept * kept * squares - 2 * kept * both + n_right) / max(1, word), 1 - kept


def fit_margin(BeamParser parser, Corpus corpus):
    """Return a margin (in the weights' unit) with which a beam gets nearly as much right as without one, and set it.

    Most states that are far behind never catch up: following them costs time and gives little. The margin is a
    step wider than the smallest that suffices for the corpus, since other texts may need more.
    """
    scale = getattr(parser.scorer, "scale", 1.0)
    parser.margin = INFINITY
    _, whole, words = accuracy(parser, corpus)
    for margin, wider in zip(MARGINS, MARGINS[1:]):
        parser.margin = margin * scale
        if accuracy(parser, corpus)[1] >= whole - MOST_LOST * words:
            parser.margin = wider * scale
            return wider
    parser.margin = INFINITY
    return None


def fit_confidence(BeamParser parser, Corpus corpus):
    """Return the temperature (in the weights' unit) and the share outside the beam that fit a corpus best."""
    agreement = BeamAgreement(parser, corpus)
    scale = getattr(parser.scorer, "scale", 1.0)
    (_, outside), temperature = min((agreement.fit(t * scale), t) for t in TEMPERATURES)
    return {"temperature": temperature, "outside": outside}


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
