"""Where tokens and sentences end.

After each character that is no space, a token may end, or a sentence, or neither. Most places need no decision: in
English, no token ends between two lower-case letters. Training counts which pairs of kinds of characters do need one
(``usual``). For these a linear model looks at the characters, words and brackets around. Given borders (a blank line,
the end of a line that counts) always end a sentence.

Text without capitals or full stops has other marks of sentences than ordinary text, and the model has other weights
for it. `marks.pyx` tells which is the case.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.errors import ModelFileError
from treewright.features.word_clusters cimport WordClusters
from treewright.learners.learner cimport MAX_KINDS, Scorer
from treewright.learners.table cimport LinearTable
from treewright.kinds.tokenizer.boundaries.alphabet cimport Alphabet
from treewright.kinds.tokenizer.boundaries.boundary_clusters cimport cluster_keys
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport (
    EMPTY, HARD_END, MOST_KEYS, NONE, SPACES, SPACES_BARE, Values, add, boundary_keys, unmarked_keys,
)
from treewright.kinds.tokenizer.boundaries.characters cimport (
    CLOSE, COMMA, DIGIT, EMOJI, GOING_ON, LETTER, LOWER, MARK, NO_SPACES, NO_SPAN, NO_STOPS, NUMERAL, OPEN, QUOTE,
    SPACE, STOP, UPPER, Characters, is_end, is_unspaced,
)
from treewright.kinds.tokenizer.boundaries.lexicon cimport WordLexicon
from treewright.kinds.tokenizer.boundaries.spans cimport find_spans
from treewright.treebank.blocks.memory cimport allocate

cdef enum:
    MOST_CHARACTERS = 20000  # of a sentence, with each run of spaces as one

CELL_COUNT, SPAN_COUNT = CELLS, N_SPANS
LETTERS = "012?"             # of the labels in a model file; the last one: the model decides
#: how far ahead of a place decisions look, in characters; text up to there may still change them
LOOK_AHEAD = 1024            # two lines are LONGEST_LINE each: line_ends.pyx


cdef class BoundaryModel:
    """Scores of the three labels after any character."""

    def __init__(self, Scorer scorer, dict settings not None, WordClusters clusters=None):
        """Take the settings of a tokeniser. ``clusters`` of words give features."""
        cdef int place
        self.scorer, self.clusters = scorer, clusters
        self.spaces_inside = bool(settings["spaces_inside"])
        self.longest, self.marks = settings["longest"], settings["marks"]
        self.set_eager(settings.get("eager", [0.0] * N_GAPS))    # chosen when all else is learnt
        self.lexicon, self.alphabet = WordLexicon(settings["words"]), Alphabet(settings["alphabet"])
        for place, label in enumerate(read_labels(settings["usual"], CELLS)):
            self.usual[place] = label
            if label == CLASSIFY and not self.alphabet.has_kinds(place):
                self.usual[place] = unseen(place)
        for place, label in enumerate(read_labels(settings["spans"], N_SPANS)):
            self.spans[place] = label
        self.place.lines = NULL
        self.place.n_lines = 0
        if isinstance(scorer, LinearTable):
            self.table = scorer
            self.place = self.table.place

    def prepare(self, Characters text not None):
        """Find what belongs together, and replace characters that the model does not know; once is enough."""
        with nogil:
            self.ready(text)

    cdef int ready(self, Characters text) except -1 nogil:
        if text.prepared:
            return 0
        text.prepared = True
        find_spans(text)
        self.alphabet.apply(text)
        if self.lexicon.unspaced:
            text.matches = <uint8_t*>allocate(text.n + 1, 1)
            self.lexicon.match(text, text.matches)
            text.matches[text.n] = 0
        return 0

    def label(self, Characters text not None, uint8_t[::1] out, bint whole_lines=False):
        """Write a label for every character. ``whole_lines``: only given borders end sentences."""
        if out.shape[0] < text.n:
            raise ValueError("there must be room for one label per character")
        with nogil:
            self.ready(text)
            self.label_all(text, out, whole_lines)

    cdef int label_all(self, Characters text, uint8_t[::1] out, bint whole_lines) except -1 nogil:
        cdef Reading reading
        cdef Boundary boundary
        cdef Py_ssize_t at = 0, best = -1
        cdef int label
        cdef float value, best_value = 0
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_KINDS]
        for at in range(text.n):
            out[at] = INSIDE
        at = 1 if text.n and text.kind[0] == SPACE else 0
        self.begin(&reading, at)
        while at < text.n:
            self.read(text, &reading, at)
            self.next_boundary(text, at, &boundary)
            value = -1e6 if boundary.gap != NONE else -2e6
            if boundary.gap == HARD_END:
                label = SENTENCE_END
            else:
                label = self.usual_label(text, &boundary)
                if label == CLASSIFY:
                    self.score(keys, self.keys_at(text, &reading, &boundary, keys), scores)
                    label = self.choose(scores, boundary.gap)
                    value = scores[SENTENCE_END] - scores[TOKEN_END]
                if label != INSIDE and self.lacks_marks(text, &boundary):
                    self.score(keys, self.unmarked_keys_at(text, &reading, &boundary, keys), scores)
                    value = scores[SENTENCE_END] - scores[TOKEN_END] + self.eager[SPACES_BARE]
                    label = SENTENCE_END if value > 0 else TOKEN_END
                if label == SENTENCE_END and (whole_lines or goes_on(text, at)):
                    label = TOKEN_END
            out[at] = label
            if label == SENTENCE_END or whole_lines:
                best = -1
            elif label == TOKEN_END and 2 * reading.words >= self.longest and (best < 0 or value >= best_value):
                best, best_value = at, value
            if label != SENTENCE_END and not whole_lines and self.is_too_long(&reading, at):
                # The place most like the end of a sentence, in the second half of what was read.
                best = at if best < 0 else best
                out[best] = SENTENCE_END
                at = best + 1 + (best + 1 < text.n and text.kind[best + 1] == SPACE)
                self.begin(&reading, at)
                best = -1
                continue
            self.passed(text, &reading, &boundary, label)
            at = boundary.next_at
        return 0

    cdef bint is_too_long(self, const Reading* reading, Py_ssize_t at) noexcept nogil:
        return reading.words >= self.longest or at - reading.sentence >= MOST_CHARACTERS

    cdef void score(self, const uint64_t* keys, int n, float* scores) noexcept nogil:
        """Write the scores of the labels."""
        cdef int32_t sums[MAX_KINDS]
        cdef float nothing[8]
        cdef int k
        cdef int counts[3]
        if self.table is None:
            counts[0] = counts[1] = 0
            counts[2] = n
            self.scorer.score(keys, counts, scores, nothing)
            return
        for k in range(MAX_KINDS):
            sums[k] = 0
        self.table.sum_moves_only(keys, n, sums)
        for k in range(MAX_KINDS):
            scores[k] = <float>sums[k]

    def set_eager(self, values):
        """Say what to add to the score of the end of a sentence, for each gap."""
        cdef int gap
        if len(values) != N_GAPS:
            raise ModelFileError("the model is damaged: its tokeniser lacks numbers")
        for gap in range(N_GAPS):
            self.eager[gap] = values[gap]

    cdef int choose(self, const float* scores, int gap) noexcept nogil:
        """Return the label with the highest score that the gap allows."""
        cdef int label = TOKEN_END
        cdef float end = scores[SENTENCE_END] + self.eager[gap]
        if gap == NONE or self.spaces_inside:
            if scores[INSIDE] > scores[label]:
                label = INSIDE
        if end > scores[label]:
            label = SENTENCE_END
        return label

    cdef int usual_label(self, Characters text, const Boundary* boundary) noexcept nogil:
        """Return the label of a boundary that needs no decision, or CLASSIFY."""
        cdef int span = text.span[boundary.at]
        if span != NO_SPAN and boundary.gap == NONE and self.spans[span] != CLASSIFY:
            return self.spans[span]
        return self.usual[cell(text, boundary)]

    cdef bint lacks_marks(self, Characters text, const Boundary* boundary) noexcept nogil:
        """Say whether a sentence may end after a token without any mark: in text without spaces and full stops."""
        return (boundary.gap == NONE and text.lacking & self.marks == NO_STOPS | NO_SPACES and text.matches != NULL
                and is_unspaced(text.kind[boundary.at]) and is_unspaced(text.kind[boundary.next_at]))

    cdef int unmarked_keys_at(
        self, Characters text, const Reading* reading, const Boundary* boundary, uint64_t* out
    ) noexcept nogil:
        """Write the keys of features of such a place; return how many."""
        return unmarked_keys(&self.place, text, reading, boundary, self.lexicon, text.matches, out)

    cdef void next_boundary(self, Characters text, Py_ssize_t at, Boundary* out) noexcept nogil:
        """Write the boundary after a character."""
        cdef Py_ssize_t place = at + 1
        out.at = at
        out.gap = NONE
        out.lacking = text.lacking & self.marks
        if place < text.n and text.kind[place] == SPACE:
            out.gap = HARD_END if is_end(text.code[place]) else SPACES + out.lacking
            place += 1
        if place >= text.n:
            out.gap = HARD_END
        out.next_at = place

    cdef void begin(self, Reading* reading, Py_ssize_t at) noexcept nogil:
        """Start reading at a place, as at the beginning of a sentence."""
        reading.token = reading.word = at
        reading.token_hash = reading.word_hash = reading.last_word = reading.last_token = EMPTY
        reading.sentence = reading.before = at
        reading.last_length = reading.words = reading.open = 0
        reading.first_token = EMPTY

    cdef void read(self, Characters text, Reading* reading, Py_ssize_t at) noexcept nogil:
        """Read the character at a place."""
        reading.token_hash = add(reading.token_hash, text.code[at])
        reading.word_hash = add(reading.word_hash, text.code[at])
        if text.kind[at] == OPEN:
            reading.open += 1
        elif text.kind[at] == CLOSE and reading.open > 0:
            reading.open -= 1

    cdef void passed(self, Characters text, Reading* reading, const Boundary* boundary, int label) noexcept nogil:
        """Go to the next character after a label was chosen."""
        if label != INSIDE:
            reading.last_token = reading.token_hash
            if reading.words == 0:
                reading.first_token = reading.token_hash
            reading.last_length = <int>(boundary.at + 1 - reading.token)
            reading.token = boundary.next_at
            reading.token_hash = EMPTY
            reading.words += 1
        if boundary.gap != NONE:
            reading.last_word = reading.word_hash
            reading.before, reading.word = reading.word, boundary.next_at
            reading.word_hash = EMPTY
        if label == SENTENCE_END:    # nothing of the sentence before counts, so that text may be cut there
            self.begin(reading, boundary.next_at)

    cdef int keys_at(
        self, Characters text, const Reading* reading, const Boundary* boundary, uint64_t* out
    ) noexcept nogil:
        """Write the keys of all features of a boundary; return how many."""
        cdef Values values
        cdef int n
        n = boundary_keys(&self.place, text, reading, boundary, self.lexicon, text.matches, &values, out)
        if self.clusters is not None:
            n = cluster_keys(&self.place, text, reading, boundary, self.clusters, &values, out, n)
        return n


cdef inline bint goes_on(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether the spaces after a character are known to end no sentence."""
    return text.kind[at + 1] == SPACE and text.code[at + 1] == GOING_ON


cdef int unseen(int place) noexcept:
    """Return the label of a pair of kinds that training never met: scripts stay together, pictures stand alone."""
    cdef int after = place % WIDTH, before = place // WIDTH % WIDTH, gap = place // (WIDTH * WIDTH)
    if gap != NONE:
        return TOKEN_END if after in (STOP, COMMA, CLOSE) else CLASSIFY
    if after == MARK or (is_spaced(before) and is_spaced(after)):
        return INSIDE
    if is_unspaced(after) and (is_unspaced(before) or before == MARK):
        return INSIDE
    if before == EMOJI or after == EMOJI or (is_spaced(before) and is_unspaced(after)):
        return TOKEN_END
    if is_unspaced(before) and (is_spaced(after) or after in (STOP, COMMA, OPEN, CLOSE, QUOTE)):
        return TOKEN_END
    if is_unspaced(after) and before in (OPEN, QUOTE, COMMA):
        return TOKEN_END
    return CLASSIFY


cdef inline bint is_spaced(int kind) noexcept nogil:
    """Whether a kind stands for letters and digits of scripts with spaces between words."""
    return kind in (LOWER, UPPER, LETTER, MARK, DIGIT, NUMERAL)


def read_labels(str saved, int n):
    """Return the labels that a model file keeps as text."""
    labels = bytes(CLASSIFY if letter == "?" else LETTERS.find(letter) & 0x7F for letter in saved)
    if len(labels) != n or any(label >= N_LABELS and label != CLASSIFY for label in labels):
        raise ModelFileError("the model is damaged: the tokeniser's table of labels is invalid")
    return labels


def write_labels(labels):
    """Return labels as the text that a model file keeps."""
    return "".join(LETTERS[min(label, N_LABELS)] for label in labels)
