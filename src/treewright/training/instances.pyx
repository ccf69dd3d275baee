"""From trees to instances: what a batch learner learns from.

An instance is a configuration's features and the decision that the oracle calls right there. Configurations are those
of the static oracle's path (``follow_oracle``), or those that a model's own moves lead to (``follow_model``, for
DAgger: Ross, Gordon & Bagnell 2011), where the dynamic oracle knows what is best.
"""
from libc.stdint cimport int64_t

from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Moves, forced_kind
from treewright.learners.problem cimport Problem
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport NONE, Configuration, Gold
from treewright.systems.system cimport Parse, System, cheapest
from treewright.training.corpus cimport Corpus


cdef class InstanceCollector:
    """Walks through the sentences of a corpus and adds an instance to a problem for every decision.

    ``name``, if given, is called as name(parse, sentence) before every instance whose features are not all known
    yet: the parse is in the configuration of the instance.
    """
    cdef System system
    cdef Extractor extractor
    cdef Moves moves
    cdef GreedyParser parser
    cdef Corpus corpus
    cdef Problem problem
    cdef Scratch scratch
    cdef Parse view
    cdef object name
    cdef bint dynamic
    cdef int decision_of_kind[8]
    cdef int n_plain
    cdef readonly long decisions, mistakes

    def __init__(self, GreedyParser parser, Corpus corpus, Problem problem, name=None):
        cdef int kind
        self.parser, self.corpus, self.problem, self.name = parser, corpus, problem, name
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
        self.scratch = Scratch(self.extractor)
        self.dynamic = "dynamic" in self.system.oracles
        for kind in range(self.moves.n_kinds):
            self.decision_of_kind[kind] = NONE
            if self.moves.labelled >> kind & 1 == 0:
                self.decision_of_kind[kind] = self.n_plain
                self.n_plain += 1

    def follow_oracle(self, int first, int end):
        """Add the instances of sentences first .. end on the static oracle's path."""
        self.walk(first, end, False)

    def follow_model(self, int first, int end):
        """Add the instances of sentences first .. end on the path of the parser's own moves."""
        self.walk(first, end, True)

    cdef int walk(self, int first, int end, bint own_moves) except -1:
        cdef int sentence, n
        for sentence in range(first, min(end, self.corpus.n_sentences)):
            n = self.corpus.length(sentence)
            if n == 0:
                continue
            if self.name is not None:
                self.view = Parse(self.system, 0)
                self.view.workspace = self.scratch.workspace
            with nogil:
                self.walk_sentence(self.scratch, sentence, n, own_moves)
        return 0

    cdef int walk_sentence(self, Scratch s, int sentence, int n, bint own_moves) except -1 nogil:
        cdef Configuration* c
        cdef Gold* g
        cdef int counts[3]
        cdef int kind, label, right_kind, right_class, i, n_keys
        cdef unsigned legal
        cdef int64_t word = self.corpus.word_start[sentence], row = self.corpus.row_start[sentence]
        s.workspace.reserve(n)
        c, g = &s.workspace.c, &s.workspace.gold
        self.system.start(c, n)
        s.workspace.set_gold(n, c.root, &self.corpus.heads[word], &self.corpus.labels[word])
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            kind = forced_kind(self.moves, legal)
            if kind != NONE:             # the parser does not ask here
                self.system.apply(c, kind, NONE)
                continue
            if own_moves:
                kind = self.parser.choose(c, self.corpus.encoded, row, s, legal, &label)
            self.oracle(c, g, legal, own_moves, &right_kind, &right_class)
            self.extractor.extract(c, self.corpus.encoded, row, s.keys, counts)
            n_keys = counts[0] + counts[1] + counts[2]
            if self.name is not None:
                with gil:
                    self.tell(sentence, n_keys)
            self.problem.add(
                s.keys, n_keys,
                self.n_plain + right_class if right_class >= 0 else self.decision_of_kind[right_kind],
            )
            self.decisions += 1
            i = self.moves.label[right_class] if right_class >= 0 else NONE
            if not own_moves:
                kind, label = right_kind, i
            elif kind != right_kind or label != i:
                self.mistakes += 1
            self.system.apply(c, kind, label)
        return 0

    cdef int tell(self, int sentence, int n_keys) except -1:
        cdef int i
        for i in range(n_keys):
            if self.problem.index.find(self.scratch.keys[i]) == 0:
                self.name(self.view, sentence)
                break
        return 0

    cdef void oracle(self, const Configuration* c, const Gold* g, unsigned legal, bint own_moves, int* kind,
                     int* label_class) noexcept nogil:
        """The move to learn: the canonical one if it is right, else a right one that adds a gold arc, else any."""
        cdef unsigned right = legal
        cdef int cost[8]
        cdef int k, least, head, dependent, relation, first, end
        kind[0] = self.system.static_kind(c, g)
        if self.dynamic and (own_moves or legal >> kind[0] & 1 == 0):
            self.system.costs(c, g, cost)
            right = self.system.economical(cheapest(self.system.n_kinds, legal, cost, &least))
        if kind[0] < 0 or right >> kind[0] & 1 == 0:
            kind[0] = NONE
            for k in range(self.system.n_kinds):
                if right >> k & 1 and (kind[0] == NONE or self.system.gold_relation(c, g, k) != NONE):
                    kind[0] = k
        label_class[0] = NONE
        if self.moves.labelled >> kind[0] & 1:
            self.system.arc(c, kind[0], &head, &dependent)
            self.parser.class_range(c, kind[0], &first, &end)
            # Of an arc that is not gold, the dependent's own relation is the best guess.
            relation = g.label[dependent]
            label_class[0] = self.moves.class_of(kind[0], relation)
            if not first <= label_class[0] < end:
                label_class[0] = first
