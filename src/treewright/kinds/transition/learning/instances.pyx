"""From trees to instances: what a batch learner learns from.

An instance consists of a configuration's features and the decision that the oracle calls right there. Configurations
are those of the static oracle's path (``follow_oracle``), or those of a model's own moves (``follow_model``, for
DAgger: Ross, Gordon & Bagnell 2011), where the dynamic oracle knows what is best. So it does where the static oracle's
moves cannot build the gold tree; such sentences are left out where there is no dynamic oracle.
"""
from libc.stdint cimport int64_t

from treewright.features.encoder cimport Encoded
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Configuration, Scratch, Walker, class_range
from treewright.kinds.transition.learning.corpus cimport EncodedSentences
from treewright.learners.problem cimport Problem
from treewright.systems.configuration cimport NONE
from treewright.systems.derivation cimport derives
from treewright.systems.gold cimport Gold, GoldStandard
from treewright.systems.system cimport MAX_KINDS, Parse, cheapest
from treewright.systems.system import WITH_COSTS


cdef class InstanceCollector(Walker):
    """Walks through the sentences of a corpus and adds an instance to a problem for every decision.

    ``name``, if given, is called as name(parse, sentence) before every instance with unknown features: the parse is
    in the configuration of the instance.
    """
    cdef Chooser parser
    cdef EncodedSentences corpus
    cdef Problem problem
    cdef Scratch scratch
    cdef GoldStandard gold
    cdef Parse view
    cdef object name
    cdef bint dynamic, own_moves, by_costs
    cdef int decision_of_kind[MAX_KINDS]
    cdef int n_plain, sentence
    cdef readonly long decisions, mistakes

    def __init__(self, Chooser parser, EncodedSentences corpus, Problem problem, name=None):
        cdef int kind
        self.parser, self.corpus, self.problem, self.name = parser, corpus, problem, name
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
        self.scratch, self.gold = parser.new_scratch(), GoldStandard()
        self.dynamic = not WITH_COSTS.isdisjoint(self.system.oracles)
        for kind in range(self.moves.n_kinds):
            self.decision_of_kind[kind] = NONE
            if self.moves.labelled >> kind & 1 == 0:
                self.decision_of_kind[kind] = self.n_plain
                self.n_plain += 1

    def follow_oracle(self, int first, int end):
        """Add the instances of sentences first .. end on the static oracle's path."""
        self.own_moves = False
        self.follow(first, end)

    def follow_model(self, int first, int end):
        """Add the instances of sentences first .. end on the path of the parser's own moves."""
        self.own_moves = True
        self.follow(first, end)

    cdef int follow(self, int first, int end) except -1:
        cdef int n
        if self.name is not None:
            self.view = Parse(self.system, 0)
            self.view.workspace = self.scratch.workspace
        with nogil:
            for self.sentence in range(first, min(end, self.corpus.n_sentences)):
                n = self.corpus.length(self.sentence)
                if n > 0 and self.corpus.has_gold(self.sentence) and self.can_follow(n):
                    self.walk(self.corpus.encoded, self.corpus.row_start[self.sentence], n, self.scratch)
        return 0

    cdef bint can_follow(self, int n) except -1 nogil:
        """Is there an oracle for the sentence at hand? Costs say what is right off the canonical path."""
        cdef Configuration* c
        self.scratch.workspace.reserve(n)
        c = &self.scratch.workspace.c
        c.leaf = self.corpus.encoded.leaves_at(self.corpus.row_start[self.sentence])
        self.system.start(c, n)
        self.corpus.bind(self.gold, self.sentence, c.root)
        self.by_costs = self.own_moves or not derives(self.system, c, &self.gold.gold)
        return self.dynamic or not self.by_costs

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        """Add the instance of one decision, and return the move of the oracle or of the model."""
        cdef int kind = NONE, right_kind, right_class, right_label, n_keys
        if self.own_moves:
            kind = self.parser.choose_by_scores(c, e, row, s, legal, label)
        right_kind = self.oracle(c, &self.gold.gold, legal, &right_class)
        self.extractor.extract(c, e, row, s.keys, s.counts)
        n_keys = s.counts[0] + s.counts[1] + s.counts[2]
        if self.name is not None:
            with gil:
                self.tell(n_keys)
        self.problem.add(
            s.keys, n_keys, self.n_plain + right_class if right_class >= 0 else self.decision_of_kind[right_kind]
        )
        self.decisions += 1
        right_label = self.moves.label[right_class] if right_class >= 0 else NONE
        if not self.own_moves:
            kind, label[0] = right_kind, right_label
        elif kind != right_kind or label[0] != right_label:
            self.mistakes += 1
        return kind

    cdef int tell(self, int n_keys) except -1:
        """Name the features of an instance if the problem does not know them all."""
        cdef int i
        for i in range(n_keys):
            if self.problem.index.find(self.scratch.keys[i]) == 0:
                self.name(self.view, self.sentence)
                break
        return 0

    cdef int oracle(self, const Configuration* c, const Gold* g, unsigned legal, int* label_class) except -1 nogil:
        """Return the move to learn: the canonical one if right, else one with a gold arc, else any right one."""
        cdef unsigned right_kinds = legal
        cdef int cost[MAX_KINDS]
        cdef int k, least, first, end, kind = self.system.static_kind(c, g)
        if self.by_costs:
            self.system.costs(c, g, cost)
            right_kinds = self.system.economical(c, g, cheapest(self.system.n_kinds, legal, cost, &least))
        if kind < 0 or right_kinds >> kind & 1 == 0:
            kind = NONE
            for k in range(self.system.n_kinds):
                if right_kinds >> k & 1 and (kind == NONE or self.system.gold_relation(c, g, k) != NONE):
                    kind = k
        label_class[0] = NONE
        if self.moves.labelled >> kind & 1:
            class_range(self, c, kind, &first, &end)
            label_class[0] = self.moves.class_of(kind, self.relation_of(c, g, kind))
            if not first <= label_class[0] < end:
                label_class[0] = first
        return kind

    cdef int relation_of(self, const Configuration* c, const Gold* g, int kind) noexcept nogil:
        """Return the relation to learn: that of a gold arc, and in trees, for any other arc, the dependent's own."""
        cdef int head, dependent, relation = self.system.gold_relation(c, g, kind)
        if relation != NONE or g.first_head != NULL:
            return relation
        self.system.arc(c, kind, &head, &dependent)
        return g.label[dependent]
