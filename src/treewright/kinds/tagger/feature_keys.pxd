"""Keys of the features of tagger and lemmatiser. See feature_keys.pyx."""
from libc.stdint cimport uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.feature_table cimport MOST_READ, Section, put_keys
from treewright.kinds.tagger.words cimport WordCodes

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)


cdef struct Values:          # what features look at beside the rows of words, as their lists name it
    uint64_t tag_before, whole_tag_before, tag_before_that, noun_before, noun_tag_before
    uint64_t verb_before, verb_tag_before, whole_verb_tag_before
    uint64_t tag_after, whole_tag_after, tag_after_that, noun_tag_after, verb_tag_after
    uint64_t tag, whole_tag, tag_and_ending, initial_shape       # of the word itself, for the lemmatiser
    uint64_t read[MOST_READ]             # from the rows of words


cdef inline int put_mixed_keys(
    const Section* section, const WordCodes* word, Values* values, const tw_place* place, uint64_t* out
) noexcept nogil:
    """Do the same for features that look at words and at other values, which must be there already."""
    cdef int k
    for k in range(section.n_read):
        values.read[k] = (<const uint64_t*>word)[section.read[k]]
    return put_keys(section, <const uint64_t*>values, place, out)


cdef int load(Section* out, str name, tuple sections, bint mixed) except -1
