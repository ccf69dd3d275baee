"""Features of the clusters of the words beside a boundary.

A word is a run of letters. Between two spaces, the last one in front of the boundary and the first one behind it count.
Clusters are looked up in lower case, in the text as it is: whether the treebank has the word's characters is no matter.
"""
from libc.stdint cimport uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.folding cimport SCRATCH, fold, make_tables
from treewright.features.word_clusters cimport WordClusters
from treewright.features.feature_table cimport Section
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport NONE, Boundary, Reading, Values, load, put_keys
from treewright.kinds.tokenizer.boundaries.boundary_keys import PLACES
from treewright.kinds.tokenizer.boundaries.characters cimport LETTER, LOWER, MARK, SPACE, UPPER, Characters, end_of

cdef enum:
    LONGEST_REACH = 48       # characters between two spaces that are looked at, so that cost stays linear
    COARSE = 4               # bits of a cluster's path
    FINER = 8
    WHOLE = 0

cdef Section around, without_space, between_words

load(&around, "tokenizer", "clusters", PLACES)
load(&without_space, "tokenizer", "clusters without a space", PLACES)
load(&between_words, "tokenizer", "clusters between words", PLACES)

REACH = LONGEST_REACH

make_tables()


cdef inline bint is_letter(int kind) noexcept nogil:
    return kind in (LOWER, UPPER, LETTER, MARK)


cdef int cluster_of_stretch(
    WordClusters clusters, Characters text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    """Return the cluster of the word from start to end; -1 if it has none, or if there is no word."""
    cdef char lower[SCRATCH]
    cdef int first
    if end <= start:
        return -1
    first = text.offset[start]
    return clusters.cluster_of(lower, fold(text.data + first, end_of(text, end - 1) - first, lower, False))


cdef int cluster_before(
    WordClusters clusters, Characters text, Py_ssize_t first, Py_ssize_t* place
) noexcept nogil:
    """Return the cluster of the last word up to a place, and go to the end of what stands before the last space."""
    cdef Py_ssize_t k = place[0], low = max(first, place[0] - LONGEST_REACH + 1), start, end
    while k >= low and text.kind[k] != SPACE and not is_letter(text.kind[k]):
        k -= 1
    end = k + 1
    while k >= low and is_letter(text.kind[k]):
        k -= 1
    start = k + 1
    while k >= low and text.kind[k] != SPACE:
        k -= 1
    place[0] = k - 1 if k >= low else first - 1
    return -1 if start == low > first else cluster_of_stretch(clusters, text, start, end)


cdef int cluster_after(WordClusters clusters, Characters text, Py_ssize_t* place) noexcept nogil:
    """Return the cluster of the first word from a place on, and go to what stands after the next space."""
    cdef Py_ssize_t k = place[0], high = min(text.n, place[0] + LONGEST_REACH), start, end
    while k < high and text.kind[k] != SPACE and not is_letter(text.kind[k]):
        k += 1
    start = k
    while k < high and is_letter(text.kind[k]):
        k += 1
    end = k
    while k < high and text.kind[k] != SPACE:
        k += 1
    place[0] = k + 1 if k < high else text.n
    return -1 if end == high < text.n else cluster_of_stretch(clusters, text, start, end)


cdef Beside words_beside(
    WordClusters clusters, Characters text, Py_ssize_t first, Py_ssize_t at, Py_ssize_t next_at
) noexcept nogil:
    """Return the clusters around the boundary after ``at``; what stands before ``first`` does not count."""
    cdef Beside found
    cdef Py_ssize_t back = at, ahead = next_at
    found.last = cluster_before(clusters, text, first, &back)
    found.before_last = cluster_before(clusters, text, first, &back)
    found.following = cluster_after(clusters, text, &ahead)
    found.second = cluster_after(clusters, text, &ahead)
    return found


def clusters_beside(
    WordClusters clusters not None, Characters text not None, Py_ssize_t first, Py_ssize_t at, Py_ssize_t next_at
):
    """Return the numbers of the clusters around a boundary: two in front of it, two behind it; -1 for none."""
    cdef Beside found
    if not 0 <= first <= at < next_at <= text.n:
        raise IndexError("the place is outside the text")
    found = words_beside(clusters, text, first, at, next_at)
    return found.before_last, found.last, found.following, found.second


cdef int cluster_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordClusters clusters,
    Values* v, uint64_t* out, int n
) noexcept nogil:
    """Add the keys of the clusters of the words on both sides, from coarse to fine; return how many keys there are."""
    cdef Beside found = words_beside(clusters, text, reading.sentence, b.at, b.next_at)
    v.cluster, v.next_cluster = clusters.code(found.last, FINER), clusters.code(found.following, FINER)
    v.whole_cluster, v.whole_next_cluster = clusters.code(found.last, WHOLE), clusters.code(found.following, WHOLE)
    n = put_keys(&around, <uint64_t*>v, table, out, n)
    if b.gap == NONE:
        return put_keys(&without_space, <uint64_t*>v, table, out, n)
    v.last_cluster, v.second_cluster = clusters.code(found.before_last, FINER), clusters.code(found.second, FINER)
    v.coarse_cluster = clusters.code(found.last, COARSE)
    v.coarse_next_cluster = clusters.code(found.following, COARSE)
    return put_keys(&between_words, <uint64_t*>v, table, out, n)
