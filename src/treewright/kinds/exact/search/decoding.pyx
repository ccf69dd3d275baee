"""A sentence at a time: scores of arcs, first-order trees, marginals, and the search for second-order ones."""
from array import array

from libc.math cimport exp
from libc.string cimport memset

from treewright.kinds.exact.parts.part_scores import sources_of
from treewright.kinds.exact.parts.scorer cimport log_sum
from treewright.kinds.exact.search.spanning cimport NEVER
from treewright.kinds.transition.learning.corpus cimport Corpus
from treewright.treebank.blocks.block cimport Block

cdef double LIKELY = 1e-3        # probability from which on the grandparent parts of an arc send messages
cdef double UNLIKELY = 1e-4      # up to this probability, scoring on dev leaves an arc out


cdef class Decoder:
    """Scratch space around a scorer; one per thread."""

    def __cinit__(self, PartScorer scorer, bint single_root, bint projective=False, bint bounded=True):
        """``bounded``: does the scorer have bounds on parts? Not while it is trained."""
        self.scorer, self.single_root, self.projective = scorer, single_root, projective
        self.parts = PartScratch(scorer.program, single_root)
        self.spanning, self.propagation = SpanningScratch(), Propagation()
        self.encoded = Encoded(len(scorer.program.encoder.attributes), scorer.program.encoder.has_items)
        self.grandparents, self.siblings = sources_of(scorer, self.parts, bounded)
        self.search = TreeSearch(self.grandparents, self.siblings, projective)
        self.row = <float*>self.new_block(scorer.relations.width, sizeof(float))
        self.reserve(32)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.scores = <double*>self.resized(self.scores, arcs, sizeof(double))
            # Nothing leads to the root: those cells are read with the others, and never written.
            memset(self.scores, 0, arcs * sizeof(double))
            self.labels = <int32_t*>self.resized(self.labels, arcs, sizeof(int32_t))
            self.heads = <int32_t*>self.resized(self.heads, n + 1, sizeof(int32_t))
            self.capacity = n
        return 0

    cdef int take(self, Encoded encoded, int64_t row, int n, const int32_t* adviser, bint summed,
                  const unsigned char* wanted) except -1 nogil:
        """Score the arcs of an encoded sentence."""
        self.reserve(n)
        self.n = n
        self.parts.load(encoded, row, n, adviser)
        self.scorer.score_arcs(self.parts, summed, wanted, self.scores, self.labels, self.row)
        return 0

    cdef double find(self, bint second, int rounds) except? -1 nogil:
        """Find the best tree, with parts of three words (``second``; as far as ``rounds`` go) or by arcs alone.

        The heads go to ``heads``. Returns the score.
        """
        if second:
            return self.search.best(self.scores, self.single_root, rounds, self.heads)
        return self.spanning.best(self.scores, self.n, self.single_root, self.projective, self.heads)

    cdef const double* believe(self, const int32_t* gold, bint second, double least, int messages) except NULL nogil:
        """Return how probable each arc is: exact by arcs alone, else after some rounds of messages between parts.

        Messages go between arcs of probability ``least`` and those of gold[1] .. gold[n].
        """
        self.propagation.reserve(self.n)
        if second:
            self.propagation.run(self.grandparents, self.siblings, self.scores, self.n, gold, self.single_root, least,
                                 messages)
        else:
            self.propagation.trees.run(self.scores, self.n, self.single_root, self.propagation.beliefs)
        return self.propagation.beliefs

    def load(self, Block block, int sentence, bint summed=False):
        """Go to a sentence of a block and score its arcs, each with its best relation or (``summed``) with all of them.

        Where templates look at an adviser, the block must hold the adviser's trees.
        """
        cdef int n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
        cdef bint advised = self.scorer.program.advised
        self.scorer.program.encoder.bind(block, self.encoded)
        with nogil:
            self.encoded.clear()
            self.scorer.program.encoder.encode(sentence, False, self.encoded)
            self.take(self.encoded, 0, n, block.head + block.sentence_word[sentence] - 1 if advised else NULL, summed,
                      NULL)

    def add_scores(self, const double[::1] more):
        """Add the scores of another model to those of arcs, head by child: the search is exact with them, too."""
        cdef int64_t place, size = <int64_t>(self.n + 1) * (self.n + 1)
        if more.shape[0] != size:
            raise ValueError("scores for a sentence of another length")
        for place in range(size):
            self.scores[place] += more[place]

    def keep(self, const int32_t[::1] heads, const int32_t[::1] first_banned, const int32_t[::1] banned, int first):
        """Leave only trees with given arcs: those to the words of a block from ``first`` on (systems/kept_arcs.pyx).

        A word that a given arc comes from, or that is given as the root, may govern others whatever its tag.
        """
        cdef int64_t width = self.n + 1, h, c
        cdef int i, given
        if first < 0 or first + self.n > heads.shape[0] or first_banned.shape[0] != heads.shape[0] + 1:
            raise IndexError("a sentence of another block")
        for c in range(1, width):
            given = heads[first + c - 1]
            if 0 <= given < width:
                self.unbar(given if given else c)
        for c in range(1, width):
            given = heads[first + c - 1]
            for i in range(first_banned[first + c - 1], first_banned[first + c]):
                if 0 <= banned[i] < width:
                    self.scores[banned[i] * width + c] = NEVER
            for h in range(width if 0 <= given < width else 0):
                if h != given:
                    self.scores[h * width + c] = NEVER

    cdef int unbar(self, int64_t head) except -1:
        """Score the arcs from a word, and the root's to it, that are barred because of its tag."""
        cdef int64_t c, at, width = self.n + 1
        for c in range(1, width):
            at = head * width + c if c != head else c
            if self.scores[at] <= NEVER / 2:
                self.scores[at] = self.scorer.relation_scores(
                    self.parts, <int>head if c != head else 0, <int>c, self.row, &self.labels[at]
                )
        return 0

    def relation(self, int head, int child):
        """Return the number of the best relation of an arc, whatever else speaks against the arc."""
        cdef int32_t best
        if not 0 <= head <= self.n or not 1 <= child <= self.n or head == child:
            raise ValueError("an arc outside the sentence")
        self.scorer.relation_scores(self.parts, head, child, self.row, &best)
        return best

    def start_search(self):
        """Prepare ``search`` for the sentence."""
        with nogil:
            self.search.start(self.scores, self.single_root)

    def first_order_tree(self, bint projective):
        """Return the heads of the best tree by arcs alone, and its score."""
        cdef double score
        with nogil:
            score = self.spanning.best(self.scores, self.n, self.single_root, projective, self.heads)
        return array("i", [-1, *(self.heads[c] for c in range(1, self.n + 1))]), score

    def write(self, heads, int32_t[::1] head_out, int32_t[::1] label_out, int at):
        """Write a tree with the best relation of each arc to flat arrays."""
        cdef int64_t c, h, width = self.n + 1
        for c in range(1, width):
            h = heads[c]
            head_out[at + c - 1] = <int32_t>h
            label_out[at + c - 1] = self.labels[h * width + c]

    def arc_scores(self):
        """Return the scores of arcs, head by child, one row after the other."""
        cdef int64_t i, width = self.n + 1
        return array("d", [self.scores[i] if i % width else 0.0 for i in range(width * width)])

    def part_score(self, int third, int h, int c, bint siblings=False):
        """Return the score of a grandparent part, or of one with the sibling before c (h for none)."""
        cdef ModelParts source = self.siblings if siblings else self.grandparents
        return source.score(third, h, c)

    def bounds(self, int third, int h, int c, bint siblings=False):
        """Return the bounds on a part: over all third words, and over all children."""
        cdef ModelParts source = self.siblings if siblings else self.grandparents
        return source.above(h, c), source.below(third, h)

    def marginals(self):
        """Return the probability of every arc in the first-order model, head by child. Load with ``summed``."""
        cdef int64_t width = self.n + 1
        result = array("d", bytes(8 * width * width))
        cdef double[::1] view = result
        self.propagation.trees.run(self.scores, self.n, self.single_root, &view[0])
        return result

    def confidences(self, heads, float[::1] out, int at, int messages=5):
        """Write the probability of each arc of a tree with its relation. Load with ``summed`` first.

        Exact in first order; in second order, beliefs after ``messages`` rounds of messages.
        """
        cdef int64_t c, h, width = self.n + 1
        cdef int32_t best
        cdef double relation
        cdef const double* beliefs
        for c in range(1, width):
            self.heads[c] = heads[c]
        beliefs = self.believe(self.heads, self.scorer.program.second_order, LIKELY, messages)
        for c in range(1, width):
            h = self.heads[c]
            relation = self.scorer.relation_scores(self.parts, <int>h, <int>c, self.row, &best)
            relation = exp(relation - log_sum(self.row, self.scorer.n_labels))
            out[at + c - 1] = <float>(beliefs[h * width + c] * relation)


def accuracy(PartScorer scorer, Corpus corpus, const int32_t[::1] adviser, unsigned char[::1] likely, bint look,
             bint single_root, bint projective, bint second, int rounds):
    """Return the numbers of right heads, of right heads with right relations, and of words: scores on dev.

    ``look``: score all arcs and record in ``likely`` (a byte for each arc of each sentence) which are not next to
    impossible. Otherwise score these alone: most of the time goes into arcs that are in no good tree.
    """
    cdef int s, n
    cdef int64_t c, width, at = 0
    cdef long right = 0, labelled = 0
    cdef Decoder decoder = Decoder(scorer, single_root, projective)
    cdef bint advised = scorer.program.advised
    cdef const double* beliefs
    cdef int32_t* gold
    cdef int32_t* gold_labels
    with nogil:
        for s in range(corpus.n_sentences):
            n = <int>(corpus.word_start[s + 1] - corpus.word_start[s])
            if n == 0:
                continue
            width = n + 1
            decoder.take(corpus.encoded, corpus.row_start[s], n,
                         &adviser[corpus.word_start[s]] - 1 if advised else NULL, False, NULL if look else &likely[at])
            if look:
                beliefs = decoder.believe(NULL, False, 0, 0)
                for c in range(width * width):
                    likely[at + c] = beliefs[c] > UNLIKELY
            at += width * width
            decoder.find(second, rounds)
            gold = &corpus.heads[corpus.word_start[s]] - 1
            gold_labels = &corpus.labels[corpus.word_start[s]] - 1
            for c in range(1, width):
                if gold[c] == decoder.heads[c]:
                    right += 1
                    labelled += decoder.labels[decoder.heads[c] * width + c] == gold_labels[c]
    return right, labelled, corpus.n_words
