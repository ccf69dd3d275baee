"""The moves of a greedy parser on sentences whose trees are known, each judged by the dynamic oracle.

Every sentence is parsed twice. On its *own* path the parser makes the moves that it likes best, as it always does. On
the *mended* path it is asked the same, but where its move would lose a gold arc, the best right move is made in its
place. Up to the parser's first mistake the two are the same. Behind it, the mended path shows how often the parser
would have gone wrong in the rest of that very sentence if nothing had gone wrong before: what it does more often on its
own path is the first mistake's work.
"""
from array import array

from libc.stdint cimport int32_t, int64_t

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.learners.learner cimport forced_kind
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport NONE, Configuration, Gold
from treewright.systems.system cimport cheapest
from treewright.treebank.block cimport Block

#: what is counted of a sentence, in this order; decisions are moves where there is something to choose
COUNTS = (
    "decisions",            # on the own path
    "mistakes",             # of these: that lose an arc, or give a gold arc another relation
    "arcs_lost",            # by them
    "first_arcs_lost",      # by the first of them
    "later_decisions",      # behind the first mistake
    "later_mistakes",
    "mended_decisions",     # on the mended path, the whole of it
    "mended_mistakes",
    "mended_arcs_lost",     # that would be lost by them, each by itself
    "mended_later_decisions",   # on the mended path, behind the first mistake
    "mended_later_mistakes",
)

cdef enum:
    N_COUNTS = 11
    OWN = 0
    MENDED = 6


cdef class Replay:
    """Counts of one parser's moves, sentence by sentence."""
    cdef GreedyParser parser
    cdef Scratch scratch
    cdef readonly object rows            # array('q'), N_COUNTS for every sentence

    def __init__(self, GreedyParser parser):
        if type(parser) is not GreedyParser:
            raise CombinationError("moves are replayed for greedy parsers that go from left to right")
        if "dynamic" not in parser.system.oracles:
            raise CombinationError(f"{parser.system.name} has no dynamic oracle here, so nobody to judge its moves")
        self.parser, self.scratch = parser, parser.new_scratch()
        self.rows = array("q")

    def add(self, Block block, const int32_t[::1] heads, const int32_t[::1] labels):
        """Replay the sentences of a block against trees in the form that the model has learnt.

        A relation that the model does not know has a number that is none of the model's.
        """
        cdef int sentence, first, n
        cdef int32_t word
        cdef bint root_last = self.parser.system._root_last()
        cdef Scratch s = self.scratch
        if heads.shape[0] != block.n_words or labels.shape[0] != block.n_words:
            raise ValueError("one head and one relation per word")
        rows = array("q", bytes(8 * N_COUNTS * max(1, block.n_sentences)))
        cdef int64_t[::1] row = rows
        if block.n_words == 0:
            return
        self.parser.extractor.encoder.bind(block, s.encoded)
        for sentence in range(block.n_sentences):
            first = block.sentence_word[sentence]
            n = block.sentence_word[sentence + 1] - first
            for word in range(first, first + n):
                if not 0 <= heads[word] <= n:
                    raise ValueError(f"sentence {sentence} has a head out of range")
            if n == 0:
                continue
            s.encoded.clear()
            self.parser.extractor.encoder.encode(block, sentence, root_last, s.encoded)
            self.follow(n, &heads[first], &labels[first], False, &row[N_COUNTS * sentence])
            self.follow(n, &heads[first], &labels[first], True, &row[N_COUNTS * sentence])
        self.rows.extend(rows[: N_COUNTS * block.n_sentences])

    cdef int follow(self, int n, const int32_t* heads, const int32_t* labels, bint mend, int64_t* count) except -1:
        """Parse one encoded sentence on its own or on the mended path, and count."""
        cdef GreedyParser p = self.parser
        cdef Scratch s = self.scratch
        cdef Configuration* c
        cdef Gold* g
        cdef unsigned legal, right
        cdef int kind, label, lost
        cdef bint later = False
        s.workspace.reserve(n)
        c, g = &s.workspace.c, &s.workspace.gold
        p.system.start(c, n)
        s.workspace.set_gold(n, c.root, heads, labels)
        while not p.system.terminal(c):
            legal = p.system.legal(c)
            kind = forced_kind(p.moves, legal)
            if kind != NONE:
                p.system.apply(c, kind, NONE)
                continue
            kind = self.choose(c, s.encoded, legal, &label)
            lost = self.arcs_lost(c, g, legal, kind, label, &right)
            if mend:
                count[6] += 1
                count[7] += lost > 0
                count[8] += lost
                count[9] += later
                count[10] += later and lost > 0
                if lost:
                    kind = self.choose(c, s.encoded, right, &label)
                    if p.system.gold_relation(c, g, kind) != NONE:
                        label = self.known(p.system.gold_relation(c, g, kind), label)
            else:
                count[0] += 1
                count[1] += lost > 0
                count[2] += lost
                count[3] += 0 if later else lost
                count[4] += later
                count[5] += later and lost > 0
            later = later or lost > 0
            p.system.apply(c, kind, label)
        return 0

    cdef int known(self, int relation, int instead) noexcept nogil:
        """A relation that the model knows: features look relations up by number."""
        return relation if 0 <= relation < self.parser.extractor.n_labels else instead

    cdef int choose(self, Configuration* c, Encoded e, unsigned allowed, int* label) noexcept nogil:
        """The move that the model likes best among the allowed kinds."""
        if self.parser.table is not None:
            return self.parser.choose_fast(c, e, 0, self.scratch, allowed, label)
        return self.parser.choose(c, e, 0, self.scratch, allowed, label)

    cdef int arcs_lost(self, const Configuration* c, const Gold* g, unsigned legal, int kind, int label,
                       unsigned* right) noexcept nogil:
        """How many more labelled arcs a move loses than the best one; ``right`` gets the kinds that lose least."""
        cdef int cost[8]
        cdef int relation, least
        self.parser.system.costs(c, g, cost)
        right[0] = self.parser.system.economical(cheapest(self.parser.moves.n_kinds, legal, cost, &least))
        relation = self.parser.system.gold_relation(c, g, kind)
        return cost[kind] - least + (relation != NONE and relation != label)
