"""Online training (Goldberg & Nivre 2013, Algorithms 2 and 3), one round at a time.

In every configuration, the best legal move by the current weights is compared with the best of those that the oracle
calls right. If they differ in value, the weights move towards the second and away from the first. The policy decides
which move is made next:

- ``static``: the canonical oracle's move;
- ``ambiguity``: the model's own move if it is right, else the right one with the highest score;
- ``explore``: from round k + 1 on, with some probability, the model's own move even if it is wrong: if
  RAND() < p (Goldberg & Nivre 2013), or if RAND() > p (Goldberg & Nivre 2012; the same with 1 - p for p).

If the model's move is wrong and not followed, the next move is the right one with the highest score, or any right one
(``zero_cost``): ``random`` draws a kind, which gets its best relation, ``random-labelled`` a labelled move, as
RANDOM_ELEMENT(ZERO_COST) of 2012 does. There, an arc that is not gold but costs nothing counts once for each relation.

A mistake that loses several arcs can count more than one that loses one (``cost_sensitive``): the step of the update is
the number of arcs (``scale``), or the right move must beat a costly one by that many points (``margin``: the update is
against the move with the greatest sum of score and cost). Arcs may differ in weight (``arc_weights``, see
systems/weighted_gold.pyx).

Passive-aggressive updates (Crammer and others 2006, section 8; tried in 2012, section 4) go as far as it takes for the
right move to win by a margin, at most ``aggressiveness`` (their C, of PA-I). The margin is 1, or with
``cost_sensitive="margin"`` the root of the cost. ``prediction``: against the model's move, if that is wrong.
``max-loss``: against the move with the greatest sum of score and margin.

Graphs are learnt in the same way (Tokgöz & Eryiğit 2015, Algorithm 1; their dynamic policy is ``ambiguity``).
"""
from array import array

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.learners.learner cimport legal_classes
from treewright.learners.perceptron cimport Perceptron
from treewright.systems.system import WITH_COSTS
from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Encoded, Output, Scratch, class_range
from treewright.systems.configuration cimport NONE, is_barred
from treewright.systems.system cimport cheapest
from treewright.kinds.transition.learning.corpus cimport Corpus, EncodedSentences
from treewright.kinds.transition.learning.rounds cimport STATIC

COST_SENSITIVITIES = {None: PLAIN, "scale": SCALE, "margin": MARGIN}
AGGRESSIVE = {None: NOT_AGGRESSIVE, "prediction": PREDICTION, "max-loss": MAX_LOSS}
ZERO_COSTS = {"best": BEST, "random": RANDOM_KIND, "random-labelled": RANDOM_MOVE}


cdef inline void classes_of(Rounds walker, const Configuration* c, int kind, int* first, int* end) noexcept nogil:
    """Give the classes that a kind of move may take: NONE alone if it carries no relation."""
    first[0], end[0] = NONE, 0
    if walker.moves.labelled >> kind & 1:
        class_range(walker, c, kind, first, end)


cdef class OnlineTrainer(Rounds):
    """Trains one learner on one corpus, round by round."""
    def __init__(self, Chooser parser, OnlineLearner learner, EncodedSentences corpus, policy,
                 cost_sensitive=None, passive_aggressive=None, float aggressiveness=1, arc_weights=None):
        self.prepare(parser, corpus, parser.new_scratch(), policy)
        self.parser, self.learner = parser, learner
        if parser.mends:
            self.live = None         # no arc is in the way of another for good: its relation can change
        self.split = parser.split
        self.zero_cost = ZERO_COSTS[policy.zero_cost]
        self.cost_sensitivity = COST_SENSITIVITIES[cost_sensitive]
        self.aggressive, self.longest_step = AGGRESSIVE[passive_aggressive], aggressiveness
        self.weighted = WeightedGold(arc_weights) if arc_weights is not None else None
        self.dynamic = not WITH_COSTS.isdisjoint(self.system.oracles)
        self.with_weight = ~(<Perceptron>learner).weightless if isinstance(learner, Perceptron) else ~<unsigned>0

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        Rounds.begin(self, c, e, row, s)
        return self.weighted.bind(&self.gold.gold, c.n, c.root) if self.weighted is not None else 0

    cdef const Gold* target(self) noexcept nogil:
        """Return what the oracle measures against: the gold tree, without the arcs that rules block by now."""
        return &self.gold.gold if self.live is None else &self.live.gold.gold

    cdef bint may(self, const Configuration* c, int kind, int label_class, bint gold_labels) except -1 nogil:
        """Does a labelled move keep the rules, and with ``gold_labels`` leave the gold arcs possible that it could?"""
        cdef int head, dependent, label
        if self.live is None or label_class < 0:
            return True
        label = self.moves.label[label_class]
        self.system.arc(c, kind, &head, &dependent)
        if dependent == NONE or is_barred(c, head, dependent, self.system.single_root):
            return True
        if not self.live.may(c, head, dependent, label):
            return False
        return not gold_labels or self.live.blocked(self.system, c, kind, head, dependent, label) == 0

    cdef int foresee(self, const Configuration* c, int kind, int label) except -1 nogil:
        """Take the gold arcs out of the target that the next move blocks."""
        cdef int head, dependent
        if self.live is None or label == NONE:
            return 0
        self.system.arc(c, kind, &head, &dependent)
        if dependent == NONE or is_barred(c, head, dependent, self.system.single_root):
            return 0
        if self.live.note(c, head, dependent, label) and self.weighted is not None:
            self.weighted.bind(self.target(), c.n, c.root)
        return 0

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """Give what each kind of move loses, in arcs or in their weights."""
        return self.system.costs(c, g, cost) if self.weighted is None else self.weighted.costs(self.system, c, cost)

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        """Learn from one decision, and return the move that the policy makes."""
        cdef const Gold* g = self.target()
        cdef int first, end
        cdef unsigned right_kinds = self.right_kinds(c, g, legal)
        cdef Choice predicted, oracle
        if self.cost_sensitivity != PLAIN or self.aggressive != NOT_AGGRESSIVE:
            weigh_kinds(self, c, g, legal, right_kinds)
        self.extractor.extract(c, e, row, s.keys, s.counts)
        legal_classes(self.moves, legal, &first, &end)
        self.learner.score_range(s.keys, s.counts, first, end, s.kind_scores, s.class_scores)
        self.decisions += 1
        if self.split:
            learn_steps(self, c, g, legal, right_kinds, &predicted, &oracle)
        else:
            learn_move(self, c, g, legal, right_kinds, &predicted, &oracle)
        self.learner.advance()
        if oracle.kind != predicted.kind or oracle.label_class != predicted.label_class:
            if self.follows():
                self.within_rules(c, g, legal, &predicted)
            else:
                predicted = oracle
                if self.zero_cost == RANDOM_KIND:
                    random_right(self, c, g, right_kinds, &predicted)
                elif self.zero_cost == RANDOM_MOVE:
                    any_right(self, c, g, right_kinds, &predicted)
        label[0] = self.moves.label[predicted.label_class] if predicted.label_class >= 0 else NONE
        self.foresee(c, predicted.kind, label[0])
        return predicted.kind

    cdef int right_kinds(self, const Configuration* c, const Gold* g, unsigned legal) except -1 nogil:
        """Return the kinds that the policy's oracle calls right, as bits.

        The static oracle always knows one: sentences that its moves cannot build were left out. If the gold tree
        cannot be built, the dynamic oracle follows the best one that it sees.
        """
        cdef int cost[MAX_KINDS]
        cdef int least
        if self.policy == STATIC:
            return <unsigned>1 << self.system.static_kind(c, g)
        self.costs(c, g, cost)
        return self.system.economical(c, g, cheapest(self.system.n_kinds, legal, cost, &least))

    cdef int gold_class(self, const Configuration* c, const Gold* g, int kind) noexcept nogil:
        """Return the class of the gold relation if a move adds a gold arc, or NONE."""
        cdef int relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
        return self.moves.class_of(kind, relation) if relation != NONE else NONE

    cdef int within_rules(self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) except -1 nogil:
        """Replace a move that breaks rules by the best one that does not: the one that a parser would make."""
        if self.may(c, out.kind, out.label_class, False):
            return 0
        return self.best(c, g, 1 << out.kind if self.split else legal, False, True, out)

    cdef int best(self, const Configuration* c, const Gold* g, unsigned allowed, bint gold_labels, bint ruled,
                  Choice* out) except -1 nogil:
        """Find the best move of the allowed kinds; with ``gold_labels``, gold arcs get their gold relation.

        ``ruled``: the best that keeps the rules, unless none does. The mistake to learn from is the best
        move of all: rules would hide it.
        """
        cdef int kind, first, end, i, _step
        cdef float score
        cdef bint whatever = not ruled
        out.kind = NONE
        for _step in range(2):
            for kind in range(self.moves.n_kinds):
                if allowed >> kind & 1 == 0:
                    continue
                classes_of(self, c, kind, &first, &end)
                if gold_labels:
                    i = self.gold_class(c, g, kind)
                    if i >= 0:
                        first, end = i, i + 1
                for i in range(first, end):
                    score = self.scratch.kind_scores[kind] + (self.scratch.class_scores[i] if i >= 0 else 0)
                    if out.kind == NONE or score > out.score:
                        if whatever or self.may(c, kind, i, gold_labels):
                            out.kind, out.label_class, out.score = kind, i, score
            if out.kind != NONE:
                break
            whatever = True
        return 0


cdef int random_right(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned right_kinds,
                      Choice* out) except -1 nogil:
    """Take any of the right kinds of move, with the gold relation if its arc is gold, else with the best one."""
    cdef int kind, chosen = out.kind, n = 0
    for kind in range(self.moves.n_kinds):
        if right_kinds >> kind & 1:
            # The n-th replaces the choice so far with probability 1/n: in the end each is equally likely.
            n += 1
            if self.random() % <uint64_t>n == 0:
                chosen = kind
    return self.best(c, g, 1 << chosen, True, True, out) if chosen != out.kind else 0


cdef int any_right(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned right_kinds,
                   Choice* out) except -1 nogil:
    """Take any of the right labelled moves; an arc that is not gold is right with any relation."""
    cdef int kind, first, end, i, gold
    cdef uint64_t n = 0
    for kind in range(self.moves.n_kinds):
        if right_kinds >> kind & 1 == 0:
            continue
        classes_of(self, c, kind, &first, &end)
        gold = self.gold_class(c, g, kind)
        if gold >= 0:
            first, end = gold, gold + 1
        for i in range(first, end):
            if not self.may(c, kind, i, True):
                continue
            n += 1
            if self.random() % n == 0:
                out.kind, out.label_class = kind, i
    return 0


cdef int weigh_kinds(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned legal,
                     unsigned right_kinds) except -1 nogil:
    """Fill ``cost``. A kind that is not right costs at least one, even if only the policy calls it wrong."""
    cdef int kind, least
    if self.dynamic:
        self.costs(c, g, self.cost)
    else:
        for kind in range(self.moves.n_kinds):
            self.cost[kind] = 0
    cheapest(self.moves.n_kinds, legal, self.cost, &least)
    for kind in range(self.moves.n_kinds):
        self.cost[kind] = 0 if right_kinds >> kind & 1 else max(1, self.cost[kind] - least)
    return 0


cdef int cost_of(OnlineTrainer self, const Configuration* c, const Gold* g, const Choice* move) except -1 nogil:
    """Return what a move costs; a wrong relation of a gold arc costs one, and so does each gold arc that it blocks."""
    cdef int right_class = self.gold_class(c, g, move.kind), head, dependent
    cdef int cost = self.cost[move.kind] + <int>(right_class >= 0 and right_class != move.label_class)
    if self.live is None or move.label_class < 0:
        return cost
    self.system.arc(c, move.kind, &head, &dependent)
    return cost + self.live.blocked(
        self.system, c, move.kind, head, dependent, self.moves.label[move.label_class]
    )


cdef float margin(OnlineTrainer self, int cost) noexcept nogil:
    """Return by how much the right move must beat one that costs so much."""
    if self.aggressive == NOT_AGGRESSIVE:
        return cost
    return <float>sqrt(cost) if self.cost_sensitivity == MARGIN else <int>(cost > 0)


cdef int costly(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned legal, Choice* out) except -1 nogil:
    """Find the legal move with the greatest sum of score and margin."""
    cdef int kind, first, end, i
    cdef float score
    cdef Choice move
    out.kind = NONE
    for kind in range(self.moves.n_kinds):
        if legal >> kind & 1 == 0:
            continue
        classes_of(self, c, kind, &first, &end)
        move.kind = kind
        for i in range(first, end):
            move.label_class = i
            score = self.scratch.kind_scores[kind] + (self.scratch.class_scores[i] if i >= 0 else 0)
            score += margin(self, cost_of(self, c, g, &move))
            if out.kind == NONE or score > out.score:
                out.kind, out.label_class, out.score = kind, i, score
    return 0


cdef float step_against(OnlineTrainer self, const Choice* oracle, const Choice* rival) noexcept nogil:
    """Return how far a passive-aggressive update goes: loss over the squared length of the difference, C at most.

    ``rival.score`` has the margin in it. Every key has a weight for the kind and for the relation of a move, or only
    the latter.
    """
    cdef const int* counts = self.scratch.counts
    cdef int length = 0
    cdef float loss = rival.score - oracle.score
    if oracle.kind != rival.kind:
        length += (self.with_weight >> oracle.kind & 1) * (counts[1] + counts[2])
        length += (self.with_weight >> rival.kind & 1) * (counts[1] + counts[2])
    if oracle.label_class != rival.label_class:
        length += (counts[0] + counts[1]) * (<int>(oracle.label_class >= 0) + <int>(rival.label_class >= 0))
    return min(self.longest_step, loss / length) if loss > 0 and length > 0 else 0


cdef int learn_move(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned legal, unsigned right_kinds,
                    Choice* predicted, Choice* oracle) except -1 nogil:
    """Kind and relation together: one mistake, one update."""
    cdef Choice rival
    cdef bint mistaken
    cdef float step = 1
    self.best(c, g, legal, False, False, predicted)
    self.best(c, g, right_kinds, True, True, oracle)
    mistaken = oracle.kind != predicted.kind or oracle.label_class != predicted.label_class
    self.mistakes += mistaken
    rival = predicted[0]
    if self.aggressive == MAX_LOSS or (self.aggressive == NOT_AGGRESSIVE and self.cost_sensitivity == MARGIN):
        costly(self, c, g, legal, &rival)
        if rival.score <= oracle.score:
            return 0
    elif not mistaken:
        return 0
    elif self.aggressive == PREDICTION:
        rival.score += margin(self, max(1, cost_of(self, c, g, &rival)))
    elif self.cost_sensitivity == SCALE:
        step = max(1, cost_of(self, c, g, &rival))
    if rival.kind == oracle.kind and rival.label_class == oracle.label_class:
        return 0
    if self.aggressive != NOT_AGGRESSIVE:
        step = step_against(self, oracle, &rival)
    return self.learner.update(self.scratch.keys, self.scratch.counts, oracle, &rival, step)


cdef int learn_steps(OnlineTrainer self, const Configuration* c, const Gold* g, unsigned legal, unsigned right_kinds,
                     Choice* predicted, Choice* oracle) except -1 nogil:
    """First the kind, then the relation of a right arc; each learns by itself."""
    cdef int kind, relation, step = 1
    cdef Choice rival
    cdef const float* scores = self.scratch.kind_scores
    predicted.kind = oracle.kind = NONE
    for kind in range(self.moves.n_kinds):
        if legal >> kind & 1 and (predicted.kind == NONE or scores[kind] > scores[predicted.kind]):
            predicted.kind = kind
        if right_kinds >> kind & 1 and (oracle.kind == NONE or scores[kind] > scores[oracle.kind]):
            oracle.kind = kind
    self.mistakes += oracle.kind != predicted.kind
    rival = predicted[0]
    if self.cost_sensitivity == SCALE:
        step = max(1, self.cost[predicted.kind])
    elif self.cost_sensitivity == MARGIN:
        rival.kind = oracle.kind
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 and scores[kind] + self.cost[kind] > scores[rival.kind] + self.cost[rival.kind]:
                rival.kind = kind
    if oracle.kind != rival.kind:
        oracle.label_class = rival.label_class = NONE
        self.learner.update(self.scratch.keys, self.scratch.counts, oracle, &rival, step)
    kind = predicted.kind
    self.best(c, g, 1 << kind, False, False, predicted)
    self.best(c, g, 1 << oracle.kind, True, True, oracle)
    relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
    if relation == NONE:
        kind = oracle.kind
        relation = self.system.gold_relation(c, g, kind) if self.moves.labelled >> kind & 1 else NONE
        if relation == NONE:
            return 0
    return learn_relation(self, c, kind, relation)


cdef int learn_relation(OnlineTrainer self, const Configuration* c, int kind, int relation) except -1 nogil:
    """Correct the relation that was chosen for a gold arc of a given kind."""
    cdef int first, end, i
    cdef int labels_only[3]
    cdef Choice gold, best
    gold.kind = best.kind = kind
    gold.label_class = self.moves.class_of(kind, relation)
    class_range(self, c, kind, &first, &end)
    best.label_class = first
    for i in range(first, end):
        if self.scratch.class_scores[i] > self.scratch.class_scores[best.label_class]:
            best.label_class = i
    if gold.label_class < 0 or best.label_class == gold.label_class:
        return 0
    # All keys but those for moves alone, all of them as keys for labels alone.
    labels_only[0], labels_only[1], labels_only[2] = self.scratch.counts[0] + self.scratch.counts[1], 0, 0
    return self.learner.update(self.scratch.keys, labels_only, &gold, &best, 1)


def accuracy(GreedyParser parser, Corpus corpus, Scratch scratch=None):
    """Parse a corpus and return (right heads, right heads and relations, words)."""
    cdef int32_t[::1] heads = array("i", bytes(4 * (corpus.n_words + 1)))
    cdef int32_t[::1] labels = array("i", bytes(4 * (corpus.n_words + 1)))
    cdef int64_t word
    cdef long right_heads = 0, right_kinds = 0
    cdef Output out
    out.heads, out.labels, out.confidences = &heads[0], &labels[0], NULL
    corpus.parse(parser, scratch if scratch is not None else parser.new_scratch(), &out)
    for word in range(corpus.n_words):
        if heads[word] == corpus.heads[word]:
            right_heads += 1
            right_kinds += labels[word] == corpus.labels[word]
    return right_heads, right_kinds, corpus.n_words
