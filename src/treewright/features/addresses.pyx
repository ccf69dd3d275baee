"""The words that addresses point to. See addresses.pxd.

Nearly all addresses begin at the stack or the buffer and follow arcs, which arrays of the configuration hold. Of the
node NONE these arrays say NONE, too, so that such a step is one or two look-ups, whether there is a word or not.
"""
from treewright.systems.configuration cimport NONE, PASSED_OVER, RETURNED, in_list, unattached

cdef extern from "looking.h" nogil:
    int32_t tw_on_stack(const Configuration* c, int depth)
    int32_t tw_in_buffer(const Configuration* c, int place)
    int32_t tw_beside(const Configuration* c, int32_t node, int by)

cdef enum NodeOp:
    AT_STACK
    AT_INPUT
    AT_HEAD
    AT_LEFTMOST, AT_RIGHTMOST, AT_LEFTMOST2, AT_RIGHTMOST2
    AT_LEFT_SIBLING, AT_RIGHT_SIBLING
    AT_OFFSET
    AT_CONTEXT
    AT_LIST
    AT_FIRST_CHILD           # on either side
    AT_LAST_CHILD
    AT_PREVIOUS_CHILD        # of the same head
    AT_NEXT_CHILD
    AT_HEAD2                 # of a word with several heads
    AT_HEAD3
    ALONG_ONE                # along one array of the configuration, or two: see Step
    ALONG_TWO
    ALONG_REPEATED           # the same, several times

NODE_OPS = {
    "stack": AT_STACK, "input": AT_INPUT, "context": AT_CONTEXT, "list": AT_LIST, "h": AT_HEAD,
    "h2": AT_HEAD2, "h3": AT_HEAD3,
    "lc": AT_FIRST_CHILD, "rc": AT_LAST_CHILD, "ls": AT_PREVIOUS_CHILD, "rs": AT_NEXT_CHILD,
    "ld": AT_LEFTMOST, "rd": AT_RIGHTMOST, "ld2": AT_LEFTMOST2, "rd2": AT_RIGHTMOST2,
    "lss": AT_LEFT_SIBLING, "rss": AT_RIGHT_SIBLING, "offset": AT_OFFSET,
}
# Steps that lead where an array of the configuration says, or two of them, one after the other.
ARRAYS = {
    AT_HEAD: ("head", ""), AT_LEFTMOST: ("leftmost", ""), AT_RIGHTMOST: ("rightmost", ""),
    AT_LEFT_SIBLING: ("left_sibling", ""), AT_RIGHT_SIBLING: ("right_sibling", ""),
    AT_LEFTMOST2: ("leftmost", "right_sibling"), AT_RIGHTMOST2: ("rightmost", "left_sibling"),
}


cdef size_t offset(const Configuration* c, void* field) noexcept:
    return <size_t>(<char*>field - <char*>c)


cdef size_t NO_ARRAY = <size_t>-1    # of a step along one array


cdef dict array_offsets():
    """Return the offset in a Configuration of the pointer to each array that steps follow."""
    cdef Configuration c
    return {
        "head": offset(&c, &c.head), "leftmost": offset(&c, &c.leftmost), "rightmost": offset(&c, &c.rightmost),
        "left_sibling": offset(&c, &c.left_sibling), "right_sibling": offset(&c, &c.right_sibling),
    }


OFFSETS = array_offsets()


cdef int order_steps(Path* path, const Node* nodes, int n) except -1:
    """Write how n nodes are found: those of the stack, those of the buffer, then the others as they are."""
    cdef int i, at = 0
    cdef Step* step
    places = {AT_STACK: 0, AT_INPUT: 1}
    path.n = n
    path.n_stack = sum(nodes[i].op == AT_STACK for i in range(n))
    path.n_input = sum(nodes[i].op == AT_INPUT for i in range(n))
    for at, node in enumerate(sorted(range(n), key=[places.get(nodes[i].op, 2) for i in range(n)].__getitem__)):
        i, step = node, &path.steps[at]
        step.op, step.argument, step.parent, step.node = nodes[i].op, nodes[i].argument, nodes[i].parent, i
        if step.op in ARRAYS:
            first, second = ARRAYS[step.op]
            step.op = ALONG_REPEATED if step.argument != 1 else ALONG_TWO if second else ALONG_ONE
            step.first, step.second = OFFSETS[first], OFFSETS[second] if second else NO_ARRAY
    return 0


cdef void follow(const Path* path, const Configuration* c, int32_t* nodes) noexcept nogil:
    """Find the word of every node; NONE where no word is there."""
    cdef int _
    cdef const Step* step = path.steps
    cdef bint returned = c.context_use == RETURNED and c.context_size > 0
    for _ in range(path.n_stack):
        nodes[step.node] = tw_on_stack(c, step.argument)
        step += 1
    for _ in range(path.n_input):
        nodes[step.node] = after_returned(c, step.argument) if returned else tw_in_buffer(c, step.argument)
        step += 1
    for _ in range(path.n - path.n_stack - path.n_input):
        if step.op == ALONG_ONE:
            nodes[step.node] = array_at(c, step.first)[nodes[step.parent]]
        elif step.op == ALONG_TWO:
            nodes[step.node] = array_at(c, step.second)[array_at(c, step.first)[nodes[step.parent]]]
        elif step.op == AT_OFFSET:
            nodes[step.node] = tw_beside(c, nodes[step.parent], step.argument)
        else:
            nodes[step.node] = other_node(c, step, nodes)
        step += 1


cdef inline const int32_t* array_at(const Configuration* c, size_t offset) noexcept nogil:
    return (<const int32_t**>(<const char*>c + offset))[0]


cdef int after_returned(const Configuration* c, int argument) noexcept nogil:
    """The word at a place of the buffer; words that returned to it come first."""
    cdef int at = argument - c.context_size
    return c.context[-at - 1] if at < 0 else tw_in_buffer(c, at)


cdef int other_node(const Configuration* c, const Step* node, const int32_t* nodes) noexcept nogil:
    """The word that a rarer address points to, or NONE."""
    cdef int _, at, parent
    if node.op == AT_CONTEXT:
        if c.context_use == PASSED_OVER:
            return unattached(c, node.argument)
        return c.context[c.context_size - 1 - node.argument] if node.argument < c.context_size else NONE
    if node.op == AT_LIST:
        return in_list(c, node.argument)
    parent = nodes[node.parent]
    if parent == NONE:
        return NONE
    at = one_step(c, node, parent)
    # Graphs may have cycles, in which steps never end: more than there are words are no use.
    for _ in range(1, min(node.argument, c.n + 2)):
        if at == NONE:
            break
        at = one_step(c, node, at)
    return at


cdef int one_step(const Configuration* c, const Step* step, int node) noexcept nogil:
    """The word that one step leads to from a node, or NONE."""
    cdef int at, op = step.op
    if op == ALONG_REPEATED:
        at = array_at(c, step.first)[node]
        return at if step.second == NO_ARRAY else array_at(c, step.second)[at]
    if op == AT_FIRST_CHILD:
        at = c.leftmost[node]
        return at if at != NONE else innermost(c, node, True)
    if op == AT_LAST_CHILD:
        at = c.rightmost[node]
        return at if at != NONE else innermost(c, node, False)
    if op == AT_HEAD2 or op == AT_HEAD3:
        return c.earlier_heads[2 * node + (op == AT_HEAD3)]
    at = c.head[node]
    if at == NONE:
        return NONE
    if op == AT_PREVIOUS_CHILD:
        return c.left_sibling[node] if node < at or c.left_sibling[node] != NONE else innermost(c, at, False)
    return c.right_sibling[node] if node > at or c.right_sibling[node] != NONE else innermost(c, at, True)


cdef int innermost(const Configuration* c, int head, bint right) noexcept nogil:
    """The dependent that is nearest to its head on one side, or NONE."""
    cdef int at = c.rightmost[head] if right else c.leftmost[head], nearer
    while at != NONE:
        nearer = c.left_sibling[at] if right else c.right_sibling[at]
        if nearer == NONE or (nearer < head) == right:
            break
        at = nearer
    return at
