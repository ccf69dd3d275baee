"""Learning the weights of parts, sentence by sentence. No Python object per part.

*sgd*: stochastic gradient ascent on the conditional log-likelihood. The gradient is gold parts minus expected parts;
AdaGrad scales the steps. *mira* and *perceptron*: gold parts minus those of the best tree found. All weights are
averaged.
"""
from array import array
from itertools import accumulate

from libc.math cimport expf, fabs, log
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.exact.parts.learnt_weights cimport FeatureCounts, LearntWeights
from treewright.kinds.exact.parts.part_bounds cimport sibling_before
from treewright.kinds.exact.parts.part_templates cimport MAX_TEMPLATES
from treewright.kinds.exact.parts.parts cimport PartProgram, PartScratch
from treewright.kinds.exact.parts.scorer cimport PartScorer
from treewright.kinds.exact.parts.weights cimport Gradient, WeightTable
from treewright.kinds.exact.search.decoding cimport Decoder
from treewright.kinds.exact.search.propagation cimport Chain, Factor, Propagation
from treewright.kinds.exact.parts.weights import row_width
from treewright.kinds.transition.learning.corpus cimport Corpus
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum Method:
    SGD
    MIRA
    PERCEPTRON

cdef double LIKELY = 0.02        # probability from which on a wrong arc's features get weights, too
cdef double UNLIKELY = 1e-4      # up to this probability, an arc is left out until the next round with all arcs
cdef double LEAST = 1e-3         # probability from which on the arcs of a grandparent send messages
cdef double IGNORED = 4e-3       # a smaller part of a gradient is not followed
cdef float LONGEST_STEP = 0.1    # of MIRA

METHODS = {"sgd": SGD, "mira": MIRA, "perceptron": PERCEPTRON}


cdef class PartLearner(Owner):
    """Learns the weights, one sentence at a time."""
    cdef PartProgram program
    cdef Corpus corpus
    cdef const int32_t[::1] adviser      # the adviser's heads of all words
    cdef object relation_settings, base  # see LearntWeights
    cdef readonly LearntWeights weights
    cdef PartScorer scorer               # of the weights, as are the gradients
    cdef Decoder decoder
    cdef PartScratch parts               # those of the decoder, as are the messages
    cdef Propagation propagation
    cdef Gradient arcs, relations, grandparents, siblings
    cdef int method, rounds_of_messages
    cdef int second_order_from           # the first round with parts of three words
    cdef bint single_root, projective
    cdef float rate
    cdef double time
    cdef int64_t[::1] order
    cdef readonly int round
    cdef readonly double log_likelihood
    cdef readonly long words, wrong
    cdef unsigned char* likely           # by arc of each sentence, when last scored: 0 unlikely, 2 likely, 1 between
    cdef int64_t[::1] likely_start
    cdef bint all_arcs
    cdef uint64_t dropped
    cdef float* row
    cdef float* probabilities

    def __cinit__(self, PartProgram program, Corpus corpus, const int32_t[::1] adviser, relations, options, base=None):
        self.program, self.corpus, self.adviser = program, corpus, adviser
        self.relation_settings, self.base = relations, base
        if adviser.shape[0] <= corpus.n_words:
            raise ValueError("the adviser must give a head for every word, and one more number")
        self.method = METHODS[options["learner"]]
        self.single_root, self.projective = options["single_root"], options["projective"]
        self.rate, self.rounds_of_messages = options["rate"], options["messages"]
        self.second_order_from = options["second_order_from"]
        self.dropped = <uint64_t>(options["dropout"] * 4294967296.0)

    def __init__(self, PartProgram program, Corpus corpus, const int32_t[::1] adviser, relations, options, base=None):
        """``relations``, ``base``: see LearntWeights."""
        self.make_room()
        self.begin(options["cutoff"], False)

    def extend(self, int cutoff):
        """Begin again with the features of likely arcs added to those of gold arcs, to learn that they are wrong."""
        self.begin(cutoff, True)

    def begin(self, int cutoff, bint likely):
        """Collect the features to learn, and give each its first weight."""
        features = self.collect(PartScratch(self.program, self.single_root), cutoff, likely)
        self.weights = LearntWeights(self.program, self.relation_settings, features, self.base,
                                     1.0 if self.method == SGD else 0.0)
        self.scorer, self.arcs = self.weights.scorer, self.weights.arcs
        self.relations = self.weights.relations
        self.grandparents, self.siblings = self.weights.grandparents.gradient, self.weights.siblings.gradient
        self.decoder = Decoder(self.scorer, self.single_root, self.projective, False)
        self.parts, self.propagation = self.decoder.parts, self.decoder.propagation
        self.time = 1

    def make_room(self):
        """Allocate the scratch space."""
        cdef Corpus corpus = self.corpus
        arcs = [(corpus.length(sentence) + 1) ** 2 for sentence in range(corpus.n_sentences)]
        self.likely_start = array("q", accumulate(arcs, initial=0))
        self.likely = <unsigned char*>self.new_block(sum(arcs), 1)
        cdef int row = row_width(len(self.relation_settings["relations"]))
        self.row = <float*>self.new_block(2 * row, sizeof(float))
        self.probabilities = self.row + row

    @property
    def n_features(self):
        """How many features have a weight; a row of weights for relations counts as one."""
        return self.weights.n_features

    def frozen(self, double least):
        """Return the averaged weights as the arrays of a model file, and their scale: see LearntWeights."""
        return self.weights.frozen(self.time, least)

    def averaged_scorer(self):
        """Return a scorer with the weights averaged over all steps, to judge them on dev."""
        return self.weights.averaged_scorer(self.time)

    def collect(self, PartScratch parts, int cutoff, bint likely):
        """Return the keys of gold parts, (``likely``) of arcs that were likely when last scored, and of bounds."""
        cdef FeatureCounts counts = FeatureCounts(parts)
        cdef Corpus corpus = self.corpus
        cdef int sentence
        for sentence in range(corpus.n_sentences):
            if corpus.length(sentence) > 0:
                parts.load(corpus.encoded, corpus.row_start[sentence], corpus.length(sentence),
                           self.adviser_of(sentence))
                counts.add_tree(&corpus.heads[corpus.word_start[sentence]] - 1,
                                self.likely + self.likely_start[sentence] if likely else NULL)
        return counts.found(cutoff)

    cdef const int32_t* adviser_of(self, int64_t sentence) noexcept nogil:
        """The adviser's heads of the words of a sentence, from 1 on; NULL without an adviser."""
        return &self.adviser[self.corpus.word_start[sentence]] - 1 if self.program.advised else NULL

    def start_round(self, int number, order, bint all_arcs):
        """Begin a round over the sentences in this order, with ``all_arcs`` or without those that were unlikely."""
        self.round, self.order, self.all_arcs = number, order, all_arcs
        self.log_likelihood = 0
        self.words = self.wrong = 0

    def learn(self, int first, int last):
        """Learn from the sentences ``first`` to ``last`` of the order."""
        cdef int i, n
        cdef int64_t sentence
        cdef Corpus corpus = self.corpus
        with nogil:
            for i in range(first, min(last, corpus.n_sentences)):
                sentence = self.order[i]
                n = corpus.length(sentence)
                if n == 0:
                    continue
                if self.method == SGD:
                    self.climb(sentence, n, &corpus.heads[corpus.word_start[sentence]] - 1,
                               &corpus.labels[corpus.word_start[sentence]] - 1)
                else:
                    self.correct(sentence, n, &corpus.heads[corpus.word_start[sentence]] - 1,
                                 &corpus.labels[corpus.word_start[sentence]] - 1)
                self.time += 1
                self.words += n

    cdef int score(self, int64_t sentence, int n, bint summed, const unsigned char* wanted) except -1 nogil:
        """Score the arcs of a sentence."""
        return self.decoder.take(self.corpus.encoded, self.corpus.row_start[sentence], n, self.adviser_of(sentence),
                                 summed, wanted)

    cdef int climb(self, int64_t sentence, int n, const int32_t* gold, const int32_t* gold_labels) except -1 nogil:
        """One step up the log-likelihood of a gold tree."""
        cdef int64_t h, c, width = n + 1, likeliest
        cdef double p
        cdef const double* beliefs
        cdef bint second = self.program.second_order and self.round >= self.second_order_from
        cdef unsigned char* likely = self.likely + self.likely_start[sentence]
        self.parts.drop(<uint64_t>(self.time * 7919), self.dropped)
        self.score(sentence, n, True, NULL if self.all_arcs else likely)
        beliefs = self.decoder.believe(gold, second, LEAST, self.rounds_of_messages)
        for c in range(1, width):
            likeliest = 0
            for h in range(width):
                if h == c:
                    continue
                p = beliefs[h * width + c]
                if p > beliefs[likeliest * width + c]:
                    likeliest = h
                if p > IGNORED or gold[c] == h:
                    self.add_arc(<int>h, <int>c, (gold[c] == h) - p)
                    self.add_relations(<int>h, <int>c, p, gold_labels[c] if gold[c] == h else -1)
            self.wrong += likeliest != gold[c]
            self.log_likelihood += log(beliefs[gold[c] * width + c] + 1e-12)
        if second:
            self.add_expected_grandparents(gold, width)
            self.add_expected_siblings(gold)
        if self.all_arcs:
            for h in range(width * width):
                likely[h] = 2 if beliefs[h] > LIKELY else beliefs[h] > UNLIKELY
            for c in range(1, width):
                likely[gold[c] * width + c] = 1
        self.step(self.rate)
        self.parts.drop(0, 0)
        return 0

    cdef void add_arc(self, int head, int child, double amount) noexcept nogil:
        """Add an arc's features to the gradient, times an amount."""
        if fabs(amount) >= IGNORED:
            add_keys(self.scorer.arcs, self.arcs, self.parts.keys, self.parts.arc_keys(head, child), <float>amount)

    cdef void add_relations(self, int head, int child, double p, int gold) noexcept nogil:
        """Add a gold relation (none if negative) and subtract those expected, for an arc of probability p."""
        cdef int i, label, n, width = self.scorer.relations.width, count = self.scorer.n_labels
        cdef int64_t slot, number
        cdef int32_t best
        cdef float total = 0
        cdef float* q = self.probabilities
        cdef float* g
        self.scorer.relation_scores(self.parts, head, child, self.row, &best)
        for label in range(count):
            q[label] = expf(self.row[label] - self.row[best]) if self.row[label] > self.row[best] - 15 else 0
            total += q[label]
        for label in range(count):
            q[label] = (1 if label == gold else 0) - <float>p * q[label] / total
            if fabs(q[label]) < IGNORED:
                q[label] = 0
        n = self.parts.relation_keys(head, child)
        for i in range(n):
            slot = self.scorer.relations.find(self.parts.keys[i])
            if slot < 0:
                continue
            number = self.scorer.relations.numbers[slot]
            g = self.relations.gradient + number * width
            for label in range(count):
                g[label] += q[label]
            self.relations.touch(number)

    cdef void add_part(self, bint sibling, int third, int h, int c, double amount) noexcept nogil:
        """Add the features of a grandparent or sibling part to the gradient, times an amount."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int n
        if fabs(amount) < IGNORED:
            return
        if sibling:
            n = self.parts.siblings.keys(third, h, c, keys)
            add_keys(self.scorer.siblings.weights, self.siblings, keys, n, <float>amount)
        else:
            n = self.parts.grandparents.keys(third, h, c, keys)
            add_keys(self.scorer.grandparents.weights, self.grandparents, keys, n, <float>amount)

    cdef void add_parts_of(self, const int32_t* heads, int c, double amount) noexcept nogil:
        """The same for the parts that the arc to c has in a tree."""
        if heads[c] > 0:
            self.add_part(False, heads[heads[c]], heads[c], c, amount)
        self.add_part(True, sibling_before(heads, c), heads[c], c, amount)

    cdef void add_expected_grandparents(self, const int32_t* gold, int64_t width) noexcept nogil:
        cdef int64_t f
        cdef int g, h, c
        cdef Factor* factor
        for f in range(self.propagation.n_factors):
            factor = &self.propagation.factors[f]
            g, h, c = <int>(factor.above // width), <int>(factor.above % width), <int>(factor.below % width)
            self.add_part(False, g, h, c, (gold[h] == g and gold[c] == h) - factor.belief)

    cdef void add_expected_siblings(self, const int32_t* gold) noexcept nogil:
        cdef int64_t f
        cdef int i, j, before, c
        cdef Chain* chain
        cdef bint right
        for f in range(self.propagation.chains.n_chains):
            chain = &self.propagation.chains.chains[f]
            for i in range(chain.count + 1):
                before = self.propagation.chains.children[chain.first + i - 1] if i > 0 else chain.head
                for j in range(i, chain.count):
                    c = self.propagation.chains.children[chain.first + j]
                    right = gold[c] == chain.head and sibling_before(gold, c) == before
                    self.add_part(True, before, chain.head, c,
                                  right - self.propagation.chains.beliefs[chain.pairs + i * chain.count + j])

    cdef void step(self, float rate) noexcept nogil:
        self.arcs.step(rate, self.time, self.method == SGD)
        self.relations.step(rate, self.time, self.method == SGD)
        self.grandparents.step(rate, self.time, self.method == SGD)
        self.siblings.step(rate, self.time, self.method == SGD)

    cdef int correct(self, int64_t sentence, int n, const int32_t* gold, const int32_t* gold_labels) except -1 nogil:
        """Move from the best tree (for MIRA: the best with its mistakes added to its score) towards the gold tree."""
        cdef int h, c
        cdef int64_t width = n + 1
        cdef double gold_score = 0, score, loss = 0, norm
        cdef bint second = self.program.second_order and self.round >= self.second_order_from
        cdef int32_t best
        cdef int32_t* labels
        cdef int32_t* heads
        cdef double* scores
        self.score(sentence, n, False, NULL)
        labels = self.decoder.labels
        heads = self.decoder.heads
        scores = self.decoder.scores
        if self.method == MIRA:
            for h in range(width):
                for c in range(1, width):
                    if gold[c] != h or labels[h * width + c] != gold_labels[c]:
                        scores[h * width + c] += 1
        score = self.decoder.find(second, 100)
        for c in range(1, width):
            h = gold[c]
            self.scorer.relation_scores(self.parts, h, c, self.row, &best)
            gold_score += self.row[gold_labels[c]] + self.scorer.arcs.sum_of(self.parts.keys, self.parts.arc_keys(h, c))
            if heads[c] != h or labels[h * width + c] != gold_labels[c]:
                loss += 1
                self.wrong += heads[c] != h
                self.add_arc(h, c, 1)
                self.add_label(h, c, gold_labels[c], 1)
                self.add_arc(heads[c], c, -1)
                self.add_label(heads[c], c, labels[heads[c] * width + c], -1)
            if second:
                self.add_parts_of(gold, c, 1)
                self.add_parts_of(heads, c, -1)
        if second:
            gold_score += self.decoder.search.parts_score(gold)
        if loss == 0:
            self.step(0)
            return 0
        if self.method == PERCEPTRON:
            self.step(1)
            return 0
        norm = self.arcs.norm() + self.relations.norm() + self.grandparents.norm() + self.siblings.norm()
        score = (score - gold_score) / norm if norm > 0 else 0
        self.step(0 if score < 0 else score if score < LONGEST_STEP else LONGEST_STEP)
        return 0

    cdef void add_label(self, int head, int child, int label, float amount) noexcept nogil:
        cdef int i, n = self.parts.relation_keys(head, child)
        cdef int64_t slot, number
        for i in range(n):
            slot = self.scorer.relations.find(self.parts.keys[i])
            if slot >= 0:
                number = self.scorer.relations.numbers[slot]
                self.relations.add(number, number * self.scorer.relations.width + label, amount)


cdef void add_keys(WeightTable weights, Gradient gradient, const uint64_t* keys, int n, float amount) noexcept nogil:
    """Add an amount to the gradient of each feature that has a weight."""
    cdef int i
    cdef int64_t slot
    for i in range(n):
        slot = weights.find(keys[i])
        if slot >= 0:
            gradient.add(slot, slot, amount)
