"""Training the tokeniser: the averaged perceptron over the boundaries of a text, following its own choices."""
from libc.stdint cimport uint8_t, uint64_t

from treewright.learners.learner cimport MAX_KINDS, Choice
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.resting cimport rest_after, rests
from treewright.kinds.tokenizer.boundaries.boundaries cimport (
    CELLS, CLASSIFY, INSIDE, N_LABELS, SENTENCE_END, TOKEN_END, BoundaryModel, cell, unseen,
)
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport HARD_END, MOST_KEYS, NONE, Boundary, Reading
from treewright.kinds.tokenizer.boundaries.characters cimport (
    CLUSTER, N_SPANS, NO_STOPS, SPACE, Characters,
)

cdef enum:
    ENOUGH = 100             # times that a pair of kinds must occur to need no decision


cdef class LabelCounts:
    """How often each label follows each pair of kinds, and stands within each span."""
    cdef long cells[CELLS][3]
    cdef long spans[N_SPANS][3]

    def add(self, BoundaryModel model not None, Characters text not None, const uint8_t[::1] labels):
        """Count the labels of a text, reading it as the model does."""
        cdef Boundary boundary
        cdef Py_ssize_t at = 1 if text.n and text.kind[0] == SPACE else 0
        if labels.shape[0] < text.n:
            raise ValueError("there must be one label per character")
        while at < text.n:
            model.next_boundary(text, at, &boundary)
            if boundary.gap == NONE and text.lacking & NO_STOPS:
                at = boundary.next_at
                continue
            if boundary.gap == NONE and text.span[at]:
                self.spans[text.span[at]][labels[at]] += 1
            if boundary.gap != HARD_END:
                self.cells[cell(text, &boundary)][labels[at]] += 1
            at = boundary.next_at

    def usual(self, double rare, old=None):
        """Return the labels of pairs that have one in nearly all cases; others are to be decided.

        ``old``: the labels of a tokeniser to go on from. They stay unless the counts contradict them.
        """
        cdef int place
        usual = bytearray(CELLS)
        for place in range(CELLS):
            usual[place] = settled(self.cells[place], rare, ENOUGH, unseen(place))
            if old is not None:
                usual[place] = old[place] if holds(self.cells[place], rare, old[place]) else CLASSIFY
        return usual

    def span_labels(self, double rare, old=None):
        """Return the labels of places within spans, in the same way. What was never seen is not cut."""
        cdef int place
        spans = bytearray(N_SPANS)
        for place in range(N_SPANS):
            spans[place] = settled(self.spans[place], rare, 1, INSIDE)
            if old is not None:
                spans[place] = old[place] if holds(self.spans[place], rare, old[place]) else CLASSIFY
        spans[CLUSTER] = INSIDE
        return spans


cdef bint holds(const long* counts, double rare, int label):
    """Say whether nearly all places have a label."""
    cdef long total = counts[0] + counts[1] + counts[2]
    return label != CLASSIFY and total - counts[label] <= rare * total


cdef int settled(const long* counts, double rare, long enough, int never):
    """Return the label that nearly all places have, CLASSIFY if they differ or are few; ``never`` if there are none."""
    cdef int best = 0, k
    cdef long total = counts[0] + counts[1] + counts[2]
    if total == 0:
        return never
    for k in range(N_LABELS):
        if counts[k] > counts[best]:
            best = k
    return best if total >= enough and holds(counts, rare, best) else CLASSIFY


def labels_of(Characters text not None, labels):
    """Return the labels of a text for its characters with runs of spaces as one."""
    cdef Py_ssize_t at
    return bytearray([labels[text.place[at]] for at in range(text.n)])


def matching_spans(const uint8_t[::1] gold, const uint8_t[::1] found, int least):
    """Count the stretches that end at labels of at least ``least``: those of gold, those found, and those in both."""
    cdef Py_ssize_t at, gold_start = 0, found_start = 0
    cdef long n_gold = 0, n_found = 0, n_both = 0
    if gold.shape[0] != found.shape[0]:
        raise ValueError("there must be one label per character")
    for at in range(gold.shape[0]):
        if gold[at] >= least and found[at] >= least:
            n_both += gold_start == found_start
        if gold[at] >= least:
            n_gold += 1
            gold_start = at
        if found[at] >= least:
            n_found += 1
            found_start = at
    return n_gold, n_found, n_both


cdef class BoundaryTrainer:
    """Learns from labelled texts, one at a time."""
    cdef BoundaryModel model
    cdef Perceptron learner
    cdef readonly long decisions, mistakes
    cdef readonly float margin

    def __init__(self, BoundaryModel model not None, Perceptron learner not None, float margin=0):
        """``margin``: lead that the right label must have, or the weights are corrected."""
        self.model, self.learner, self.margin = model, learner, margin

    def start_round(self):
        """Reset the counts of decisions and mistakes."""
        self.decisions = self.mistakes = 0

    def learn(self, Characters text not None, const uint8_t[::1] labels, uint8_t[::1] rest):
        """Read a text, correcting the weights after every mistake.

        ``rest``: how long boundaries rest, one number per character, 0 at first.
        """
        if labels.shape[0] < text.n or rest.shape[0] < text.n:
            raise ValueError("there must be one label and one rest per character")
        with nogil:
            self.learn_text(text, labels, rest)

    cdef int learn_text(self, Characters text, const uint8_t[::1] labels, uint8_t[::1] rest) except -1 nogil:
        cdef Reading reading
        cdef Boundary boundary
        cdef Py_ssize_t at = 1 if text.n and text.kind[0] == SPACE else 0
        cdef int label
        self.model.ready(text)
        self.model.begin(&reading, at)
        while at < text.n:
            self.model.read(text, &reading, at)
            self.model.next_boundary(text, at, &boundary)
            label = labels[at]
            if boundary.gap == HARD_END:
                label = SENTENCE_END
            elif rests(&rest[at]):
                self.decisions += 1
                self.learner.advance()
            elif boundary.gap == NONE and text.lacking & NO_STOPS:
                # Tokens are learnt from ordinary text.
                if label != INSIDE and self.model.lacks_marks(text, &boundary):
                    label = self.decide(text, &reading, &boundary, label, True, &rest[at])
            elif self.model.usual_label(text, &boundary) == CLASSIFY:
                label = self.decide(text, &reading, &boundary, label, False, &rest[at])
            self.model.passed(text, &reading, &boundary, label)
            at = boundary.next_at
        return 0

    cdef int decide(
        self, Characters text, const Reading* reading, const Boundary* boundary, int right, bint unmarked,
        uint8_t* rest
    ) except -1 nogil:
        """Choose a label; correct the weights if it is wrong, or right by too little. Return the choice.

        ``unmarked``: a token ends, and perhaps a sentence without any mark.
        """
        cdef bint inside = not unmarked and (boundary.gap == NONE or self.model.spaces_inside)
        cdef int counts[3]
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_KINDS]
        cdef Choice good, bad
        cdef int label, k, rival = -1
        counts[0] = counts[1] = 0
        if unmarked:
            counts[2] = self.model.unmarked_keys_at(text, reading, boundary, keys)
        else:
            counts[2] = self.model.keys_at(text, reading, boundary, keys)
        self.model.score(keys, counts[2], scores)
        label = self.model.choose(scores, boundary.gap)
        if unmarked:
            label = SENTENCE_END if scores[SENTENCE_END] > scores[TOKEN_END] else TOKEN_END
        self.decisions += 1
        self.mistakes += label != right
        for k in range(N_LABELS):
            if k != right and (k != INSIDE or inside):
                if rival < 0 or scores[k] > scores[rival]:
                    rival = k
        if label != right or scores[right] - scores[rival] < self.margin:
            good.label_class = bad.label_class = -1
            good.kind, bad.kind = right, rival
            self.learner.update(keys, counts, &good, &bad, 1)
        rest[0] = rest_after(rest[0], scores[right] - scores[rival] if label == right else -1, self.margin)
        self.learner.advance()
        return label
