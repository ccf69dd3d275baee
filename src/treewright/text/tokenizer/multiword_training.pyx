"""Learning how tokens are split that training has not seen. See multiword_guesses.pyx."""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.learners.learner cimport MAX_KINDS, Choice
from treewright.learners.perceptron cimport Perceptron
from treewright.text.tokenizer.boundaries cimport INSIDE
from treewright.text.tokenizer.characters cimport SPACE, Characters
from treewright.text.tokenizer.multiword_guesses cimport (
    MOST_CANDIDATES, SPLIT, SPLIT_KEYS, WHOLE, Candidate, Neighbours, SplitGuesser,
)


cdef class SplitTrainer:
    """Candidates of all tokens of a treebank, as features, with whether each is right.

    The form itself is no feature, so every token is learnt from as if it were unknown.
    """
    cdef SplitGuesser guesser
    cdef object keys, ends, right            # features of all candidates; where those of each end; 1 for a right one
    cdef list splits
    cdef float margin

    def __init__(self, SplitGuesser guesser not None, splits, float margin):
        self.guesser, self.splits, self.margin = guesser, list(splits), margin
        self.keys, self.ends, self.right = array("Q"), array("i", [0]), bytearray()

    def __len__(self):
        return len(self.right)

    def add(self, Characters text not None, const uint8_t[::1] labels, tokens):
        """Add the tokens of a sentence, each a form with its words."""
        cdef Py_ssize_t start = 0, end = token_end(text, labels, 0)
        cdef const Candidate* found[MOST_CANDIDATES]
        cdef uint64_t keys[SPLIT_KEYS]
        cdef Neighbours beside
        cdef int k, key
        self.guesser.model.prepare(text)
        beside.before_start = beside.before_end = 0
        for form, words in tokens:
            beside.after_start = end + (end < text.n and text.kind[end] == SPACE)
            beside.after_end = token_end(text, labels, beside.after_start)
            for k in range(self.guesser.candidates_of(text, start, end, found)):
                for key in range(self.guesser.keys_of(text, start, end, &beside, found[k], keys)):
                    self.keys.append(keys[key])
                self.ends.append(len(self.keys))
                self.right.append(applied(form, self.splits[found[k].split]) == list(words))
            beside.before_start, beside.before_end = start, end
            start, end = beside.after_start, beside.after_end

    def learn(self, Perceptron learner not None, const int32_t[::1] order):
        """Learn from the candidates in an order, correcting the weights where one is not right by enough."""
        cdef const uint64_t[::1] keys = self.keys
        cdef const int32_t[::1] ends = self.ends
        cdef const uint8_t[::1] right = self.right
        cdef float scores[MAX_KINDS]
        cdef float nothing[8]
        cdef Choice good, bad
        cdef int counts[3]
        cdef Py_ssize_t i
        cdef int example
        if not len(self.right):
            return
        good.label_class = bad.label_class = -1
        counts[0] = counts[1] = 0
        with nogil:
            for i in range(order.shape[0]):
                example = order[i]
                counts[2] = ends[example + 1] - ends[example]
                learner.score(&keys[ends[example]], counts, scores, nothing)
                good.kind, bad.kind = (SPLIT, WHOLE) if right[example] else (WHOLE, SPLIT)
                if scores[good.kind] - scores[bad.kind] < self.margin:
                    learner.update(&keys[ends[example]], counts, &good, &bad, 1)
                learner.advance()


def applied(form, split):
    """Return the words that a split makes of a form."""
    return [form[start:end] * (start != end) + text for start, end, text in split]


cdef Py_ssize_t token_end(Characters text, const uint8_t[::1] labels, Py_ssize_t start):
    while start < text.n and labels[start] == INSIDE:
        start += 1
    return min(start + 1, text.n)
