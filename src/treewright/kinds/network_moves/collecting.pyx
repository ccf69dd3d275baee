"""Decisions to learn from: a walk through sentences under the current weights, by the static or the dynamic oracle.

The walk is that of online training (kinds/transition/learning/online.pyx), with the same policies. It changes no
weights: it notes what each configuration shows, which kinds of move are legal and which are right, and the relation of
a gold arc. One pass through the network then learns from all decisions of a batch.
"""
from array import array

from cpython cimport array as arrays
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.network.kernel.rows cimport Rows
from treewright.kinds.network_moves.walking cimport MoveInput, choose_move, input_of
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Configuration, Encoded, Scratch, class_range
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport Gold, lowest
from treewright.kinds.transition.learning.corpus cimport EncodedSentences
from treewright.kinds.transition.learning.online cimport RANDOM_KIND, OnlineTrainer
from treewright.kinds.transition.learning.rounds cimport STATIC

cdef enum:
    FACTS = 6                            # of a decision, besides the places: see COLUMNS

COLUMNS = ("legal", "right", "class", "first", "end", "sentence")


cdef class DecisionCollector(OnlineTrainer):
    """Walks through sentences of a corpus and notes the decisions."""
    cdef MoveInput input
    cdef arrays.array places, facts
    cdef int n_places, place_in_batch
    cdef Py_ssize_t n, room

    def __init__(self, Chooser parser, EncodedSentences corpus, policy):
        OnlineTrainer.__init__(self, parser, None, corpus, policy)
        self.use(parser)

    def use(self, Chooser parser):
        """Walk by the weights of another parser from now on, of the same system and moves."""
        self.parser, self.scratch = parser, parser.new_scratch()
        self.input = input_of(self.scratch)

    def collect(self, const int32_t[::1] sentences, Rows words):
        """Walk through sentences; return the places of all decisions, one after the other, and their facts.

        ``words``: the projections of the sentences' words, each sentence after its root's. A fact has the legal and
        the right kinds as bits, the class of the gold arc's relation or -1, the classes that it competes with (from
        the first up to, not including, the end), and the position of the sentence in the batch.
        """
        cdef int i, n
        self.input.sums.bind_rows(words)
        self.input.next, self.n, self.room = 0, 0, 0
        self.places, self.facts = array("i"), array("i")
        for i in range(sentences.shape[0]):
            if not 0 <= sentences[i] < self.sentences.n_sentences:
                raise IndexError(f"sentence {sentences[i]} of {self.sentences.n_sentences}")
            self.place_in_batch = i
            n = self.sentences.length(sentences[i])
            if n > 0 and self.sentences.has_gold(sentences[i]):
                with nogil:
                    self.learn_sentence(sentences[i], n)
            else:
                self.input.enter(n)
        arrays.resize(self.places, self.n * self.n_places)
        arrays.resize(self.facts, self.n * FACTS)
        return self.places, self.facts

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        self.input.enter(c.n)
        return self.sentences.bind(self.gold, self.sentence, c.root)

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        """Note a decision, and return the move that the policy makes."""
        cdef const Gold* g = &self.gold.gold
        cdef unsigned right_kinds = self.right_kinds(c, g, legal)
        cdef int predicted, oracle, made, kind, found
        if self.policy == STATIC:
            self.input.look(self.extractor, c)
            predicted = oracle = lowest(right_kinds)
        else:
            predicted = choose_move(self.parser, c, self.input, s, legal, label)
            oracle = self.best_right(s, right_kinds)
        made = predicted
        if not right_kinds >> predicted & 1:
            self.mistakes += 1
            if not self.follows():
                made = oracle
                if self.zero_cost == RANDOM_KIND:
                    made = self.any_of(right_kinds)
        self.decisions += 1
        kind = predicted
        found = self.gold_class(c, g, kind)
        if found == NONE:
            kind = oracle
            found = self.gold_class(c, g, kind)
        self.note(c, legal, right_kinds, kind, found)
        self.set_label(c, g, made, label)
        return made

    cdef int best_right(self, Scratch s, unsigned right_kinds) noexcept nogil:
        """Return the right kind with the highest score."""
        cdef int kind, best = NONE
        for kind in range(self.moves.n_kinds):
            if right_kinds >> kind & 1 and (best == NONE or s.kind_scores[kind] > s.kind_scores[best]):
                best = kind
        return best

    cdef int any_of(self, unsigned right_kinds) noexcept nogil:
        """Return one of the right kinds at random."""
        cdef int kind, chosen = NONE, n = 0
        for kind in range(self.moves.n_kinds):
            if right_kinds >> kind & 1:
                n += 1
                if self.random() % <uint64_t>n == 0:
                    chosen = kind
        return chosen

    cdef void set_label(self, const Configuration* c, const Gold* g, int kind, int* label) noexcept nogil:
        """Give a move its gold relation, or, where its arc is wrong, any that it may have."""
        cdef int first, end, at
        label[0] = NONE
        if self.moves.labelled >> kind & 1:
            at = self.gold_class(c, g, kind)
            class_range(self, c, kind, &first, &end)
            label[0] = self.moves.label[first if at == NONE else at]

    cdef int note(self, const Configuration* c, unsigned legal, unsigned right_kinds, int kind,
                  int found) except -1 nogil:
        cdef int i, first = 0, end = 0
        cdef int32_t* facts
        cdef int32_t* places
        if found != NONE:
            class_range(self, c, kind, &first, &end)
            if not first <= found < end:  # a relation that such an arc has nowhere else
                found, first, end = NONE, 0, 0
        self.n_places = self.input.n_places
        if self.n == self.room:
            with gil:
                self.room = 2 * self.room + 1024
                arrays.resize(self.places, self.room * self.n_places)
                arrays.resize(self.facts, self.room * FACTS)
        places = <int32_t*>self.places.data.as_ints + self.n * self.n_places
        for i in range(self.n_places):
            places[i] = self.input.places[i]
        facts = <int32_t*>self.facts.data.as_ints + self.n * FACTS
        facts[0], facts[1], facts[2], facts[3], facts[4] = <int>legal, <int>right_kinds, found, first, end
        facts[5] = self.place_in_batch
        self.n += 1
        return 0
