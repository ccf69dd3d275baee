"""Where tokens and sentences end.

After each character that is no space, a token may end, or a sentence, or neither. Most places need no decision: in
English, no token ends between two lower-case letters. Training counts which pairs of kinds of characters do need one
(``usual``). For these a linear model looks at the characters, words and brackets around. A blank line always ends a
sentence.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_KINDS, Scorer
from treewright.learners.table cimport LinearTable
from treewright.text.tokenizer.characters cimport (
    CLOSE, OPEN, SPACE, Characters,
)

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)
    uint64_t tw_ask(const tw_place* p, uint64_t key)

cdef enum:
    LONGEST_AHEAD = 24       # characters of a word ahead that features look at

cdef uint64_t EMPTY = 0x6C62272E07BB0142ULL


cdef inline uint64_t add(uint64_t value, uint64_t code) noexcept nogil:
    """Extend the hash of a text by one character."""
    value = (value ^ code) * 0x9E3779B97F4A7C15ULL
    return value ^ value >> 29


cdef Py_ssize_t next_character(Characters text, Py_ssize_t at, bint lines_end, int* gap) noexcept nogil:
    """Return the place of the next character that is no space, and write the kind of gap before it.

    ``lines_end``: the end of a line counts as a blank line.
    """
    cdef Py_ssize_t place = at + 1
    cdef int lines = 0
    while place < text.n and text.kind[place] == SPACE:
        lines += text.code[place] == c'\n'
        place += 1
    if place >= text.n:
        gap[0] = BLANK_LINE
        return text.n
    gap[0] = NONE if place == at + 1 else BLANK_LINE if lines > 1 or (lines and lines_end) else SPACES
    return place


cdef class BoundaryModel:
    """Scores of the three labels after any character."""

    def __init__(self, Scorer scorer, usual, bint spaces_inside):
        cdef int place
        self.scorer = scorer
        self.spaces_inside = spaces_inside
        if len(usual) != N_GAPS * 256 or any(v >= N_LABELS and v != CLASSIFY for v in usual):
            raise ModelFileError("the model is damaged: the tokeniser's table of labels is invalid")
        for place in range(N_GAPS * 256):
            self.usual[place] = usual[place]
        self.place.lines = NULL
        self.place.n_lines = 0
        if isinstance(scorer, LinearTable):
            self.table = scorer
            self.place = self.table.place

    def label(self, Characters text, uint8_t[::1] out, str lines=""):
        """Write a label for every character. ``lines="sentence"``: every line is one sentence."""
        cdef Reading reading
        cdef Py_ssize_t at = 0, next_at
        cdef int gap = BLANK_LINE, label
        cdef bint presegmented = lines == "sentence"
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_KINDS]
        if out.shape[0] < text.n:
            raise ValueError("there must be room for one label per character")
        if text.n == 0:
            return
        with nogil:
            while at < text.n and text.kind[at] == SPACE:
                out[at] = INSIDE
                at += 1
            self.begin(&reading, at)
            while at < text.n:
                self.read(text, &reading, at)
                next_at = next_character(text, at, presegmented, &gap)
                if gap == BLANK_LINE:
                    label = SENTENCE_END
                else:
                    label = self.usual[cell(text, at, next_at, gap)]
                    if label == CLASSIFY:
                        self.score(keys, self.keys_at(text, &reading, at, next_at, gap, keys), scores)
                        label = self.choose(scores, gap)
                    if presegmented and label == SENTENCE_END:
                        label = TOKEN_END
                out[at] = label
                self.passed(text, &reading, at, next_at, gap, label)
                at += 1
                while at < next_at:
                    out[at] = INSIDE
                    at += 1

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

    cdef int choose(self, const float* scores, int gap) noexcept nogil:
        """Return the label with the highest score that the gap allows."""
        cdef int label = TOKEN_END
        if gap == NONE or self.spaces_inside:
            if scores[INSIDE] > scores[label]:
                label = INSIDE
        if scores[SENTENCE_END] > scores[label]:
            label = SENTENCE_END
        return label

    cdef void begin(self, Reading* reading, Py_ssize_t at) noexcept nogil:
        reading.token = reading.word = reading.sentence = at
        reading.token_hash = reading.word_hash = reading.last_word = EMPTY
        reading.words = reading.open = 0

    cdef void read(self, Characters text, Reading* reading, Py_ssize_t at) noexcept nogil:
        """Read the character at a place."""
        reading.token_hash = add(reading.token_hash, text.code[at])
        reading.word_hash = add(reading.word_hash, text.code[at])
        if text.kind[at] == OPEN:
            reading.open += 1
        elif text.kind[at] == CLOSE and reading.open > 0:
            reading.open -= 1

    cdef void passed(self, Characters text, Reading* reading, Py_ssize_t at, Py_ssize_t next_at, int gap,
                     int label) noexcept nogil:
        """Go to the next character after a label was chosen."""
        if label != INSIDE:
            reading.token = next_at
            reading.token_hash = EMPTY
            reading.words += 1
        if gap != NONE:
            reading.last_word = reading.word_hash
            reading.word = next_at
            reading.word_hash = EMPTY
        if label == SENTENCE_END:
            reading.sentence = next_at
            reading.words = reading.open = 0

    cdef int keys_at(self, Characters text, const Reading* reading, Py_ssize_t at, Py_ssize_t next_at, int gap,
                     uint64_t* out) noexcept nogil:
        """Write the keys of all features of the boundary after a character; return how many."""
        cdef const int32_t* c = text.code + at
        cdef const int32_t* d = text.code + next_at
        cdef const uint8_t* k = text.kind + at
        cdef const uint8_t* m = text.kind + next_at
        cdef Py_ssize_t place = at + 1 if gap == NONE else next_at, start
        cdef uint64_t g = gap, rest = EMPTY, ahead, second, kinds
        cdef int n = 0
        cdef Py_ssize_t ahead_length
        # The rest of the word, the next word, and the word after it.
        if gap == NONE:
            rest = hash_ahead(text, &place)
        skip_spaces(text, &place)
        start = place
        ahead = hash_ahead(text, &place)
        ahead_length = place - start
        skip_spaces(text, &place)
        second = hash_ahead(text, &place)
        kinds = g << 8 | k[0] << 4 | m[0]
        n = put(&self.place, out, n, 1, kinds, 0, 0)
        n = put(&self.place, out, n, 2, kinds, k[-1], m[1])
        n = put(&self.place, out, n, 3, kinds << 8 | k[-1] << 4 | k[-2], m[1], m[2])
        n = put(&self.place, out, n, 4, g, c[0], 0)
        n = put(&self.place, out, n, 5, g, 0, d[0])
        n = put(&self.place, out, n, 6, g, c[0], d[0])
        n = put(&self.place, out, n, 7, g, c[0], c[-1])
        n = put(&self.place, out, n, 8, g, d[0], d[1])
        n = put(&self.place, out, n, 9, (<uint64_t>c[-1] << 32) + c[0], d[0], g)
        n = put(&self.place, out, n, 10, c[0], (<uint64_t>d[0] << 32) + d[1], g)
        n = put(&self.place, out, n, 11, (<uint64_t>c[-2] << 32) + c[-1], c[0], g)
        n = put(&self.place, out, n, 12, (<uint64_t>d[1] << 32) + d[0], d[2], g)
        n = put(&self.place, out, n, 13, (<uint64_t>c[-1] << 32) + c[0], (<uint64_t>d[1] << 32) + d[0], g)
        n = put(&self.place, out, n, 14, reading.token_hash, g, 0)
        n = put(&self.place, out, n, 15, reading.token_hash, d[0], g)
        n = put(&self.place, out, n, 16, reading.word_hash, g, 0)
        n = put(&self.place, out, n, 17, reading.word_hash, rest, g)
        n = put(&self.place, out, n, 18, rest, c[0], g)
        n = put(&self.place, out, n, 19, reading.token_hash, rest, g)
        n = put(&self.place, out, n, 20, ahead, g, 0)
        n = put(&self.place, out, n, 21, ahead, kinds, 0)
        n = put(&self.place, out, n, 22, reading.word_hash, ahead, g)
        n = put(&self.place, out, n, 23, reading.word_hash, m[0], m[1] + (g << 8))
        n = put(&self.place, out, n, 24, reading.last_word, reading.word_hash, g)
        n = put(&self.place, out, n, 25, bucket(at - reading.word), kinds, reading.open > 0)
        n = put(&self.place, out, n, 26, bucket(reading.words), kinds, 0)
        n = put(&self.place, out, n, 27, bucket(reading.words), k[0], m[0] + (g << 8))
        n = put(&self.place, out, n, 28, reading.open > 0, c[0], m[0] + (g << 8))
        n = put(&self.place, out, n, 29, ahead, second, g)
        n = put(&self.place, out, n, 30, text.kind[reading.word], kinds, bucket(at - reading.word))
        n = put(&self.place, out, n, 31, text.kind[reading.sentence], kinds, bucket(reading.words))
        n = put(&self.place, out, n, 32, text.code[reading.word], kinds, d[0])
        n = put(&self.place, out, n, 33, reading.last_word, kinds, 0)
        n = put(&self.place, out, n, 34, bucket(ahead_length), kinds, m[1])
        n = put(&self.place, out, n, 35, reading.token == reading.word, kinds, m[1])
        n = put(&self.place, out, n, 36, (<uint64_t>k[-3] << 12) + (k[-2] << 8) + (k[-1] << 4) + k[0],
                (<uint64_t>m[3] << 12) + (m[2] << 8) + (m[1] << 4) + m[0], g)
        return n


cdef inline void skip_spaces(Characters text, Py_ssize_t* place) noexcept nogil:
    while place[0] < text.n and text.kind[place[0]] == SPACE:
        place[0] += 1


cdef inline uint64_t hash_ahead(Characters text, Py_ssize_t* place) noexcept nogil:
    """Return the hash of the characters from a place to the next space, and go there; of LONGEST_AHEAD at most."""
    cdef uint64_t value = EMPTY
    cdef Py_ssize_t end = min(place[0] + LONGEST_AHEAD, text.n)
    while place[0] < end and text.kind[place[0]] != SPACE:
        value = add(value, text.code[place[0]])
        place[0] += 1
    return value


cdef inline int bucket(Py_ssize_t length) noexcept nogil:
    """The class of a length: small ones have a class each."""
    if length < 6:
        return <int>length
    return 6 if length < 9 else 7 if length < 14 else 8 if length < 25 else 9 if length < 45 else 10


cdef inline int put(
    const tw_place* place, uint64_t* out, int n, int template, uint64_t a, uint64_t b, uint64_t c
) noexcept nogil:
    cdef uint64_t value = add(add(add(<uint64_t>template * 0x2545F4914F6CDD1DULL, a), b), c)
    out[n] = tw_ask(place, value ^ value << 31)
    return n + 1
