"""Tags and what they are made of. See tags.pyx."""
from libc.stdint cimport int32_t, uint64_t


cdef struct TagCodes:
    uint64_t whole, coarse, upos     # of all columns; of UPOS and XPOS alone; of UPOS
    int32_t pos              # the number of its UPOS, in the order in which tags are given
    bint nominal, verbal     # by UPOS: for features of agreement and auxiliaries


cdef class TagSet:
    cdef readonly list tags              # (UPOS, XPOS, FEATS) of each tag
    cdef readonly list components        # what they are made of, as strings
    cdef readonly int n_tags, n_components
    cdef int32_t* start                  # [n_tags + 1]: the components of a tag, in `parts`
    cdef int32_t* parts
    cdef TagCodes* codes                 # [n_tags + 1]; the last stands for no word
    cdef int differences(self, int gold, int predicted, int32_t* plus, int32_t* minus) noexcept nogil

    cdef inline float total(self, int tag, const float* scores) noexcept nogil:
        """Add up the scores of a tag's components."""
        cdef float score = 0
        cdef int k
        for k in range(self.start[tag], self.start[tag + 1]):
            score += scores[self.parts[k]]
        return score
