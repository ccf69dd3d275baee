"""The arcs of one sentence's graph in flat arrays that are reused for the next sentence."""
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.treebank.blocks.memory cimport resize


cdef class SentenceArcs:
    """Arcs in the order of addition; after ``index`` also by dependent and by head."""

    def __dealloc__(self):
        free(self.head)
        free(self.dependent)
        free(self.label)
        free(self.first_in)
        free(self.arriving)
        free(self.first_out)
        free(self.leaving)

    cdef int begin(self, int n_words) except -1 nogil:
        """Remove all arcs and start a sentence of ``n_words`` words."""
        cdef int room
        self.n_words, self.n_arcs = n_words, 0
        if n_words >= self.word_room:
            room = 64 + 2 * n_words
            self.first_in = <int32_t*>resize(self.first_in, room + 3, sizeof(int32_t))
            self.first_out = <int32_t*>resize(self.first_out, room + 3, sizeof(int32_t))
            self.word_room = room
        return 0

    cdef int add(self, int head, int dependent, int label) except -1 nogil:
        cdef int room
        if self.n_arcs == self.room:
            room = 256 + 2 * self.room
            self.head = <int32_t*>resize(self.head, room, sizeof(int32_t))
            self.dependent = <int32_t*>resize(self.dependent, room, sizeof(int32_t))
            self.label = <int32_t*>resize(self.label, room, sizeof(int32_t))
            self.arriving = <int32_t*>resize(self.arriving, room, sizeof(int32_t))
            self.leaving = <int32_t*>resize(self.leaving, room, sizeof(int32_t))
            self.room = room
        self.head[self.n_arcs], self.dependent[self.n_arcs], self.label[self.n_arcs] = head, dependent, label
        self.n_arcs += 1
        return 0

    cdef bint has(self, int head, int dependent, int label) noexcept nogil:
        """Return whether an arc is among the last added arcs to the same word; earlier arcs are not searched."""
        cdef int i = self.n_arcs - 1
        while i >= 0 and self.dependent[i] == dependent:
            if self.head[i] == head and self.label[i] == label:
                return True
            i -= 1
        return False

    cdef int index(self) except -1 nogil:
        """Index the arcs by dependent and by head."""
        cdef int i, at, n = self.n_words
        memset(self.first_in, 0, (n + 3) * sizeof(int32_t))
        memset(self.first_out, 0, (n + 3) * sizeof(int32_t))
        for i in range(self.n_arcs):
            self.first_in[self.dependent[i] + 1] += 1
            self.first_out[self.head[i] + 1] += 1
        for i in range(1, n + 3):
            self.first_in[i] += self.first_in[i - 1]
            self.first_out[i] += self.first_out[i - 1]
        for i in range(self.n_arcs):
            self.arriving[self.first_in[self.dependent[i]]] = i
            self.first_in[self.dependent[i]] += 1
        for at in range(self.n_arcs):
            i = self.arriving[at]
            self.leaving[self.first_out[self.head[i]]] = i
            self.first_out[self.head[i]] += 1
        for i in range(n + 2, 0, -1):
            self.first_in[i] = self.first_in[i - 1]
            self.first_out[i] = self.first_out[i - 1]
        self.first_in[0] = self.first_out[0] = 0
        return 0
