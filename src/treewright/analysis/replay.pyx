"""The moves of a greedy parser on sentences whose trees are known, each judged by the dynamic oracle.

Every sentence is parsed twice. On its *own* path the parser makes its best moves, as always. On the *corrected* path,
the best right move replaces a move that would lose a gold arc. Up to the parser's first mistake both paths are the
same. After it, the corrected path shows how often the parser errs in the rest of the sentence if nothing went wrong
before. The additional mistakes on its own path follow from the first one.
"""
from array import array

from libc.stdint cimport int32_t, int64_t

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Output, Scratch, Sentence, Walker
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.gold cimport Gold, GoldStandard
from treewright.systems.system cimport MAX_KINDS, cheapest
from treewright.treebank.blocks.block cimport Block

#: what is counted of a sentence, in this order; decisions are moves where there is something to choose
COUNTS = (
    "decisions",            # on the own path
    "mistakes",             # of these: that lose an arc, or give a gold arc another relation
    "arcs_lost",            # by them
    "first_arcs_lost",      # by the first of them
    "later_decisions",      # behind the first mistake
    "later_mistakes",
    "corrected_decisions",     # on the corrected path, the whole of it
    "corrected_mistakes",
    "corrected_arcs_lost",     # that would be lost by them, each by itself
    "corrected_later_decisions",   # on the corrected path, behind the first mistake
    "corrected_later_mistakes",
)

cdef enum:
    N_COUNTS = 11
    OWN = 0
    CORRECTED = 6


cdef class Replay(Walker):
    """Counts of one parser's moves, sentence by sentence."""
    cdef GreedyParser parser
    cdef Scratch scratch
    cdef GoldStandard gold
    cdef readonly object rows            # array('q'), N_COUNTS for every sentence
    cdef const int32_t* heads            # the gold trees of the block
    cdef const int32_t* labels
    cdef int64_t[::1] counts             # of the block
    cdef int64_t* count                  # of the sentence
    cdef bint corrects, later                # is this the corrected path? has there been a mistake?

    def __init__(self, GreedyParser parser):
        if type(parser) is not GreedyParser:
            raise CombinationError("only greedy parsers that go from left to right can be replayed")
        if "dynamic" not in parser.system.oracles:
            raise CombinationError(f"{parser.system.name} has no dynamic oracle to judge its moves")
        self.parser, self.scratch, self.gold = parser, parser.new_scratch(), GoldStandard()
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
        self.rows = array("q")

    def add(self, Block block, const int32_t[::1] heads, const int32_t[::1] labels):
        """Replay the sentences of a block against trees in the form that the model has learnt.

        A relation that the model does not know has a number that the model does not use.
        """
        cdef int sentence, first, n, word
        if heads.shape[0] != block.n_words or labels.shape[0] != block.n_words:
            raise ValueError("one head and one relation per word")
        if block.n_words == 0:
            return
        for sentence in range(block.n_sentences):
            first = block.sentence_word[sentence]
            n = block.sentence_word[sentence + 1] - first
            for word in range(first, first + n):
                if not 0 <= heads[word] <= n:
                    raise ValueError(f"sentence {sentence} has a head out of range")
        rows = array("q", bytes(8 * N_COUNTS * block.n_sentences))
        self.heads, self.labels, self.counts = &heads[0], &labels[0], rows
        self.take_sentences(block, 0, block.n_sentences, self.scratch, NULL)
        self.rows.extend(rows)

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        """Follow the parser's own path through a sentence, then the corrected one."""
        self.count = &self.counts[N_COUNTS * sentence.number]
        self.gold.bind_tree(
            sentence.n, self.system.root_node(sentence.n), self.heads + sentence.first, self.labels + sentence.first
        )
        self.corrects = self.later = False
        self.walk(e, sentence.row, sentence.n, s)
        self.corrects, self.later = True, False
        return self.walk(e, sentence.row, sentence.n, s)

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        """Judge the parser's move, and return it or, on the corrected path, a right one."""
        cdef const Gold* g = &self.gold.gold
        cdef unsigned right
        cdef int kind = self.parser.choose(c, e, row, s, legal, label), relation
        cdef int lost = self.arcs_lost(c, g, legal, kind, label[0], &right)
        cdef int64_t* count = self.count + (CORRECTED if self.corrects else OWN)
        count[0] += 1
        count[1] += lost > 0
        count[2] += lost
        if not self.corrects:
            count[3] += 0 if self.later else lost
        count[3 if self.corrects else 4] += self.later
        count[4 if self.corrects else 5] += self.later and lost > 0
        self.later = self.later or lost > 0
        if self.corrects and lost:
            kind = self.parser.choose(c, e, row, s, right, label)
            relation = self.system.gold_relation(c, g, kind)
            if 0 <= relation < self.extractor.n_labels:
                # Features look relations up by number: only those of the model will do.
                label[0] = relation
        return kind

    cdef int arcs_lost(self, const Configuration* c, const Gold* g, unsigned legal, int kind, int label,
                       unsigned* right) except -1 nogil:
        """Return how many more labelled arcs a move loses than the best one; set the kinds that lose least."""
        cdef int cost[MAX_KINDS]
        cdef int relation, least
        self.system.costs(c, g, cost)
        right[0] = self.system.economical(c, g, cheapest(self.moves.n_kinds, legal, cost, &least))
        relation = self.system.gold_relation(c, g, kind)
        return cost[kind] - least + (relation != NONE and relation != label)
