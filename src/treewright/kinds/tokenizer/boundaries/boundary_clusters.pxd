"""The clusters of the words beside a boundary. See boundary_clusters.pyx."""
from libc.stdint cimport uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.word_clusters cimport WordClusters
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport Boundary, Reading, Values
from treewright.kinds.tokenizer.boundaries.characters cimport Characters


cdef struct Beside:          # the clusters of words beside a boundary; -1: the word has none, or there is no word
    int before_last, last                # in front of it
    int following, second                # behind it


cdef Beside words_beside(
    WordClusters clusters, Characters text, Py_ssize_t first, Py_ssize_t at, Py_ssize_t next_at
) noexcept nogil
cdef int cluster_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordClusters clusters,
    Values* v, uint64_t* out, int n
) noexcept nogil
