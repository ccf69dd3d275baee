"""Clusters of words, learnt from raw text or word vectors: words that behave alike share one.

The clusters are leaves of a binary tree. The first bits of the path to a leaf stand for a larger cluster, so a few
numbers of bits give features from coarse to fine (Miller, Guinness & Zamanian 2004; Koo, Carreras & Collins 2008).
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.features.folding cimport SCRATCH, fold, make_tables
from treewright.treebank.blocks.key_numbers cimport add_number, make_room, number_of

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef uint64_t SEED = 0x636C757374657273ULL
MOST_BITS = 32

make_tables()


cdef class WordClusters:
    """The cluster of each frequent word, by the hash of its lower case."""

    def __init__(self, keys, numbers, paths, depths, source=""):
        self.keys, self.numbers, self.paths, self.depths, self.source = keys, numbers, paths, depths, source
        if (
            len(keys) != len(numbers) or len(paths) != len(depths) or not len(paths) or 0 in set(keys)
            or max(numbers, default=0) >= len(paths) or max(depths, default=0) > MOST_BITS
        ):
            raise ModelFileError("the model is damaged: its word clusters are inconsistent")
        self.path_view, self.depth_view = paths, depths
        make_room(&self.places, len(keys))
        for key, number in zip(keys, numbers):
            add_number(&self.places, key, number)

    def __dealloc__(self):
        free(self.places.slots)

    def __len__(self):
        return len(self.keys)

    @property
    def n_clusters(self):
        """How many clusters there are."""
        return len(self.paths)

    cdef int cluster_of(self, const char* lower, int length) noexcept nogil:
        """Return the cluster of a word in lower case, or -1."""
        return number_of(&self.places, tw_hash(lower, length, SEED) | 1)

    cdef uint64_t code(self, int cluster, int bits) noexcept nogil:
        """Return a 64-bit number for the first bits of a cluster's path; for the cluster itself if ``bits`` is 0."""
        cdef int depth
        if cluster < 0:
            return tw_mix(SEED, <uint64_t>bits + 1)
        if bits == 0:
            return tw_mix(SEED, <uint64_t>cluster + 0x9E3779B97F4A7C15ULL)
        depth = self.depth_view[cluster]
        bits = min(bits, depth)
        return tw_mix(SEED + bits, (<uint64_t>self.path_view[cluster] >> (depth - bits) << 8) + bits + 0x9E3779B9ULL)

    def path(self, word):
        """Return the path of a word's cluster as a string of 0 and 1; None if the word has none."""
        cdef char lower[SCRATCH]
        cdef bytes raw = word.encode("utf-8", "surrogateescape")
        cdef int32_t number = self.cluster_of(lower, fold(raw, len(raw), lower, False))
        if number < 0:
            return None
        depth = self.depths[number]
        return f"{self.paths[number]:0{depth}b}" if depth else ""


def cluster_key(word):
    """Return the key of a word: the hash of its lower case, never 0."""
    cdef char lower[SCRATCH]
    cdef bytes raw = word.encode("utf-8", "surrogateescape")
    return tw_hash(lower, fold(raw, len(raw), lower, False), SEED) | 1
