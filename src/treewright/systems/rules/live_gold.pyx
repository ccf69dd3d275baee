"""The dynamic oracle where rules hold: which gold arcs are lost because of arcs that are not gold.

A wrong arc can stand in the way of gold ones: two of them break a rule together. So the gold tree that oracles see has
only the arcs that are *live*: none that a wrong arc blocks. Systems count the costs of kinds of moves for a gold tree
that is known in part, and so need not know of rules. What a labelled move adds to the cost of its kind is the number of
live gold arcs that its arc blocks, if they could be added otherwise (``blocked``).

Arcs of the gold tree never block each other, and may be what a rule forbids: trees that break a rule are learnt from.

In systems whose arcs are decomposable the costs are exact as long as one relation is free of rules: a wrong arc that
has to be made can then always be made so that it blocks nothing. In the others (arc-standard, covington) those of kinds
are exact, and a relation that is said to cost nothing does. ``python -m treewright.oracles rules`` compares them with
exhaustive search.
"""
from array import array

from treewright.systems.configuration cimport NONE
from treewright.systems.rules.table cimport RuleTable, barred_below, breaks
from treewright.systems.system cimport MAX_KINDS, Parse


cdef inline bint apart(const Configuration* c, int one, int other) noexcept nogil:
    """Would two relations to one head break a rule?"""
    return one >= 0 and other >= 0 and c.rules.of[one].mark & c.rules.of[other].apart != 0


cdef inline bint chained(const Configuration* c, int word, int above, int below) noexcept nogil:
    """Would a relation to a word and one of its dependents break a rule?"""
    return above >= 0 and below >= 0 and c.rules.of[below].mark & barred_below(c, word, above) != 0


cdef class LiveGold:
    """The gold arcs of one sentence at a time that no wrong arc blocks."""

    def __init__(self):
        self.gold, self.one = GoldStandard(), GoldStandard()
        self.heads = self.labels = self.alone = array("i", [0])

    cdef int bind(self, const Gold* tree, int n, int root) except -1 nogil:
        """Take the tree of a sentence, at the beginning of its parse."""
        cdef int word
        if self.heads.shape[0] <= n:
            with gil:
                self.heads, self.labels, self.alone = (array("i", bytes(8 * n + 64)) for _ in range(3))
        self.tree, self.n, self.root = tree, n, root
        for word in range(1, n + 1):
            self.heads[word - 1] = 0 if tree.head[word] == root else tree.head[word]
            self.labels[word - 1] = tree.label[word]
            self.alone[word - 1] = NONE
        return self.gold.bind_tree(n, root, &self.heads[0], &self.labels[0])

    cdef bint is_gold(self, const Configuration* c, int head, int dependent, int label) noexcept nogil:
        return self.tree.head[dependent] == head and self.tree.label[dependent] == label

    cdef bint may(self, const Configuration* c, int head, int dependent, int label) noexcept nogil:
        """May an arc be added? A live gold arc may whatever rules say."""
        if self.is_gold(c, head, dependent, label):
            return self.gold.gold.head[dependent] == head
        return breaks(c, head, dependent, label) == 0

    cdef int note(self, const Configuration* c, int head, int dependent, int label) except -1 nogil:
        """Learn of an arc that is added: the gold arcs that it blocks are live no longer. Returns how many."""
        cdef const Gold* g = self.tree
        cdef int k, word, lost = 0
        if head == c.root or label < 0 or self.is_gold(c, head, dependent, label):
            return 0
        for k in range(g.first_child[head], g.first_child[head + 1]):
            word = g.children[k]
            if word != dependent and apart(c, g.label[word], label):
                lost += self.heads[word - 1] != NONE
                self.heads[word - 1] = NONE
        for k in range(g.first_child[dependent], g.first_child[dependent + 1]):
            word = g.children[k]
            if chained(c, dependent, label, g.label[word]):
                lost += self.heads[word - 1] != NONE
                self.heads[word - 1] = NONE
        if g.head[head] != NONE and g.head[head] != c.root and chained(c, head, g.label[head], label):
            lost += self.heads[head - 1] != NONE
            self.heads[head - 1] = NONE
        if lost:
            self.gold.bind_tree(self.n, self.root, &self.heads[0], &self.labels[0])
        return lost

    cdef int blocked(self, System system, const Configuration* c, int kind, int head, int dependent,
                     int label) except -1 nogil:
        """Return how many live gold arcs an arc would block that its kind of move does not lose anyway."""
        cdef const Gold* g = &self.gold.gold
        cdef int k, word, lost = 0
        if head == c.root or label < 0 or self.is_gold(c, head, dependent, label):
            return 0
        for k in range(g.first_child[head], g.first_child[head + 1]):
            word = g.children[k]
            if word != dependent and apart(c, g.label[word], label):
                lost += self.would_lose(system, c, kind, head, word)
        for k in range(g.first_child[dependent], g.first_child[dependent + 1]):
            word = g.children[k]
            if word != head and chained(c, dependent, label, g.label[word]):
                lost += self.would_lose(system, c, kind, dependent, word)
        if g.head[head] != NONE and g.head[head] != c.root and g.head[head] != dependent:
            if chained(c, head, g.label[head], label):
                lost += self.would_lose(system, c, kind, g.head[head], head)
        return lost

    cdef bint would_lose(self, System system, const Configuration* c, int kind, int head,
                         int dependent) except -1 nogil:
        """Is an arc in reach, and still after this kind of move?"""
        cdef int cost[MAX_KINDS]
        if c.head[dependent] != NONE or not system.in_reach(c, head, dependent):
            return False
        self.alone[dependent - 1] = head
        self.one.bind_tree(self.n, self.root, &self.alone[0], &self.labels[0])
        self.alone[dependent - 1] = NONE
        cost[kind] = 0                           # a system without a dynamic oracle has no costs
        system.costs(c, &self.one.gold, cost)
        return cost[kind] == 0

    def judge(self, Parse parse, RuleTable rules, tags):
        """Return {kind: {relation: (may be, cost)}} of the legal moves, {None: …} for kinds without. For tests.

        ``tags``: those of the words, as the rules number them. Costs of kinds are those beyond the least.
        """
        cdef Configuration* c = &parse.workspace.c
        cdef int cost[MAX_KINDS]
        cdef int kind, head, dependent, word, label
        cdef bytes numbers = bytes([0, *tags, 0])
        c.rules, c.tag = &rules.table, <const unsigned char*><const char*>numbers
        for word in range(c.n + 2):
            c.marks[word] = 0
        self.bind(&parse.gold.gold, c.n, c.root)
        for word in range(1, c.n + 1):
            if c.head[word] != NONE:
                c.marks[c.head[word]] |= rules.table.of[c.label[word]].mark
        for word in range(1, c.n + 1):
            if c.head[word] != NONE:
                self.note(c, c.head[word], word, c.label[word])
        found = {}
        for place in parse._places():
            named = parse._named(parse._look_at(place), place)
            parse.system.costs(c, &self.gold.gold, cost)
            for kind, name in named.items():
                parse.system.arc(c, kind, &head, &dependent)
                if not parse.system.labelled >> kind & 1:
                    found[name] = {None: (True, cost[kind])}
                    continue
                found[name] = {}
                for label in range(rules.table.n_labels):
                    wrong = self.gold.gold.head[dependent] == head and label != self.tree.label[dependent]
                    price = cost[kind] + wrong + self.blocked(parse.system, c, kind, head, dependent, label)
                    found[name][label] = bool(self.may(c, head, dependent, label)), price
        c.rules = NULL
        return found
