"""Move lifted words back to their heads (Nivre & Nilsson 2005, "Pseudo-Projective Dependency Parsing").

A parser trained on lifted trees (lifting.pyx) predicts lifted trees. Their labels say which words were lifted and how
to find their heads: by a search downwards from the current head, breadth-first and from left to right.

Words are numbered from 1; ``heads[d - 1]`` is the head of word d, 0 the root.
"""
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate_zeroed
from treewright.treebank.lifting.projectivity cimport NOT_A_TREE, check_offsets, link_children, move_child

from treewright.treebank.lifting.lifted_labels import decode, require_scheme

cdef enum:
    # Search steps allowed per word of a sentence, to keep undoing linear. A sentence of up to 300 words never reaches
    # the limit, and a longer one only if most of it is lifted.
    STEPS_PER_WORD = 1024


cdef class Deprojectivizer:
    """Undoes the lifting in parsed trees and decodes their labels.

    Built once per model from its relations and then read-only: threads can share it. After ``undo``, labels are
    positions in ``decoded_relations``: the relations of the model, followed by those that the model has in encoded form
    only.
    """

    def __init__(self, relations, str scheme):
        cdef int label
        cdef dict numbers
        require_scheme(scheme)
        self.scheme = scheme
        self.follow_path = scheme in ("path", "head+path")
        self.know_head = scheme in ("head", "head+path")
        self.decoded_relations = list(relations)
        self.n_relations = len(self.decoded_relations)
        self._allocate()
        numbers = {text: number for number, text in enumerate(self.decoded_relations)}
        for label in range(self.n_relations):
            text = self.decoded_relations[label]
            meaning = decode(text, scheme)
            self.base[label] = self._number(meaning.base, numbers)
            self.head_relation[label] = -1 if meaning.head is None else self._number(meaning.head, numbers)
            self.lifted[label] = meaning.lifted
            self.on_path[label] = meaning.on_path
            self.n_encoded += meaning.base != text

    def _allocate(self):
        if self.base != NULL:
            raise TypeError("a Deprojectivizer can be initialised only once")
        self.base = <int32_t*>allocate_zeroed(self.n_relations + 1, sizeof(int32_t))
        self.head_relation = <int32_t*>allocate_zeroed(self.n_relations + 1, sizeof(int32_t))
        self.lifted = <char*>allocate_zeroed(self.n_relations + 1, 1)
        self.on_path = <char*>allocate_zeroed(self.n_relations + 1, 1)

    def _number(self, str text, dict numbers):
        if text not in numbers:
            numbers[text] = len(self.decoded_relations)
            self.decoded_relations.append(text)
        return numbers[text]

    def __dealloc__(self):
        free(self.base)
        free(self.head_relation)
        free(self.lifted)
        free(self.on_path)

    def meaning(self, int label):
        """Return the base relation, the relation of the head (-1: none) and the path mark of a label."""
        if not 0 <= label < self.n_relations:
            raise IndexError(label)
        return self.base[label], self.head_relation[label], bool(self.on_path[label])

    def undo_all(self, int32_t[::1] heads, int32_t[::1] labels, const int32_t[::1] sentence_word):
        """Undo the lifting in many sentences, in place; return the number of words moved."""
        cdef int sentence, start, n
        cdef long moved = 0
        cdef TreeWorkspace workspace = TreeWorkspace()
        check_offsets(sentence_word, min(heads.shape[0], labels.shape[0]))
        for sentence in range(<int>sentence_word.shape[0] - 1):
            start = sentence_word[sentence]
            n = sentence_word[sentence + 1] - start
            if n:
                with nogil:
                    moved += self.undo(&heads[start], &labels[start], n, workspace)
        return moved

    cdef int undo(self, int32_t* heads, int32_t* labels, int n, TreeWorkspace w) except -1 nogil:
        """Move the lifted words of a sentence back, decode all labels, and return the number of words moved.

        A sentence that is not a tree keeps its heads. A lifted word moves to a descendant of its head that is not its
        own descendant, so neither a cycle nor a new root can arise.
        """
        cdef int word, moved = 0
        cdef bint encoded = False, lifted = False
        if self.n_encoded == 0:
            return 0
        for word in range(n):
            if 0 <= labels[word] < self.n_relations and self.base[labels[word]] != labels[word]:
                encoded = True
                lifted |= self.lifted[labels[word]]
        if not encoded:
            return 0
        if lifted:
            moved = self._reattach(heads, labels, n, w)
        for word in range(n):
            if 0 <= labels[word] < self.n_relations:
                labels[word] = self.base[labels[word]]
        return moved

    cdef int _reattach(self, int32_t* heads, const int32_t* labels, int n, TreeWorkspace w) except -1 nogil:
        """Move the lifted words top-down and from left to right, in the order of the projective tree."""
        cdef int32_t* order
        cdef int word, child, place, target, after, end = 1, moved = 0
        cdef int64_t budget = <int64_t>STEPS_PER_WORD * n
        if link_children(heads, n, w) == NOT_A_TREE:
            return 0
        order = w.enter
        order[0] = 0
        place = 0
        while place < end:
            child = w.first[order[place]]
            while child:
                order[end] = child
                end += 1
                child = w.next[child]
            place += 1
        if end != n + 1:
            return 0
        for place in range(1, n + 1):
            word = order[place]
            if not 0 <= labels[word - 1] < self.n_relations or not self.lifted[labels[word - 1]]:
                continue
            if budget < 0:
                break
            target = self._target(heads[word - 1], word, labels, w, &budget)
            if target == 0:
                continue
            after = 0
            child = w.first[target]
            while child and child < word:
                after = child
                child = w.next[child]
                budget -= 1
            move_child(w, word, heads[word - 1], target, after)
            heads[word - 1] = target
            moved += 1
        return moved

    cdef int _target(self, int start, int word, const int32_t* labels, TreeWorkspace w,
                     int64_t* budget) noexcept nogil:
        """Return the head that the scheme points to, or 0; head+path falls back on head, as in the paper."""
        cdef int wanted = self.head_relation[labels[word - 1]]
        cdef int target = self._search(start, word, wanted, self.follow_path, labels, w, budget)
        if target == 0 and self.follow_path and self.know_head:
            target = self._search(start, word, wanted, False, labels, w, budget)
        return target

    cdef int _search(self, int start, int word, int wanted, bint follow_path, const int32_t* labels,
                     TreeWorkspace w, int64_t* budget) noexcept nogil:
        """Search breadth-first from ``start`` for the relation ``wanted``, skipping ``word``.

        With ``follow_path``, follow marked arcs only. Without a wanted relation, search for the end of a path.
        """
        cdef int front = 0, end = 0, node = start, child, label
        while True:
            child = w.first[node]
            while child:
                budget[0] -= 1
                label = labels[child - 1]
                if child != word and (not follow_path or self._marked(label)):
                    if wanted < 0:
                        if self._ends_path(child, word, labels, w, budget):
                            return child
                    elif (self.base[label] if 0 <= label < self.n_relations else label) == wanted:
                        return child
                    w.queue[end] = child
                    end += 1
                child = w.next[child]
            if front == end or budget[0] < 0:
                return 0
            node = w.queue[front]
            front += 1

    cdef bint _ends_path(self, int node, int word, const int32_t* labels, TreeWorkspace w,
                         int64_t* budget) noexcept nogil:
        cdef int child = w.first[node]
        while child:
            budget[0] -= 1
            if child != word and self._marked(labels[child - 1]):
                return False
            child = w.next[child]
        return True

    cdef bint _marked(self, int label) noexcept nogil:
        return 0 <= label < self.n_relations and self.on_path[label]
