"""How many gold arcs arc-standard can still build: a chart over the roots that remain.

Arc-standard is not arc-decomposable: two gold arcs that can each be built may exclude each other. So the best that
can still be reached is found by dynamic programming, as Goldberg, Sartorio & Satta (2014) do; here with the split
heads of Eisner (1996), in cubic time in the number of words that still matter, which is small.

Take the words on the stack and those of the buffer in order. Every tree over them can be built, but for one
restriction: an arc between two words of the stack is added when the upper one, x, is on top. Whatever lay above x
must hang below x by then: **x has taken everything up to the top of the stack at least.** In halves of subtrees:

- ``right[i][j]``: the most gold arcs among i and what hangs below it to the right, up to j. It reaches the top of
  the stack, or is empty.
- ``left[i][j]``: the same for j and what hangs below it to the left, down to i.
- ``to_right[i][j]``: i → j with everything between them; ``to_left[i][j]``: j → i likewise;
  ``to_left_high[i][j]``: j → i, where the right half of i reaches the top: what i needs if it has words to its left.
"""
from libc.stdint cimport int16_t, int64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate

cdef enum:
    SMALL = 24               # as many words as a chart on the C stack has room for
    WINDOW = 128             # of more words those around the top of the stack count: time grows with their cube
    NEVER = -10000


cdef int most_gold_arcs(const Gold* g, const int32_t* nodes, int n, int top, bint single_root) except -1 nogil:
    """Return the most gold arcs that can be built among nodes: the root, then words in order.

    ``top`` is the position of the top of the stack among them. Words that no gold arc links to others may be left
    out: they can always be attached to a neighbour. Of very many words, the distant ones are left out, too: the count
    is then too low by the same arcs for every move, but for those that a distant word takes part in.
    """
    cdef int16_t small[5 * SMALL * SMALL]
    cdef int32_t near[WINDOW]
    cdef int16_t* memory = small
    cdef int found, first, i
    if n <= 1:
        return 0
    if n > WINDOW:
        first = max(1, min(top - WINDOW // 2, n - WINDOW + 1))
        near[0] = nodes[0]
        for i in range(1, WINDOW):
            near[i] = nodes[first + i - 1]
        nodes, n, top = near, WINDOW, max(0, top - first + 1)
    if n > SMALL:
        memory = <int16_t*>allocate(5 * <size_t>n * <size_t>n, sizeof(int16_t))
    fill(g, nodes, n, top, memory, single_root)
    found = read_off(g, nodes, n, memory, single_root)
    if memory != small:
        free(memory)
    return found


cdef inline int gold_arc(const Gold* g, int head, int dependent) noexcept nogil:
    return g.head[dependent] == head


cdef void fill(
    const Gold* g, const int32_t* nodes, int64_t n, int top, int16_t* memory, bint single_root
) noexcept nogil:
    """Fill the chart from the shortest spans to the longest; with a single root, only among the words."""
    cdef int16_t* right = memory
    cdef int16_t* left = memory + n * n
    cdef int16_t* to_right = memory + 2 * n * n
    cdef int16_t* to_left = memory + 3 * n * n
    cdef int16_t* to_left_high = memory + 4 * n * n
    cdef int64_t width, i, j, k, first = 1 if single_root else 0
    cdef int best, high, value
    for i in range(n):
        right[i * n + i] = left[i * n + i] = 0
    for width in range(1, n):
        for i in range(first, n - width):
            j = i + width
            best = high = NEVER
            for k in range(i, j):
                # Whatever lies between i and j hangs below one of them.
                value = right[i * n + k] + left[(k + 1) * n + j]
                if value > best:
                    best = value
                if k >= top and value > high:
                    high = value
            to_right[i * n + j] = <int16_t>(best + gold_arc(g, nodes[i], nodes[j]))
            to_left[i * n + j] = <int16_t>(best + gold_arc(g, nodes[j], nodes[i]))
            to_left_high[i * n + j] = <int16_t>(high + gold_arc(g, nodes[j], nodes[i]))
            if i == 0:
                # ROOT has no head.
                to_left[j] = to_left_high[j] = NEVER
            right[i * n + j] = <int16_t>best_right(to_right, right, n, i, j) if j >= top else NEVER
            left[i * n + j] = <int16_t>best_left(to_left, to_left_high, left, n, i, j, top)


cdef inline int best_right(const int16_t* to_right, const int16_t* right, int64_t n, int64_t i,
                           int64_t j) noexcept nogil:
    """The outermost dependent k of i, and what k has to its right, up to j."""
    cdef int64_t k
    cdef int best = NEVER
    for k in range(i + 1, j + 1):
        best = max(best, to_right[i * n + k] + right[k * n + j])
    return max(best, NEVER)


cdef inline int best_left(const int16_t* to_left, const int16_t* to_left_high, const int16_t* left, int64_t n,
                          int64_t i, int64_t j, int top) noexcept nogil:
    """The outermost dependent k of j, and what k has to its left, down to i."""
    cdef int64_t k
    cdef int best = to_left[i * n + j]
    for k in range(i + 1, j):
        best = max(best, left[i * n + k] + (to_left[k * n + j] if k >= top else to_left_high[k * n + j]))
    return max(best, NEVER)


cdef int read_off(
    const Gold* g, const int32_t* nodes, int64_t n, const int16_t* memory, bint single_root
) noexcept nogil:
    cdef const int16_t* right = memory
    cdef const int16_t* left = memory + n * n
    cdef int64_t k
    cdef int best = NEVER
    if not single_root:
        return right[n - 1]
    for k in range(1, n):
        best = max(best, left[n + k] + right[k * n + n - 1] + gold_arc(g, nodes[0], nodes[k]))
    return best
