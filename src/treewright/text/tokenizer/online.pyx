"""Training the tokeniser: the averaged perceptron over the boundaries of a text, following its own choices."""
from libc.stdint cimport uint8_t, uint64_t

from treewright.learners.learner cimport MAX_KINDS, Choice
from treewright.learners.perceptron cimport Perceptron
from treewright.text.tokenizer.boundaries cimport (
    BLANK_LINE, CLASSIFY, MOST_KEYS, N_GAPS, N_LABELS, SENTENCE_END, BoundaryModel, Reading, cell, next_character,
)
from treewright.text.tokenizer.characters cimport SPACE, Characters


def count_labels(Characters text, const uint8_t[::1] labels, unsigned int[::1] counts):
    """Count the labels of each pair of kinds: ``counts`` has N_LABELS numbers for each cell of ``usual``."""
    cdef Py_ssize_t at = 0, next_at
    cdef int gap = 0
    while at < text.n:
        if text.kind[at] == SPACE:
            at += 1
            continue
        next_at = next_character(text, at, False, &gap)
        if gap != BLANK_LINE:
            counts[cell(text, at, next_at, gap) * N_LABELS + labels[at]] += 1
        at = next_at


def usual_labels(const unsigned int[::1] counts, double rare, old=None):
    """Return the table `usual`: the label of pairs that have one in nearly all cases, CLASSIFY for others.

    ``old``: the table of a tokeniser to go on from. Its labels stay unless the counts contradict them.
    """
    cdef int place, k, best
    cdef double total
    usual = bytearray([CLASSIFY] * (N_GAPS * 256))
    for place in range(N_GAPS * 256):
        total, best = 0, 0
        for k in range(N_LABELS):
            total += counts[place * N_LABELS + k]
            if counts[place * N_LABELS + k] > counts[place * N_LABELS + best]:
                best = k
        if old is not None:
            best = old[place]
        elif total < 100:
            continue
        if best != CLASSIFY and total - counts[place * N_LABELS + best] <= rare * total:
            usual[place] = best
    return usual


cdef class BoundaryTrainer:
    """Learns from labelled texts, one at a time."""
    cdef BoundaryModel model
    cdef Perceptron learner
    cdef readonly long decisions, mistakes

    def __init__(self, BoundaryModel model, Perceptron learner):
        self.model, self.learner = model, learner

    def start_round(self):
        """Reset the counts of decisions and mistakes."""
        self.decisions = self.mistakes = 0

    def learn(self, Characters text, const uint8_t[::1] labels):
        """Read a text, correcting the weights after every mistake."""
        if labels.shape[0] < text.n:
            raise ValueError("there must be one label per character")
        with nogil:
            self.learn_text(text, labels)

    cdef int learn_text(self, Characters text, const uint8_t[::1] labels) except -1 nogil:
        cdef Reading reading
        cdef Py_ssize_t at = 0, next_at
        cdef int gap = 0, label
        cdef int counts[3]
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_KINDS]
        cdef Choice good, bad
        counts[0] = counts[1] = 0
        good.label_class = bad.label_class = -1
        while at < text.n and text.kind[at] == SPACE:
            at += 1
        self.model.begin(&reading, at)
        while at < text.n:
            self.model.read(text, &reading, at)
            next_at = next_character(text, at, False, &gap)
            label = labels[at]
            if gap == BLANK_LINE:
                label = SENTENCE_END
            elif self.model.usual[cell(text, at, next_at, gap)] == CLASSIFY:
                counts[2] = self.model.keys_at(text, &reading, at, next_at, gap, keys)
                self.model.score(keys, counts[2], scores)
                label = self.model.choose(scores, gap)
                self.decisions += 1
                if label != labels[at]:
                    self.mistakes += 1
                    good.kind, bad.kind = labels[at], label
                    self.learner.update(keys, counts, &good, &bad, 1)
                self.learner.advance()
            self.model.passed(text, &reading, at, next_at, gap, label)
            at = next_at
        return 0
