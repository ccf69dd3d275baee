from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from treewright.treebank.blocks.key_numbers cimport KeyNumbers


cdef class WordClusters:
    cdef readonly object keys            # array: hashes of words in lower case
    cdef readonly object numbers         # array: the cluster of each
    cdef readonly object paths           # array: the bits of each cluster's place in the tree, from the root
    cdef readonly object depths          # array: how many bits these are
    cdef readonly str source             # what they were learnt from
    cdef KeyNumbers places
    cdef const uint32_t[::1] path_view
    cdef const uint8_t[::1] depth_view
    cdef int cluster_of(self, const char* lower, int length) noexcept nogil
    cdef uint64_t code(self, int cluster, int bits) noexcept nogil
