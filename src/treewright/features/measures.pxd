"""Numbers and sets about a configuration: distances, valencies, links, relations."""
from libc.stdint cimport int32_t, uint64_t

from treewright.features.extractor cimport (
    EXISTS, HEADS, LEFT_LABELS, LEFT_VALENCY, LINKED, PAST_MOVE, RIGHT_LABELS, RIGHT_VALENCY, VALENCY, Scalar,
)
from treewright.systems.configuration cimport NONE, Configuration


cdef inline const uint64_t* label_sets(const Configuration* c, int op) noexcept nogil:
    """The sets of relations that an operation looks at, by node."""
    return c.left_labels if op == LEFT_LABELS else c.right_labels if op == RIGHT_LABELS else c.head_labels


cdef inline bint governs(const Configuration* c, int head, int dependent) noexcept nogil:
    """Is the one among the three latest heads of the other?"""
    return (c.head[dependent] == head or c.earlier_heads[2 * dependent] == head
            or c.earlier_heads[2 * dependent + 1] == head)


cdef inline int bucket(int distance) noexcept nogil:
    """Signed distance in steps that widen: 1 2 3 4 5 6 8 11 …"""
    cdef int size = distance if distance > 0 else -distance
    if size > 5:
        size = 6 if size < 8 else 7 if size < 11 else 8 if size < 16 else 9
    return size if distance > 0 else -size


cdef inline int class_of(const Scalar* scalar, int number) noexcept nogil:
    """The class that a number falls into, counted from 1."""
    cdef int n = 1
    while n < scalar.n_classes and number >= scalar.classes[n]:
        n += 1
    return n


cdef inline int measure(const Configuration* c, const Scalar* scalar, const int32_t* nodes) noexcept nogil:
    """A distance, a valency, a link or a past move as a small number; 0 where there is nothing to measure."""
    cdef int first, second, number
    if scalar.op == PAST_MOVE:
        return 2 + c.last_kind[scalar.argument]
    first = nodes[scalar.first]
    if scalar.op == EXISTS:
        return 1 + <int>(first != NONE)
    if first == NONE:
        return 0
    if scalar.op == HEADS:
        return 1 + min(c.head_count[first], 9)
    if scalar.op == LEFT_VALENCY or scalar.op == RIGHT_VALENCY or scalar.op == VALENCY:
        number = 0 if scalar.op == RIGHT_VALENCY else c.left_count[first]
        number += 0 if scalar.op == LEFT_VALENCY else c.right_count[first]
        return class_of(scalar, number) if scalar.n_classes else 1 + min(number, 9)
    second = nodes[scalar.second]
    if second == NONE:
        return 0
    if scalar.op == LINKED:
        return 1 if governs(c, first, second) else 2 if governs(c, second, first) else 3
    if scalar.n_classes:
        if first == c.root or second == c.root:
            return 0
        return class_of(scalar, second - first if second > first else first - second)
    return bucket(second - first)
