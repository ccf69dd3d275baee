"""Examples of decisions about arcs beyond a tree: candidates of a treebank with their features, and what is right."""
from array import array

from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.enhanced.finding cimport MOST_CANDIDATES, MOST_KEYS, ArcFinder, check_trees
from treewright.kinds.enhanced.tree_paths cimport NO_ARC, Candidate, TreePaths
from treewright.learners.learner cimport Choice
from treewright.learners.perceptron cimport Perceptron
from treewright.treebank.blocks.block cimport Block


cdef class ArcExamples:
    """The candidates of a treebank: what each is, which choices its path has left so far, and those to learn from."""
    cdef ArcFinder finder
    cdef readonly dict counts            # (path, relation or NO_ARC) → how often
    cdef object keys, ends, paths, right  # those to learn from: all keys, where each ends, its path, its relation

    def __init__(self, ArcFinder finder not None):
        self.finder = finder
        self.counts = {}
        self.keys, self.ends, self.paths, self.right = array("Q"), array("q", [0]), array("i"), array("i")

    def __len__(self):
        return len(self.right)

    def add(self, Block block not None, const int32_t[::1] heads, const int32_t[::1] labels, gold, int before,
            bint parsed=False):
        """Add the candidates of a block with trees; ``gold``: the graphs, with ``before`` words ahead of the block's.

        A decision whose right choice its path lacks is no example. Where trees are ``parsed``, a head that the graph
        lacks is the parser's error, of which nothing is learnt.
        """
        cdef const int32_t[::1] first = gold.first
        cdef const int32_t[::1] gold_heads = gold.heads
        cdef const int32_t[::1] gold_labels = gold.labels
        cdef ArcFinder finder = self.finder
        cdef TreePaths paths = finder.paths
        cdef Candidate found[MOST_CANDIDATES]
        cdef uint64_t keys[MOST_KEYS]
        cdef int sentence, start, word, k, n, i, key
        cdef int32_t right
        check_trees(block, heads, labels, paths.n_relations)
        if not block.n_words:
            return
        finder.encoder.bind(block, finder.words)
        for sentence in range(block.n_sentences):
            start = block.sentence_word[sentence]
            finder.begin(block, sentence, &heads[0] + start, &labels[0] + start)
            for word in range(1, finder.view.tree.n + 1):
                n = paths.candidates(&finder.view.tree, word, found, MOST_CANDIDATES)
                for k in range(n):
                    right = NO_ARC
                    for i in range(first[before + start + word - 1], first[before + start + word]):
                        if gold_heads[i] == found[k].head:
                            right = gold_labels[i]
                    if parsed and right == NO_ARC and found[k].head == heads[start + word - 1]:
                        continue
                    seen = found[k].path, right
                    self.counts[seen] = self.counts.get(seen, 0) + 1
                    if leaves(paths, found[k].path, right):
                        for key in range(finder.keys_of(word, &found[k], keys)):
                            self.keys.append(keys[key])
                        self.ends.append(len(self.keys))
                        self.paths.append(found[k].path)
                        self.right.append(right)

    def learn(self, Perceptron learner not None, const int32_t[::1] order):
        """Learn from examples in an order; return how many decisions were wrong."""
        cdef const uint64_t[::1] keys = self.keys
        cdef const int64_t[::1] ends = self.ends
        cdef const int32_t[::1] paths = self.paths
        cdef const int32_t[::1] right = self.right
        cdef Py_ssize_t at, i
        cdef int wrong = 0
        if not len(self.right):
            return 0
        with nogil:
            for at in range(order.shape[0]):
                i = order[at]
                wrong += self.learn_one(learner, &keys[ends[i]], <int>(ends[i + 1] - ends[i]), paths[i], right[i])
        return wrong

    cdef int learn_one(
        self, Perceptron learner, const uint64_t* keys, int n_keys, int32_t path, int32_t right
    ) except -1 nogil:
        """Learn from one example; return whether the decision was wrong."""
        cdef int counts[3]
        cdef Choice good, bad
        counts[0] = counts[2] = 0
        counts[1] = n_keys
        cdef int32_t found = self.finder.best_choice(learner, keys, counts, path)
        learner.advance()
        if found == right:
            return 0
        good.kind, good.label_class = right != NO_ARC, right
        bad.kind, bad.label_class = found != NO_ARC, found
        learner.update(keys, counts, &good, &bad, 1)
        return 1


cdef bint leaves(TreePaths paths, int32_t path, int32_t choice) noexcept nogil:
    """Does a path leave several choices, of which this is one?"""
    cdef int first = paths.first[path], end = paths.first[path + 1], k
    if end - first < 2:
        return False
    for k in range(first, end):
        if paths.choices[k] == choice:
            return True
    return False
