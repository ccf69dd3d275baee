"""Greedy graph parsing: the best legal move until every word has left the stack. No GIL while it parses."""
from array import array

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport MAX_FEATURES, Extractor
from treewright.learners.learner cimport MAX_CLASSES, Choice, Moves, Scorer
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.dag_arc_eager cimport LEFT, DagArcEager, GraphWorkspace
from treewright.treebank.block cimport Block


cdef class GraphScratch:
    def __cinit__(self, Extractor extractor):
        self.graph = GraphWorkspace()
        self.encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
        self.keys = <uint64_t*>malloc(MAX_FEATURES * sizeof(uint64_t))
        self.kind_scores = <float*>calloc(8, sizeof(float))
        self.class_scores = <float*>calloc(MAX_CLASSES + 32, sizeof(float))
        if self.keys == NULL or self.kind_scores == NULL or self.class_scores == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.keys)
        free(self.kind_scores)
        free(self.class_scores)


cdef class GreedyGraphParser:
    """A system for graphs, features and a scorer at work. Read-only: any number of threads may share one."""

    def __init__(self, DagArcEager system, Extractor extractor, Moves moves, Scorer scorer):
        if any(not 0 <= label < len(extractor.relations) for _, label in moves.classes):
            raise CombinationError("a move has a relation that the extractor does not know")
        if scorer.n_classes != moves.n_classes:
            raise CombinationError(f"{moves.n_classes} labelled moves, and weights for {scorer.n_classes}")
        self.system, self.extractor, self.moves, self.scorer = system, extractor, moves, scorer

    def new_scratch(self):
        """Return the memory that a thread needs."""
        return GraphScratch(self.extractor)

    def parse_block(self, Block block, GraphScratch s):
        """Parse every sentence; return three arrays of arcs (dependent over the whole block from 0, head, relation)."""
        cdef int sentence, first, n, i
        cdef GraphWorkspace w = s.graph
        dependents, heads, labels = array("i"), array("i"), array("i")
        self.extractor.encoder.bind(block, s.encoded)
        for sentence in range(block.n_sentences):
            first = block.sentence_word[sentence]
            n = block.sentence_word[sentence + 1] - first
            if n == 0:
                continue
            with nogil:
                s.encoded.clear()
                self.extractor.encoder.encode(block, sentence, True, s.encoded)
                self.parse(s.encoded, 0, n, s)
            for i in range(w.n_arcs):
                dependents.append(first + w.arc_dependent[i] - 1)
                heads.append(w.arc_head[i] if w.arc_head[i] <= n else 0)
                labels.append(w.arc_label[i])
        return dependents, heads, labels

    cdef int parse(self, Encoded e, int64_t row, int n, GraphScratch s) except -1 nogil:
        """Parse one encoded sentence of n words into the arcs of the scratch memory."""
        cdef Configuration* c
        cdef unsigned legal
        cdef Choice choice
        cdef int counts[3]
        s.graph.reserve(n)
        c = &s.graph.workspace.c
        self.system.begin(s.graph, n)
        while not self.system.terminal(c):
            legal = self.system.legal(c)
            if legal & (legal - 1) == 0 and legal & self.moves.labelled == 0:
                choice.kind, choice.label_class = 0, NONE
                while legal >> choice.kind != 1:
                    choice.kind += 1
            else:
                self.score(c, e, row, s, counts)
                self.best(c, s, legal, &choice)
            self.system.move(
                s.graph, choice.kind, self.moves.label[choice.label_class] if choice.label_class >= 0 else NONE
            )
        return 0

    cdef void class_range(self, const Configuration* c, int kind, int* first, int* end) noexcept nogil:
        """The classes that a move of this kind may have here: arcs from the root have relations of their own."""
        if kind == LEFT and c.buffer == c.root:
            first[0], end[0] = self.moves.first[kind], self.moves.root_end[kind]
        else:
            first[0], end[0] = self.moves.word_first[kind], self.moves.end[kind]

    cdef void score(self, const Configuration* c, Encoded e, int64_t row, GraphScratch s, int* counts) noexcept nogil:
        self.extractor.extract(c, e, row, s.keys, counts)
        self.scorer.score(s.keys, counts, s.kind_scores, s.class_scores)

    cdef void best(self, const Configuration* c, GraphScratch s, unsigned legal, Choice* found) noexcept nogil:
        """The best of some kinds by the scores that were computed last."""
        cdef int kind, first, end, i
        cdef float score
        found.kind = found.label_class = NONE
        for kind in range(self.moves.n_kinds):
            if legal >> kind & 1 == 0:
                continue
            if self.moves.labelled >> kind & 1 == 0:
                if found.kind == NONE or s.kind_scores[kind] > found.score:
                    found.kind, found.label_class, found.score = kind, NONE, s.kind_scores[kind]
                continue
            self.class_range(c, kind, &first, &end)
            for i in range(first, end):
                score = s.kind_scores[kind] + s.class_scores[i]
                if found.kind == NONE or score > found.score:
                    found.kind, found.label_class, found.score = kind, i, score
