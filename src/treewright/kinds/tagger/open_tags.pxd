"""The best of many tags. See open_tags.pyx."""
from libc.stdint cimport int32_t

cdef enum:
    MOST_SUMS = 4096
    MOST_GROUPS = 1024


cdef struct Ranking:         # of the tags looked at so far
    int32_t tag              # the best one, -1 at first; of tags with equal scores the first
    int32_t place            # its place among the tags that are tried
    int32_t left_out         # the place of the tag that is left out; behind all others if there is none
    float highest, second    # the best score, and the next one


cdef inline void begin_ranking(Ranking* ranking, int left_out) noexcept nogil:
    ranking.tag = ranking.place = -1
    ranking.left_out = left_out
    ranking.highest = ranking.second = -1e30


cdef inline void consider(Ranking* ranking, int tag, int place, float total) noexcept nogil:
    """Look at another tag, in any order of places."""
    if ranking.tag < 0 or total > ranking.highest or (total == ranking.highest and place < ranking.place):
        ranking.second, ranking.highest = ranking.highest, total
        ranking.tag, ranking.place = tag, place
    elif total > ranking.second:
        ranking.second = total


cdef class OpenTags:
    cdef readonly bint fits              # whether there is room for the sums; if not, nothing can be ranked
    cdef const int32_t[::1] parent       # of each sum: another one that it goes on from, and the component it adds
    cdef const int32_t[::1] part
    cdef const int32_t[::1] ends         # the sums that stand for all components of FEATS
    cdef const int32_t[::1] head_start   # [groups + 1]: what all tags of a group have, in `heads`
    cdef const int32_t[::1] heads
    cdef const int32_t[::1] group_start  # [groups + 1]: the tags of a group, in the next three
    cdef const int32_t[::1] tag
    cdef const int32_t[::1] place
    cdef const int32_t[::1] sum_of
    cdef const int32_t[::1] place_of     # of any tag; behind all others where it is not tried
    cdef void rank(self, const float* scores, int left_out, Ranking* out) noexcept nogil
    cdef float add_up(self, const float* scores, float* sums) noexcept nogil
    cdef int add_heads(self, const float* scores, float* heads) noexcept nogil
    cdef void look_at(
        self, int group, float head, const float* sums, int left_out, Ranking* out
    ) noexcept nogil
