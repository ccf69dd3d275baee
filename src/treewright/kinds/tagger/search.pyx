"""Choosing the tags of a sentence together: the sequence of tags with the highest score.

*Beam*: the ``width`` best sequences for the first i words are extended by every tag of the next word, and the best are
kept. *Viterbi*: features look at the tag of the word before and no further, so the best sequence that ends in a tag is
all that the rest of the sentence needs to know of. That is exact among the tags tried: the ``width`` best of each word
by the features that look at no tags, or all tags if ``width`` is 0.

Both are one search. Sequences with the same history have the same future: the better one replaces the other. With
Viterbi the history is the last tag, so no other limit is needed.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_CLASSES
from treewright.kinds.tagger.decoder cimport MOST_KEYS
from treewright.kinds.tagger.words cimport PADDING, EncodedWords, KeptScores
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate

SEARCHES = ("beam", "viterbi")
MOST = MOST_WIDTH


cdef class SearchingDecoder(Decoder):
    """A decoder that chooses the tags of a sentence together, made of the same parts as any decoder."""

    def __init__(self, *parts, str search, int width):
        super().__init__(*parts)
        if search not in SEARCHES or not 0 <= width <= MOST_WIDTH or (search == "beam" and width == 0):
            raise ModelFileError(f"the model is damaged: no tagger searches by {search!r} with a width of {width}")
        self.first_order = search == "viterbi"
        self.width = width

    def best_score(self, Block block not None, tags=None):
        """Return the score of the tags found for the first sentence of a block, or of given tags; for tests."""
        cdef EncodedWords scratch = EncodedWords()
        cdef int n = block.sentence_word[1], i
        cdef History history
        cdef int32_t[::1] wanted
        cdef double total = 0
        scratch.add_sentence(block, 0, self.lexicon, self.known, self.clusters)
        if tags is None:
            found = memoryview(bytearray(4 * (n + 1))).cast("i")
            self.tag(block, EncodedWords(), found)
            tags = found
        wanted = tags
        self.begin(&history)
        for i in range(n):
            total += self.score_of(scratch.rows + PADDING, n, i, wanted[i], &history)
            self.follow(&history, scratch.rows + PADDING + i, wanted[i])
        return total

    cdef int tag_sentence(
        self, const WordCodes* words, int n, KeptScores kept, float* scores, int32_t* out
    ) except -1 nogil:
        cdef Lattice lattice
        try:
            self.open_lattice(n, &lattice)
            self.fill(words, n, NULL, 0, &lattice)
            read_back(&lattice, self.best(n, &lattice), n, out)
        finally:
            close_lattice(&lattice)
        return 0

    cdef int open_lattice(self, int n, Lattice* lattice) except -1 nogil:
        """Make room for the steps of a sentence; close the lattice even if this fails."""
        cdef size_t most = self.width + 1 if self.width else self.tags.n_tags + 1
        lattice.start = lattice.tried = NULL
        lattice.totals = NULL
        lattice.steps = NULL
        lattice.steps = <Step*>allocate(most * n + 1, sizeof(Step))
        lattice.start = <int32_t*>allocate(n + 2, sizeof(int32_t))
        lattice.tried = <int32_t*>allocate(self.tags.n_tags + 1, sizeof(int32_t))
        lattice.totals = <double*>allocate(self.tags.n_tags + 1, sizeof(double))
        return 0

    cdef void fill(
        self, const WordCodes* words, int n, const int32_t* gold, float margin, Lattice* lattice
    ) noexcept nogil:
        """Find the best sequences for all beginnings of a sentence; with gold tags, wrong ones get ``margin`` each."""
        cdef int i
        lattice.start[0], lattice.start[1] = 0, 1
        self.begin(&lattice.steps[0].history)
        lattice.steps[0].score = 0
        lattice.steps[0].tag = lattice.steps[0].before = -1
        for i in range(n):
            lattice.start[i + 2] = lattice.start[i + 1] + self.extend(
                words, n, i, gold[i] if gold != NULL else -1, margin, lattice
            )

    cdef int extend(
        self, const WordCodes* words, int n, int i, int gold, float margin, Lattice* lattice
    ) noexcept nogil:
        """Write the steps that end with word i; return how many."""
        cdef int tag = self.only_tag(words + i), n_tried, n_out = 0, c, k, s
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef double total
        cdef Step* out = lattice.steps + lattice.start[i + 1]
        if tag >= 0 and (gold < 0 or tag == gold):
            return self.pass_on(words + i, i, tag, lattice)
        n_tried = self.try_tags(words, n, i, gold, margin, lattice)
        for s in range(lattice.start[i], lattice.start[i + 1]):
            self.score_keys(keys, self.search_keys(words + i, &lattice.steps[s].history, keys), NULL, scores)
            for c in range(n_tried):
                tag = lattice.tried[c]
                total = lattice.steps[s].score + lattice.totals[c] + self.tags.total(tag, scores)
                if self.first_order:
                    if s == lattice.start[i] or total > out[c].score:
                        out[c].score, out[c].tag, out[c].before = total, tag, s
                elif n_out < self.width or total > out[n_out - 1].score:
                    n_out = insert(self, out, n_out, &lattice.steps[s], s, words + i, tag, total)
        if self.first_order:
            n_out = n_tried
            for k in range(n_out):
                out[k].history = lattice.steps[out[k].before].history
                self.follow(&out[k].history, words + i, out[k].tag)
        return n_out

    cdef int pass_on(self, const WordCodes* word, int i, int tag, Lattice* lattice) noexcept nogil:
        """Extend every step by the only tag that a word can have; with Viterbi one step is left."""
        cdef int s, first = lattice.start[i], end = lattice.start[i + 1], n_out = 0
        cdef Step* out = lattice.steps + end
        if self.first_order:
            first = self.best(i, lattice)
            end = first + 1
        for s in range(first, end):
            n_out = insert(self, out, n_out, &lattice.steps[s], s, word, tag, lattice.steps[s].score)
        return n_out

    cdef int try_tags(
        self, const WordCodes* words, int n, int i, int gold, float margin, Lattice* lattice
    ) noexcept nogil:
        """Write the tags to try for a word, with their scores without history; return how many."""
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef int n_all, n_tried = 0, most = self.width if self.first_order and self.width else self.tags.n_tags, c, k
        cdef const int32_t* tags = self.candidates(words + i, &n_all)
        cdef double total
        self.score_keys(keys, self.fixed_keys(words + i, keys), NULL, scores)
        for c in range(n_all):
            total = self.tags.total(tags[c], scores)
            if gold >= 0 and tags[c] != gold:
                total += margin
            if n_tried < most:
                n_tried += 1
            elif total <= lattice.totals[n_tried - 1]:
                continue
            k = n_tried - 1
            while most < self.tags.n_tags and k > 0 and lattice.totals[k - 1] < total:
                lattice.totals[k], lattice.tried[k] = lattice.totals[k - 1], lattice.tried[k - 1]
                k -= 1
            lattice.totals[k], lattice.tried[k] = total, tags[c]
        if gold >= 0 and not among(gold, lattice.tried, n_tried):
            lattice.totals[n_tried], lattice.tried[n_tried] = self.tags.total(gold, scores), gold
            n_tried += 1
        return n_tried

    cdef int search_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at tags."""
        return self.near_keys(word, history, out) if self.first_order else self.history_keys(word, history, out)

    cdef void follow(self, History* history, const WordCodes* word, int tag) noexcept nogil:
        """Go on to the next word. With Viterbi the last tag is all that is remembered."""
        if self.first_order:
            self.begin(history)
            history.tag1 = tag
        else:
            self.advance(history, word, tag)

    cdef double score_of(self, const WordCodes* words, int n, int i, int tag, const History* history) noexcept nogil:
        """Return the score of a word's tag after a history; of the only tag that a word can have, 0."""
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef int n_keys
        if self.only_tag(words + i) == tag:
            return 0
        n_keys = self.fixed_keys(words + i, keys)
        n_keys += self.search_keys(words + i, history, keys + n_keys)
        self.score_keys(keys, n_keys, NULL, scores)
        return self.tags.total(tag, scores)

    cdef int best(self, int i, const Lattice* lattice) noexcept nogil:
        """Return the best step of the first i words."""
        cdef int s, best = lattice.start[i]
        for s in range(lattice.start[i] + 1, lattice.start[i + 1]):
            if lattice.steps[s].score > lattice.steps[best].score:
                best = s
        return best


cdef int insert(
    SearchingDecoder decoder, Step* steps, int n, const Step* before, int number, const WordCodes* word, int tag,
    double score
) noexcept nogil:
    """Add a step to a list of the best, in order of their scores; return how many there are."""
    cdef Step made
    cdef int place = n, k
    made.history = before.history
    decoder.follow(&made.history, word, tag)
    made.score, made.tag, made.before = score, tag, number
    for k in range(n):
        if same_history(&steps[k].history, &made.history):
            if steps[k].score >= score:
                return n
            place = k
            break
    if place == n:
        if n < decoder.width or decoder.width == 0:
            n += 1
        else:
            place = n - 1
    while place > 0 and steps[place - 1].score < score:
        steps[place] = steps[place - 1]
        place -= 1
    steps[place] = made
    return n


cdef inline bint same_history(const History* a, const History* b) noexcept nogil:
    return (a.tag1 == b.tag1 and a.tag2 == b.tag2 and a.nominal_tag == b.nominal_tag and a.verbal_tag == b.verbal_tag
            and a.nominal == b.nominal and a.verbal == b.verbal)


cdef inline bint among(int tag, const int32_t* tags, int n) noexcept nogil:
    cdef int k
    for k in range(n):
        if tags[k] == tag:
            return True
    return False


cdef void close_lattice(Lattice* lattice) noexcept nogil:
    free(lattice.steps)
    free(lattice.start)
    free(lattice.tried)
    free(lattice.totals)


cdef void read_back(const Lattice* lattice, int step, int n, int32_t* out) noexcept nogil:
    """Write the tags of the n words that a step stands for."""
    while n > 0:
        n -= 1
        out[n] = lattice.steps[step].tag
        step = lattice.steps[step].before
