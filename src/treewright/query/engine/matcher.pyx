"""Find all matches of a pattern: run its program of steps over one sentence after the other.

A step binds a node or an edge, in all ways that there are, or checks what is bound. The program is made in Python
(`query/planning.py`) and numbers everything.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.query.engine.block_reader cimport BlockReader, Condition
from treewright.query.engine.sentence_graph cimport SentenceGraph
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.interrupts cimport check_signals
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed, resize

from treewright.query.engine.operations import OPERATIONS

cdef enum:                     # in the order of operations.py
    ANY_NODE                             # a: node
    CHILD                                # a: node, b: of which node, c: bit of the label
    PARENT
    NEXT
    PREVIOUS
    ARC                                  # a: edge, b: from, c: to, d: bit of the label
    HAS_ARC                              # a: from, b: to, c: bit
    HAS_ARC_IN                           # a: to, b: bit
    HAS_ARC_OUT
    HAS_PATH                             # a: from, b: to
    IS_NEXT                              # a, b
    IS_BEFORE
    COMPARE                              # a: operator, b: whether of an edge, c: owner, d: slot, e, f, g: the same
    COMPARE_NUMBER                       # a: operator, b, c, d; number
    DELTA                                # a: operator, b, c: nodes; number
    LENGTH
    DEPTH                                # a: operator, b: node; number
    EDGE_LABEL                           # a: edge, b: bit
    FITS                                 # a: node, b: a condition besides its own
    CROSS                                # a, b: the ends of one edge, c, d: of the other
    COVERED
    DISJOINT
    INSIDE                               # a: node, b, c: the ends of an edge
    FILTER                               # a: first step of its own program, b: whether it must succeed
    SUCCEED                              # the program of a filter is at its end
    FOUND

cdef enum:
    GO_ON
    STOP                                 # a filter has succeeded
    TOO_LONG                             # more steps than a sentence may take

cdef enum:
    WIDTH = 8
    MOST_ROWS = 1 << 18                  # matches after which what was found is given back


cdef struct Step:
    int operation
    int a, b, c, d, e, f, g
    double number


cdef class Matcher:
    """Finds matches in blocks and in graphs. One for each thread."""

    cdef SentenceGraph graph
    cdef BlockReader reader
    cdef list conditions
    cdef void** condition                # of a node of the pattern
    cdef char* is_free                   # of a node: another may be the same
    cdef int n_nodes, n_edges, n_found_nodes, n_outputs, n_steps
    cdef int* outputs                    # [n_outputs * 3]: whether of an edge, its owner, its slot
    cdef Step* steps
    cdef int* node                       # of the sentence, that a node of the pattern is bound to
    cdef int* edge                       # arcs of the sentence
    cdef int* used                       # of a node of the sentence: how many nodes of the pattern are bound to it
    cdef int used_room
    cdef int structures_wanted, structures_refused
    cdef long steps_left, most_steps
    cdef int32_t* rows
    cdef long n_rows, row_room
    cdef bint keep
    cdef int sentence
    cdef readonly long long count        # of matches, since it was made
    cdef readonly long long n_sentences  # with matches

    def __init__(self, SentenceGraph graph not None, BlockReader reader, conditions, free_nodes, int n_edges,
                 int n_found_nodes, outputs, structures, long most_steps):
        """``conditions``: of every node, of which the first ``n_found_nodes`` are part of a match.

        ``outputs``: values that are, too: (whether of an edge, its owner, its slot).
        """
        cdef int number
        self.graph, self.reader = graph, reader
        self.conditions = list(conditions)
        self.n_nodes, self.n_edges = len(self.conditions), n_edges
        self.n_found_nodes, self.n_outputs = n_found_nodes, len(outputs)
        self.outputs = <int*>allocate(3 * self.n_outputs, sizeof(int))
        for number in range(self.n_outputs):
            self.outputs[3 * number], self.outputs[3 * number + 1], self.outputs[3 * number + 2] = outputs[number]
        self.condition = <void**>allocate(self.n_nodes, sizeof(void*))
        self.is_free = <char*>allocate(self.n_nodes, 1)
        for number in range(self.n_nodes):
            self.condition[number] = <void*>self.conditions[number]
            self.is_free[number] = free_nodes[number]
        self.node = <int*>allocate_zeroed(self.n_nodes, sizeof(int))
        self.edge = <int*>allocate_zeroed(n_edges, sizeof(int))
        self.structures_wanted, self.structures_refused = structures
        self.most_steps = most_steps

    def __dealloc__(self):
        free(self.condition)
        free(self.outputs)
        free(self.is_free)
        free(self.node)
        free(self.edge)
        free(self.used)
        free(self.steps)
        free(self.rows)

    def set_program(self, steps):
        """Choose the steps: (operation, seven whole numbers, number)."""
        cdef int at, k
        cdef int values[WIDTH]
        self.n_steps = 0
        self.steps = <Step*>resize(self.steps, len(steps), sizeof(Step))
        for at, (whole, number) in enumerate(steps):
            for k in range(WIDTH):
                values[k] = whole[k]
            self.steps[at] = Step(values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                                  values[7], number)
        self.n_steps = len(steps)

    def look_for(self, rare, columns, bint others_may):
        """Choose by which node sentences are found; see BlockReader."""
        self.reader.look_for(rare, columns, others_may)

    def find(self, Block block not None, int first, bint keep, long most):
        """Match the sentences of a block from one on.

        Return the matches as rows of 32-bit numbers (sentence, nodes, values), the next sentence, and whether
        the last one took too many steps. It stops early after many rows, and after ``most`` matches.
        """
        cdef long long end = self.count + most
        cdef int sentence, outcome = GO_ON
        self.reader.open(block)
        self.keep, self.n_rows = keep, 0
        sentence = first
        with nogil:
            while sentence < block.n_sentences:
                if self.reader.may_match(sentence):
                    self.reader.load(sentence)
                    outcome = self._sentence(sentence)
                    if outcome == TOO_LONG:
                        break
                sentence += 1
                if self.count >= end or self.n_rows >= MOST_ROWS:
                    break
        return self._taken(), sentence, outcome == TOO_LONG

    def find_in_graph(self):
        """Match the graph that was filled; return the rows, and whether it took too many steps."""
        cdef int outcome
        self.keep, self.n_rows = True, 0
        with nogil:
            outcome = self._sentence(0)
        return self._taken(), outcome == TOO_LONG

    def shares(self, Block block not None, conditions):
        """Return how many nodes of a block fulfil each condition: what plans are made of."""
        cdef int sentence, node, number, n = len(conditions)
        cdef long* found = <long*>allocate_zeroed(n, sizeof(long))
        cdef void** each = <void**>allocate(n, sizeof(void*))
        try:
            for number in range(n):
                each[number] = <void*>(<Condition?>conditions[number])
            self.reader.open(block)
            with nogil:
                for sentence in range(block.n_sentences):
                    self.reader.load(sentence)
                    for node in range(self.graph.n_nodes):
                        for number in range(n):
                            found[number] += (<Condition>each[number]).holds(self.graph.mask[node])
            return [found[number] for number in range(n)]
        finally:
            free(found)
            free(each)

    def fill(self, masks, values, parents, arcs):
        """Fill the graph from lists: bits and values of nodes, heads, arcs as (source, target, bits, values)."""
        cdef SentenceGraph graph = self.graph
        cdef int node, slot, arc
        graph.begin(len(masks))
        for node in range(graph.n_nodes):
            graph.mask[node] = masks[node]
            graph.parent[node] = parents[node]
            for slot in range(graph.n_slots):
                graph.value[node * graph.n_slots + slot] = values[node][slot]
        for source, target, mask, of_arc in arcs:
            if not (0 <= source < graph.n_nodes and 0 <= target < graph.n_nodes):
                raise ValueError("an arc between nodes that are not there")
            arc = graph.add(source, target, mask)
            for slot in range(graph.n_arc_slots):
                graph.arc_value[arc * graph.n_arc_slots + slot] = of_arc[slot]
        graph.index()

    cdef object _taken(self):
        return PyBytes_FromStringAndSize(
            <char*>self.rows, self.n_rows * (1 + self.n_found_nodes + self.n_outputs) * sizeof(int32_t)
        )

    cdef int _sentence(self, int sentence) except -1 nogil:
        cdef long long before = self.count
        cdef int outcome
        if not self._has_structures():
            return GO_ON
        if self.graph.n_nodes > self.used_room:
            self.used_room = 2 * self.graph.n_nodes
            self.used = <int*>resize(self.used, self.used_room, sizeof(int))
        memset(self.used, 0, self.graph.n_nodes * sizeof(int))
        self.sentence = sentence
        self.steps_left = self.most_steps
        outcome = self._run(0)
        self.n_sentences += self.count > before
        return outcome

    cdef bint _has_structures(self) noexcept nogil:
        """Return whether the graph is and is not what `global` says; a bit for each of STRUCTURES."""
        cdef int asked = self.structures_wanted | self.structures_refused, found = 0
        if asked & 1 and self.graph.is_cyclic():
            found |= 1
        if asked & 2 and self.graph.is_forest():
            found |= 2
        if asked & 4 and self.graph.is_tree():
            found |= 4
        if asked & 8 and self.graph.is_projective():
            found |= 8
        return found & self.structures_wanted == self.structures_wanted and not found & self.structures_refused

    cdef inline bint _fits(self, int number, int node) noexcept nogil:
        return (<Condition>self.condition[number]).holds(self.graph.mask[node])

    cdef int _run(self, int at) except -1 nogil:
        """Run the steps from one on, until the end or until a check fails."""
        cdef Step* step
        cdef int outcome, k, arc
        while True:
            step = &self.steps[at]
            if step.operation <= ARC:
                break
            if step.operation == FOUND:
                return self._found()
            if step.operation == SUCCEED:
                return STOP
            if step.operation == FILTER:
                outcome = self._run(step.a)
                if outcome == TOO_LONG:
                    return TOO_LONG
                if (outcome == STOP) != step.b:
                    return GO_ON
            elif not self._check(step):
                return GO_ON if self.steps_left >= 0 else TOO_LONG
            at += 1
        if step.operation == ANY_NODE:
            for k in range(self.graph.n_nodes):
                outcome = self._bind(step.a, k, at)
                if outcome != GO_ON:
                    return outcome
        elif step.operation == CHILD or step.operation == PARENT:
            return self._along(step, at)
        elif step.operation == NEXT or step.operation == PREVIOUS:
            k = self.node[step.b] + (1 if step.operation == NEXT else -1)
            if 0 <= k < self.graph.n_nodes:
                return self._bind(step.a, k, at)
        elif step.operation == ARC:
            for k in range(self.graph.first_in[self.node[step.c]], self.graph.first_in[self.node[step.c] + 1]):
                arc = self.graph.arriving[k]
                if self.graph.source[arc] == self.node[step.b] and self.graph.arc_mask[arc] >> step.d & 1:
                    self.edge[step.a] = arc
                    self.steps_left -= 1
                    outcome = self._run(at + 1) if self.steps_left >= 0 else TOO_LONG
                    if outcome != GO_ON:
                        return outcome
        return GO_ON

    cdef int _along(self, Step* step, int at) except -1 nogil:
        """Bind a node to those that arcs lead to, or come from, each once."""
        cdef bint down = step.operation == CHILD
        cdef int32_t* first = self.graph.first_out if down else self.graph.first_in
        cdef int32_t* arcs = self.graph.leaving if down else self.graph.arriving
        cdef int32_t* other = self.graph.target if down else self.graph.source
        cdef int k, arc, node, outcome, last = -1
        for k in range(first[self.node[step.b]], first[self.node[step.b] + 1]):
            arc = arcs[k]
            node = other[arc]
            if node != last and self.graph.arc_mask[arc] >> step.c & 1:
                last = node
                outcome = self._bind(step.a, node, at)
                if outcome != GO_ON:
                    return outcome
        return GO_ON

    cdef int _bind(self, int number, int node, int at) except -1 nogil:
        """Bind a node of the pattern, if it may be this one, and run the steps that follow."""
        cdef int outcome
        cdef bint is_free = self.is_free[number]
        self.steps_left -= 1
        if self.steps_left < 0:
            return TOO_LONG
        if not self._fits(number, node) or (not is_free and self.used[node]):
            return GO_ON
        if self.steps_left & 0xFFFFF == 0:
            check_signals()
        self.node[number] = node
        self.used[node] += not is_free
        outcome = self._run(at + 1)
        self.used[node] -= not is_free
        return outcome

    cdef int _found(self) except -1 nogil:
        cdef int k
        cdef int width = 1 + self.n_found_nodes + self.n_outputs
        cdef int32_t* row
        cdef double value
        self.count += 1
        if not self.keep:
            return GO_ON
        if self.n_rows == self.row_room:
            self.row_room = 1024 + 2 * self.row_room
            self.rows = <int32_t*>resize(self.rows, self.row_room * width, sizeof(int32_t))
        row = self.rows + self.n_rows * width
        row[0] = self.sentence
        for k in range(self.n_found_nodes):
            row[1 + k] = self.node[k]
        for k in range(self.n_outputs):
            value = self._value(self.outputs[3 * k], self.outputs[3 * k + 1], self.outputs[3 * k + 2])
            row[1 + self.n_found_nodes + k] = <int32_t>value if value == value else -1
        self.n_rows += 1
        return GO_ON

    cdef bint _check(self, Step* step) noexcept nogil:
        cdef int operation = step.operation, k, low, high
        if operation == HAS_ARC:
            return self.graph.has(self.node[step.a], self.node[step.b], <uint64_t>1 << step.c)
        if operation == HAS_ARC_IN or operation == HAS_ARC_OUT:
            return self._has_any_arc(self.node[step.a], operation == HAS_ARC_OUT, step.b)
        if operation == HAS_PATH:
            return self.graph.reaches(self.node[step.a], self.node[step.b], &self.steps_left)
        if operation == IS_NEXT:
            return self.node[step.a] + 1 == self.node[step.b]
        if operation == IS_BEFORE:
            return self.node[step.a] < self.node[step.b]
        if operation == COMPARE:
            return compared(step.a, self._value(step.b, step.c, step.d), self._value(step.e, step.f, step.g))
        if operation == COMPARE_NUMBER:
            return compared(step.a, self._value(step.b, step.c, step.d), step.number)
        if operation == DELTA:
            return compared(step.a, self.node[step.c] - self.node[step.b], step.number)
        if operation == LENGTH:
            return compared(step.a, abs(self.node[step.c] - self.node[step.b]), step.number)
        if operation == DEPTH:
            k = self.graph.depth(self.node[step.b])
            return k >= 0 and compared(step.a, k, step.number)
        if operation == EDGE_LABEL:
            return self.graph.arc_mask[self.edge[step.a]] >> step.b & 1
        if operation == FITS:
            return self._fits(step.b, self.node[step.a])
        low, high = min(self.node[step.a], self.node[step.b]), max(self.node[step.a], self.node[step.b])
        if operation == INSIDE:
            low, high = min(self.node[step.b], self.node[step.c]), max(self.node[step.b], self.node[step.c])
            return low < self.node[step.a] < high
        return related(operation, low, high, min(self.node[step.c], self.node[step.d]),
                       max(self.node[step.c], self.node[step.d]))

    cdef bint _has_any_arc(self, int node, bint out, int bit) noexcept nogil:
        cdef int32_t* first = self.graph.first_out if out else self.graph.first_in
        cdef int32_t* arcs = self.graph.leaving if out else self.graph.arriving
        cdef int k
        for k in range(first[node], first[node + 1]):
            if self.graph.arc_mask[arcs[k]] >> bit & 1:
                return True
        return False

    cdef double _value(self, bint of_edge, int owner, int slot) noexcept nogil:
        if of_edge:
            return self.graph.arc_value[self.edge[owner] * self.graph.n_arc_slots + slot]
        return self.graph.value[self.node[owner] * self.graph.n_slots + slot]


cdef bint compared(int operator, double left, double right) noexcept nogil:
    """Compare in the order of COMPARISONS; what is missing is NaN, and no comparison holds."""
    if left != left or right != right:
        return False
    if operator == 0:
        return left == right
    if operator == 1:
        return left != right
    if operator == 2:
        return left < right
    if operator == 3:
        return left <= right
    if operator == 4:
        return left > right
    return left >= right


cdef bint related(int operation, int low, int high, int other_low, int other_high) noexcept nogil:
    """Return whether two edges cross, the first is covered by the second, or they are disjoint."""
    if operation == CROSS:
        return low < other_low < high < other_high or other_low < low < other_high < high
    if operation == COVERED:
        return other_low <= low and high <= other_high
    return high <= other_low or other_high <= low


if len(OPERATIONS) != FOUND + 1:
    raise ImportError("the operations of patterns are out of step")
