"""Read the arcs of enhanced graphs from DEPS as the official scorer does.

Like the official scorer, this leaves out arcs from empty nodes: ELAS is defined on graphs whose empty nodes were
collapsed into paths such as ``3:conj>obl``.
"""
from libc.stdlib cimport free, qsort
from libc.string cimport memchr

from treewright.errors import TreebankError
from treewright.treebank.blocks.memory cimport allocate_zeroed, resize

cdef uint64_t HASH_START = 14695981039346656037ULL      # FNV-1a, 64 bit
cdef uint64_t HASH_STEP = 1099511628211ULL
cdef enum:
    FEW = 4096                                          # pairs to compare one by one


cdef class Arcs:
    """The arcs of all words of a block."""

    def __init__(self, Block block):
        cdef int sentence
        self.first = <int32_t*>allocate_zeroed(block.n_words + 1, sizeof(int32_t))
        if block.layout.deps < 0:
            return
        for sentence in range(block.n_sentences):
            self._read(block, sentence)

    def __dealloc__(self):
        free(self.first)
        free(self.head)
        free(self.path)
        free(self.bare)

    cdef int _read(self, Block block, int sentence) except -1:
        cdef int word
        cdef const char* text
        cdef const char* stop
        cdef const char* bar
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            text = block.field_start(word, block.layout.deps)
            stop = text + block.field_length(word, block.layout.deps)
            if stop > text and not (stop - text == 1 and text[0] == c'_'):
                while True:
                    bar = <const char*>memchr(text, c'|', stop - text)
                    self._arc(block, sentence, word, text, stop if bar == NULL else bar)
                    if bar == NULL:
                        break
                    text = bar + 1
            self.first[word + 1] = self.n_arcs
            self.most = max(self.most, self.n_arcs - self.first[word])
        return 0

    cdef int _arc(self, Block block, int sentence, int word, const char* text, const char* stop) except -1:
        cdef const char* p = text
        cdef int head = 0
        cdef int first_word = block.sentence_word[sentence]
        cdef uint64_t path = HASH_START, bare = HASH_START
        cdef bint subtype = False, from_empty = False
        while p < stop and (c'0' <= p[0] <= c'9' or p[0] == c'.') and p - text < 18:
            if p[0] == c'.':
                from_empty = True
            elif not from_empty and head < 100000000:
                head = 10 * head + (p[0] - c'0')
            p += 1
        if p == text or p == stop or p[0] != c':':
            raise self._error(block, sentence, word, text[: stop - text], "is not `head:relation`")
        if from_empty:
            return 0
        if head > block.sentence_word[sentence + 1] - first_word:
            raise self._error(block, sentence, word, text[: stop - text], "points outside the sentence")
        p += 1
        while p < stop:
            path = (path ^ <unsigned char>p[0]) * HASH_STEP
            if p[0] == c'>':
                subtype = False
            elif p[0] == c':':
                subtype = True
            if not subtype:
                bare = (bare ^ <unsigned char>p[0]) * HASH_STEP
            p += 1
        if self.n_arcs == self.room:
            self._grow()
        self.head[self.n_arcs] = first_word + head - 1 if head else -1
        self.path[self.n_arcs] = path
        self.bare[self.n_arcs] = bare
        self.n_arcs += 1
        return 0

    def _error(self, Block block, int sentence, int word, bytes arc, str problem):
        return TreebankError(
            f"the arc `{arc.decode('utf-8', 'replace')}` in DEPS {problem}",
            source=block.source, line=block.line_of_word(word), sent_id=block.sent_id(sentence),
            remedy="DEPS is `_` or `head:relation|head:relation`, with heads in the same sentence",
        )

    cdef int _grow(self) except -1:
        cdef int room = 2 * self.room + 256
        self.head = <int32_t*>resize(self.head, room, sizeof(int32_t))
        self.path = <uint64_t*>resize(self.path, room, sizeof(uint64_t))
        self.bare = <uint64_t*>resize(self.bare, room, sizeof(uint64_t))
        self.room = room
        return 0


cdef uint64_t arc_key(int head, uint64_t path) noexcept nogil:
    """Return a well-mixed hash of head and relation."""
    cdef uint64_t key = path ^ (<uint64_t>(head + 3) * <uint64_t>0x9E3779B97F4A7C15ULL)
    key = (key ^ (key >> 32)) * <uint64_t>0xD6E8FEB86659FD93ULL
    return key ^ (key >> 32)


cdef int ascending(const void* left, const void* right) noexcept nogil:
    cdef uint64_t a = (<const uint64_t*>left)[0], b = (<const uint64_t*>right)[0]
    return (a > b) - (a < b)


cdef long long equal_pairs(uint64_t* left, int n_left, uint64_t* right, int n_right) noexcept nogil:
    """Count the pairs of equal keys. A repeated arc counts repeatedly, as in the official scorer.

    Words have few arcs; the sorted merge only prevents quadratic time for a pathological DEPS.
    """
    cdef int i, j
    cdef long long pairs = 0, same_left, same_right
    cdef uint64_t key
    if <long long>n_left * n_right <= FEW:
        for i in range(n_left):
            for j in range(n_right):
                pairs += left[i] == right[j]
        return pairs
    qsort(left, n_left, sizeof(uint64_t), &ascending)
    qsort(right, n_right, sizeof(uint64_t), &ascending)
    i = j = 0
    while i < n_left and j < n_right:
        if left[i] < right[j]:
            i += 1
        elif left[i] > right[j]:
            j += 1
        else:
            key = left[i]
            same_left = same_right = 0
            while i < n_left and left[i] == key:
                same_left += 1
                i += 1
            while j < n_right and right[j] == key:
                same_right += 1
                j += 1
            pairs += same_left * same_right
    return pairs
