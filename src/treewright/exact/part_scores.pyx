"""Where the scores of grandparent parts and bounds on them come from: a model at work, or a given array."""


cdef class PartScores:
    """Scores of the parts of one sentence of n words."""

    cdef double grandparent(self, int g, int h, int c) noexcept nogil:
        return 0

    cdef double above(self, int h, int c) noexcept nogil:
        """A bound on what any grandparent adds to an arc."""
        return 0

    cdef double below(self, int g, int h) noexcept nogil:
        """A bound on what an arc into a head adds for any one of its children."""
        return 0

    cdef int n_templates(self) noexcept nogil:
        """How many terms each of the two bounds is a sum of; 0 if it is no such sum."""
        return 0

    cdef void each_above(self, int h, int c, float* out) noexcept nogil:
        pass

    cdef void each_below(self, int g, int h, float* out) noexcept nogil:
        pass


cdef class ModelParts(PartScores):
    """A model at work on the sentence in its scratch space; set ``n`` to its length.

    While the scorer is trained it has no bounds: a part may have any score until it is computed.
    """

    def __init__(self, PartScorer scorer, PartScratch parts, bint bounded=True):
        self.scorer, self.parts, self.bounded = scorer, parts, bounded

    cdef double grandparent(self, int g, int h, int c) noexcept nogil:
        return self.scorer.score_grandparent(self.parts, g, h, c)

    cdef double above(self, int h, int c) noexcept nogil:
        return self.scorer.bound_above(self.parts, h, c) if self.bounded else 1e30

    cdef double below(self, int g, int h) noexcept nogil:
        return self.scorer.bound_below(self.parts, g, h) if self.bounded else 1e30

    cdef int n_templates(self) noexcept nogil:
        return self.scorer.program.grandparents.count if self.bounded else 0

    cdef void each_above(self, int h, int c, float* out) noexcept nogil:
        self.scorer.bounds_above(self.parts, h, c, out)

    cdef void each_below(self, int g, int h, float* out) noexcept nogil:
        self.scorer.bounds_below(self.parts, g, h, out)


cdef class GivenParts(PartScores):
    """Scores from an array: grandparent by head by child. Bounds are the largest of them."""

    def __init__(self, const double[:, :, ::1] scores):
        if not scores.shape[0] == scores.shape[1] == scores.shape[2] or scores.shape[0] < 2:
            raise ValueError("scores of parts must be a cube: the root and at least one word in each direction")
        self.scores = scores
        self.n = scores.shape[0] - 1

    cdef double grandparent(self, int g, int h, int c) noexcept nogil:
        return self.scores[g, h, c]

    cdef double above(self, int h, int c) noexcept nogil:
        cdef int g
        cdef double best = -1e30
        for g in range(self.n + 1):
            if g != h and g != c and self.scores[g, h, c] > best:
                best = self.scores[g, h, c]
        return best

    cdef double below(self, int g, int h) noexcept nogil:
        cdef int c
        cdef double best = -1e30
        for c in range(1, self.n + 1):
            if c != g and c != h and self.scores[g, h, c] > best:
                best = self.scores[g, h, c]
        return best
