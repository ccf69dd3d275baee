"""The graph of one sentence in flat arrays that are reused for the next: what a pattern is matched with."""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.treebank.blocks.memory cimport resize


cdef class SentenceGraph:
    """Nodes in their order, the anchor first, and arcs between them, by source and by target."""

    def __init__(self, int n_slots, int n_arc_slots):
        self.n_slots, self.n_arc_slots = n_slots, n_arc_slots

    def __dealloc__(self):
        free(self.mask)
        free(self.value)
        free(self.parent)
        free(self.source)
        free(self.target)
        free(self.arc_mask)
        free(self.arc_value)
        free(self.first_out)
        free(self.leaving)
        free(self.first_in)
        free(self.arriving)
        free(self.waiting)
        free(self.mark)

    cdef int begin(self, int n_nodes) except -1 nogil:
        """Remove all arcs and make room for nodes; what is known of them is yet to be written."""
        cdef int room, node
        self.n_nodes, self.n_arcs = n_nodes, 0
        if n_nodes >= self.node_room:
            room = 64 + 2 * n_nodes
            self.mask = <uint64_t*>resize(self.mask, room, sizeof(uint64_t))
            self.value = <double*>resize(self.value, room * self.n_slots, sizeof(double))
            self.parent = <int32_t*>resize(self.parent, room, sizeof(int32_t))
            self.first_out = <int32_t*>resize(self.first_out, room + 2, sizeof(int32_t))
            self.first_in = <int32_t*>resize(self.first_in, room + 2, sizeof(int32_t))
            self.mark = <int32_t*>resize(self.mark, room, sizeof(int32_t))
            self.node_room = room
            self._scratch()
        for node in range(n_nodes):
            self.parent[node] = -1
        return 0

    cdef int _scratch(self) except -1 nogil:
        self.waiting = <int32_t*>resize(self.waiting, self.node_room + self.arc_room + 2, sizeof(int32_t))
        return 0

    cdef int add(self, int source, int target, uint64_t mask) except -1 nogil:
        """Add an arc; its values are yet to be written."""
        cdef int room
        if self.n_arcs == self.arc_room:
            room = 128 + 2 * self.arc_room
            self.source = <int32_t*>resize(self.source, room, sizeof(int32_t))
            self.target = <int32_t*>resize(self.target, room, sizeof(int32_t))
            self.arc_mask = <uint64_t*>resize(self.arc_mask, room, sizeof(uint64_t))
            self.arc_value = <double*>resize(self.arc_value, room * self.n_arc_slots, sizeof(double))
            self.leaving = <int32_t*>resize(self.leaving, room, sizeof(int32_t))
            self.arriving = <int32_t*>resize(self.arriving, room, sizeof(int32_t))
            self.arc_room = room
            self._scratch()
        self.source[self.n_arcs], self.target[self.n_arcs], self.arc_mask[self.n_arcs] = source, target, mask
        self.n_arcs += 1
        return self.n_arcs - 1

    cdef int index(self) except -1 nogil:
        """Index the arcs: those from a node by target, those to a node by source."""
        cdef int arc, at, n = self.n_nodes
        self._offsets(self.first_in, self.target)
        self._offsets(self.first_out, self.source)
        # by target, in any order, then by source: so that arcs from a node are by target
        for arc in range(self.n_arcs):
            self.waiting[self._place(self.first_in, self.target[arc])] = arc
        for at in range(self.n_arcs):
            arc = self.waiting[at]
            self.leaving[self._place(self.first_out, self.source[arc])] = arc
        self._offsets(self.first_in, self.target)
        self._offsets(self.first_out, self.source)
        for at in range(self.n_arcs):
            arc = self.leaving[at]
            self.arriving[self._place(self.first_in, self.target[arc])] = arc
        self._offsets(self.first_in, self.target)
        self.first_in[n] = self.first_out[n] = self.n_arcs
        return 0

    cdef inline int _place(self, int32_t* first, int node) noexcept nogil:
        first[node] += 1
        return first[node] - 1

    cdef void _offsets(self, int32_t* first, const int32_t* end) noexcept nogil:
        """Write where the arcs of every node begin, if they are in the order of this end."""
        cdef int arc, node, n = self.n_nodes
        memset(first, 0, (n + 2) * sizeof(int32_t))
        for arc in range(self.n_arcs):
            first[end[arc] + 1] += 1
        for node in range(1, n + 1):
            first[node] += first[node - 1]

    cdef bint has(self, int source, int target, uint64_t wanted) noexcept nogil:
        """Return whether there is an arc with a wanted label."""
        cdef int at, arc
        for at in range(self.first_in[target], self.first_in[target + 1]):
            arc = self.arriving[at]
            if self.source[arc] == source and self.arc_mask[arc] & wanted:
                return True
        return False

    cdef bint reaches(self, int source, int target, long* steps) noexcept nogil:
        """Return whether a path of at least one arc leads from one node to another."""
        cdef int at, node, found, n = 1
        memset(self.mark, 0, self.n_nodes * sizeof(int32_t))
        self.waiting[0] = source
        while n > 0:
            n -= 1
            node = self.waiting[n]
            for at in range(self.first_out[node], self.first_out[node + 1]):
                found = self.target[self.leaving[at]]
                steps[0] -= 1
                if found == target:
                    return True
                if not self.mark[found]:
                    self.mark[found] = 1
                    self.waiting[n] = found
                    n += 1
        return False

    cdef int depth(self, int node) noexcept nogil:
        """Return how many arcs of the tree lead from the anchor to a node; -1: none do."""
        cdef int n = 0
        while node > 0:
            node = self.parent[node]
            n += 1
            if n > self.n_nodes:
                return -1
        return n if node == 0 else -1

    # The structures that `global` asks for

    cdef bint is_cyclic(self) noexcept nogil:
        """Return whether a path leads from a node to itself: nodes without arcs to them are taken away one by one."""
        cdef int at, node, found, n = 0, left = self.n_nodes
        for node in range(self.n_nodes):
            self.mark[node] = self.first_in[node + 1] - self.first_in[node]
            if self.mark[node] == 0:
                self.waiting[n] = node
                n += 1
        while n > 0:
            n -= 1
            left -= 1
            node = self.waiting[n]
            for at in range(self.first_out[node], self.first_out[node + 1]):
                found = self.target[self.leaving[at]]
                self.mark[found] -= 1
                if self.mark[found] == 0:
                    self.waiting[n] = found
                    n += 1
        return left > 0

    cdef bint is_forest(self) noexcept nogil:
        """Return whether no node has two arcs to it, and there is no cycle."""
        cdef int node
        for node in range(self.n_nodes):
            if self.first_in[node + 1] - self.first_in[node] > 1:
                return False
        return not self.is_cyclic()

    cdef bint is_tree(self) noexcept nogil:
        """Return whether it is a forest with one root: the anchor."""
        cdef int node, roots = 0
        for node in range(self.n_nodes):
            roots += self.first_in[node + 1] == self.first_in[node]
        return roots == 1 and self.is_forest()

    cdef bint is_projective(self) noexcept nogil:
        """Return whether no two arcs cross.

        Open arcs by their left ends, the longer first: those that are open are nested, until one ends behind the next.
        """
        cdef int node, at, arc, right, n = 0, other, k
        cdef int32_t* first = self.mark          # of a left end: the first of its arcs, then one after the other
        cdef int32_t* following = self.waiting
        cdef int32_t* open_ends
        for node in range(self.n_nodes):
            first[node] = -1
        # arcs by their right ends, ascending, each put in front of those with the same left end
        for right in range(self.n_nodes):
            for k in range(2):
                for at in range(self.first_in[right] if k else self.first_out[right],
                                self.first_in[right + 1] if k else self.first_out[right + 1]):
                    arc = self.arriving[at] if k else self.leaving[at]
                    other = self.source[arc] if k else self.target[arc]
                    if other < right:
                        following[arc] = first[other]
                        first[other] = arc
        open_ends = self.waiting + self.n_arcs
        for node in range(self.n_nodes):
            while n > 0 and open_ends[n - 1] <= node:
                n -= 1
            arc = first[node]
            while arc >= 0:
                right = max(self.source[arc], self.target[arc])
                if n > 0 and right > open_ends[n - 1]:
                    return False
                if n == 0 or right < open_ends[n - 1]:
                    open_ends[n] = right
                    n += 1
                arc = following[arc]
        return True
