"""Easy-first parsing: the best move anywhere in the list, until ROOT is alone.

A move changes what features see only near its place. The best move of every place is kept, and only places within
the view of the features are judged again. A tournament finds the best place: n log n comparisons and a constant number
of feature extractions per word.
"""

from treewright.errors import CombinationError
from treewright.learners.learner cimport Scorer
from treewright.kinds.transition.engines.walk cimport Extractor, Moves, System
from treewright.systems.configuration cimport NONE

cdef enum:
    EVERYWHERE = 1 << 30     # places on either side to judge again


def sees_anywhere(function):
    """Return whether a move anywhere in the list can change the value of a feature function.

    That holds for past moves, and for links of words that have left the list and are reached by their position.
    """
    if not function.addresses:
        return True
    for address in function.addresses:
        offsets = [at for at, step in enumerate(address.steps) if isinstance(step, int)]
        if offsets and (function.of_arcs or offsets[0] < len(address.steps) - 1):
            return True
    return False


cdef class ListScratch(Scratch):
    """The memory of one thread, with the best moves of all places."""

    cdef int prepare(self, int n) except -1 nogil:
        """Make room for the places of n words and clear them."""
        cdef int leaves = 1
        while leaves < n + 1:
            leaves *= 2
        if leaves > self.capacity:
            self.score = <float*>self.resized(self.score, leaves, sizeof(float))
            self.kind = <int32_t*>self.resized(self.kind, leaves, sizeof(int32_t))
            self.label = <int32_t*>self.resized(self.label, leaves, sizeof(int32_t))
            self.winner = <int32_t*>self.resized(self.winner, 2 * leaves, sizeof(int32_t))
            self.capacity = leaves
        self.n_leaves = leaves
        for n in range(leaves):
            self.score[n] = -INFINITY
            self.winner[leaves + n] = n
        return 0

    cdef void enter(self, int node, float score) noexcept nogil:
        """Give a place a new score, and play its games again."""
        cdef int i = (self.n_leaves + node) >> 1, left, right
        self.score[node] = score
        while i:
            left, right = self.winner[2 * i], self.winner[2 * i + 1]
            self.winner[i] = left if self.score[left] >= self.score[right] else right
            i >>= 1


cdef void play(ListScratch self) noexcept nogil:
    """Play the whole tournament."""
    cdef int i, left, right
    for i in range(self.n_leaves - 1, 0, -1):
        left, right = self.winner[2 * i], self.winner[2 * i + 1]
        self.winner[i] = left if self.score[left] >= self.score[right] else right


cdef class EasyFirstParser(GreedyParser):
    """Easy-first at work. Read-only: any number of threads may share one."""

    cdef int equip(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split,
                   bint fast) except -1:
        if split:
            raise CombinationError(
                "easy-first compares whole moves across the sentence, so kind and relation must be decided together:"
                " choose --decision joint"
            )
        GreedyParser.equip(self, system, extractor, moves, scorer, False, fast)
        places = [address.index for address in extractor.model.addresses if address.base == "list"]
        self.before = max(0, -min(places, default=0))
        self.behind = max(0, max(places, default=0))
        if any(map(sees_anywhere, {f for template in extractor.model.templates for f in template.functions})):
            self.before = self.behind = EVERYWHERE

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return ListScratch(self.extractor)

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        (<ListScratch>s).prepare(c.n)
        self.judge_all(c, e, row, <ListScratch>s)
        return 0

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        label[0] = (<ListScratch>s).label[c.focus]
        return (<ListScratch>s).kind[c.focus]

    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil:
        judge_around(self, c, e, row, <ListScratch>s)
        return 0

    cdef int64_t measure(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int kind, int label,
                         int64_t* n_first) except -1 nogil:
        """Write the margins of the move in focus over the legal moves at all places; return how many there are."""
        cdef int focus = c.focus, node = c.root
        cdef float score = s.best_score
        n_first[0] = 0
        while node != NONE:
            c.focus = node
            legal = self.system.legal(c)
            if legal:
                self.score(c, e, row, s)
                n_first[0] = self.add_margins(c, s, legal, score, n_first[0])
            node = c.next[node]
        c.focus = focus
        return n_first[0]

    cdef void judge_all(self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil:
        """Judge every place; the best one gets into focus."""
        cdef int node = c.root
        while node != NONE:
            judge(self, c, e, row, s, node)
            s.score[node] = s.best_score
            node = c.next[node]
        play(s)
        c.focus = s.winner[1]
        give_up(self, c, e, row, s)


cdef void judge(EasyFirstParser self, Configuration* c, Encoded e, int64_t row, ListScratch s, int node) noexcept nogil:
    """Find the best move at the place right of a node; the score goes to ``s.best_score``."""
    cdef unsigned legal
    cdef int label
    c.focus = node
    legal = self.system.legal(c)
    if s.kept is not None:
        legal = s.kept.allowed(self.system, c, legal)
    s.best_score = -INFINITY
    if legal == 0:
        return
    s.kind[node] = self.choose(c, e, row, s, legal, &label)
    s.label[node] = label


cdef void give_up(EasyFirstParser self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil:
    """Go on without the arcs to keep where no place has a move that keeps them all."""
    if s.kept is not None and not s.kept.given_up and s.score[c.focus] == -INFINITY and c.next[c.root] != NONE:
        s.kept.given_up = True
        self.judge_all(c, e, row, s)


cdef void judge_around(EasyFirstParser self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil:
    """Judge the places whose features see the head of the last move, which is in focus; then focus on the best."""
    cdef int head = c.focus, node = head, _step, least = s.kept is not None or c.rules != NULL
    # With arcs or rules to keep, a move also changes what is allowed at the next places.
    for _step in range(max(self.behind, least)):
        if c.previous[node] == NONE:
            break
        node = c.previous[node]
    leave_list(c, s)
    while node != NONE:
        judge(self, c, e, row, s, node)
        s.enter(node, s.best_score)
        if node == head:
            break
        node = c.next[node]
    for _step in range(max(self.before, least)):
        node = c.next[node]
        if node == NONE:
            break
        judge(self, c, e, row, s, node)
        s.enter(node, s.best_score)
    # ROOT's one arc becomes legal when a single word is left.
    if self.system.single_root and c.next[c.root] != NONE and c.next[c.next[c.root]] == NONE:
        judge(self, c, e, row, s, c.root)
        s.enter(c.root, s.best_score)
    c.focus = s.winner[1]
    give_up(self, c, e, row, s)
