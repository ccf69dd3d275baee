"""Best trees: Chu-Liu-Edmonds for all trees, Eisner's algorithm for projective ones.

Scores are a matrix, head by child, of n + 1 rows; row 0 is the root, column 0 is not read. Chu-Liu-Edmonds also finds
the duals of the arborescence polytope: ``reduced`` gives for every arc the least loss of a tree with it. For projective
trees the same comes from a second pass over the chart, from the outside in, and is exact.

Both find a tree and end whatever the scores are, NaN and infinity included: every choice has a first candidate that is
taken without a comparison, and no loop runs until scores agree.
"""
from array import array


cdef double NEVER = -1e9
cdef double MANY_ROOTS = 1e6             # subtracted from every arc from the root: the best tree uses as few as it can


cdef double NOTHING = -1e300


cdef inline void raise_to(double* place, double value) noexcept nogil:
    if value > place[0]:
        place[0] = value


cdef class SpanningScratch:
    def __cinit__(self):
        self.reserve(64)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t words = n + 1, sets = 2 * words
        if n > self.capacity:
            self.reduced = <double*>self.resized(self.reduced, words * words, sizeof(double))
            self.group = <int32_t*>self.resized(self.group, 2 * words + 6 * sets, sizeof(int32_t))
            self.next_word, self.first_word = self.group + words, self.group + 2 * words
            self.last_word, self.enter_from = self.first_word + sets, self.first_word + 2 * sets
            self.enter_to, self.parent_set = self.first_word + 3 * sets, self.first_word + 4 * sets
            self.mark = self.first_word + 5 * sets
            self.capacity = n
        return 0

    cdef double best(self, const double* scores, int n, bint single_root, bint projective,
                     int32_t* heads) except? -1 nogil:
        """Find the best tree, or the best projective one; heads go to heads[1] .. heads[n]. Returns its score."""
        if projective:
            return self.best_projective(scores, n, single_root, heads)
        return self.best_tree(scores, n, single_root, heads)

    cdef double best_tree(self, const double* scores, int n, bint single_root, int32_t* heads) except? -1 nogil:
        """Find the best tree; heads go to heads[1] .. heads[n]. Returns its score; fills ``reduced``."""
        cdef int64_t width = n + 1, head
        cdef int word, set_, other, n_sets, done, best_from, best_to
        cdef double best, total = 0
        self.reserve(n)
        cdef double* reduced = self.reduced
        for head in range(width):
            for word in range(1, n + 1):
                reduced[head * width + word] = scores[head * width + word]
                if single_root and head == 0:
                    reduced[word] -= MANY_ROOTS
        for word in range(n + 1):
            self.group[word] = self.first_word[word] = self.last_word[word] = word
            self.next_word[word] = self.parent_set[word] = self.mark[word] = -1
        n_sets = n + 1
        done = 1                         # sets below this one have an arc that enters them; 0 is the root
        self.enter_from[0] = -1
        while done < n_sets:
            set_ = done
            done += 1
            best, best_from, best_to = -1e300, -1, -1
            word = self.first_word[set_]
            while word >= 0:
                for head in range(width):
                    if self.group[head] != set_ and (best_from < 0 or reduced[head * width + word] > best):
                        best, best_from, best_to = reduced[head * width + word], <int>head, word
                word = self.next_word[word]
            self.enter_from[set_], self.enter_to[set_] = best_from, best_to
            word = self.first_word[set_]
            while word >= 0:
                for head in range(width):
                    if self.group[head] != set_:
                        reduced[head * width + word] -= best
                word = self.next_word[word]
            # Does the chain of entering arcs lead back to this set?
            other = self.group[best_from]
            while other > 0 and other < done and other != set_:
                other = self.group[self.enter_from[other]]
            if other != set_:
                continue
            contract(self, set_, n_sets)
            n_sets += 1
        expand(self, n_sets, heads)
        for word in range(1, n + 1):
            total += scores[heads[word] * width + word]
        return total

    cdef double best_projective(self, const double* scores, int n, bint single_root, int32_t* heads) except? -1 nogil:
        """Find the best projective tree (Eisner 1996). A single root is chosen after the spans of words are known."""
        cdef int64_t width = n + 1, plane = width * width, i, j, k, span, first = single_root
        cdef int best_root = 0
        cdef double value, best, root_best = -1e300
        reserve_chart(self, n)
        # Four planes: open right (i → j), open left (j → i), closed right, closed left.
        cdef double* open_right = self.chart
        cdef double* open_left = self.chart + plane
        cdef double* closed_right = self.chart + 2 * plane
        cdef double* closed_left = self.chart + 3 * plane
        for i in range(width):
            closed_right[i * width + i] = closed_left[i * width + i] = 0
        for span in range(1, width):
            for i in range(first, width - span):
                j = i + span
                best = -1e300
                for k in range(i, j):
                    value = closed_right[i * width + k] + closed_left[(k + 1) * width + j]
                    if k == i or value > best:
                        best = value
                        self.split[i * width + j] = <int32_t>k
                open_right[i * width + j] = best + scores[i * width + j]
                open_left[i * width + j] = best + (scores[j * width + i] if i > 0 else 2 * NEVER)
                best = -1e300
                for k in range(i + 1, j + 1):
                    value = open_right[i * width + k] + closed_right[k * width + j]
                    if k == i + 1 or value > best:
                        best = value
                        self.split[2 * plane + i * width + j] = <int32_t>k
                closed_right[i * width + j] = best
                best = -1e300
                for k in range(i, j):
                    value = closed_left[i * width + k] + open_left[k * width + j]
                    if k == i or value > best:
                        best = value
                        self.split[3 * plane + i * width + j] = <int32_t>k
                closed_left[i * width + j] = best
        if not single_root:
            trace(self, 0, n, 2, width, heads)
            return closed_right[n]
        for k in range(1, width):
            value = closed_left[width + k] + closed_right[k * width + n] + scores[k]
            if k == 1 or value > root_best:
                root_best, best_root = value, <int>k
        heads[best_root] = 0
        trace(self, 1, best_root, 3, width, heads)
        trace(self, best_root, n, 2, width, heads)
        return root_best

    cdef int reduce_projective(self, const double* scores, int n, bint single_root, double best) except -1 nogil:
        """Fill ``reduced`` for projective trees, after the best of them was found: its score is ``best``."""
        cdef int64_t width = n + 1, plane = width * width, i, j, k, span, first = single_root
        cdef double value, right, left
        self.reserve(n)
        cdef double* inside = self.chart
        cdef double* outside = self.chart + 4 * plane
        for i in range(4 * plane):
            outside[i] = NOTHING
        for i in range(plane):
            self.reduced[i] = NOTHING
        if single_root:
            for k in range(1, width):
                left, right = inside[3 * plane + width + k], inside[2 * plane + k * width + n]
                self.reduced[k] = left + right + scores[k] - best
                outside[3 * plane + width + k] = scores[k] + right
                outside[2 * plane + k * width + n] = scores[k] + left
        else:
            outside[2 * plane + n] = 0
        for span in range(n, 0, -1):
            for i in range(first, width - span):
                j = i + span
                value = outside[2 * plane + i * width + j]           # closed right: open right, and closed right
                for k in range(i + 1, j + 1):
                    raise_to(&outside[i * width + k], value + inside[2 * plane + k * width + j])
                    raise_to(&outside[2 * plane + k * width + j], value + inside[i * width + k])
                value = outside[3 * plane + i * width + j]           # closed left: closed left, and open left
                for k in range(i, j):
                    raise_to(&outside[3 * plane + i * width + k], value + inside[plane + k * width + j])
                    raise_to(&outside[plane + k * width + j], value + inside[3 * plane + i * width + k])
                right, left = outside[i * width + j], outside[plane + i * width + j]
                self.reduced[i * width + j] = right + inside[i * width + j] - best
                value = right + scores[i * width + j]
                if i > 0:
                    self.reduced[j * width + i] = left + inside[plane + i * width + j] - best
                    raise_to(&value, left + scores[j * width + i])
                for k in range(i, j):                                # open: closed right, and closed left
                    raise_to(&outside[2 * plane + i * width + k], value + inside[3 * plane + (k + 1) * width + j])
                    raise_to(&outside[3 * plane + (k + 1) * width + j], value + inside[2 * plane + i * width + k])
        return 0


cdef int reserve_chart(SpanningScratch self, int n) except -1 nogil:
    cdef int64_t size = 8 * <int64_t>(n + 1) * (n + 1)   # the second half is for sums from the outside
    if size > self.chart_size:
        self.chart = <double*>self.resized(self.chart, size, sizeof(double))
        self.split = <int32_t*>self.resized(self.split, size, sizeof(int32_t))
        self.chart_size = size
    return 0


cdef void contract(SpanningScratch self, int set_, int new) noexcept nogil:
    """Make a new set of the sets on the cycle of entering arcs that a set is in."""
    cdef int word, next_set, other = set_
    self.first_word[new] = self.last_word[new] = self.parent_set[new] = -1
    while True:
        next_set = self.group[self.enter_from[other]]
        self.parent_set[other] = new
        if self.first_word[new] < 0:
            self.first_word[new] = self.first_word[other]
        else:
            self.next_word[self.last_word[new]] = self.first_word[other]
        self.last_word[new] = self.last_word[other]
        if next_set == set_:
            break
        other = next_set
    word = self.first_word[new]
    while word >= 0:
        self.group[word] = new
        word = self.next_word[word]


cdef void expand(SpanningScratch self, int n_sets, int32_t* heads) noexcept nogil:
    """Write the heads, outermost sets first: the arc that enters a set replaces the one into its word."""
    cdef int set_, other
    for set_ in range(n_sets):
        self.mark[set_] = 0
    for set_ in range(n_sets - 1, 0, -1):
        if self.mark[set_]:
            continue
        other = self.enter_to[set_]
        heads[other] = self.enter_from[set_]
        while other != set_:
            self.mark[other] = 1
            other = self.parent_set[other]
        self.mark[set_] = 1


cdef void trace(SpanningScratch self, int i, int j, int kind, int64_t width, int32_t* heads) noexcept nogil:
    """Read the tree of a span off the chart. Kinds: 0 open right, 1 open left, 2 closed right, 3 closed left."""
    cdef int64_t plane = width * width
    cdef int k
    if i >= j:
        return
    if kind < 2:
        if kind == 0:
            heads[j] = i
        else:
            heads[i] = j
        k = self.split[i * width + j]
        trace(self, i, k, 2, width, heads)
        trace(self, k + 1, j, 3, width, heads)
    elif kind == 2:
        k = self.split[2 * plane + i * width + j]
        trace(self, i, k, 0, width, heads)
        trace(self, k, j, 2, width, heads)
    else:
        k = self.split[3 * plane + i * width + j]
        trace(self, i, k, 3, width, heads)
        trace(self, k, j, 1, width, heads)


def best_tree(const double[:, ::1] scores, bint projective=False, bint single_root=False):
    """Return the heads of the best tree (heads[0] is -1) and its score. ``scores``: head by child, the root first."""
    cdef int n = scores.shape[0] - 1
    cdef SpanningScratch scratch = SpanningScratch()
    heads = array("i", [-1] * (n + 1))
    cdef int32_t[::1] view = heads
    cdef double total
    if scores.shape[1] != n + 1 or n < 1:
        raise ValueError("scores must be a square matrix for the root and at least one word")
    total = scratch.best(&scores[0, 0], n, single_root, projective, &view[0])
    return heads, total


def reduced_scores(const double[:, ::1] scores, bint single_root=False, bint projective=False):
    """Return, for every arc, a bound on the score of the best tree with it minus that of the best tree: 0 at most.

    For projective trees it is this difference.
    """
    cdef int n = scores.shape[0] - 1
    cdef int64_t i
    cdef SpanningScratch scratch = SpanningScratch()
    heads = array("i", [-1] * (n + 1))
    cdef int32_t[::1] view = heads
    if projective:
        scratch.reduce_projective(&scores[0, 0], n, single_root,
                                  scratch.best_projective(&scores[0, 0], n, single_root, &view[0]))
    else:
        scratch.best_tree(&scores[0, 0], n, single_root, &view[0])
    return [[scratch.reduced[i * (n + 1) + j] if j and i != j else 0.0 for j in range(n + 1)] for i in range(n + 1)]
