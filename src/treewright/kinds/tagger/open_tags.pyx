"""The best of many tags: what they share is added up once, and most of them need no look.

A word that the lexicon does not close may have any tag, and an English treebank has 400 of them, with 2,200 components
in all. Tags with the same FEATS share the sum of these, and FEATS that begin alike share the beginning of it. Tags with
the same UPOS and XPOS are a group: unless these with the best FEATS of all reach the second best tag found so far, the
group is passed over. What is found is the same as with all sums, to the last tie.
"""
from array import array
from itertools import accumulate

from treewright.kinds.tagger.tags cimport TagSet


cdef class OpenTags:
    """Tags to choose from, ``numbers`` of them, in the order in which they are preferred if they are equal."""

    def __init__(self, TagSet tags not None, numbers):
        cdef int place, tag
        sums, groups = {(-1, -1): 0}, {}     # the first sum is that of nothing
        places = [len(numbers)] * (tags.n_tags + 1)
        for place, tag in enumerate(numbers):
            parts = [tags.parts[k] for k in range(tags.start[tag], tags.start[tag + 1])]
            head = tuple(part for part in parts if tags.components[part][:5] in ("UPOS=", "XPOS="))
            rest = sorted(set(parts) - set(head), key=lambda part: (tags.components[part].startswith("FEATS="), part))
            number = 0
            for part in rest:        # a sum goes on from another one by a component
                number = sums.setdefault((number, part), len(sums))
            groups.setdefault(head, []).append((tag, place, number))
            places[tag] = place
        self.fits = len(sums) <= MOST_SUMS and len(groups) <= MOST_GROUPS
        self.parent, self.part = (array("i", column) for column in zip(*sums))
        members = [member for group in groups.values() for member in group]
        self.tag, self.place, self.sum_of = (array("i", column) for column in zip(*members))
        self.ends = array("i", sorted(set(self.sum_of)))
        self.heads = array("i", [part for head in groups for part in head] or [0])
        self.head_start, self.group_start = starts_of(groups), starts_of(groups.values())
        self.place_of = array("i", places)

    def best(self, const float[::1] scores, int left_out=-1):
        """Return the best tag, its score and that of the next one: for tests."""
        cdef Ranking ranking
        if not self.fits:
            raise ValueError("there are too many tags to be ranked")
        self.rank(&scores[0], left_out, &ranking)
        return ranking.tag, ranking.highest, ranking.second

    cdef void rank(self, const float* scores, int left_out, Ranking* out) noexcept nogil:
        """Find the best tag by the scores of components, and the score of the next one; -1 leaves out none."""
        cdef float sums[MOST_SUMS]
        cdef float heads[MOST_GROUPS]
        cdef float most = self.add_up(scores, sums)
        cdef int first = self.add_heads(scores, heads), group
        begin_ranking(out, self.place_of[left_out] if left_out >= 0 else <int>self.tag.shape[0])
        self.look_at(first, heads[first], sums, left_out, out)
        for group in range(<int>self.group_start.shape[0] - 1):
            if group != first and heads[group] + most >= out.second:
                self.look_at(group, heads[group], sums, left_out, out)

    cdef float add_up(self, const float* scores, float* sums) noexcept nogil:
        """Write all sums of components of FEATS; return the highest."""
        cdef float most
        cdef int k
        sums[0] = 0
        for k in range(1, <int>self.parent.shape[0]):
            sums[k] = sums[self.parent[k]] + scores[self.part[k]]
        most = sums[self.ends[0]]
        for k in range(1, <int>self.ends.shape[0]):
            most = max(most, sums[self.ends[k]])
        return most

    cdef int add_heads(self, const float* scores, float* heads) noexcept nogil:
        """Write what all tags of each group have; return the group that has most."""
        cdef int group, k, best = 0
        cdef float total, highest = 0    # not read back from `heads`, which would wait for what was just written
        for group in range(<int>self.head_start.shape[0] - 1):
            total = 0
            for k in range(self.head_start[group], self.head_start[group + 1]):
                total += scores[self.heads[k]]
            heads[group] = total
            if group == 0 or total > highest:
                best, highest = group, total
        return best

    cdef void look_at(
        self, int group, float head, const float* sums, int left_out, Ranking* out
    ) noexcept nogil:
        cdef int k
        for k in range(self.group_start[group], self.group_start[group + 1]):
            if self.tag[k] != left_out:
                consider(out, self.tag[k], self.place[k], head + sums[self.sum_of[k]])


def starts_of(lists):
    """Return where each list begins if they stand one after the other, and where the last one ends."""
    return array("i", accumulate(map(len, lists), initial=0))
