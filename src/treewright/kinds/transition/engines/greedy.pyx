"""Greedy parsing: the best legal move, until the parse is complete."""

from libc.math cimport INFINITY

from treewright.errors import CombinationError
from treewright.learners.learner cimport Scorer, arc_classes
from treewright.kinds.transition.engines.walk cimport Extractor, Moves, Output, Sentence, System
from treewright.systems.configuration cimport NONE, Rules, is_leaf
from treewright.systems.rules.table cimport PROJECTIVE, breaks

cdef enum:
    FARTHEST = 512           # words on either side whose arcs can keep a word from another head


cdef class GreedyParser(Chooser):
    """A greedy parser of trees. Read-only: any number of threads may share one."""

    def __init__(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split=False,
                 Deprojectivizer deprojectivizer=None, bint fast=True):
        """``fast=False`` scores a LinearTable like any other scorer, through floats: slower, for comparison."""
        if system.has_places and type(self) is GreedyParser:
            raise CombinationError(f"{system.name} makes its moves anywhere in the sentence: use EasyFirstParser")
        self.equip(system, extractor, moves, scorer, split, fast)
        self.deprojectivizer = deprojectivizer
        self.undo_lifting = deprojectivizer is not None and deprojectivizer.n_encoded > 0

    def parse_block(self, Block block, int32_t[::1] heads, int32_t[::1] labels, Scratch scratch=None):
        """Parse every sentence of a block; heads and relations go to the arrays, word by word."""
        scratch = scratch if scratch is not None else self.new_scratch()
        take_arrays(self, block, 0, block.n_sentences, scratch, heads, labels, None)

    def relabel(self, Block block, int sentence, int32_t[::1] heads, int32_t[::1] labels, const int32_t[::1] words,
                Scratch scratch):
        """Give words of a sentence, numbered from 1, the best relations to their heads, each looked at by itself."""
        cdef int first = block.sentence_word[sentence], n = block.sentence_word[sentence + 1] - first, word, head, label
        cdef Configuration* c
        if min(heads.shape[0], labels.shape[0]) < block.n_words:
            raise ValueError("heads and labels must cover every word of the block")
        scratch.workspace.reserve(n)
        c = &scratch.workspace.c
        c.leaf, c.rules = NULL, NULL
        self.extractor.encoder.bind(block, scratch.encoded)
        scratch.encoded.clear()
        self.extractor.encoder.encode(sentence, self.system.root_is_last, scratch.encoded)
        for word in words:
            head = heads[first + word - 1] if 1 <= word <= n else NONE
            if not 0 <= head <= n or head == word:
                raise ValueError("a word or a head out of range")
            self.system.start(c, n)
            self.attach(c, scratch.encoded, 0, scratch, head or c.root, word)
            label = c.label[word]
            if self.undo_lifting:
                label = self.deprojectivizer.base[label]
            labels[first + word - 1] = label

    cdef int put(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        cdef int i
        if out.confidences != NULL:
            for i in range(sentence.n):
                out.confidences[sentence.first + i] = s.workspace.confidence[i + 1]
        self.write_tree(&s.workspace.c, e, sentence.row, s, out.heads + sentence.first, out.labels + sentence.first)
        return self.note_misfits(e, sentence, s, out)

    cdef int note_misfits(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil:
        """Note the words of a sentence whose tag, a guess, bars the relation that they have got."""
        cdef int word
        cdef const Rules* r = s.workspace.c.rules
        cdef const int32_t* labels = out.labels + sentence.first
        if r == NULL or not 0 < e.tag_price < INFINITY:
            return 0
        for word in range(sentence.n):
            if r.tagged[e.tag[sentence.row + 2 + word] * r.n_labels + labels[word]]:
                if out.heads[sentence.first + word]:
                    s.note_misfit(sentence.first + word)
        return 0

    cdef int write_tree(self, Configuration* c, Encoded e, int64_t row, Scratch s, int32_t* heads,
                        int32_t* labels) except -1 nogil:
        """Complete a parse and write its tree: heads are numbers of words, 0 for the root."""
        cdef int word
        self.finish(c, e, row, s)
        write_heads(c, heads)
        for word in range(c.n):
            labels[word] = c.label[word + 1]
        if not self.undo_lifting:
            return 0
        self.deprojectivizer.undo(heads, labels, c.n, s.trees)
        if c.rules != NULL:
            self.keep_rules(c, heads, labels, s)
        for word in range(c.n):
            if is_leaf(c, heads[word]):
                # A word was moved back to one that may not govern: the tree stays as the moves have built it.
                write_heads(c, heads)
                break
        return 0

    cdef int keep_rules(self, Configuration* c, int32_t* heads, const int32_t* labels, Scratch s) except -1 nogil:
        """Leave lifted words where they are that would break rules where they belong."""
        cdef int32_t* old = c.stack              # the stack is needed no more
        write_heads(c, old)
        return self.extractor.encoder.rules.restored(old, heads, labels, c.n, c.tag, s.trees)

    cdef void finish(self, Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil:
        """Attach words without a head: the first that may govern to the root if that has no dependent, others to the
        root word."""
        cdef int word, head, root_word = NONE
        for word in range(1, c.n + 1):
            if c.head[word] == c.root:
                root_word = word
                break
        if root_word == NONE:
            for word in range(1, c.n + 1):
                if c.head[word] == NONE and not is_leaf(c, word):
                    root_word = word
                    self.attach(c, e, row, s, c.root, word)
                    break
        for word in range(1, c.n + 1):
            if c.head[word] == NONE:
                head = root_word if self.system.single_root else c.root
                self.attach(c, e, row, s, sheltered(c, head, word) if c.rules != NULL else head, word)

    cdef void attach(self, Configuration* c, Encoded e, int64_t row, Scratch s, int head, int word) noexcept nogil:
        """Give a word a head after the last move, with the best relation."""
        c.head_count[word] = 1
        c.head[word] = head
        c.label[word] = self.best_label(c, e, row, s, self.system.pose(c, head, word), head, word)
        if c.rules != NULL and c.label[word] >= 0:
            c.marks[head] |= c.rules.of[c.label[word]].mark

    cdef int best_label(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind, int head,
                        int word) noexcept nogil:
        """Return the best relation for an arc of that kind in this configuration; of those that break fewest rules."""
        cdef int i, best = NONE, first, end, broken, fewest = 0
        arc_classes(self.moves, kind, head == c.root, &first, &end)
        self.score(c, e, row, s)
        for i in range(first, end):
            broken = breaks(c, head, word, self.moves.label[i])
            if (best == NONE or broken < fewest
                    or (broken == fewest and s.class_scores[i] > s.class_scores[best])):
                best, fewest = i, broken
        return self.moves.label[best]


cdef int sheltered(const Configuration* c, int head, int word) noexcept nogil:
    """Return the head for a word without one: below the innermost arc that must stay projective, if that spans it."""
    cdef int other, end, best = head, span = 2 * c.n
    for other in range(max(1, word - FARTHEST), min(c.n, word + FARTHEST) + 1):
        end = c.head[other]
        if end == NONE or end == c.root or not min(end, other) < word < max(end, other):
            continue
        if c.rules.of[c.label[other]].shape & PROJECTIVE and abs(end - other) < span and not hangs_from(c, end, word):
            best, span = end, abs(end - other)
    # the head itself may lie below that arc
    return best if not hangs_from(c, head, best) else head


cdef bint hangs_from(const Configuration* c, int word, int above) noexcept nogil:
    """Is a word, or one above it, another?"""
    cdef int _step
    for _step in range(c.n + 1):
        if word == above or word == NONE or word == c.root:
            break
        word = c.head[word]
    return word == above


cdef void write_heads(const Configuration* c, int32_t* heads) noexcept nogil:
    """Write the heads of words as their numbers, 0 for the root."""
    cdef int word
    for word in range(c.n):
        heads[word] = c.head[word + 1] if c.head[word + 1] != c.root else 0


cdef int take_arrays(Walker parser, Block block, int first, int last, Scratch s, int32_t[::1] heads,
                     int32_t[::1] labels, float[::1] confidences) except -1:
    """Parse sentences ``first`` to ``last`` of a block into arrays, word by word."""
    cdef Output out
    if (min(heads.shape[0], labels.shape[0]) < block.n_words
            or (confidences is not None and confidences.shape[0] < block.n_words)):
        raise ValueError("heads, labels and confidences must cover every word of the block")
    if block.n_words == 0:
        return 0
    out.heads, out.labels = &heads[0], &labels[0]
    out.confidences = &confidences[0] if confidences is not None else NULL
    return parser.take_sentences(block, first, last, s, &out)
