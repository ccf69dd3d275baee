"""Which values occur in which parts of a file: collected for an index, and sorted."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memset

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed, resize

cdef extern from "lines.h" nogil:
    int tw_columns(const char* text, const char* line, const char* end, int32_t* field, int most, const char** stop,
                   int has_avx2)
    int tw_has_avx2()

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)


cdef struct Posting:
    uint64_t key
    uint32_t part


cdef class Collector:
    """Collects the values of some columns, part by part; ``taken`` gives them sorted."""

    cdef Posting* postings
    cdef int64_t n, room
    cdef uint64_t* seen                  # keys of the part, in an open-addressed table
    cdef int64_t mask, n_seen

    def __cinit__(self):
        self.mask = (1 << 12) - 1
        self.seen = <uint64_t*>allocate_zeroed(self.mask + 1, sizeof(uint64_t))

    def __dealloc__(self):
        free(self.postings)
        free(self.seen)

    def __len__(self):
        return self.n

    def add(self, Block block not None, uint32_t part):
        """Add the values of a block: of words, and of empty nodes and multiword tokens, which may be asked for, too."""
        cdef int columns[5]
        cdef int32_t* field = <int32_t*>allocate(2 * block.n_columns + 2, sizeof(int32_t))
        layout = block.layout
        columns[0], columns[1], columns[2], columns[3], columns[4] = (
            layout.form, layout.lemma, layout.upos, layout.xpos, layout.deprel
        )
        memset(self.seen, 0, (self.mask + 1) * sizeof(uint64_t))
        self.n_seen = 0
        try:
            with nogil:
                self._add(block.text, block.text + block.sentence_offset[block.n_sentences], field, block.n_columns,
                          columns, part)
        finally:
            free(field)

    cdef int _add(self, const char* text, const char* end, int32_t* field, int n_columns, int* columns,
                  uint32_t part) except -1 nogil:
        cdef const char* line = text
        cdef const char* stop
        cdef int k, found, place, has_avx2 = tw_has_avx2()
        while line < end:
            found = tw_columns(text, line, end, field, n_columns, &stop, has_avx2)
            if found == n_columns and line[0] != c"#":
                field[0] = <int32_t>(line - text)
                field[n_columns] = <int32_t>((stop - 1 if stop[-1] == c"\r" else stop) - text) + 1
                for k in range(5):
                    place = columns[k]
                    if place >= 0:
                        self._note(key_of(k, text + field[place], field[place + 1] - 1 - field[place]), part)
            line = stop + 1
        return 0

    cdef int _note(self, uint64_t key, uint32_t part) except -1 nogil:
        """Add a key, once for each part."""
        cdef int64_t slot = (key >> 20) & self.mask
        while self.seen[slot] != 0:
            if self.seen[slot] == key:
                return 0
            slot = (slot + 1) & self.mask
        self.seen[slot] = key
        self.n_seen += 1
        if self.n == self.room:
            self.room = 4096 + 2 * self.room
            self.postings = <Posting*>resize(self.postings, self.room, sizeof(Posting))
        self.postings[self.n] = Posting(key, part)
        self.n += 1
        if 2 * self.n_seen > self.mask:
            self._grow()
        return 0

    cdef int _grow(self) except -1 nogil:
        cdef uint64_t* old = self.seen
        cdef int64_t slot, at, size = self.mask + 1
        self.seen = <uint64_t*>allocate_zeroed(2 * size, sizeof(uint64_t))
        self.mask = 2 * size - 1
        for at in range(size):
            if old[at] != 0:
                slot = (old[at] >> 20) & self.mask
                while self.seen[slot] != 0:
                    slot = (slot + 1) & self.mask
                self.seen[slot] = old[at]
        free(old)
        return 0

    def taken(self):
        """Return the keys, sorted, where the parts of each begin, and the parts; all as bytes. Then begin anew."""
        cdef int64_t at, n_keys = 0
        cdef uint64_t* keys
        cdef uint32_t* starts
        cdef uint32_t* parts
        with nogil:
            qsort(self.postings, self.n, sizeof(Posting), &by_key)
            for at in range(self.n):
                n_keys += at == 0 or self.postings[at].key != self.postings[at - 1].key
        raw_keys = PyBytes_FromStringAndSize(NULL, n_keys * 8)
        raw_starts = PyBytes_FromStringAndSize(NULL, (n_keys + 1) * 4)
        raw_parts = PyBytes_FromStringAndSize(NULL, self.n * 4)
        keys = <uint64_t*>PyBytes_AS_STRING(raw_keys)
        starts = <uint32_t*>PyBytes_AS_STRING(raw_starts)
        parts = <uint32_t*>PyBytes_AS_STRING(raw_parts)
        n_keys = 0
        for at in range(self.n):
            if at == 0 or self.postings[at].key != self.postings[at - 1].key:
                keys[n_keys] = self.postings[at].key
                starts[n_keys] = <uint32_t>at
                n_keys += 1
            parts[at] = self.postings[at].part
        starts[n_keys] = <uint32_t>self.n
        self.n = 0
        return raw_keys, raw_starts, raw_parts


def key_of_value(int column, bytes value not None):
    """Return the key of a value of a column: 0 FORM, 1 LEMMA, 2 UPOS, 3 XPOS, 4 DEPREL."""
    return key_of(column, PyBytes_AS_STRING(value), len(value))


cdef inline uint64_t key_of(int column, const char* text, int length) noexcept nogil:
    return tw_hash(text, length, column + 2) | 1


cdef int by_key(const void* one, const void* other) noexcept nogil:
    cdef const Posting* a = <const Posting*>one
    cdef const Posting* b = <const Posting*>other
    if a.key != b.key:
        return 1 if a.key > b.key else -1
    return <int>(a.part > b.part) - <int>(a.part < b.part)
