"""Learning the weights of parts, sentence by sentence. No Python object per part.

*sgd*: stochastic gradient ascent on the conditional log-likelihood. The gradient is gold parts minus expected parts;
AdaGrad scales the steps. *mira* and *perceptron*: gold parts minus those of the best tree found. All weights are
averaged.
"""
from array import array
from itertools import accumulate

from libc.math cimport expf, fabs, log
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free

from treewright.exact.learnt_weights cimport LearntWeights
from treewright.exact.part_scores cimport ModelParts
from treewright.exact.parts cimport MAX_TEMPLATES, PartProgram
from treewright.exact.propagation cimport Factor, PartScorer, PartScratch, Propagation
from treewright.exact.search cimport SpanningScratch, TreeSearch
from treewright.exact.weights cimport Gradient, KeySet
from treewright.training.corpus cimport Corpus
from treewright.treebank.memory cimport allocate

cdef enum Method:
    SGD
    MIRA
    PERCEPTRON

cdef double LIKELY = 0.02        # probability from which on a wrong arc's features get weights, too
cdef double UNLIKELY = 1e-4      # up to this probability, an arc is left out until the next round with all arcs

METHODS = {"sgd": SGD, "mira": MIRA, "perceptron": PERCEPTRON}


cdef class PartLearner:
    """Learns the weights, one sentence at a time."""
    cdef PartProgram program
    cdef Corpus corpus
    cdef const int32_t[::1] adviser      # the adviser's heads of all words
    cdef PartScratch parts
    cdef SpanningScratch spanning
    cdef ModelParts source
    cdef TreeSearch search
    cdef Propagation propagation
    cdef readonly LearntWeights weights
    cdef PartScorer scorer               # of the weights, as are the gradients
    cdef Gradient arcs, relations, grandparents
    cdef int method, rounds_of_messages
    cdef int second_order_from           # the first round with grandparents
    cdef bint single_root, projective
    cdef float rate, decay, second_decay, aggressiveness
    cdef double least, ignored, time
    cdef int64_t[::1] order
    cdef readonly int round
    cdef readonly double log_likelihood
    cdef readonly long words, wrong
    cdef unsigned char* likely           # by arc of each sentence, when last scored: 0 unlikely, 2 likely, 1 between
    cdef int64_t[::1] likely_start
    cdef bint all_arcs
    cdef uint64_t dropped
    cdef double* scores
    cdef int32_t* labels
    cdef int32_t* heads
    cdef float* row
    cdef float* probabilities

    def __cinit__(self, PartProgram program, Corpus corpus, const int32_t[::1] adviser, relations, options):
        self.program, self.corpus, self.adviser = program, corpus, adviser
        if adviser.shape[0] <= corpus.n_words:
            raise ValueError("the adviser must give a head for every word, and one more number")
        self.parts = PartScratch(program, options["single_root"])
        self.spanning, self.propagation = SpanningScratch(), Propagation()
        self.method = METHODS[options["learner"]]
        self.single_root, self.projective = options["single_root"], options["projective"]
        self.rate, self.decay, self.second_decay = options["rate"], options["decay"], options["second_decay"]
        self.aggressiveness = options["aggressiveness"]
        self.least, self.ignored = options["least"], options["ignored"]
        self.rounds_of_messages = options["messages"]
        self.second_order_from = options["second_order_from"]
        self.dropped = <uint64_t>(options["dropout"] * 4294967296.0)

    def __init__(self, PartProgram program, Corpus corpus, const int32_t[::1] adviser, relations, options):
        self.weights = LearntWeights(program, relations, 1.0 if self.method == SGD else 0.0)
        self.make_room()
        self.begin(options["cutoff"], False)

    def extend(self, int cutoff):
        """Begin again with the features of likely arcs added to those of gold arcs, to learn that they are wrong."""
        self.begin(cutoff, True)

    def start_from(self, PartScorer scorer, relation_numbers):
        """Go on from the weights of a trained model: see LearntWeights. Call before the first round."""
        self.weights.start_from(scorer, relation_numbers)
        self.bind()

    def begin(self, int cutoff, bint likely):
        """Collect the features to learn, and give each its first weight."""
        self.weights.lay_out(*self.collect(cutoff, likely))
        self.bind()

    cdef void bind(self):
        self.scorer, self.arcs = self.weights.scorer, self.weights.arcs
        self.relations, self.grandparents = self.weights.relations, self.weights.grandparents
        self.source = ModelParts(self.scorer, self.parts, False)
        self.search = TreeSearch(self.source)
        self.time = 1

    def make_room(self):
        """Allocate the scratch space."""
        cdef Corpus corpus = self.corpus
        cdef size_t width = corpus.longest + 1
        arcs = [(corpus.length(sentence) + 1) ** 2 for sentence in range(corpus.n_sentences)]
        self.likely_start = array("q", accumulate(arcs, initial=0))
        self.likely = <unsigned char*>allocate(sum(arcs), 1)
        self.row = <float*>allocate(2 * self.weights.width, sizeof(float))
        self.probabilities = self.row + self.weights.width
        self.scores = <double*>allocate(width * width, sizeof(double))
        self.labels = <int32_t*>allocate(width * width, sizeof(int32_t))
        self.heads = <int32_t*>allocate(width, sizeof(int32_t))

    def __dealloc__(self):
        free(self.scores)
        free(self.likely)
        free(self.labels)
        free(self.heads)
        free(self.row)

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

    def collect(self, int cutoff, bint likely):
        """Return the keys of gold parts, (``likely``) of arcs that were likely when last scored, and of bounds."""
        cdef KeySet arcs = KeySet(), relations = KeySet(), grandparents = KeySet()
        cdef uint64_t above[MAX_TEMPLATES]
        cdef uint64_t below[MAX_TEMPLATES]
        cdef Corpus corpus = self.corpus
        cdef PartScratch parts = self.parts
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int sentence, n, word, i, count
        cdef int64_t head, width
        cdef int32_t* heads
        cdef unsigned char* how_likely
        bounded = {}
        for sentence in range(corpus.n_sentences):
            n = corpus.length(sentence)
            width = n + 1
            if n == 0:
                continue
            heads = &corpus.heads[corpus.word_start[sentence]] - 1
            parts.load(corpus.encoded, corpus.row_start[sentence], n, self.adviser_of(sentence))
            how_likely = self.likely + self.likely_start[sentence]
            with nogil:
                if likely:
                    for head in range(width):
                        for word in range(1, n + 1):
                            if how_likely[head * width + word] > 1 and head != heads[word]:
                                count = parts.arc_keys(<int>head, word)
                                for i in range(count):
                                    arcs.add(parts.keys[i])
                for word in range(1, n + 1):
                    head = heads[word]
                    count = parts.arc_keys(<int>head, word)
                    for i in range(count):
                        arcs.add(parts.keys[i])
                    count = parts.relation_keys(<int>head, word)
                    for i in range(count):
                        relations.add(parts.keys[i])
                    if head > 0:
                        count = parts.grandparent_keys(heads[head], <int>head, word, keys)
                        for i in range(count):
                            grandparents.add(keys[i])
                        parts.above_keys(<int>head, word, above)
                        parts.below_keys(heads[head], <int>head, below)
                        with gil:
                            for i in range(count):
                                bounded[keys[i]] = (above[i], below[i])
        return arcs.most_common(cutoff), relations.most_common(cutoff), grandparents.most_common(cutoff), bounded

    cdef const int32_t* adviser_of(self, int64_t sentence) noexcept nogil:
        """The adviser's heads of the words of a sentence, from 1 on; NULL without an adviser."""
        return &self.adviser[self.corpus.word_start[sentence]] - 1 if self.program.advised else NULL

    def start_round(self, int round, order, bint all_arcs):
        """Begin a round over the sentences in this order, with ``all_arcs`` or without those that were unlikely."""
        self.round, self.order, self.all_arcs = round, order, all_arcs
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
                self.parts.load(corpus.encoded, corpus.row_start[sentence], n, self.adviser_of(sentence))
                if self.method == SGD:
                    self.climb(sentence, n, &corpus.heads[corpus.word_start[sentence]] - 1,
                               &corpus.labels[corpus.word_start[sentence]] - 1)
                else:
                    self.correct(n, &corpus.heads[corpus.word_start[sentence]] - 1,
                                 &corpus.labels[corpus.word_start[sentence]] - 1)
                self.time += 1
                self.words += n

    cdef int climb(self, int64_t sentence, int n, const int32_t* gold, const int32_t* gold_labels) except -1 nogil:
        """One step up the log-likelihood of a gold tree."""
        cdef int64_t h, c, width = n + 1, likeliest
        cdef double p
        cdef double* beliefs
        cdef bint second = self.program.has_grandparents and self.round >= self.second_order_from
        cdef unsigned char* likely = self.likely + self.likely_start[sentence]
        self.parts.noise = <uint64_t>(self.time * 7919)
        self.parts.dropped = self.dropped
        self.scorer.score_arcs(self.parts, True, NULL if self.all_arcs else likely, self.scores, self.labels, self.row)
        self.propagation.reserve(n)
        beliefs = self.propagation.beliefs
        if second:
            self.propagation.run(self.scorer, self.parts, self.scores, gold, self.single_root, self.least,
                                 self.rounds_of_messages)
        else:
            self.propagation.trees.run(self.scores, n, self.single_root, beliefs)
        for c in range(1, width):
            likeliest = 0
            for h in range(width):
                if h == c:
                    continue
                p = beliefs[h * width + c]
                if p > beliefs[likeliest * width + c]:
                    likeliest = h
                if p > self.ignored or gold[c] == h:
                    self.add_arc(<int>h, <int>c, (gold[c] == h) - p)
                    self.add_relations(<int>h, <int>c, p, gold_labels[c] if gold[c] == h else -1)
            self.wrong += likeliest != gold[c]
            self.log_likelihood += log(beliefs[gold[c] * width + c] + 1e-12)
        if second:
            self.add_expected_grandparents(gold, width)
        if self.all_arcs:
            for h in range(width * width):
                likely[h] = 2 if beliefs[h] > LIKELY else beliefs[h] > UNLIKELY
            for c in range(1, width):
                likely[gold[c] * width + c] = 1
        self.step(self.rate)
        self.parts.dropped = 0
        return 0

    cdef void add_arc(self, int head, int child, double amount) noexcept nogil:
        """Add an arc's features to the gradient, times an amount."""
        cdef int i, n
        cdef int64_t slot
        if fabs(amount) < self.ignored:
            return
        n = self.parts.arc_keys(head, child)
        for i in range(n):
            slot = self.scorer.arcs.find(self.parts.keys[i])
            if slot >= 0:
                self.arcs.add(slot, slot, <float>amount)

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
            if fabs(q[label]) < self.ignored:
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

    cdef void add_grandparent(self, int g, int h, int c, double amount) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef int i, n
        cdef int64_t slot
        if fabs(amount) < self.ignored:
            return
        n = self.parts.grandparent_keys(g, h, c, keys)
        for i in range(n):
            slot = self.scorer.grandparents.find(keys[i])
            if slot >= 0:
                self.grandparents.add(slot, slot, <float>amount)

    cdef void add_expected_grandparents(self, const int32_t* gold, int64_t width) noexcept nogil:
        cdef int64_t f
        cdef int g, h, c
        cdef Factor* factor
        for f in range(self.propagation.n_factors):
            factor = &self.propagation.factors[f]
            g, h, c = <int>(factor.above // width), <int>(factor.above % width), <int>(factor.below % width)
            self.add_grandparent(g, h, c, (gold[h] == g and gold[c] == h) - factor.belief)

    cdef void step(self, float rate) noexcept nogil:
        if self.method == SGD:
            self.arcs.step_adaptive(rate, self.decay, self.time)
            self.relations.step_adaptive(rate, self.decay, self.time)
            self.grandparents.step_adaptive(rate, self.second_decay, self.time)
        else:
            self.arcs.step_plain(rate, self.time)
            self.relations.step_plain(rate, self.time)
            self.grandparents.step_plain(rate, self.time)

    cdef int correct(self, int n, const int32_t* gold, const int32_t* gold_labels) except -1 nogil:
        """Move from the best tree (for MIRA: the best with its mistakes added to its score) towards the gold tree."""
        cdef int h, c
        cdef int64_t width = n + 1
        cdef double gold_score = 0, score, loss = 0, norm
        cdef bint second = self.program.has_grandparents and self.round >= self.second_order_from
        cdef int32_t best
        self.scorer.score_arcs(self.parts, False, NULL, self.scores, self.labels, self.row)
        if self.method == MIRA:
            for h in range(width):
                for c in range(1, width):
                    if gold[c] != h or self.labels[h * width + c] != gold_labels[c]:
                        self.scores[h * width + c] += 1
        if second:
            self.source.n = n
            score = self.search.best(self.scores, self.single_root, 100, self.heads)
        elif self.projective:
            score = self.spanning.best_projective(self.scores, n, self.single_root, self.heads)
        else:
            score = self.spanning.best_tree(self.scores, n, self.single_root, self.heads)
        for c in range(1, width):
            h = gold[c]
            self.scorer.relation_scores(self.parts, h, c, self.row, &best)
            gold_score += self.row[gold_labels[c]] + self.scorer.arcs.sum(self.parts.keys, self.parts.arc_keys(h, c))
            if self.heads[c] != h or self.labels[h * width + c] != gold_labels[c]:
                loss += 1
                self.wrong += self.heads[c] != h
                self.add_arc(h, c, 1)
                self.add_label(h, c, gold_labels[c], 1)
                self.add_arc(self.heads[c], c, -1)
                self.add_label(self.heads[c], c, self.labels[self.heads[c] * width + c], -1)
            if second:
                if gold[c] > 0:
                    gold_score += self.scorer.score_grandparent(self.parts, gold[gold[c]], gold[c], c)
                    self.add_grandparent(gold[gold[c]], gold[c], c, 1)
                if self.heads[c] > 0:
                    self.add_grandparent(self.heads[self.heads[c]], self.heads[c], c, -1)
        if loss == 0:
            self.step(0)
            return 0
        if self.method == PERCEPTRON:
            self.step(1)
            return 0
        norm = self.arcs.norm() + self.relations.norm() + self.grandparents.norm()
        score = (score - gold_score) / norm if norm > 0 else 0
        self.step(0 if score < 0 else score if score < self.aggressiveness else self.aggressiveness)
        return 0

    cdef void add_label(self, int head, int child, int label, float amount) noexcept nogil:
        cdef int i, n = self.parts.relation_keys(head, child)
        cdef int64_t slot, number
        for i in range(n):
            slot = self.scorer.relations.find(self.parts.keys[i])
            if slot >= 0:
                number = self.scorer.relations.numbers[slot]
                self.relations.add(number, number * self.scorer.relations.width + label, amount)
