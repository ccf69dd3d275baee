"""Training a tagger that chooses the tags of a sentence together: the structured perceptron.

Collins (2002) for exact search: the features of the right tags gain weight, those of the best wrong sequence lose it.
With a beam the right sequence may have been lost on the way, and a whole sentence would teach nothing then: the update
stops where the best sequence was ahead of the right one by most (*maximum violation*, Huang et al. 2012).
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.text.tagger.decoder cimport MOST_KEYS, History
from treewright.text.tagger.online cimport TaggerTrainer
from treewright.text.tagger.search cimport Lattice, SearchingDecoder, close_lattice, read_back
from treewright.text.tagger.words cimport WordCodes
from treewright.treebank.memory cimport allocate


cdef class StructuredTrainer(TaggerTrainer):
    """Learns from whole sentences with gold tags."""
    cdef SearchingDecoder searcher

    def __init__(self, SearchingDecoder decoder not None, *arguments):
        super().__init__(decoder, *arguments)
        self.searcher = decoder

    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n) except -1 nogil:
        cdef Lattice lattice
        cdef int32_t* found = <int32_t*>allocate(n, sizeof(int32_t))
        cdef int end, i
        try:
            self.searcher.open_lattice(n, &lattice)
            self.searcher.fill(words, n, gold, self.margin, &lattice)
            read_back(&lattice, self.searcher.best(n, &lattice), n, found)
            for i in range(n):
                self.mistakes += found[i] != gold[i]
            self.decisions += n
            end = n if self.searcher.first_order else self.worst_end(words, gold, n, &lattice)
            read_back(&lattice, self.searcher.best(end, &lattice), end, found)
            self.update_sentence(words, gold, found, n, end)
        finally:
            close_lattice(&lattice)
            free(found)
        self.learner.time += n
        return 0

    cdef int worst_end(self, const WordCodes* words, const int32_t* gold, int n, const Lattice* lattice) noexcept nogil:
        """Return after how many words the best sequence is ahead of the right one by most; 0 if it never is."""
        cdef History history
        cdef double right = 0, ahead, most = 0
        cdef int i, end = 0
        self.searcher.begin(&history)
        for i in range(n):
            right += self.searcher.score_of(words, n, i, gold[i], &history)
            self.searcher.follow(&history, words + i, gold[i])
            ahead = lattice.steps[self.searcher.best(i + 1, lattice)].score - right
            if ahead > most:
                most, end = ahead, i + 1
        return end

    cdef int update_sentence(
        self, const WordCodes* words, const int32_t* gold, const int32_t* found, int n, int end
    ) except -1 nogil:
        """Move weights from the features of the tags found to those of the right ones, for the first words."""
        cdef History right, wrong
        cdef uint64_t keys[MOST_KEYS]
        cdef uint64_t right_keys[MOST_KEYS]
        cdef uint64_t wrong_keys[MOST_KEYS]
        cdef int i, k, n_keys
        self.searcher.begin(&right)
        self.searcher.begin(&wrong)
        for i in range(end):
            if self.searcher.only_tag(words + i) != gold[i]:
                n_keys = self.searcher.search_keys(words + i, &right, right_keys)
                self.searcher.search_keys(words + i, &wrong, wrong_keys)
                for k in range(n_keys):
                    if right_keys[k] != wrong_keys[k]:
                        self.add_parts(right_keys[k], gold[i], 1)
                        self.add_parts(wrong_keys[k], found[i], -1)
                    elif gold[i] != found[i]:
                        self.update(&right_keys[k], 1, gold[i], found[i])
                if gold[i] != found[i]:
                    n_keys = self.searcher.fixed_keys(words + i, words[n - 1].lower, i == 0, keys)
                    self.update(keys, n_keys, gold[i], found[i])
            self.searcher.follow(&right, words + i, gold[i])
            self.searcher.follow(&wrong, words + i, found[i])
        return 0

    cdef int add_parts(self, uint64_t key, int tag, float step) except -1 nogil:
        """Add to the weights of a feature for the components of a tag."""
        cdef int k
        cdef int32_t feature = self.learner.find_or_add(key)
        if feature >= 0:
            for k in range(self.searcher.tags.start[tag], self.searcher.tags.start[tag + 1]):
                self.learner.add_to_class(feature, self.searcher.tags.parts[k], step, <float>(step * self.learner.time))
        return 0
