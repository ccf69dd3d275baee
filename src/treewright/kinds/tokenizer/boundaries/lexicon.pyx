"""What the treebank says of its words: written small or with a capital, first or last in sentences.

After "Dr.", a word that is usually written small begins a sentence when it has a capital; a name need not. Words that
are rare in the treebank are left out on purpose, so training meets unknown words as often as other text does. In
scripts without spaces, the known words that begin, end or stand across a place say much about it.
"""
from collections import Counter

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tokenizer.boundaries.characters cimport (
    IDEOGRAPH, KANA, LETTER, LOWER, MARK, OPEN, QUOTE, UNSPACED, UPPER, Characters, add, hash_of,
)

cdef enum:
    LONGEST_LETTERS = 24     # letters of a word that are looked at

cdef uint64_t SEED = 0x6C6578696363FULL


cdef inline bint is_letter(int kind) noexcept nogil:
    return kind in (LOWER, UPPER, LETTER, MARK)


cdef inline bint is_unspaced(int kind) noexcept nogil:
    return kind in (IDEOGRAPH, KANA, UNSPACED, MARK)


cdef class WordLexicon:
    """Classes of words by their hash."""

    def __init__(self, dict words not None):
        cdef Characters text
        self.words = words
        numbers = {}
        for word, value in words.items():
            if type(value) is not int or not 0 < value < 32:
                raise ModelFileError("the model is damaged: the class of a word of the tokeniser is invalid")
            text = Characters(word.encode())
            numbers[hash_of(SEED, text, 0, text.n) or 1] = value
            self.unspaced = self.unspaced or value & UNSPACED_WORD != 0
        make_room(&self.classes, len(numbers))
        for key, value in numbers.items():
            add_number(&self.classes, key, value)

    def __dealloc__(self):
        free(self.classes.slots)

    cdef int of_stretch(self, Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Return what is known of the word from start to end; 0 if nothing."""
        cdef int found = number_of(&self.classes, hash_of(SEED, text, start, end) or 1)
        return found if found > 0 else 0

    cdef int of_letters(self, Characters text, Py_ssize_t at) noexcept nogil:
        """Return what is known of the word that begins at a place, or after a quote or bracket there."""
        cdef Py_ssize_t end
        if text.kind[at] == OPEN or text.kind[at] == QUOTE:
            at += 1
        end = at
        while end < text.n and end - at < LONGEST_LETTERS and is_letter(text.kind[end]):
            end += 1
        return self.of_stretch(text, at, end) if end > at else 0

    cdef void match(self, Characters text, uint8_t* found) noexcept nogil:
        """Write for each character which lengths the known words have that begin there: bit k is k + 1 characters."""
        cdef Py_ssize_t at, k
        cdef uint64_t value
        cdef int number
        for at in range(text.n):
            found[at] = 0
            value = SEED
            for k in range(LONGEST_WORD):
                if at + k >= text.n or not is_unspaced(text.kind[at + k]):
                    break
                value = add(value, text.code[at + k])
                number = number_of(&self.classes, value or 1)
                if number > 0 and number & UNSPACED_WORD:
                    found[at] |= 1 << k


def word_classes(sentences, str known, int least):
    """Return what sentences, each a list of forms, say of their words; those with unknown characters are left out."""
    cdef Characters text
    small, capitals, first, last, unspaced = Counter(), Counter(), Counter(), Counter(), Counter()
    letters = frozenset(known)
    for forms in sentences:
        words = []
        for form in forms:
            text = Characters(form.encode())
            kinds = {text.kind[k] for k in range(text.n)}
            lower = form.lower()
            if not kinds or not letters.issuperset(lower):
                continue
            if all([is_unspaced(kind) for kind in kinds]):
                unspaced[lower] += 1
            elif all([is_letter(kind) for kind in kinds]):
                words.append(lower)
                if len(words) > 1:
                    within = capitals if text.kind[0] == UPPER else small
                    within[lower] += 1
        if words:
            first[words[0]] += 1
            last[words.pop()] += 1
    classes = {}
    bits = (SMALL, CAPITAL, FIRST, LAST, UNSPACED_WORD)
    for bit, found in zip(bits, (small, capitals, first, last, unspaced)):
        for word, count in found.items():
            if count >= least:
                classes[word] = classes.get(word, 0) | bit
    return dict(sorted(classes.items()))
