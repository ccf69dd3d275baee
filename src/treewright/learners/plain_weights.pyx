"""Linear weights as they were learnt: floats by whole keys, without rounding, pruning or tables with little room.

Papers describe parsers of this kind. Models are ten times larger than with FrozenWeights (frozen.pyx), and slower.
"""
from array import array

from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_CLASSES
from treewright.learners.perceptron cimport FEW_KINDS, Entry, Feature, Perceptron
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.blocks.aligned import numbers_in

TYPES = {"features": "Q", "moves": "f", "sizes": "H", "classes": "H", "values": "f"}


cdef class PlainWeights:
    """The averaged weights of a perceptron. A model file stores ``arrays`` and ``settings``."""
    cdef readonly int n_classes
    cdef readonly int kind_weights           # weights that a feature has for kinds of move
    cdef const uint64_t[::1] features        # keys, each once
    cdef const float[::1] moves              # kind_weights weights per feature
    cdef const uint16_t[::1] sizes           # how many entries a feature has
    cdef const uint16_t[::1] classes         # the class of an entry
    cdef const float[::1] values             # the weight of an entry

    def __init__(self, arrays, settings):
        try:
            self.features, self.moves, self.sizes, self.classes, self.values = [
                numbers_in(arrays[name], code) for name, code in TYPES.items()
            ]
            self.n_classes, self.kind_weights = settings["n_classes"], settings["kind_weights"]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(f"the weights are damaged or incomplete: {error}") from None
        self._check()

    def _check(self):
        """Reject arrays that do not fit each other: nothing read from disk is trusted."""
        cdef int64_t i, n = self.features.shape[0], entries = 0
        cdef bint bad = not 0 <= self.n_classes <= MAX_CLASSES or self.kind_weights not in (FEW_KINDS, MAX_KINDS)
        bad = bad or self.moves.shape[0] != self.kind_weights * n or self.sizes.shape[0] != n or n > 0x7FFFFFFF
        bad = bad or self.classes.shape[0] != self.values.shape[0]
        if not bad:
            with nogil:
                for i in range(n):
                    entries += self.sizes[i]
                    bad = bad or self.features[i] == 0 or self.sizes[i] > self.n_classes
                for i in range(self.moves.shape[0]):
                    bad = bad or not isfinite(self.moves[i])
                for i in range(self.values.shape[0]):
                    bad = bad or not isfinite(self.values[i]) or self.classes[i] >= self.n_classes
        if bad or entries != self.values.shape[0]:
            raise ModelFileError("the weights are damaged: their parts do not fit each other")

    def __len__(self):
        return self.features.shape[0]

    @property
    def arrays(self):
        """The arrays by name, as buffers of bytes."""
        kept = [self.features, self.moves, self.sizes, self.classes, self.values]
        return {
            name: memoryview(data).cast("B") if len(data) else memoryview(b"")
            for name, data in zip(TYPES, kept, strict=True)
        }

    @property
    def settings(self):
        """What a model file keeps beside the arrays."""
        return {"precision": "float", "n_classes": self.n_classes, "kind_weights": self.kind_weights}

    @property
    def scale(self):
        """A weight of 1 is stored as 1."""
        return 1.0

    def scorer(self, system):
        """Return what scores moves: a perceptron that no longer learns."""
        cdef int64_t i, entry = 0
        cdef int32_t feature
        cdef int k
        cdef Perceptron learner = Perceptron(len(system.kinds), self.n_classes)
        if learner.kind_weights != self.kind_weights:
            raise ModelFileError(f"the weights are damaged: they are not those of {len(system.kinds)} kinds of move")
        for i in range(self.features.shape[0]):
            if learner.find(self.features[i]) >= 0:
                raise ModelFileError("the weights are damaged: a feature comes twice")
            feature = learner.add(self.features[i])
            for k in range(self.kind_weights):
                learner.add_to_kind(feature, k, self.moves[i * self.kind_weights + k], 0)
            for k in range(self.sizes[i]):
                learner.add_to_class(feature, self.classes[entry + k], self.values[entry + k], 0)
            entry += self.sizes[i]
        return learner


def averaged(Perceptron learner):
    """Return the averaged weights of a perceptron, as they are."""
    cdef int64_t i, n = learner.n_features, entry = 0, total = 0
    cdef int k, width = learner.kind_weights
    cdef Feature* feature
    cdef Entry e
    for i in range(n):
        total += learner.n_entries(learner.at(<int32_t>i))
    sizes_of = {"features": n, "moves": width * n, "sizes": n, "classes": total, "values": total}
    arrays = {name: array(code, [0]) * sizes_of[name] for name, code in TYPES.items()}
    if not n:
        return PlainWeights(arrays, {"n_classes": learner.n_classes, "kind_weights": width})
    cdef uint64_t[::1] keys = arrays["features"]
    cdef float[::1] moves = arrays["moves"]
    cdef uint16_t[::1] sizes = arrays["sizes"]
    cdef uint16_t[::1] classes = arrays["classes"]
    cdef float[::1] values = arrays["values"]
    for i in range(n):
        feature = learner.at(<int32_t>i)
        keys[i] = learner.keys[i]
        for k in range(width):
            e = learner.kind_weight(feature, k)
            moves[width * i + k] = <float>(e.weight - e.late / learner.time)
        for k in range(learner.n_entries(feature)):
            e = learner.class_weight(feature, k)
            if e.weight != 0 or e.late != 0:
                classes[entry] = <uint16_t>e.label_class
                values[entry] = <float>(e.weight - e.late / learner.time)
                sizes[i] += 1
                entry += 1
    arrays["classes"], arrays["values"] = arrays["classes"][:entry], arrays["values"][:entry]
    return PlainWeights(arrays, {"n_classes": learner.n_classes, "kind_weights": width})
