"""The arcs of a graph, found along the paths of a tree: for each possible head of a word, is there an arc, and which?

Where a path leaves a choice, a linear model decides, candidate by candidate. Most words have one candidate, their head
in the tree, and many relations leave no choice.
"""
from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from treewright.features.feature_table cimport Section, count_up, load_section, put_keys
from treewright.kinds.enhanced.tree_paths cimport NO_ARC, Tree, bit_of
from treewright.learners.learner cimport MAX_CLASSES, Scorer
from treewright.learners.table cimport LinearTable
from treewright.systems.system cimport MAX_KINDS

cdef enum:
    NOTHING = 0              # kinds of decisions
    ARC = 1
    N_KINDS = 2
    FARTHEST = 6             # words that are farther apart count alike

KINDS = N_KINDS
#: of words, in the order of WordValues
ATTRIBUTES = (
    ("FORM", "", (("lower", 0),)), ("LEMMA", "", ()), ("UPOS", "", ()), ("FEATS", "", ()), ("FEATS", "Case", ()),
    ("FEATS", "PronType", ()),
)

cdef uint64_t SEED = 0xD6E8FEB86659FD93ULL
cdef Values numbered         # each value is its place
cdef Section features

count_up(<uint64_t*>&numbered, sizeof(Values) // sizeof(uint64_t))


cdef dict named_places(dict values):
    """Return the place of each value by its name in the list of features."""
    places = {}
    for name, value in values.items():
        if isinstance(value, dict):
            places.update({f"{attribute}({name})": place for attribute, place in value.items()})
        else:
            what, _, word = name.partition("_")
            places[f"{what}({word})" if word else what] = value
    return places


load_section(&features, "enhanced", ("arcs",), named_places(numbered), {}, SEED)


cdef inline uint64_t spread(uint64_t number) noexcept nogil:
    """Return a number as far from others as hashes are."""
    number = (number + 1) * 0x9E3779B97F4A7C15ULL
    return number ^ number >> 29


cdef int check_trees(
    Block block, const int32_t[::1] heads, const int32_t[::1] labels, Py_ssize_t n_labels
) except -1:
    """Reject trees that do not fit a block: what is given is not trusted."""
    cdef int sentence, word, n
    if heads.shape[0] != block.n_words or labels.shape[0] != block.n_words:
        raise ValueError("every word needs a head and a relation")
    for sentence in range(block.n_sentences):
        n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            if heads[word] > n or not 0 <= labels[word] < n_labels:
                raise ValueError("a head or a relation of a tree is out of range")
    return 0


cdef inline int first_child(const Tree* tree, int node) noexcept nogil:
    """Return the first dependent of a node in the order of the sentence; 0 if there is none."""
    return tree.children[tree.first_child[node]] if tree.first_child[node] < tree.first_child[node + 1] else 0


cdef class ArcFinder(Owner):
    """Finds the arcs of graphs. Owns scratch memory: use one per thread."""

    def __init__(self, TreePaths paths not None, Encoder encoder not None, Scorer scorer, wanted, markers, gaps=()):
        """``wanted``: relations of trees that arcs beyond a tree have; ``markers``: those that name parts of others;
        ``gaps``: those below words that have arcs from empty nodes."""
        self.paths, self.encoder, self.scorer = paths, encoder, scorer
        if encoder.attributes != list(ATTRIBUTES):
            raise ValueError("the encoder does not have the attributes that features look at")
        self.words, self.view, self.arcs = Encoded(len(ATTRIBUTES), False), TreeView(), SentenceArcs()
        self.scores = <float*>self.new_block(MAX_CLASSES + 32, sizeof(float))
        if isinstance(scorer, LinearTable):
            self.place = (<LinearTable>scorer).place
        for relation in wanted:
            self.wanted |= bit_of(relation)
        for relation in markers:
            self.markers |= bit_of(relation)
        for relation in gaps:
            self.gaps |= bit_of(relation)

    cdef int begin(self, Block block, int sentence, const int32_t* heads, const int32_t* labels) except -1 nogil:
        """Take a sentence of a block that the encoder is bound to, and its tree."""
        cdef int n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
        self.words.clear()
        self.encoder.encode(sentence, False, self.words)
        self.view.look_at(heads, labels, n, self.markers)
        if n >= self.room:
            self.room = 64 + 2 * n
            self.waiting = <int32_t*>self.resized(self.waiting, self.room + 1, sizeof(int32_t))
            self.level = <int32_t*>self.resized(self.level, self.room + 1, sizeof(int32_t))
            self.reached = <unsigned char*>self.resized(self.reached, self.room + 1, 1)
        return 0

    def find(self, Block block not None, const int32_t[::1] heads, const int32_t[::1] labels,
             const int32_t[::1] copies, bint connected):
        """Return the arcs of all sentences of a block: dependents over the block, heads in the sentence, relations.

        ``labels``: relations of the tree; ``copies``: the relations of graphs that stand for them. A word without
        another arc keeps that of its head in the tree; where graphs are ``connected``, so does a word that the root
        would not reach.
        """
        cdef int sentence, first, k, n
        cdef int32_t* words
        check_trees(block, heads, labels, copies.shape[0])
        if not block.n_words:
            return array("i"), array("i"), array("i")
        dependents, heads_found, found = array("i"), array("i"), array("i")
        self.encoder.bind(block, self.words)
        for sentence in range(block.n_sentences):
            first = block.sentence_word[sentence]
            with nogil:
                self.begin(block, sentence, &heads[0] + first, &labels[0] + first)
                self.find_in_sentence(&copies[0], connected)
                n, words = self.arcs.n_arcs, self.arcs.dependent
                for k in range(n):
                    words[k] += first - 1        # over the block
            dependents.frombytes(PyBytes_FromStringAndSize(<char*>words, n * sizeof(int32_t)))
            heads_found.frombytes(PyBytes_FromStringAndSize(<char*>self.arcs.head, n * sizeof(int32_t)))
            found.frombytes(PyBytes_FromStringAndSize(<char*>self.arcs.label, n * sizeof(int32_t)))
        return dependents, heads_found, found

    cdef int find_in_sentence(self, const int32_t* copies, bint connected) except -1 nogil:
        """Find the arcs of the sentence that was begun."""
        cdef const Tree* tree = &self.view.tree
        cdef Candidate candidates[MOST_CANDIDATES]
        cdef int word, k, n, head
        cdef int32_t label
        cdef bint has_any, is_kept, keeps_tree = True
        self.arcs.begin(tree.n)
        for word in range(1, tree.n + 1):
            head = tree.heads[word - 1]
            if head < 0:
                continue
            has_any = is_kept = False
            n = self.paths.candidates(tree, word, candidates, MOST_CANDIDATES)
            for k in range(n):
                label = self.chosen(word, &candidates[k])
                if label != NO_ARC:
                    self.arcs.add(candidates[k].head, word, label)
                    has_any, is_kept = True, is_kept or candidates[k].head == head
            if not has_any:
                self.arcs.add(head, word, copies[tree.labels[word - 1]])
            keeps_tree = keeps_tree and (is_kept or not has_any)
        if connected and not keeps_tree:
            self.connect(copies)
        return 0

    cdef int32_t chosen(self, int word, const Candidate* candidate) noexcept nogil:
        """Return the relation of the arc to a candidate, or NO_ARC."""
        cdef int first = self.paths.first[candidate.path], counts[3]
        cdef uint64_t keys[MOST_KEYS]
        if self.paths.first[candidate.path + 1] - first == 1:
            return self.paths.choices[first]
        counts[0] = counts[2] = 0
        counts[1] = self.keys_of(word, candidate, keys)
        return self.best_choice(self.scorer, keys, counts, candidate.path)

    cdef int32_t best_choice(self, Scorer scorer, const uint64_t* keys, const int* counts, int32_t path) noexcept nogil:
        """Return the choice at the end of a path that has the highest score; of equals the first."""
        cdef float kinds[MAX_KINDS]
        cdef float score, best = 0
        cdef int32_t choice, found = NO_ARC
        cdef int k, first = self.paths.first[path]
        scorer.score(keys, counts, kinds, self.scores)
        for k in range(first, self.paths.first[path + 1]):
            choice = self.paths.choices[k]
            score = kinds[NOTHING] if choice == NO_ARC else kinds[ARC] + self.scores[choice]
            if k == first or score > best:
                best, found = score, choice
        return found

    cdef int keys_of(self, int word, const Candidate* candidate, uint64_t* out) noexcept nogil:
        """Write the keys of the features of a candidate; return how many."""
        cdef const Tree* tree = &self.view.tree
        cdef int head = candidate.head, passed = candidate.passed, distance = abs(word - head), k, n
        cdef const WordValues* rows = <const WordValues*>self.words.values + 1   # by node
        cdef Values v
        cdef uint64_t relation = bit_of(tree.labels[word - 1])
        v.d, v.h, v.m = rows[word], rows[head], rows[passed]
        v.path = self.paths.code[candidate.path]
        v.distance = spread(2 * min(distance, FARTHEST) + (head < word))
        v.side = spread((word < passed) + 2 * (head < passed) + 4 * (head < word))
        v.alike = spread(tree.heads[word - 1] != head and tree.below[head] & relation != 0)
        v.relation_d = spread(tree.labels[word - 1])
        v.relation_h = spread(tree.labels[head - 1]) if head else 0
        v.relation_m = spread(tree.labels[passed - 1]) if passed else 0
        v.relations_d, v.relations_h = spread(tree.below[word]), spread(tree.below[head])
        v.wanted_h = spread(tree.below[head] & self.wanted)
        v.marker_d, v.marker_h = rows[tree.marker[word]].lemma, rows[tree.marker[head]].lemma
        v.gap_d, v.gap_m = spread(tree.below[word] & self.gaps), spread(tree.below[passed] & self.gaps)
        k = first_child(tree, head)
        v.first_h, v.pronoun_h = spread(tree.labels[k - 1]) if k else 0, rows[k].prontype
        k = first_child(tree, passed)
        v.first_m, v.pronoun_m = spread(tree.labels[k - 1]) if k else 0, rows[k].prontype
        n = put_keys(&features, <const uint64_t*>&v, &self.place, out)
        for k in range(n):
            out[k] += v.path
        return n

    cdef int connect(self, const int32_t* copies) except -1 nogil:
        """Add arcs of the tree for words that the root does not reach: for a head before its dependents."""
        cdef const Tree* tree = &self.view.tree
        cdef int node, child, i, at = 0, end = 1
        self.arcs.index()
        memset(self.reached, 0, tree.n + 1)
        self.reach(0)
        self.level[0] = 0
        while at < end:              # the tree from the root downwards
            node = self.level[at]
            at += 1
            for i in range(tree.first_child[node], tree.first_child[node + 1]):
                child = tree.children[i]
                self.level[end] = child
                end += 1
                if not self.reached[child]:
                    self.arcs.add(node, child, copies[tree.labels[child - 1]])
                    self.reach(child)
        return 0

    cdef int reach(self, int node) noexcept nogil:
        """Note which nodes a node reaches by the arcs that were indexed."""
        cdef int n = 1, i, word
        self.reached[node] = True
        self.waiting[0] = node
        while n:
            n -= 1
            node = self.waiting[n]
            for i in range(self.arcs.first_out[node], self.arcs.first_out[node + 1]):
                word = self.arcs.dependent[self.arcs.leaving[i]]
                if not self.reached[word]:
                    self.reached[word] = True
                    self.waiting[n] = word
                    n += 1
        return 0
