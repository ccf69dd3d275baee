"""Ways through a tree from a word to its possible heads in a graph.

Nearly every arc of an enhanced graph stands at the end of a short path through the tree, and few paths occur: up by
*conj* and on by *obj* (the second of two objects), up by *nsubj* and down by *xcomp* (who wants to go also goes). The
paths of a treebank are kept in a trie. Each has its *choices*: the relations that an arc to its end may have, and
whether there may be none.
"""
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.learners.text_keys cimport add_number, make_room, number_of

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)


cdef class TreeView(Owner):
    """The tree of a sentence with the children of each word, in memory that is used again for the next one."""

    cdef int look_at(self, const int32_t* heads, const int32_t* labels, int n, uint64_t markers) except -1 nogil:
        """Take the tree of a sentence; ``markers``: the kind of relations that nodes are marked by, as bits."""
        cdef Tree* t = &self.tree
        cdef int word, head
        if t.first_child == NULL or n > self.room:
            self.room = 64 + 2 * n
            t.first_child = <int32_t*>self.resized(t.first_child, self.room + 3, sizeof(int32_t))
            t.children = <int32_t*>self.resized(t.children, self.room, sizeof(int32_t))
            t.below = <uint64_t*>self.resized(t.below, self.room + 1, sizeof(uint64_t))
            t.marker = <int32_t*>self.resized(t.marker, self.room + 1, sizeof(int32_t))
        t.n, t.heads, t.labels = n, heads, labels
        memset(t.first_child, 0, (n + 3) * sizeof(int32_t))
        memset(t.below, 0, (n + 1) * sizeof(uint64_t))
        memset(t.marker, 0, (n + 1) * sizeof(int32_t))
        for word in range(n):
            if heads[word] >= 0:
                t.first_child[heads[word] + 2] += 1
        for head in range(n + 2):
            t.first_child[head + 1] += t.first_child[head]
        for word in range(n):                # first_child[head + 1] moves from the first child of a head to the end
            head = heads[word]
            if head >= 0:
                t.children[t.first_child[head + 1]] = word + 1
                t.first_child[head + 1] += 1
                t.below[head] |= bit_of(labels[word])
                if t.marker[head] == 0 and bit_of(labels[word]) & markers:
                    t.marker[head] = word + 1
        return 0


cdef class TreePaths(Owner):
    """The paths that end at possible heads, with the choices that each leaves.

    Invariants: choices are NO_ARC or relations of the graph; every path has 1 to LONGEST_PATH steps, and a choice.
    """

    def __init__(self, paths, int n_relations, int n_graph_relations):
        """``paths``: pairs of steps and choices; a step is a pair: is it upwards, and which relation of trees.

        ``n_relations``: of trees.
        """
        cdef int32_t node, k = 0
        self.n_relations = n_relations
        room = 1 + sum(len(steps) for steps, _ in paths)
        make_room(&self.behind, room)
        self.n_nodes = 1
        self.first = <int32_t*>self.new_block(room + 1, sizeof(int32_t))
        self.down = <uint64_t*>self.new_block(room, sizeof(uint64_t))
        self.code = <uint64_t*>self.new_block(room, sizeof(uint64_t))
        self.choices = <int32_t*>self.new_block(1 + sum(len(choices) for _, choices in paths), sizeof(int32_t))
        found = {}
        self.ends = []
        for steps, choices in paths:
            if not 0 < len(steps) <= LONGEST_PATH or not choices:
                raise ValueError(f"a path has 1 to {LONGEST_PATH} steps, and choices")
            if any(not 0 <= relation < n_relations for _, relation in steps):
                raise ValueError("a step of a path has no relation of trees")
            if any(not NO_ARC <= choice < n_graph_relations for choice in choices):
                raise ValueError("a path leaves a choice that there is not")
            node = 0
            for upwards, relation in steps:
                node = self.add(node, relation, upwards)
            if found.setdefault(node, choices) is not choices:
                raise ValueError("a path is there twice")
            self.ends.append(node)
        for node in range(self.n_nodes):
            self.first[node] = k
            for choice in found.get(node, ()):
                self.choices[k] = choice
                k += 1
        self.first[self.n_nodes] = k

    def __dealloc__(self):
        free(self.behind.slots)

    cdef int32_t add(self, int32_t node, int32_t relation, bint upwards) except -1:
        """Return the node behind another; make it if it is not there yet."""
        cdef int32_t known = self.step(node, relation, upwards), new = self.n_nodes
        cdef int32_t[2] step
        if known >= 0:
            return known
        add_number(&self.behind, key_of(node, relation, upwards), new)
        if not upwards:
            self.down[node] |= bit_of(relation)
        step[0], step[1] = relation, upwards
        self.code[new] = tw_hash(<const char*>&step[0], sizeof(step), self.code[node])
        self.n_nodes += 1
        return new

    cdef int32_t step(self, int32_t node, int32_t relation, bint upwards) noexcept nogil:
        """Return the node behind another, or -1."""
        return number_of(&self.behind, key_of(node, relation, upwards))

    cdef int candidates(self, const Tree* tree, int word, Candidate* out, int most) noexcept nogil:
        """Write the nodes at the ends of paths from a word; return how many, ``most`` at most."""
        cdef int node = word, came = 0, passed = 0, head, n = 0, steps = 0
        cdef int32_t path = 0
        while node != 0:
            if self.down[path] & tree.below[node]:
                n = self.descend(tree, node, came, passed, path, out, n, most)
            head = tree.heads[node - 1]
            if head < 0:
                break
            path = self.step(path, tree.labels[node - 1], True)
            if path < 0:
                break
            steps += 1
            if self.first[path] < self.first[path + 1] and n < most:
                out[n].head, out[n].path = head, path
                out[n].passed = passed if passed else tree.heads[head - 1] if head else 0
                n += 1
            passed = passed if passed else head
            node, came = head, node
        return n

    cdef int descend(
        self, const Tree* tree, int node, int came, int passed, int32_t path, Candidate* out, int n, int most
    ) noexcept nogil:
        """Follow paths down from a node, but not to the child ``came`` that they lead up from; return how many by now.

        ``passed``: the node that they passed first, or 0.
        """
        cdef int i, child
        cdef int32_t further
        for i in range(tree.first_child[node], tree.first_child[node + 1]):
            child = tree.children[i]
            if child == came or not self.down[path] & bit_of(tree.labels[child - 1]):
                continue
            further = self.step(path, tree.labels[child - 1], False)
            if further < 0:
                continue
            if self.first[further] < self.first[further + 1] and n < most:
                out[n].head, out[n].path = child, further
                out[n].passed = passed if passed else max(tree.heads[node - 1], 0)
                n += 1
            if self.down[further] & tree.below[child]:
                n = self.descend(tree, child, 0, passed if passed else child, further, out, n, most)
        return n


cdef inline uint64_t key_of(int32_t node, int32_t relation, bint upwards) noexcept nogil:
    return (((<uint64_t>node << 31) + relation) * 2 + upwards + 1) * 0x9E3779B97F4A7C15ULL
