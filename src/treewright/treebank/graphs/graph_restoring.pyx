"""Undo the preparation of graphs (graph_preparation.py), using the signs that it left in the relations.

Joined arcs are split, reversed arcs are turned back, and a lifted arc moves down again: a breadth-first search from its
head finds the nearest node whose relation is the one that the lift recorded.
"""
from array import array

from treewright.treebank.graphs.graph_signs import JOINED, LIFTED, REVERSED


cdef class GraphRestorer:
    """Undoes the preparation of graphs with these relations. Owns scratch memory: use one per thread."""

    def __init__(self, relations):
        numbers = {}
        first_part, names, paths, turned, first_names = [0], [], [], [], []
        for relation in relations:
            parts = relation.split(JOINED)
            first_names.append(numbers.setdefault(parts[0].partition(LIFTED)[0], len(numbers)))
            for part in parts:
                base, _, path = part.partition(LIFTED)
                names.append(numbers.setdefault(base.removesuffix(REVERSED), len(numbers)))
                paths.append(numbers.setdefault(path, len(numbers)) if path else -1)
                turned.append(int(base.endswith(REVERSED)))
            first_part.append(len(names))
        self.names = list(numbers)
        self.n_relations = len(first_names)
        self.changes = len(names) > len(first_names) or max(paths, default=-1) >= 0 or any(turned)
        self.first_part, self.part_name = array("i", first_part), array("i", [*names, 0])
        self.part_path, self.part_reversed = array("i", [*paths, 0]), array("i", [*turned, 0])
        self.first_name = array("i", [*first_names, 0])
        self.seen, self.queue = array("i", bytes(4 * 64)), array("i", bytes(4 * 64))

    def restore_graph(self, graph):
        """Return a restored graph: (head, relation) for each arc of each word, given (head, number of the relation)."""
        cdef SentenceArcs arcs = SentenceArcs(), out = SentenceArcs()
        cdef int i
        arcs.begin(len(graph))
        for word, of_word in enumerate(graph, 1):
            for head, label in of_word:
                if not (0 <= head <= len(graph) and 0 <= label < self.n_relations):
                    raise ValueError("a head or a relation is out of range")
                arcs.add(head, word, label)
        self.restore(arcs, out)
        found = [[] for _ in graph]
        for i in range(out.n_arcs):
            found[out.dependent[i] - 1].append((out.head[i], self.names[out.label[i]]))
        return [list(dict.fromkeys(of_word)) for of_word in found]

    cdef int restore(self, SentenceArcs arcs, SentenceArcs out) except -1:
        """Write the arcs from before preparation to ``out``, with labels as positions in ``names``."""
        cdef int i, at, part, head, name, relation
        out.begin(arcs.n_words)
        arcs.index()
        if arcs.n_words + 2 > self.seen.shape[0]:
            self.seen = array("i", bytes(8 * (arcs.n_words + 2)))
            self.queue = array("i", bytes(8 * (arcs.n_words + 2)))
            self.mark = 0
        for at in range(arcs.n_arcs):
            i = arcs.arriving[at]
            relation = arcs.label[i]
            for part in range(self.first_part[relation], self.first_part[relation + 1]):
                head, name = arcs.head[i], self.part_name[part]
                if self.part_path[part] >= 0:
                    head = self.lowered(arcs, head, arcs.dependent[i], self.part_path[part])
                if self.part_reversed[part]:
                    if head > 0:
                        out.add(arcs.dependent[i], head, name)
                elif not out.has(head, arcs.dependent[i], name):
                    out.add(head, arcs.dependent[i], name)
        return 0

    cdef int lowered(self, SentenceArcs arcs, int head, int word, int wanted) except -1:
        """Return the nearest node below the head with the relation that a lift recorded, otherwise the head."""
        cdef int start = 0, end = 1, node, at, child, first, i, k
        self.mark += 1
        self.seen[head] = self.seen[word] = self.mark
        self.queue[0] = head
        while start < end:
            node = self.queue[start]
            start += 1
            first = end
            for at in range(arcs.first_out[node], arcs.first_out[node + 1]):
                child = arcs.dependent[arcs.leaving[at]]
                if self.seen[child] == self.mark:
                    continue
                self.seen[child] = self.mark
                # Nearest to the word first; ties go to the node found first.
                i = end
                while i > first and abs(self.queue[i - 1] - word) > abs(child - word):
                    self.queue[i] = self.queue[i - 1]
                    i -= 1
                self.queue[i] = child
                end += 1
            for i in range(first, end):
                child = self.queue[i]
                for k in range(arcs.first_in[child], arcs.first_in[child + 1]):
                    at = arcs.arriving[k]
                    if arcs.head[at] == node and self.first_name[arcs.label[at]] == wanted:
                        return child
        return head
