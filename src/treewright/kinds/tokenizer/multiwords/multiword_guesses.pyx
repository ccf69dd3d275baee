"""Splits of tokens that training has not seen: a linear model judges every rule that fits.

A rule cuts off an ending or a beginning that several forms of the treebank have (*ki* in Turkish *evdeki*). Many other
forms merely look alike. The model sees the rule, the letters next to the cut, whether the rest is a known word, and the
tokens on both sides: a Turkish copula likes to stand at the end of a sentence. Its weights are among those of the
tokeniser, for two of its labels: WHOLE and SPLIT.
"""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free

from treewright.learners.learner cimport MAX_KINDS, Choice
from treewright.learners.perceptron cimport Perceptron
from treewright.features.feature_table cimport Section, count_up, places_in
from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tokenizer.boundaries.boundaries cimport INSIDE, BoundaryModel
from treewright.kinds.tokenizer.boundaries.boundary_keys cimport EMPTY, N_CONSTANTS, load, put_keys
from treewright.kinds.tokenizer.boundaries.characters cimport NO_CHARACTER, SPACE, Characters, add, hash_of
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef enum:
    MANY = 6                 # letters: longer words count alike

cdef struct Values:          # what features look at, as text/features/splits.features names it
    uint64_t numbers[N_CONSTANTS]
    uint64_t near[4]
    uint64_t rule, rest, length, known, last_token, last_ending3, next_token, next_ending2, next_ending3, next_kind

cdef Values numbered         # each value is its place
cdef Section features

count_up(<uint64_t*>&numbered, sizeof(Values) // sizeof(uint64_t))
load(&features, "splits", "rule", places_in(numbered))

cdef uint64_t ENDING = 0x656E64696E67ULL
cdef uint64_t BEGINNING = 0x626567696E6EULL


cdef class SplitGuesser:
    """Rules by the hash of their ending or beginning, and the model that judges them."""

    def __init__(self, dict settings not None, splits, BoundaryModel model not None):
        """``settings``: the numbers of the splits for ``endings`` and ``beginnings``."""
        cdef int n = 0, k = 0
        self.model = model
        tables = [(ENDING, True, settings["endings"]), (BEGINNING, False, settings["beginnings"])]
        n_lists = sum(len(table) for _, _, table in tables)
        room = sum(len(numbers) for _, _, table in tables for numbers in table.values())
        self.candidates = <Candidate*>allocate_zeroed(room + 1, sizeof(Candidate))
        self.first = <int32_t*>allocate_zeroed(n_lists + 1, sizeof(int32_t))
        make_room(&self.list_of, n_lists)
        for seed, backwards, table in tables:
            for affix, numbers in table.items():
                key = code_of(affix[::-1] if backwards else affix, seed)
                for number in numbers:
                    if not 0 < number < len(splits):
                        raise ValueError("the number of a split is out of range")
                    self.candidates[n].split = number
                    self.candidates[n].reach = len(affix)
                    self.candidates[n].backwards = backwards
                    self.candidates[n].rule = code_of(f"{splits[number]}", key)
                    n += 1
                add_number(&self.list_of, key or 1, k)
                k += 1
                self.first[k] = n

    def __dealloc__(self):
        free(self.candidates)
        free(self.first)
        free(self.list_of.slots)

    cdef int guess(self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside) noexcept nogil:
        """Return the split with the highest score above 0; 0 if no score is."""
        cdef const Candidate* found[MOST_CANDIDATES]
        cdef uint64_t keys[SPLIT_KEYS]
        cdef float scores[MAX_KINDS]
        cdef float best = 0
        cdef int split = 0, k
        for k in range(self.candidates_of(text, start, end, found)):
            self.model.score(keys, self.keys_of(text, start, end, beside, found[k], keys), scores)
            if scores[SPLIT] - scores[WHOLE] > best:
                best, split = scores[SPLIT] - scores[WHOLE], found[k].split
        return split

    cdef int candidates_of(
        self, Characters text, Py_ssize_t start, Py_ssize_t end, const Candidate** out
    ) noexcept nogil:
        """Find the ways to split a token by the endings and beginnings that it has; return how many."""
        cdef uint64_t ending_key = ENDING, beginning_key = BEGINNING
        cdef int length, n = 0
        for length in range(<int>min(end - start - 1, LONGEST_AFFIX)):
            ending_key = add(ending_key, text.code[end - 1 - length])
            beginning_key = add(beginning_key, text.code[start + length])
            n = self.take(ending_key, out, n)
            n = self.take(beginning_key, out, n)
        return n

    cdef int take(self, uint64_t key, const Candidate** out, int n) noexcept nogil:
        """Add the candidates of an affix."""
        cdef int found = number_of(&self.list_of, key or 1), k
        if found >= 0:
            for k in range(self.first[found], self.first[found + 1]):
                if n < MOST_CANDIDATES:
                    out[n] = &self.candidates[k]
                    n += 1
        return n

    cdef int keys_of(
        self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside, const Candidate* candidate,
        uint64_t* out
    ) noexcept nogil:
        """Write the keys of the features of a candidate; return how many."""
        cdef Values v
        cdef Py_ssize_t k
        v.rule = candidate.rule
        v.last_token = stretch(text, beside.before_start, beside.before_end)
        v.last_ending3 = ending(text, beside.before_start, beside.before_end, 3)
        v.next_token = stretch(text, beside.after_start, beside.after_end)
        v.next_ending2 = ending(text, beside.after_start, beside.after_end, 2)
        v.next_ending3 = ending(text, beside.after_start, beside.after_end, 3)
        v.next_kind = text.kind[beside.after_start] if beside.after_end > beside.after_start else NO_CHARACTER
        if candidate.backwards:      # what is left is the word that keeps most of the token
            end -= candidate.reach
        else:
            start += candidate.reach
        v.rest, v.length = stretch(text, start, end), min(end - start, MANY)
        v.known = self.model.lexicon.of_stretch(text, start, end) != 0
        for k in range(4):
            if candidate.backwards:
                v.near[k] = ending(text, start, end, k + 1)
            else:
                v.near[k] = stretch(text, start, min(end, start + k + 1))
        return put_keys(&features, <uint64_t*>&v, &self.model.place, out, 0)


cdef uint64_t code_of(str text, uint64_t seed):
    """Return the hash of a text, as that of the same characters elsewhere."""
    cdef Characters characters = Characters(text.encode())
    return hash_of(seed, characters, 0, characters.n)


cdef inline uint64_t stretch(Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    return hash_of(EMPTY, text, start, end)


cdef inline uint64_t ending(Characters text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t length) noexcept nogil:
    return stretch(text, max(start, end - length), end)


cdef class SplitTrainer:
    """Candidates of all tokens of a treebank, as features, with whether each is right.

    The form itself is no feature, so every token is learnt from as if it were unknown.
    """
    cdef SplitGuesser guesser
    cdef object keys, ends, right            # features of all candidates; where those of each end; 1 for a right one
    cdef list splits
    cdef float margin

    def __init__(self, SplitGuesser guesser not None, splits, float margin):
        self.guesser, self.splits, self.margin = guesser, list(splits), margin
        self.keys, self.ends, self.right = array("Q"), array("i", [0]), bytearray()

    def __len__(self):
        return len(self.right)

    def add(self, Characters text not None, const uint8_t[::1] labels, tokens):
        """Add the tokens of a sentence, each a form with its words."""
        cdef Py_ssize_t start = 0, end = token_end(text, labels, 0)
        cdef const Candidate* found[MOST_CANDIDATES]
        cdef uint64_t keys[SPLIT_KEYS]
        cdef Neighbours beside
        cdef int k, key
        self.guesser.model.prepare(text)
        beside.before_start = beside.before_end = 0
        for form, words in tokens:
            beside.after_start = end + (end < text.n and text.kind[end] == SPACE)
            beside.after_end = token_end(text, labels, beside.after_start)
            for k in range(self.guesser.candidates_of(text, start, end, found)):
                for key in range(self.guesser.keys_of(text, start, end, &beside, found[k], keys)):
                    self.keys.append(keys[key])
                self.ends.append(len(self.keys))
                self.right.append(applied(form, self.splits[found[k].split]) == list(words))
            beside.before_start, beside.before_end = start, end
            start, end = beside.after_start, beside.after_end

    def learn(self, Perceptron learner not None, const int32_t[::1] order):
        """Learn from the candidates in an order, correcting the weights where one is not right by enough."""
        cdef const uint64_t[::1] keys = self.keys
        cdef const int32_t[::1] ends = self.ends
        cdef const uint8_t[::1] right = self.right
        cdef float scores[MAX_KINDS]
        cdef float nothing[8]
        cdef Choice good, bad
        cdef int counts[3]
        cdef Py_ssize_t i
        cdef int example
        if not len(self.right):
            return
        good.label_class = bad.label_class = -1
        counts[0] = counts[1] = 0
        with nogil:
            for i in range(order.shape[0]):
                example = order[i]
                counts[2] = ends[example + 1] - ends[example]
                learner.score(&keys[ends[example]], counts, scores, nothing)
                good.kind, bad.kind = (SPLIT, WHOLE) if right[example] else (WHOLE, SPLIT)
                if scores[good.kind] - scores[bad.kind] < self.margin:
                    learner.update(&keys[ends[example]], counts, &good, &bad, 1)
                learner.advance()


def applied(form, split):
    """Return the words that a split makes of a form."""
    return [form[start:end] * (start != end) + text for start, end, text in split]


cdef Py_ssize_t token_end(Characters text, const uint8_t[::1] labels, Py_ssize_t start):
    while start < text.n and labels[start] == INSIDE:
        start += 1
    return min(start + 1, text.n)
