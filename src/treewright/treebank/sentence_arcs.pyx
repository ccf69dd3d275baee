"""The arcs of one sentence's graph in flat memory, which is used again for the next sentence."""
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.treebank.memory cimport grown


cdef class SentenceArcs:
    """Arcs in the order they were added; after ``index``, also those to each word and those from each node."""

    def __dealloc__(self):
        free(self.head)
        free(self.dependent)
        free(self.label)
        free(self.first_in)
        free(self.arriving)
        free(self.first_out)
        free(self.leaving)

    cdef int begin(self, int n_words) except -1 nogil:
        """Forget all arcs; the next sentence has so many words."""
        self.n_words, self.n_arcs = n_words, 0
        if n_words >= self.word_room:
            self.word_room = 64 + 2 * n_words
            self.first_in = grown(self.first_in, self.word_room + 3)
            self.first_out = grown(self.first_out, self.word_room + 3)
        return 0

    cdef int add(self, int head, int dependent, int label) except -1 nogil:
        if self.n_arcs == self.room:
            self.room = 256 + 2 * self.room
            self.head = grown(self.head, self.room)
            self.dependent = grown(self.dependent, self.room)
            self.label = grown(self.label, self.room)
            self.arriving = grown(self.arriving, self.room)
            self.leaving = grown(self.leaving, self.room)
        self.head[self.n_arcs], self.dependent[self.n_arcs], self.label[self.n_arcs] = head, dependent, label
        self.n_arcs += 1
        return 0

    cdef bint has(self, int head, int dependent, int label) noexcept nogil:
        """Is the arc there? Looks at the arcs that were added last, to the same word; others are not found."""
        cdef int i = self.n_arcs - 1
        while i >= 0 and self.dependent[i] == dependent:
            if self.head[i] == head and self.label[i] == label:
                return True
            i -= 1
        return False

    cdef int index(self) except -1 nogil:
        """Sort the arcs by dependent, and by head."""
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
