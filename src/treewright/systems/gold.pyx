"""Gold trees and graphs, owned by whoever consults an oracle: a trainer, a test, an analysis. Parsing needs none."""
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.treebank.blocks.memory cimport resize


cdef class GoldStandard:
    """The gold tree or graph of one sentence at a time; its memory grows as needed."""

    def __dealloc__(self):
        free(self.memory)
        free(self.gold.children)

    cdef int reserve(self, int n, int n_arcs) except -1 nogil:
        """Make room for n words and their arcs."""
        cdef size_t size
        if n > self.capacity or self.memory == NULL:
            size = <size_t>n + n // 2 + 64
            self.memory = <int32_t*>resize(self.memory, 8 * size, sizeof(int32_t))
            self.capacity = <int>size - 3
            self.gold.order, self.gold.component = self.memory + 3 * size, self.memory + 4 * size
            self.gold.plane = self.memory + 7 * size
            self.gold.head, self.gold.label = self.memory, self.memory + size
            self.gold.first_child = self.memory + 2 * size
        if n_arcs > self.arc_capacity or self.gold.children == NULL:
            size = <size_t>n_arcs + n_arcs // 2 + 64
            self.gold.children = <int32_t*>resize(self.gold.children, size, sizeof(int32_t))
            self.arc_capacity = <int>size
        return 0

    cdef int bind_tree(self, int n, int root, const int32_t* heads, const int32_t* labels) except -1 nogil:
        """Take a tree of n words: heads[i] is the head of word i + 1, 0 for the root, which is the node ``root``.

        NONE is a head that is not known: the costs of moves then count the other arcs.
        """
        cdef Gold* g = &self.gold
        cdef int word
        self.reserve(n, n)
        g.root = g.head[0] = g.head[n + 1] = NONE
        for word in range(n, 0, -1):
            g.head[word], g.label[word] = heads[word - 1], labels[word - 1]
            if heads[word - 1] == 0:
                g.head[word], g.root = root, word
        index_children(g, n, root, NULL, heads)
        find_order(g, n, root, g.order + 2 * (g.component - g.order))
        find_components(g, n, root, g.order + 2 * (g.component - g.order), g.order + 3 * (g.component - g.order))
        find_planes(g, n, root, g.order + 2 * (g.component - g.order))
        return 0

    cdef int bind_graph(self, int n, int root, const int32_t* first_head, const int32_t* heads,
                        const int32_t* labels) except -1 nogil:
        """Take a graph of n words, whose arrays stay where they are; the arcs to word w are first_head[w - 1 .. w]."""
        cdef Gold* g = &self.gold
        self.reserve(n, first_head[n] - first_head[0])
        g.first_head, g.heads, g.labels = first_head, heads, labels
        index_children(g, n, root, first_head, heads)
        return 0


cdef void index_children(Gold* g, int n, int root, const int32_t* first_head, const int32_t* heads) noexcept nogil:
    """List the dependents of every node in ascending order. Without ``first_head`` every word has one head."""
    cdef int word, node, i, first, end, count, total = 0
    memset(g.first_child, 0, (n + 3) * sizeof(int32_t))
    first = first_head[0] if first_head != NULL else 0
    end = first_head[n] if first_head != NULL else n
    for i in range(first, end):
        if heads[i] != NONE:
            g.first_child[heads[i] if heads[i] else root] += 1
    for node in range(n + 2):
        count = g.first_child[node]
        g.first_child[node] = total
        total += count
    g.first_child[n + 2] = total
    for word in range(1, n + 1):
        first = first_head[word - 1] if first_head != NULL else word - 1
        end = first_head[word] if first_head != NULL else word
        for i in range(first, end):
            if heads[i] == NONE:
                continue
            node = heads[i] if heads[i] else root
            g.children[g.first_child[node]] = word
            g.first_child[node] += 1
    # Every offset now stands where the next node's dependents begin.
    for node in range(n + 1, 0, -1):
        g.first_child[node] = g.first_child[node - 1]
    g.first_child[0] = 0


cdef void find_order(Gold* g, int n, int root, int32_t* cursor) noexcept nogil:
    """Number the nodes in the projective order (Nivre 2009): those below a node in place of it, as they stand.

    Words below a head that is not known keep the order of the sentence, behind all others.
    """
    cdef int node, place = 0
    for node in range(n + 2):
        g.order[node], cursor[node] = NONE, g.first_child[node]
    node = root
    while node != NONE:
        if cursor[node] < g.first_child[node + 1] and (g.order[node] != NONE or g.children[cursor[node]] < node):
            cursor[node] += 1
            node = g.children[cursor[node] - 1]
        elif g.order[node] == NONE:
            g.order[node] = place
            place += 1
        else:
            node = g.head[node] if node != root else NONE
    for node in range(n + 2):
        if g.order[node] == NONE:
            g.order[node] = place + node


cdef void find_components(Gold* g, int n, int root, int32_t* stack, int32_t* waiting) noexcept nogil:
    """Find the maximal projective components (Nivre, Kuhlmann & Hall 2009): what arc-standard builds without SWAP."""
    cdef int node, word, size = 0, above, below
    for node in range(n + 2):
        waiting[node] = g.first_child[node + 1] - g.first_child[node]
        g.component[node] = node
    for word in range(1, n + 1):
        stack[size] = word
        size += 1
        while size > 1:
            above, below = stack[size - 1], stack[size - 2]
            if g.head[below] == above and waiting[below] == 0:
                stack[size - 2] = above
                node = below
            elif g.head[above] == below and waiting[above] == 0:
                node = above
            else:
                break
            size -= 1
            g.component[node] = g.head[node]
            waiting[g.head[node]] -= 1
    # Every word names the one at the top of its component; what is found on the way is kept.
    for word in range(1, n + 1):
        node = word
        while g.component[node] != node:
            node = g.component[node]
        above = word
        while g.component[above] != above:
            below = g.component[above]
            g.component[above] = node
            above = below


cdef inline bint crosses(const Gold* g, int one, int other, int root) noexcept nogil:
    """Do the arcs to two words cross? Those from ROOT cross none."""
    cdef int a = min(one, g.head[one]), b = max(one, g.head[one])
    cdef int c = min(other, g.head[other]), d = max(other, g.head[other])
    if g.head[one] == root or g.head[other] == root or g.head[one] == NONE or g.head[other] == NONE:
        return False
    return a < c < b < d or c < a < d < b


cdef void find_planes(Gold* g, int n, int root, int32_t* agenda) noexcept nogil:
    """Put arcs that cross into different planes (Gómez-Rodríguez & Nivre 2010), the first one into plane 0.

    Every pair of arcs is looked at, but only in trees that have crossing arcs.
    """
    cdef int word, one, other, size
    cdef bint projective = True
    for word in range(n + 2):
        g.plane[word] = 0
    for word in range(1, n + 1):
        projective = projective and g.head[g.component[word]] == root
    if projective:
        return
    for word in range(1, n + 1):
        g.plane[word] = NONE
    for word in range(1, n + 1):
        if g.plane[word] != NONE:
            continue
        g.plane[word], agenda[0], size = 0, word, 1
        while size > 0:
            size -= 1
            one = agenda[size]
            for other in range(1, n + 1):
                if g.plane[other] == NONE and crosses(g, one, other, root):
                    g.plane[other] = 1 - g.plane[one]
                    agenda[size] = other
                    size += 1
