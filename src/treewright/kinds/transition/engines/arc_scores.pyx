"""How well each relation would have suited the arcs that there are, so that another one can be given later.

Two arcs may break a rule together: two subjects of a verb. The one that comes second need not give way: if the first
one has another relation that suits it nearly as well, it gets that. What the scores were when it was made is kept for
each arc, and only looked at when arcs get into each other's way.
"""
from array import array

from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

from treewright.systems.configuration cimport NONE, Rules, RulesOfRelation, uint64_t
from treewright.systems.rules.table cimport NEVER_LEFT, NEVER_RIGHT, RuleTable, is_tag_barred
from treewright.systems.system cimport Parse

cdef enum:
    SEVERAL = -2


cdef class ArcScores(Owner):
    """The scores of one sentence's arcs; the memory of one thread."""

    cdef int enter(self, int n, int width) except -1 nogil:
        """Begin a sentence of n words; moves have at most ``width`` relations."""
        cdef int room
        if n + 2 > self.room or width > self.width:
            room = max(n + 2, self.room) + self.room // 2
            width = max(width, self.width)
            self.scores = <float*>self.resized(self.scores, <size_t>room * width, sizeof(float))
            self.labels = <const int32_t**>self.resized(self.labels, room, sizeof(int32_t*))
            self.n_labels = <int32_t*>self.resized(self.n_labels, room, sizeof(int32_t))
            self.room, self.width = room, width
        memset(self.n_labels, 0, (n + 2) * sizeof(int32_t))
        return 0

    cdef void note_floats(self, int word, const int32_t* labels, const float* scores, int n) noexcept nogil:
        """Keep the scores of the relations that an arc to a word may have."""
        self.labels[word], self.n_labels[word] = labels, n
        memcpy(self.scores + <size_t>word * self.width, scores, n * sizeof(float))

    cdef void note_sums(self, int word, const int32_t* labels, const int16_t* sums, int n) noexcept nogil:
        """Keep the scores of the relations that an arc to a word may have, in whole numbers."""
        cdef int i
        cdef float* own = self.scores + <size_t>word * self.width
        self.labels[word], self.n_labels[word] = labels, n
        for i in range(n):
            own[i] = sums[i]

    cdef bint way_out(self, const Configuration* c, KeptArcs kept, int head, int dependent, int label,
                      Relabelling* out) noexcept nogil:
        """Find the relation of another word that would let an arc join the others; return whether there is one.

        There is none if several words would have to give way, or the arc breaks a rule by itself.
        """
        cdef const Rules* r = c.rules
        cdef const RulesOfRelation* of
        cdef const RulesOfRelation* new = &r.of[label]
        cdef int word = in_the_way(c, head, dependent, label), i, own_head, best = NONE
        cdef uint64_t beside, beneath, above = 0
        cdef const int32_t* labels
        cdef const float* scores
        cdef float was = 0, score, best_score = -INFINITY
        if word < 0 or self.n_labels[word] == 0:
            return False
        own_head = c.head[word]
        if own_head == c.root:
            return False
        beside = marks_beside(c, own_head, word)
        if own_head == head:
            beside |= new.mark
        beneath = c.marks[word]
        if head == word:
            beneath |= new.mark
        if own_head == dependent:
            above = new.below
        elif c.label[own_head] >= 0 and c.head[own_head] != c.root:
            above = r.of[c.label[own_head]].below
        labels, scores = self.labels[word], self.scores + <size_t>word * self.width
        for i in range(self.n_labels[word]):
            score = scores[i] - (c.tag_price if is_tag_barred(c, word, labels[i]) else 0)
            if labels[i] == c.label[word]:
                was = score
                continue
            of = &r.of[labels[i]]
            if of.shape & <uint64_t>(NEVER_LEFT if word < own_head else NEVER_RIGHT):
                continue
            if of.apart & beside or of.below & beneath or of.mark & above:
                continue
            if score > best_score:
                best, best_score = i, score
        if best == NONE or (kept is not None and kept.label_of(c, own_head, word, labels[best]) != labels[best]):
            return False
        out.word, out.label, out.loss = word, labels[best], was - best_score
        return True


def found_way_out(Parse parse not None, RuleTable rules not None, tags, float[:, ::1] scores, int head, int dependent,
                  int label):
    """Return (word, relation, loss): what ``way_out`` finds for an arc that would join those of a parse. For tests.

    ``tags``: those of the words, as the rules number them. ``scores``: of all relations, word by word.
    """
    cdef Configuration* c = &parse.workspace.c
    cdef ArcScores arcs = ArcScores()
    cdef Relabelling found
    cdef int word, n_labels = rules.table.n_labels
    cdef bytes numbers = bytes([0, *tags, 0])
    cdef const int32_t[::1] labels = array("i", range(n_labels))
    if scores.shape[0] != c.n or scores.shape[1] != n_labels or not 0 <= min(head, dependent, label):
        raise ValueError("a score for each word and relation, and an arc")
    if max(head, dependent) > c.n or label >= n_labels:
        raise ValueError("a word or a relation out of range")
    c.rules, c.tag, c.tag_price = &rules.table, <const unsigned char*><const char*>numbers, INFINITY
    arcs.enter(c.n, n_labels)
    for word in range(c.n + 2):
        c.marks[word] = 0
    for word in range(1, c.n + 1):
        if c.head[word] != NONE:
            c.marks[c.head[word]] |= rules.table.of[c.label[word]].mark
            arcs.note_floats(word, &labels[0], &scores[word - 1, 0], n_labels)
    is_found = arcs.way_out(c, None, head, dependent, label, &found)
    c.rules = NULL
    return (found.word, found.label, found.loss) if is_found else None


cdef int in_the_way(const Configuration* c, int head, int dependent, int label) noexcept nogil:
    """Return the word whose relation makes an arc break a rule; SEVERAL, or NONE if the arc does so by itself."""
    cdef const Rules* r = c.rules
    cdef const RulesOfRelation* of = &r.of[label]
    cdef int found = NONE
    if of.shape & <uint64_t>(NEVER_LEFT if dependent < head else NEVER_RIGHT):
        return NONE
    if is_tag_barred(c, dependent, label):
        return NONE
    if c.label[head] >= 0 and c.head[head] != c.root and of.mark & r.of[c.label[head]].below:
        found = head
    if c.marks[head] & of.apart:
        found = among(c, c.leftmost[head], c.right_sibling, of.apart, found)
        found = among(c, c.rightmost[head], c.left_sibling, of.apart, found)
    if c.marks[dependent] & of.below:
        found = among(c, c.leftmost[dependent], c.right_sibling, of.below, found)
        found = among(c, c.rightmost[dependent], c.left_sibling, of.below, found)
    return found


cdef int among(const Configuration* c, int word, const int32_t* inwards, uint64_t sets, int found) noexcept nogil:
    """Return the dependent on one side whose relation is in one of the sets; SEVERAL if ``found`` was one, too."""
    while word != NONE:
        if c.label[word] >= 0 and c.rules.of[c.label[word]].mark & sets:
            found = word if found == NONE else SEVERAL
        word = inwards[word]
    return found


cdef uint64_t marks_beside(const Configuration* c, int head, int word) noexcept nogil:
    """Return the sets of the relations of a head's dependents other than a word."""
    cdef uint64_t found = 0
    cdef int other, side
    for side in range(2):
        other = c.rightmost[head] if side else c.leftmost[head]
        while other != NONE:
            if other != word and c.label[other] >= 0:
                found |= c.rules.of[c.label[other]].mark
            other = c.left_sibling[other] if side else c.right_sibling[other]
    return found


cdef void relabel(Configuration* c, int word, int label) noexcept nogil:
    """Give the arc to a word another relation, and note it where sets of relations are kept."""
    cdef int head = c.head[word], other = c.leftmost[head] if word < head else c.rightmost[head]
    cdef uint64_t found = 0
    c.label[word] = label
    c.head_labels[word] = (<uint64_t>1) << (label & 63)
    c.marks[head] = marks_beside(c, head, NONE)
    while other != NONE:
        if c.label[other] >= 0:
            found |= (<uint64_t>1) << (c.label[other] & 63)
        other = c.right_sibling[other] if word < head else c.left_sibling[other]
    if word < head:
        c.left_labels[head] = found
    else:
        c.right_labels[head] = found
