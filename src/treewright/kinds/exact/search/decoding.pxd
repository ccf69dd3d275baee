from libc.stdint cimport int32_t, int64_t

from treewright.features.encoder cimport Encoded
from treewright.kinds.exact.parts.part_scores cimport ModelParts
from treewright.kinds.exact.parts.parts cimport PartScratch
from treewright.kinds.exact.parts.scorer cimport PartScorer
from treewright.kinds.exact.search.propagation cimport Propagation
from treewright.kinds.exact.search.search cimport TreeSearch
from treewright.kinds.exact.search.spanning cimport SpanningScratch
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class Decoder(Owner):
    """Scratch space around a scorer; one per thread."""
    cdef PartScorer scorer
    cdef PartScratch parts
    cdef Encoded encoded
    cdef SpanningScratch spanning
    cdef ModelParts grandparents, siblings   # None where the model has none
    cdef readonly TreeSearch search
    cdef Propagation propagation
    cdef readonly int n
    cdef readonly bint single_root, projective
    cdef int capacity
    cdef double* scores
    cdef int32_t* labels
    cdef int32_t* heads
    cdef float* row
    cdef int reserve(self, int n) except -1 nogil
    cdef int take(self, Encoded encoded, int64_t row, int n, const int32_t* adviser, bint summed,
                  const unsigned char* wanted) except -1 nogil
    cdef double find(self, bint second, int rounds) except? -1 nogil
    cdef const double* believe(self, const int32_t* gold, bint second, double least, int messages) except NULL nogil
    cdef int unbar(self, int64_t head) except -1
