"""What a batch learner learns from: instances as rows of feature numbers, each with the right decision.

Three flat arrays hold all instances; none becomes a Python object. Rows keep the order of the feature model's
templates, which learners of symbolic columns need. Learners of sparse vectors get sorted rows.
"""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdio cimport snprintf

from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct Node:            # of a sparse vector, as LIBSVM and LIBLINEAR define it
    int index
    double value


cdef class Problem:
    """Instances for a batch learner. ``index`` numbers the features; several problems may share one."""

    def __init__(self, int n_decisions, FeatureIndex index=None):
        self.n_decisions = n_decisions
        self.index = index if index is not None else FeatureIndex()
        self.make_room(0)
        self.starts[0] = 0

    def __len__(self):
        return self.n_instances

    cdef int make_room(self, int n) except -1 nogil:
        """Make room for one more instance of n features."""
        cdef int64_t room
        if self.n_values + n > self.values_room:
            room = 4096 + n + self.values_room + self.values_room // 2
            self.values = <int32_t*>self.resized(self.values, room, sizeof(int32_t))
            self.values_room = room
        if self.n_instances >= self.instances_room:
            room = 1024 + self.instances_room + self.instances_room // 2
            self.starts = <int64_t*>self.resized(self.starts, room + 1, sizeof(int64_t))
            self.targets = <int32_t*>self.resized(self.targets, room, sizeof(int32_t))
            self.instances_room = room
        return 0

    cdef int add(self, const uint64_t* keys, int n, int decision) except -1 nogil:
        """Add an instance; new features get numbers."""
        cdef int i
        self.make_room(n)
        for i in range(n):
            self.values[self.n_values + i] = self.index.number_of(keys[i])
        self.n_values += n
        self.targets[self.n_instances] = decision
        self.n_instances += 1
        self.starts[self.n_instances] = self.n_values
        return 0

    def add_instance(self, keys, int decision):
        """Add an instance by its keys; for tests and tools. Trainers add instances without Python objects."""
        cdef const uint64_t[::1] view = array("Q", [*keys, 0])
        if not 0 <= decision < self.n_decisions:
            raise ValueError(f"decision {decision} is out of range: choose 0 to {self.n_decisions - 1}")
        self.add(&view[0], len(keys), decision)

    @property
    def decisions(self):
        """The decisions of all instances, as 32-bit numbers."""
        if self.n_instances == 0:
            return memoryview(array("i"))
        return memoryview((<const char*>self.targets)[:4 * self.n_instances]).cast("i")

    @property
    def n_columns(self):
        """How many features each instance has, or 0 if the instances differ."""
        cdef int64_t i, n = self.starts[1] if self.n_instances else 0
        for i in range(self.n_instances):
            if self.starts[i + 1] - self.starts[i] != n:
                return 0
        return n

    def instance(self, int64_t number):
        """Return the features and the decision of an instance; for tests."""
        cdef int64_t i
        if not 0 <= number < self.n_instances:
            raise IndexError(number)
        return [self.values[i] for i in range(self.starts[number], self.starts[number + 1])], self.targets[number]

    def without_rare(self, int cutoff):
        """Return the problem without features that fewer than ``cutoff`` instances have: these become 0."""
        cdef int64_t i, n = self.index.n_features
        cdef Problem result
        if cutoff <= 1:
            return self
        counts, numbers = array("i", bytes(4 * (n + 1))), array("i", bytes(4 * (n + 1)))
        cdef int32_t[::1] count = counts
        cdef int32_t[::1] number = numbers
        result = Problem(self.n_decisions)
        with nogil:
            for i in range(self.n_values):
                count[self.values[i]] += 1
            for i in range(1, n + 1):
                if count[i] >= cutoff:
                    number[i] = result.index.number_of(self.index.keys[i - 1])
            for i in range(self.n_instances):
                copy_row(result, self, i, &number[0])
        return result

    def parts(self, int column, int threshold):
        """Split the instances by the feature in a column.

        Return [(feature, instances)] for features that at least ``threshold`` instances have, and the other
        instances (None without instances).
        """
        cdef int64_t i
        cdef int32_t feature
        cdef Problem part, rest = Problem(self.n_decisions, self.index)
        if not 0 <= column < self.n_columns:
            raise ValueError(f"cannot split on column {column}: the instances have {self.n_columns} columns")
        counts = array("i", bytes(4 * (self.index.n_features + 1)))
        cdef int32_t[::1] count = counts
        for i in range(self.n_instances):
            count[self.values[self.starts[i] + column]] += 1
        large = {
            feature: Problem(self.n_decisions, self.index)
            for feature in range(1, self.index.n_features + 1) if count[feature] >= threshold and count[feature] > 0
        }
        for i in range(self.n_instances):
            part = large.get(self.values[self.starts[i] + column], rest)
            copy_row(part, self, i, NULL)
        return list(large.items()), rest if rest.n_instances else None

    def nodes(self, double bias=-1):
        """Return the instances as LIBSVM and LIBLINEAR need them: nodes, the address of each row, the decisions.

        The addresses point into the nodes: keep these as long as the addresses are in use. With ``bias`` >= 0 every
        row gets one more feature of that value, numbered after all others.
        """
        cdef int64_t i, at = 0, room = self.n_values + 2 * self.n_instances
        cdef int k, n
        nodes, addresses = bytearray(room * sizeof(Node)), array("Q", bytes(8 * (self.n_instances + 1)))
        decisions = array("d", bytes(8 * (self.n_instances + 1)))
        cdef char[::1] memory = nodes
        cdef uint64_t[::1] address = addresses
        cdef double[::1] target = decisions
        cdef Owner for_now = Owner()
        cdef int32_t* row = <int32_t*>for_now.new_block(longest(self), sizeof(int32_t))
        cdef Node* out = <Node*>&memory[0] if room else NULL
        with nogil:
            for i in range(self.n_instances):
                address[i] = <uint64_t><size_t>(out + at)
                target[i] = self.targets[i]
                n = sorted_row(self, i, row)
                for k in range(n):
                    out[at].index, out[at].value = row[k], 1
                    at += 1
                if bias >= 0:
                    out[at].index, out[at].value = self.index.n_features + 1, bias
                    at += 1
                out[at].index = -1
                at += 1
        return nodes, addresses, decisions

    def matrix(self, int64_t first=0, end=None):
        """Return rows first .. end of a sparse matrix of ones: the start of each row, and the columns from 0."""
        cdef int64_t i, at = 0, last = self.n_instances if end is None else min(<int64_t>end, self.n_instances)
        cdef int k, n
        starts = array("q", bytes(8 * (max(last - first, 0) + 1)))
        columns = array("i", bytes(4 * (self.starts[last] - self.starts[first] if last > first else 0)))
        cdef int64_t[::1] start_view = starts
        cdef int32_t[::1] column_view = columns
        cdef Owner for_now = Owner()
        cdef int32_t* row = <int32_t*>for_now.new_block(longest(self), sizeof(int32_t))
        for i in range(first, last):
            n = sorted_row(self, i, row)
            for k in range(n):
                column_view[at] = row[k] - 1
                at += 1
            start_view[i - first + 1] = at
        return starts, columns[:at]

    def lines(self, bytes separator, int at_once=20000):
        """Yield the instances as text, many at a time: the numbers of the features, then the decision."""
        cdef int64_t first
        for first in range(0, self.n_instances, at_once):
            yield self.text(first, min(first + at_once, self.n_instances), separator[0], False)

    def libsvm_lines(self, int at_once=20000):
        """Yield the instances in LIBSVM's format, many at a time: the decision, then ``number:1`` in order."""
        cdef int64_t first
        for first in range(0, self.n_instances, at_once):
            yield self.text(first, min(first + at_once, self.n_instances), b" "[0], True)

    cdef bytes text(self, int64_t first, int64_t end, char separator, bint sparse):
        cdef int64_t i, k, room = 16 * (self.starts[end] - self.starts[first]) + 16 * (end - first)
        cdef int n
        cdef bytes result = PyBytes_FromStringAndSize(NULL, room)
        cdef char* start = PyBytes_AS_STRING(result)
        cdef char* out = start
        cdef Owner for_now = Owner()
        cdef int32_t* row = <int32_t*>for_now.new_block(longest(self), sizeof(int32_t))
        with nogil:
            for i in range(first, end):
                if sparse:
                    out += snprintf(out, 16, "%d", self.targets[i])
                    n = sorted_row(self, i, row)
                    for k in range(n):
                        out += snprintf(out, 16, "%c%d:1", separator, row[k])
                else:
                    for k in range(self.starts[i], self.starts[i + 1]):
                        out += snprintf(out, 16, "%d%c", self.values[k], separator)
                    out += snprintf(out, 16, "%d", self.targets[i])
                out[0] = c"\n"
                out += 1
        return result[:out - start]


cdef int copy_row(Problem self, Problem other, int64_t row, const int32_t* renumbered) except -1 nogil:
    """Add an instance of another problem, with new numbers of features if given; 0 stays unseen."""
    cdef int64_t i, start = other.starts[row]
    cdef int n = <int>(other.starts[row + 1] - start)
    cdef int32_t value
    self.make_room(n)
    for i in range(n):
        value = other.values[start + i]
        self.values[self.n_values + i] = renumbered[value] if renumbered else value
    self.n_values += n
    self.targets[self.n_instances] = other.targets[row]
    self.n_instances += 1
    self.starts[self.n_instances] = self.n_values
    return 0


cdef int64_t longest(Problem self) noexcept nogil:
    cdef int64_t i, most = 0
    for i in range(self.n_instances):
        most = max(most, self.starts[i + 1] - self.starts[i])
    return most


cdef int sorted_row(Problem self, int64_t number, int32_t* out) noexcept nogil:
    """Write the features of an instance in order, each once, without unseen ones; return how many."""
    cdef int64_t i
    cdef int k, n = 0
    cdef int32_t value
    for i in range(self.starts[number], self.starts[number + 1]):
        value = self.values[i]
        k = n
        while k > 0 and out[k - 1] > value:
            k -= 1
        if value == 0 or (k > 0 and out[k - 1] == value):
            continue
        move_up(out, k, n)
        out[k] = value
        n += 1
    return n


cdef inline void move_up(int32_t* row, int first, int end) noexcept nogil:
    cdef int k = end
    while k > first:
        row[k] = row[k - 1]
        k -= 1
