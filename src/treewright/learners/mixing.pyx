"""The mean of several perceptrons that learnt the same task with different seeds.

A perceptron depends on the order of what it learns from, and each order leaves other accidents in the weights. In the
mean of the weights the accidents cancel out, and what all have in common stays.
"""
from libc.stdint cimport int32_t, int64_t

from treewright.learners.perceptron cimport Entry, Feature, Perceptron


def mix_in(Perceptron mean not None, Perceptron learner not None, double share=1.0):
    """Add a share of a perceptron's averaged weights to the weights of ``mean``, a perceptron made for the same task.

    ``mean`` has a cutoff of 1: it takes every feature.
    """
    cdef int64_t i
    cdef int k
    cdef int32_t number
    cdef Feature* feature
    cdef Entry e
    if mean.n_kinds != learner.n_kinds or mean.n_classes != learner.n_classes or mean.n_lines != learner.n_lines:
        raise ValueError("perceptrons of different tasks cannot be mixed")
    with nogil:
        for i in range(learner.n_features):
            feature = learner.at(<int32_t>i)
            number = mean.find(learner.keys[i])
            if number < 0:
                number = mean.add(learner.keys[i])
            for k in range(learner.kind_weights):
                e = learner.kind_weight(feature, k)
                mean.add_to_kind(number, k, <float>(share * (e.weight - e.late / learner.time)), 0)
            for k in range(learner.n_entries(feature)):
                e = learner.class_weight(feature, k)
                if e.weight != 0 or e.late != 0:
                    mean.add_to_class(number, e.label_class, <float>(share * (e.weight - e.late / learner.time)), 0)
