"""Arc-eager (Nivre 2003), with the dynamic oracle of Goldberg & Nivre 2012 as corrected in 2013, footnote 11.

Stack σ, buffer β; s is the top of the stack, b the front of the buffer. Arcs are added as early as possible.

With the root *last* (2013; the default) the parse begins with an empty stack and the buffer w₁ … wₙ ROOT, and
ends with an empty stack and only ROOT in the buffer: always a tree. With the root *first* (2012) ROOT lies
on the stack from the beginning, the parse ends with the buffer, and words without a head are attached
afterwards.

``single_root`` allows one arc from ROOT. With the root last, words that are left without a head when only
ROOT remains are then REDUCEd all but one, and go to the root word afterwards.

Leaves (leaf_tags.pyx) give no arcs. In place of RIGHT from a leaf there is SHIFT, and in place of LEFT from a leaf b,
which takes s from the stack, REDUCE without a head. So the same words can meet as before, and the costs stay the same.
"""
from treewright.errors import CombinationError
from treewright.systems.configuration cimport (
    NONE, add_arc, arc_between, face, front, in_buffer, is_leaf, pop, shift, top,
)
from treewright.systems.gold cimport dependents_from, headless, waiting_dependents
from treewright.systems.system cimport Configuration, Gold


cdef class ArcEager(System):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b."""

    def __init__(self, str root="last", bint single_root=True):
        System.__init__(self, "arc-eager", ("SHIFT", "REDUCE", "LEFT", "RIGHT"), root, single_root)

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        if self.root_is_last:
            return c.stack_size == 0 and c.buffer > c.n
        return c.buffer > c.n

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int s = top(c, 0), b = front(c)
        # SHIFT: there is a word to shift; ROOT never is.
        cdef unsigned mask = 1 << SHIFT if b != c.root else 0
        if b == NONE:
            return 0
        if s == NONE or s == c.root:
            # RIGHT from ROOT, where it stands first: once only, with a single root, and not to a leaf.
            if s == c.root and s != NONE and not (self.single_root and (c.roots > 0 or is_leaf(c, b))):
                mask |= 1 << RIGHT
            return mask
        if c.head[s] != NONE:
            # REDUCE: s has its head.
            mask |= 1 << REDUCE
        elif b != c.root:
            # LEFT: s has no head yet. A leaf b cannot be it: s leaves without a head.
            mask |= 1 << REDUCE if is_leaf(c, b) else 1 << LEFT
        else:
            # ROOT → s: once only, with a single root, and not to a leaf; a word must be left that can take it.
            if not self.single_root or (c.roots == 0 and not is_leaf(c, s)):
                mask |= 1 << LEFT
            if self.single_root and (c.roots > 0 or c.stack_size > 1 or is_leaf(c, s)):
                mask |= 1 << REDUCE
        # RIGHT: ROOT has no head, and a leaf has no dependents.
        if b != c.root and not is_leaf(c, s):
            mask |= 1 << RIGHT
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 0), front(c), kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        if kind == SHIFT:
            shift(c)
        elif kind == REDUCE:
            # (σ|s, β) ⇒ (σ, β)
            pop(c)
        elif kind == LEFT:
            # (σ|s, b|β) ⇒ (σ, b|β), b → s
            add_arc(c, c.buffer, pop(c), label)
        else:
            # (σ|s, b|β) ⇒ (σ|s|b, β), s → b
            add_arc(c, top(c, 0), c.buffer, label)
            shift(c)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        return canonical_kind(c, g)

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = front(c)
        cdef int waiting, lost_dependents, head
        cdef bint head_on_stack
        cdef bint root_taken = self.single_root and c.roots > 0
        cost[SHIFT] = cost[REDUCE] = cost[LEFT] = cost[RIGHT] = 0
        if b == NONE:
            return 0
        if b != c.root:
            # b is the last chance of its dependents that wait on the stack.
            waiting = waiting_dependents(c, g, b)
            head = g.head[b]
            head_on_stack = c.on_stack[head] == 1 and not (head == c.root and root_taken)
            # SHIFT: b can no longer get a head or dependents from the stack.
            cost[SHIFT] = waiting + <int>head_on_stack
            if s != NONE:
                # RIGHT: b gets s as its head: it loses any other head on the stack or in the buffer, and
                # its dependents on the stack.
                cost[RIGHT] = waiting + <int>(head != s and (head_on_stack or in_buffer(c, head)))
                # … and where s is ROOT, which has one arc to give, the gold root word loses it.
                if self.single_root and s == c.root and g.root != b and g.root != NONE and in_buffer(c, g.root):
                    cost[RIGHT] += 1
        if s == NONE or s == c.root:
            return 0
        # Popping s: it can no longer get dependents from the buffer.
        lost_dependents = dependents_from(g, s, b)
        if c.head[s] != NONE:
            cost[REDUCE] = lost_dependents
            return 0
        # LEFT: s gets b as its head and loses any other in the buffer, and its dependents there; REDUCE likewise
        # where b is a leaf.
        cost[LEFT] = cost[REDUCE] = lost_dependents + <int>(g.head[s] != b and in_buffer(c, g.head[s]))
        if b == c.root and self.single_root:
            # With one arc for ROOT to give: the gold root word, if it still waits further down, loses it …
            if c.roots == 0 and g.head[s] != b:
                cost[LEFT] += <int>self._root_waits(c, g)
            # … and REDUCE gives up ROOT → s.
            cost[REDUCE] = <int>(g.head[s] == b and c.roots == 0)
        return 0

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """One of them is still in the buffer, the other there or on the stack."""
        cdef int first = min(head, dependent)
        if c.head[dependent] != NONE or max(head, dependent) < c.buffer:
            return False
        return first >= c.buffer or c.on_stack[first] == 1

    cdef bint _root_waits(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Is any gold dependent of ROOT on the stack without a head? With a gold tree of one root, that word."""
        cdef int k
        for k in range(g.first_child[c.root], g.first_child[c.root + 1]):
            if headless(c, g.children[k]):
                return True
        return False

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT


cdef class PrintedArcEager(ArcEager):
    """Arc-eager with the costs as printed in 2012 (Figure 4) or 2013 (section 4.4): docs/errata.md.

    β and σ are the buffer without b and the stack without s, so that LEFT does not count the gold arc s → b that it
    loses, nor RIGHT the gold arc b → s. In 2012, SHIFT and RIGHT also count dependents that have another head already.
    """
    cdef bint corrected                  # 2013: dependents on the stack that have a head are not counted

    def __init__(self, str year, str root="last", bint single_root=True):
        ArcEager.__init__(self, root, single_root)
        if year not in ("2012", "2013"):
            raise CombinationError(f"costs were printed in 2012 and 2013, not in {year}")
        self.corrected = year == "2013"

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = front(c)
        cost[SHIFT] = cost[REDUCE] = cost[LEFT] = cost[RIGHT] = 0
        if b == NONE:
            return 0
        if b != c.root:
            # SHIFT: arcs (k, b) and (b, k) with k in s|σ.
            cost[SHIFT] = <int>(c.on_stack[g.head[b]] == 1) + self.dependents_on_stack(c, g, b, NONE)
            # RIGHT: arcs (k, b) with k in σ or β, and (b, k) with k in σ.
            cost[RIGHT] = self.dependents_on_stack(c, g, b, s)
            cost[RIGHT] += <int>(g.head[b] != s and (c.on_stack[g.head[b]] == 1 or in_buffer(c, g.head[b])))
        if s == NONE or s == c.root:
            return 0
        # LEFT: arcs (k, s) and (s, k) with k in β.
        cost[LEFT] = dependents_from(g, s, b + 1) + <int>(g.head[s] != b and in_buffer(c, g.head[s]))
        # REDUCE: arcs (s, k) with k in b|β.
        cost[REDUCE] = dependents_from(g, s, b)
        return 0

    cdef int dependents_on_stack(self, const Configuration* c, const Gold* g, int b, int but) noexcept nogil:
        """Return how many gold dependents of b the formulas find on the stack."""
        cdef int k, word, n = 0
        for k in range(g.first_child[b], g.first_child[b + 1]):
            word = g.children[k]
            if word != but and c.on_stack[word] == 1:
                n += <int>(not self.corrected or headless(c, word))
        return n
