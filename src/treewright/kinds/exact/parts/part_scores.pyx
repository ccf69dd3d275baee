"""Where the scores of parts of three words and bounds on them come from: a model at work, or a given array.

The parts of an arc from h to c differ in a third word: the grandparent, or the sibling before c (h itself if there is
none). See triples.pyx.
"""


cdef class PartScores:
    """Scores of one kind of part, for one sentence."""

    cdef int length(self) noexcept nogil:
        """How many words the sentence has."""
        return 0

    cdef double score(self, int third, int h, int c) noexcept nogil:
        return 0

    cdef double above(self, int h, int c) noexcept nogil:
        """A bound on what any third word adds to an arc."""
        return 0

    cdef double below(self, int third, int h) noexcept nogil:
        """A bound on what a third word of a head adds to any one child."""
        return 0

    cdef int n_templates(self) noexcept nogil:
        """How many terms each of the two bounds is a sum of; 0 if it is no such sum."""
        return 0

    cdef void each_above(self, int h, int c, float* out) noexcept nogil:
        pass

    cdef void each_below(self, int third, int h, float* out) noexcept nogil:
        pass


cdef class ModelParts(PartScores):
    """A model at work on the sentence in its scratch space.

    While the scorer is trained it has no bounds: a part may have any score until it is computed.
    """

    def __init__(self, TripleWeights weights, PartScratch parts, bint siblings=False, bint bounded=True):
        self.weights, self.siblings, self.bounded = weights, siblings, bounded
        self.keys = parts.siblings if siblings else parts.grandparents

    cdef int length(self) noexcept nogil:
        return self.keys.n

    cdef double score(self, int third, int h, int c) noexcept nogil:
        return self.weights.score(self.keys, third, h, c)

    cdef double above(self, int h, int c) noexcept nogil:
        return self.weights.bound_above(self.keys, h, c) if self.bounded else 1e30

    cdef double below(self, int third, int h) noexcept nogil:
        return self.weights.bound_below(self.keys, third, h) if self.bounded else 1e30

    cdef int n_templates(self) noexcept nogil:
        return self.keys.templates.count if self.bounded else 0

    cdef void each_above(self, int h, int c, float* out) noexcept nogil:
        self.weights.bounds_above(self.keys, h, c, out)

    cdef void each_below(self, int third, int h, float* out) noexcept nogil:
        self.weights.bounds_below(self.keys, third, h, out)


def sources_of(PartScorer scorer, PartScratch parts, bint bounded=True):
    """Return where a model's grandparents and its siblings come from; None for a kind that it has no templates for.

    A model without any parts has grandparents with a score of 0.
    """
    siblings = parts.siblings.templates.count > 0
    grandparents = parts.grandparents.templates.count > 0 or not siblings
    return (ModelParts(scorer.grandparents, parts, False, bounded) if grandparents else None,
            ModelParts(scorer.siblings, parts, True, bounded) if siblings else None)


cdef class GivenParts(PartScores):
    """Scores from an array: grandparent by head by child, or head by sibling by child. Bounds are the largest of them.

    The score of a child without a sibling stands where the sibling is the head.
    """

    def __init__(self, const double[:, :, ::1] scores, bint siblings=False):
        if not scores.shape[0] == scores.shape[1] == scores.shape[2] or scores.shape[0] < 2:
            raise ValueError("scores of parts must be a cube: the root and at least one word in each direction")
        self.scores, self.siblings = scores, siblings

    cdef int length(self) noexcept nogil:
        return <int>self.scores.shape[0] - 1

    cdef double score(self, int third, int h, int c) noexcept nogil:
        return self.scores[h, third, c] if self.siblings else self.scores[third, h, c]

    cdef double above(self, int h, int c) noexcept nogil:
        cdef int third
        cdef double best = -1e30
        for third in range(self.length() + 1):
            if (third != h or self.siblings) and third != c and self.score(third, h, c) > best:
                best = self.score(third, h, c)
        return best

    cdef double below(self, int third, int h) noexcept nogil:
        cdef int c
        cdef double best = -1e30
        for c in range(1, self.length() + 1):
            if c != third and c != h and self.score(third, h, c) > best:
                best = self.score(third, h, c)
        return best
