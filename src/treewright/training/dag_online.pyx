"""Online training of graph parsers: Algorithm 1 of Tokgöz & Eryiğit 2015, and exploration besides.

``static`` follows the canonical moves, ``ambiguity`` any move that costs nothing (what the paper calls dynamic),
``explore`` also the model's own wrong moves, from round k + 1 on, with probability p.
"""
from array import array

from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoder
from treewright.learners.learner cimport Choice, Moves, OnlineLearner, forced_kind
from treewright.learners.problem cimport Problem
from treewright.parsing.dag_greedy cimport GraphScratch, GreedyGraphParser
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.graph_system cimport GoldGraph, GraphSystem
from treewright.training.corpus cimport EncodedSentences
from treewright.training.rounds cimport Rounds

cdef enum:
    STATIC = 0
    AMBIGUITY = 1
    EXPLORE = 2

POLICIES = {"static": STATIC, "ambiguity": AMBIGUITY, "explore": EXPLORE}


cdef class GraphCorpus(EncodedSentences):
    """Encoded sentences with their graphs, in flat arrays."""
    cdef const int32_t[::1] first, heads, labels

    def __init__(self, blocks, Encoder encoder, graphs, bint root_last=True):
        EncodedSentences.__init__(self, blocks, encoder, root_last)
        if len(graphs.first) != self.n_words + 1:
            raise ValueError("the graphs and the sentences have different numbers of words")
        self.first = graphs.first
        self.heads, self.labels = array("i", [*graphs.heads, 0]), array("i", [*graphs.labels, 0])
        self._check_heads()

    def _check_heads(self):
        """Refuse heads out of range: the oracle uses them as places in memory."""
        cdef int sentence
        cdef int64_t word, n, i
        for sentence in range(self.n_sentences):
            n = self.length(sentence)
            for word in range(self.word_start[sentence], self.word_start[sentence + 1]):
                for i in range(self.first[word], self.first[word + 1]):
                    if not 0 <= self.heads[i] <= n or self.heads[i] == word - self.word_start[sentence] + 1:
                        raise ValueError(f"sentence {sentence} has a head out of range")

    cdef bint has_graph(self, int64_t sentence) noexcept nogil:
        """A sentence without any arc has no graph: nothing is known of it."""
        return self.first[self.word_start[sentence + 1]] > self.first[self.word_start[sentence]]


cdef class GraphTrainer(Rounds):
    """Trains one learner on one corpus of graphs, round by round."""
    cdef readonly GreedyGraphParser parser
    cdef readonly OnlineLearner learner
    cdef readonly GraphCorpus corpus
    cdef GraphSystem system
    cdef Moves moves
    cdef GraphScratch scratch
    cdef int policy, k
    cdef double p

    def __init__(self, GreedyGraphParser parser, OnlineLearner learner, GraphCorpus corpus, str policy, int k, double p,
                 uint64_t seed):
        self.parser, self.learner, self.corpus = parser, learner, corpus
        self.system, self.moves = parser.system, parser.moves
        self.scratch = parser.new_scratch()
        self.policy, self.k, self.p = POLICIES[policy], k, p
        self.prepare(corpus, seed)

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        return self.learn_moves(self.scratch, sentence, n) if self.corpus.has_graph(sentence) else 0

    cdef int learn_moves(self, GraphScratch s, int sentence, int n) except -1 nogil:
        cdef Configuration* c
        cdef const GoldGraph* g
        cdef int counts[3]
        cdef unsigned legal
        cdef Choice predicted, oracle
        cdef int64_t row = self.corpus.row_start[sentence]
        s.graph.reserve(n)
        c, g = &s.graph.workspace.c, &s.graph.gold
        self.system.begin(s.graph, n)
        s.graph.set_gold(
            n, c.root, &self.corpus.first[self.corpus.word_start[sentence]], &self.corpus.heads[0], &self.corpus.labels[0]
        )
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            predicted.kind = forced_kind(self.moves, legal)
            if predicted.kind != NONE:
                self.system.move(s.graph, predicted.kind, NONE)
                continue
            self.parser.score(c, self.corpus.encoded, row, s, counts)
            self.parser.best(c, s, legal, &predicted)
            self.decisions += 1
            self.best_right(c, g, s, self.right_kinds(c, g, legal), &oracle)
            if oracle.kind != predicted.kind or oracle.label_class != predicted.label_class:
                self.mistakes += 1
                self.learner.update(s.keys, counts, &oracle, &predicted, 1)
                if not self.follows():
                    predicted = oracle
            self.learner.advance()
            self.system.move(
                s.graph, predicted.kind, self.moves.label[predicted.label_class] if predicted.label_class >= 0 else NONE
            )
        return 0

    cdef bint follows(self) noexcept nogil:
        """Is a wrong move made all the same?"""
        if self.policy != EXPLORE or self.round <= self.k:
            return False
        return self.uniform() < self.p

    cdef unsigned right_kinds(self, const Configuration* c, const GoldGraph* g, unsigned legal) noexcept nogil:
        """The kinds that the policy's oracle calls right, as bits."""
        if self.policy == STATIC:
            return <unsigned>1 << self.system.static_move(c, g)
        return self.system.free_kinds(c, g, legal)

    cdef void best_right(self, const Configuration* c, const GoldGraph* g, GraphScratch s, unsigned right,
                         Choice* found) noexcept nogil:
        """The right move that the model likes best; a gold arc has its gold relation."""
        cdef int kind, label, label_class
        cdef Choice one
        found.kind = found.label_class = NONE
        for kind in range(self.moves.n_kinds):
            if right >> kind & 1 == 0:
                continue
            label = self.system.gold_label(c, g, kind)
            label_class = self.moves.class_of(kind, label) if label != NONE else NONE
            if label_class != NONE:
                one.kind, one.label_class = kind, label_class
                one.score = s.kind_scores[kind] + s.class_scores[label_class]
            else:
                self.parser.best(c, s, 1 << kind, &one)
            if found.kind == NONE or one.score > found.score:
                found[0] = one


cdef class GraphInstances:
    """Adds an instance to a problem for every decision on the static oracle's path: what a batch learner learns from."""
    cdef GreedyGraphParser parser
    cdef GraphCorpus corpus
    cdef Problem problem
    cdef GraphSystem system
    cdef Moves moves
    cdef GraphScratch scratch
    cdef int decision_of_kind[8]
    cdef int n_plain

    def __init__(self, GreedyGraphParser parser, GraphCorpus corpus, Problem problem):
        cdef int kind
        self.parser, self.corpus, self.problem = parser, corpus, problem
        self.system, self.moves, self.scratch = parser.system, parser.moves, parser.new_scratch()
        for kind in range(parser.moves.n_kinds):
            self.decision_of_kind[kind] = NONE
            if parser.moves.labelled >> kind & 1 == 0:
                self.decision_of_kind[kind] = self.n_plain
                self.n_plain += 1

    def follow_oracle(self, int first, int end):
        """Add the instances of sentences first .. end."""
        cdef int sentence, n
        for sentence in range(first, min(end, self.corpus.n_sentences)):
            n = self.corpus.length(sentence)
            if n > 0 and self.corpus.has_graph(sentence):
                with nogil:
                    self.walk(self.scratch, sentence, n)

    cdef int walk(self, GraphScratch s, int sentence, int n) except -1 nogil:
        cdef Configuration* c
        cdef int counts[3]
        cdef int kind, label, label_class, first, last
        cdef unsigned legal
        cdef int64_t row = self.corpus.row_start[sentence]
        s.graph.reserve(n)
        c = &s.graph.workspace.c
        self.system.begin(s.graph, n)
        s.graph.set_gold(
            n, c.root, &self.corpus.first[self.corpus.word_start[sentence]], &self.corpus.heads[0], &self.corpus.labels[0]
        )
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            kind = self.system.static_move(c, &s.graph.gold)
            label_class = NONE
            if self.moves.labelled >> kind & 1:
                label = self.system.gold_label(c, &s.graph.gold, kind)
                self.parser.class_range(c, kind, &first, &last)
                label_class = self.moves.class_of(kind, label) if label != NONE else first
                if not first <= label_class < last:
                    label_class = first
            if forced_kind(self.moves, legal) == NONE:       # elsewhere the parser does not ask
                self.parser.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
                self.problem.add(
                    s.keys, counts[0] + counts[1] + counts[2],
                    self.n_plain + label_class if label_class >= 0 else self.decision_of_kind[kind],
                )
            self.system.move(s.graph, kind, self.moves.label[label_class] if label_class >= 0 else NONE)
        return 0
