"""Beam search: the best sequence of moves among those that stay near the top all along. No GIL.

In every step all legal moves of all states of the beam compete by the sum of the scores so far, and the best ``width``
go on (Zhang & Clark 2008). Complete states stay and compete. A configuration that was reached in several ways is
followed once. A beam of one is greedy parsing.
"""
from array import array

from libc.math cimport INFINITY, exp
from libc.string cimport memcmp

from treewright.errors import CombinationError
from treewright.learners.learner cimport forced_kind
from treewright.kinds.transition.engines.beam_scores cimport BestMoves
from treewright.kinds.transition.engines.beam_states cimport Item
from treewright.kinds.transition.engines.chooser cimport broken_by, least_broken, price_of
from treewright.kinds.transition.engines.greedy cimport take_arrays
from treewright.kinds.transition.engines.walk cimport Block, Configuration
from treewright.systems.configuration cimport NONE

MAX_WIDTH = 65536


cdef class BeamScratch(Scratch):
    """The memory of one thread for one parser."""

    cdef int attach(self, BeamParser parser) except -1:
        """Make room for the states of a parser."""
        self.maker = parser
        self.states = BeamStates(parser.system, parser.moves, parser.width, parser.extractor)
        self.beam = Beam(parser.width)
        self.scores = BeamScores(parser, parser.width)
        self.tree_scores = <double*>self.new_block(parser.width, sizeof(double))
        self.weights = <double*>self.new_block(parser.width, sizeof(double))
        return 0

    @property
    def work(self):
        """How often moves were requested, how often added up, and how often the sums of each part were computed."""
        return self.scores.work


cdef int reserve_trees(BeamScratch self, int n) except -1 nogil:
    cdef int64_t room = <int64_t>self.beam.width * 2 * (n + 1)
    if room > self.found_room:
        room += room // 2
        self.found = <int32_t*>self.resized(self.found, room, sizeof(int32_t))
        self.found_room = room
    return 0


cdef bint expand(Chooser parser, BeamStates states, Beam beam, BeamScores scores, Encoded e, int64_t row,
                 double margin, KeptArcs kept) except -1 nogil:
    """Gather the candidates for the next step; return whether any state has moves left.

    States that are further behind the best one than the margin are dropped. ``kept``: arcs that are given, or None.
    """
    cdef int at, i, kind, label_class, fewest
    cdef double score
    cdef unsigned legal
    cdef Item* item
    cdef const Configuration* c
    cdef BestMoves best
    cdef bint more = False
    beam.clear_candidates()
    for at in range(beam.n):
        item = &states.items[beam.items[at]]
        if item.score < states.items[beam.items[0]].score - margin:
            break
        c = states.slots[item.slot]
        if parser.system.terminal(c):
            beam.offer(item.score, item.signature, at, NONE, NONE, item.loss)
            continue
        more = True
        legal = parser.system.legal(c)
        if kept is not None:
            legal = kept.allowed(parser.system, c, legal)
        kind = forced_kind(parser.moves, legal)
        if kind != NONE:
            beam.offer(item.score, states.signature_after(item, kind, NONE), at, kind, NONE, item.loss)
            continue
        scores.best(c, e, row, legal, &best)
        i = 0
        fewest = least_broken(parser, c, legal)
        while scores.reach(&best, i):
            score = item.score + best.moves[i].score
            if beam.n_candidates == beam.width and score <= beam.candidates[beam.width - 1].score:
                break
            kind, label_class = best.moves[i].kind, best.moves[i].label_class
            if c.rules != NULL and label_class >= 0:
                if broken_by(parser, c, kind, parser.moves.label[label_class]) > fewest:
                    score -= price_of(parser, c, kind, parser.moves.label[label_class])
                    if score == -INFINITY:
                        i += 1
                        continue
            beam.offer(score, states.signature_after(item, kind, label_class), at, kind, label_class, item.loss)
            i += 1
    return more


cdef class BeamParser(GreedyParser):
    """A parser with a beam. Read-only: any number of threads may share one, each with its own scratch."""

    def __init__(self, GreedyParser greedy, int width, *, double temperature=1, double outside=0,
                 double margin=INFINITY):
        """``greedy``: a parser with the same system, features and weights."""
        if greedy.system.has_places:
            raise CombinationError(
                f"{greedy.system.name} cannot use a beam: it does not make its moves from left to right"
            )
        GreedyParser.__init__(
            self, greedy.system, greedy.extractor, greedy.moves, greedy.scorer, greedy.split, greedy.deprojectivizer
        )
        if self.split:
            raise CombinationError(
                "a beam compares whole moves: it needs a model that decides kind and relation jointly."
                " Train with --decision joint"
            )
        if not 1 <= width <= MAX_WIDTH:
            raise CombinationError(f"the beam is {width} wide; choose a width from 1 to {MAX_WIDTH}")
        if not (temperature > 0 and 0 <= outside < 1):
            raise CombinationError("confidences need a temperature above 0 and a share outside the beam from 0 to 1")
        if not margin >= 0:
            raise CombinationError(f"the margin of a beam must be 0 or more, not {margin}")
        self.width, self.temperature, self.outside, self.margin = width, temperature, outside, margin

    def new_scratch(self):
        """Return the memory that a thread needs."""
        cdef BeamScratch scratch = BeamScratch(self.extractor)
        scratch.attach(self)
        return scratch

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        """Parse one sentence; the scratch must be a BeamScratch of this parser."""
        return take_best(self, e, sentence, <BeamScratch>s, out)

    cdef int search(self, Encoded e, int64_t row, int n, BeamScratch s) except -1 nogil:
        """Fill the beam with complete states, best first."""
        s.scores.forget()
        s.states.begin(n, e, row)
        s.states.start_beam(s.beam, 0, 0)
        while expand(self, s.states, s.beam, s.scores, e, row, self.margin, s.kept):
            s.states.advance(s.beam)
        return 0

    cdef int write_trees(self, Encoded e, int64_t row, int n, BeamScratch s, int most) except -1 nogil:
        """Write the trees of the final states, at most ``most``, best first; each tree once."""
        cdef int i, k
        cdef Configuration* c
        cdef int32_t* tree
        reserve_trees(s, n)
        s.n_trees = 0
        for i in range(s.beam.n):
            if s.n_trees == most:
                break
            c = s.states.slots[s.states.items[s.beam.items[i]].slot]
            tree = s.found + <int64_t>s.n_trees * 2 * n
            self.write_tree(c, e, row, s, tree, tree + n)
            k = 0
            while k < s.n_trees and memcmp(s.found + <int64_t>k * 2 * n, tree, 2 * n * sizeof(int32_t)) != 0:
                k += 1
            if k == s.n_trees:
                s.tree_scores[k] = s.states.items[s.beam.items[i]].score
                s.n_trees += 1
        return 0

    def _check_scratch(self, scratch):
        if scratch is None:
            return self.new_scratch()
        if not isinstance(scratch, BeamScratch) or (<BeamScratch>scratch).maker is not self:
            raise TypeError("this memory was not made by the parser's new_scratch")
        return scratch

    def parse_block(self, Block block, int32_t[::1] heads, int32_t[::1] labels, Scratch scratch=None,
                    float[::1] confidences=None):
        """Parse every sentence of a block; heads, relations and confidences go to the arrays, word by word."""
        take_arrays(self, block, 0, block.n_sentences, self._check_scratch(scratch), heads, labels, confidences)

    def best_trees(self, Block block, int sentence, int k, Scratch scratch=None):
        """Return the best trees of a sentence, at most k: (score, probability, heads, relations), best first.

        There may be fewer than k: a beam finds no more than it is wide, and some of its states may have the same tree.
        """
        cdef BeamScratch s = self._check_scratch(scratch)
        cdef int first = block.sentence_word[sentence]
        cdef int n = block.sentence_word[sentence + 1] - first
        cdef int i
        if n == 0 or k < 1:
            return []
        self.extractor.encoder.bind(block, s.encoded)
        with nogil:
            s.encoded.clear()
            self.extractor.encoder.encode(sentence, self.system.root_is_last, s.encoded)
            self.search(s.encoded, 0, n, s)
            self.write_trees(s.encoded, 0, n, s, s.beam.n)
            weigh(self, s)
        trees = []
        for i in range(min(k, s.n_trees)):
            tree = array("i", [s.found[2 * n * i + word] for word in range(2 * n)])
            trees.append((s.tree_scores[i], s.weights[i], tree[:n], tree[n:]))
        return trees

    def best_moves(self, Block block, int sentence):
        """Return the moves (kind, number of relation or None) of the sequence that wins the search. For tracing."""
        cdef BeamScratch s = self.new_scratch()
        cdef int n = block.sentence_word[sentence + 1] - block.sentence_word[sentence], item
        self.extractor.encoder.bind(block, s.encoded)
        self.extractor.encoder.encode(sentence, self.system.root_is_last, s.encoded)
        self.search(s.encoded, 0, n, s)
        moves, item = [], s.beam.items[0]
        while s.states.items[item].depth:
            label_class = s.states.items[item].label_class
            relation = self.moves.label[<int>label_class] if label_class >= 0 else None
            moves.append((self.system.kinds[s.states.items[item].kind], relation))
            item = s.states.items[item].parent
        return moves[::-1]


cdef int take_best(BeamParser self, Encoded e, const Sentence* sentence, BeamScratch s,
                   const Output* out) except -1 nogil:
    cdef int word, n = sentence.n
    self.search(e, sentence.row, n, s)
    self.write_trees(e, sentence.row, n, s, s.beam.n if out.confidences != NULL else 1)
    for word in range(n):
        out.heads[sentence.first + word], out.labels[sentence.first + word] = s.found[word], s.found[n + word]
    if out.confidences != NULL:
        agree(self, s, n, out.confidences + sentence.first)
    return 0


cdef void weigh(BeamParser self, BeamScratch s) noexcept nogil:
    """Give every tree its probability: a softmax of the scores, scaled to leave the share outside the beam."""
    cdef int i
    cdef double total = 0
    for i in range(s.n_trees):
        s.weights[i] = exp((s.tree_scores[i] - s.tree_scores[0]) / self.temperature)
        total += s.weights[i]
    for i in range(s.n_trees):
        s.weights[i] *= (1 - self.outside) / total


cdef int agree(BeamParser self, BeamScratch s, int n, float* confidences) noexcept nogil:
    """Give, for each arc of the best tree, the probability of the trees that agree on it."""
    cdef int i, word
    cdef const int32_t* tree
    weigh(self, s)
    for word in range(n):
        confidences[word] = 0
    for i in range(s.n_trees):
        tree = s.found + <int64_t>i * 2 * n
        for word in range(n):
            if tree[word] == s.found[word] and tree[n + word] == s.found[n + word]:
                confidences[word] += <float>s.weights[i]
    return 0
