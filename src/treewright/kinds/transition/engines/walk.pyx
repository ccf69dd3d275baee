"""The walk through a sentence, move by move. No GIL, no allocation per sentence.

There is one loop from the first configuration to the last, and one over the sentences of a block. A Walker subclass
decides the moves: greedy parsers, parsers that measure confidence, trainers, collectors of instances, replays.
"""

from libc.math cimport INFINITY

from treewright.features.extractor cimport MAX_FEATURES
from treewright.learners.learner cimport MAX_CLASSES, forced_kind
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, make_move
from treewright.treebank.blocks.interrupts cimport check_signals

cdef enum:
    UNHEARD = 1024  # moves of a sentence between two looks at signals


cdef class Scratch:
    def __cinit__(self, Extractor extractor):
        self.workspace = Workspace()
        self.trees = TreeWorkspace()
        self.arcs = ArcScores()
        self.encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
        self.encoded.tag_price = INFINITY
        self.keys = <uint64_t*>self.new_block(MAX_FEATURES, sizeof(uint64_t))
        self.rows = <tw_rows*>self.new_block(1, sizeof(tw_rows))
        self.kind_scores = <float*>self.new_block(MAX_KINDS, sizeof(float))
        self.class_scores = <float*>self.new_block(MAX_CLASSES + 32, sizeof(float))
        self.class_sums = <int16_t*>self.new_block(MAX_CLASSES + 32, sizeof(int16_t))

    def keep(self, KeptArcs kept, float tag_price=INFINITY):
        """Keep these arcs from now on; None: none. A relation that the tag bars must score better by a price."""
        self.kept, self.encoded.tag_price = kept, tag_price

    cdef int reserve_margins(self, int64_t n) except -1 nogil:
        """Make room for this many margins; keep those already there."""
        if n > self.margins_room:
            self.margins = <float*>self.resized(self.margins, 2 * n, sizeof(float))
            self.margins_room = 2 * n
        return 0


cdef class Walker:
    """Makes moves from the first configuration to the last; subclasses decide which."""

    cdef int walk(self, Encoded e, int64_t row, int n, Scratch s) except -1 nogil:
        """Walk through an encoded sentence of n words. A move without an alternative needs no decision."""
        cdef Configuration* c
        cdef unsigned legal
        cdef int kind, label, unheard = UNHEARD
        s.workspace.reserve(n)
        c = &s.workspace.c
        e.equip(c, row)
        if c.rules != NULL:
            s.arcs.enter(n, self.moves.n_classes)
        self.system.start(c, n)
        self.begin(c, e, row, s)
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            if s.kept is not None:
                legal = s.kept.allowed(self.system, c, legal)
            kind, label = forced_kind(self.moves, legal), NONE
            if kind == NONE:
                kind = self.decide(c, e, row, s, legal, &label)
                if s.kept is not None:
                    label = kept_label(self, c, s, kind, label)
            make_move(self.system, c, kind, label)
            self.moved(c, e, row, s, kind)
            unheard -= 1
            if unheard == 0:
                check_signals()
                unheard = UNHEARD
        return 0

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        """Prepare for a sentence in its first configuration."""
        return 0

    cdef int decide(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) except -1 nogil:
        """Return the kind of the next move, and set its relation if it carries one."""
        return 0

    cdef int moved(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind) except -1 nogil:
        """Called after each move."""
        return 0

    cdef int take(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        """Process one encoded sentence; what is found goes to ``out``."""
        return self.walk(e, sentence.row, sentence.n, s)

    cdef int take_sentences(self, Block block, int start, int end, Scratch s, const Output* out) except -1:
        """Encode and process some sentences of a block: from ``start`` up to, not including, ``end``."""
        cdef Sentence one
        cdef int number
        if block.n_words == 0:
            return 0
        self.extractor.encoder.bind(block, s.encoded)
        with nogil:
            one.row = 0
            for number in range(start, end):
                one.number, one.first = number, block.sentence_word[number]
                one.n = block.sentence_word[number + 1] - block.sentence_word[number]
                if one.n > 0:
                    s.encoded.clear()
                    self.extractor.encoder.encode(number, self.system.root_is_last, s.encoded)
                    if s.kept is not None:
                        s.kept.enter(self.system, <int>one.first, one.n, <unsigned char*>s.encoded.leaves_at(0))
                    self.take(s.encoded, &one, s, out)
        return 0


cdef int kept_label(Walker self, const Configuration* c, Scratch s, int kind, int label) noexcept nogil:
    """Return the relation that a move takes: the given one, where its arc is to keep."""
    cdef int head, dependent
    self.system.arc(c, kind, &head, &dependent)
    return s.kept.label_of(c, head, dependent, label)
