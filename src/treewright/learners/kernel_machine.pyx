"""Support vector machines as LIBSVM writes them, run without LIBSVM.

All vectors are sets of features: the product of two is the number of features they share. An inverted list from
features to the support vectors that have them gives all products at once, in time proportional to the matches (Kudo &
Matsumoto 2003). Kernels depend on small whole numbers only, so their values are looked up. Most coefficients are zero;
these are not kept.

Invariants: a support vector has a feature once, so that it shares at most as many features with an instance as the
instance has (``table`` has room for these); numbers of features, pairs and decisions are in range; all numbers are
finite. ``KernelMachine`` checks what a model file says.
"""
from array import array
from itertools import combinations
from math import isfinite

from libc.math cimport atan, exp, pow, tanh
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from treewright.errors import ModelFileError
from treewright.learners.decisions cimport DecisionScorer
from treewright.learners.decisions import UNKNOWN
from treewright.learners.feature_index cimport FeatureIndex
from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef enum Kernel:            # as KERNELS number them
    LINEAR, POLYNOMIAL, RBF, SIGMOID

MOST_DECISIONS = MAX_CLASSES + MAX_KINDS
KERNELS = ("linear", "polynomial", "rbf", "sigmoid")
cdef float NEVER = UNKNOWN


cdef struct Machine:
    int kernel, n_classes, n_vectors, n_features
    double gamma, coef0, degree
    const int32_t* decisions         # [n_classes]
    const int32_t* posting_start     # [n_features + 2], by feature
    const int32_t* postings          # support vectors that have a feature
    const int32_t* sizes             # [n_vectors]: features of a vector
    const int32_t* coef_start        # [n_vectors + 1]
    const int32_t* coef_pair         # the pair of classes that a coefficient is for
    const double* coef
    const double* rho                # [pairs]


cdef class KernelMachine:
    """One LIBSVM model (C-SVC or ν-SVC), from its text."""
    cdef readonly list decisions
    cdef readonly int n_vectors
    cdef Machine machine
    cdef list kept                   # the arrays behind the pointers

    def __init__(self, bytes text, int n_features):
        self.kept = []
        try:
            header, vectors = text.decode("ascii").split("\nSV\n", 1)
            fields = {name: value for name, _, value in (line.partition(" ") for line in header.splitlines())}
            self._read(fields, vectors.splitlines(), n_features)
        except (ValueError, KeyError, IndexError, UnicodeDecodeError, OverflowError) as error:
            raise ModelFileError(f"a support vector machine is damaged: {error}") from None

    def _read(self, fields, lines, int n_features):
        if fields["svm_type"] not in ("c_svc", "nu_svc") or fields["kernel_type"] not in KERNELS:
            raise ValueError(f"unknown type {fields['svm_type']} or kernel {fields['kernel_type']}")
        self.machine.kernel = KERNELS.index(fields["kernel_type"])
        self.machine.degree = float(fields.get("degree", 0))
        self.machine.gamma = float(fields.get("gamma", 0))
        self.machine.coef0 = float(fields.get("coef0", 0))
        self.decisions = [int(label) for label in fields["label"].split()]
        cdef int n = len(self.decisions)
        rho = array("d", map(float, fields.get("rho", "").split()))
        sizes = [int(size) for size in fields["nr_sv"].split()] if n > 1 else []
        self.n_vectors = sum(sizes)
        if n != int(fields["nr_class"]) or len(lines) < self.n_vectors or min(self.decisions) < 0:
            raise ValueError("its parts do not fit each other")
        if not all(map(isfinite, (self.machine.degree, self.machine.gamma, self.machine.coef0, *rho))):
            raise ValueError("one of its numbers is not finite")
        if n > MOST_DECISIONS or len(set(self.decisions)) != n:
            raise ValueError("it has a decision twice, or too many of them")
        if n > 1 and (len(sizes) != n or len(rho) != n * (n - 1) // 2 or min(sizes) < 0):
            raise ValueError("its parts do not fit each other")
        if n == 1:
            lines = []
        self.machine.n_classes, self.machine.n_vectors, self.machine.n_features = n, self.n_vectors, n_features
        self.machine.rho = <const double*>self.keep(rho)
        self.machine.decisions = <const int32_t*>self.keep(array("i", self.decisions))
        self._vectors(lines[:self.n_vectors], [i for i, size in enumerate(sizes) for _ in range(size)], n, n_features)

    def _vectors(self, lines, classes, int n, int n_features):
        """Read the coefficients and features of the support vectors; turn the features into inverted lists."""
        cdef int32_t feature
        pairs = {pair: number for number, pair in enumerate(combinations(range(n), 2))}
        coef_start, coef_pair, coef = array("i", [0]), array("i"), array("d")
        sizes, counts, all_features = array("i"), array("i", bytes(4 * (n_features + 2))), []
        for line, mine in zip(lines, classes, strict=True):
            words = line.split()
            for other, word in enumerate(words[:n - 1]):
                if word != "0":
                    other += other >= mine
                    coef_pair.append(pairs[min(mine, other), max(mine, other)])
                    value = float(word)
                    if not isfinite(value):
                        raise ValueError("one of its numbers is not finite")
                    coef.append(value)
            coef_start.append(len(coef))
            features = array("i", [int(word.removesuffix(":1")) for word in words[n - 1:] if word.endswith(":1")])
            if len(features) != len(words) - n + 1:
                raise ValueError("a feature has a value other than 1")
            if len(set(features)) != len(features):
                raise ValueError("a support vector has a feature twice")
            for feature in features:
                if not 1 <= feature <= n_features:
                    raise ValueError("a feature is out of range")
                counts[feature + 1] += 1
            sizes.append(len(features))
            all_features.append(features)
        for feature in range(1, n_features + 2):
            counts[feature] += counts[feature - 1]
        places, postings = array("i", counts), array("i", bytes(4 * counts[n_features + 1]))
        for vector, features in enumerate(all_features):
            for feature in features:
                postings[places[feature]] = vector
                places[feature] += 1
        self.machine.posting_start = <const int32_t*>self.keep(counts)
        self.machine.postings = <const int32_t*>self.keep(postings)
        self.machine.sizes = <const int32_t*>self.keep(sizes)
        self.machine.coef_start = <const int32_t*>self.keep(coef_start)
        self.machine.coef_pair = <const int32_t*>self.keep(coef_pair)
        self.machine.coef = <const double*>self.keep(coef)

    cdef const void* keep(self, numbers) except NULL:
        """Return the address of an array, and keep the array alive; one more number makes sure that it has one."""
        numbers.append(0)
        self.kept.append(numbers)
        return <const void*><size_t>numbers.buffer_info()[0]


cdef double kernel_value(const Machine* m, int product, int size, int other) noexcept nogil:
    """Return the kernel of two sets, from the number of features they share and their sizes."""
    if m.kernel == LINEAR:
        return product
    if m.kernel == POLYNOMIAL:
        return pow(m.gamma * product + m.coef0, m.degree)
    if m.kernel == RBF:
        return exp(-m.gamma * (size + other - 2 * product))
    return tanh(m.gamma * product + m.coef0)


cdef void add_decisions(const Machine* m, const int32_t* numbers, int n, int32_t* products, double* table,
                        double* pairs, float* scores) noexcept nogil:
    """Let every pair of classes vote for one of the two; the margin of the votes breaks ties."""
    cdef int i, j, k, at = 0, size = 0
    cdef int64_t p
    cdef double value
    if m.n_classes == 1:
        scores[m.decisions[0]] = 1
        return
    for i in range(n):
        if 1 <= numbers[i] <= m.n_features:
            size += 1
            for p in range(m.posting_start[numbers[i]], m.posting_start[numbers[i] + 1]):
                products[m.postings[p]] += 1
    if m.kernel != RBF:
        for i in range(size + 1):
            table[i] = kernel_value(m, i, 0, 0)
    for k in range(m.n_vectors):
        value = table[products[k]] if m.kernel != RBF else kernel_value(m, products[k], size, m.sizes[k])
        for p in range(m.coef_start[k], m.coef_start[k + 1]):
            pairs[m.coef_pair[p]] += m.coef[p] * value
    for i in range(m.n_classes):
        scores[m.decisions[i]] = 0
    for i in range(m.n_classes):
        for j in range(i + 1, m.n_classes):
            value = pairs[at] - m.rho[at]
            if value != value:           # powers of large numbers may leave the range of a double
                value = 0
            at += 1
            scores[m.decisions[i if value > 0 else j]] += 1
            # All margins together count less than one vote.
            value = 0.9 * atan(value) / (3.141592653589793 * m.n_classes)
            scores[m.decisions[i]] += <float>value
            scores[m.decisions[j]] -= <float>value


cdef class KernelScorer(DecisionScorer):
    """Scores with one machine, or with the machine that belongs to the feature in ``column``."""
    cdef list machines
    cdef const Machine** by_place
    cdef int32_t* features               # the feature that a machine belongs to; 0: all other features
    cdef int n_machines, column
    cdef int most_vectors, most_pairs

    def __cinit__(self, index, plain, n_classes, machines, column=-1):
        self.by_place = <const Machine**>allocate_zeroed(len(machines), sizeof(void*))
        self.features = <int32_t*>allocate_zeroed(len(machines), sizeof(int32_t))

    def __init__(self, FeatureIndex index, plain, int n_classes, machines, int column=-1):
        cdef KernelMachine machine
        super().__init__(index, plain, n_classes)
        self.machines, self.column = [], column
        for feature, machine in machines:
            if max(machine.decisions) >= self.n_decisions or machine.machine.n_features > index.n_features:
                raise ModelFileError("a support vector machine does not fit the moves of the model")
            self.machines.append(machine)
            self.by_place[self.n_machines] = &machine.machine
            self.features[self.n_machines] = feature
            self.n_machines += 1
            self.most_vectors = max(self.most_vectors, machine.n_vectors)
            self.most_pairs = max(self.most_pairs, len(machine.decisions) * (len(machine.decisions) - 1) // 2)
        if not self.n_machines:
            raise ModelFileError("the model has no support vector machine")

    def __dealloc__(self):
        free(self.by_place)
        free(self.features)

    cdef void decide(self, const int32_t* numbers, int n, float* scores) noexcept nogil:
        cdef int i, chosen = -1
        cdef int32_t feature = numbers[self.column] if 0 <= self.column < n else 0
        # Not allocate_zeroed: this cannot raise. See raise_failure.
        cdef double* pairs = <double*>calloc(self.most_pairs + n + 1 + self.most_vectors // 2 + 1, sizeof(double))
        cdef double* table = pairs + self.most_pairs
        cdef int32_t* products = <int32_t*>(table + n + 1)
        for i in range(self.n_decisions):
            scores[i] = NEVER
        for i in range(self.n_machines):
            if self.features[i] == feature or (self.features[i] == 0 and chosen < 0):
                chosen = i
        if chosen < 0:
            chosen = 0
        if pairs != NULL:
            add_decisions(self.by_place[chosen], numbers, n, products, table, pairs, scores)
            free(pairs)
            return
        with gil:
            self.failure = self.failure or MemoryError()
