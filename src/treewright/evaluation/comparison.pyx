"""Compare the words of two treebanks one to one, as the conventions older than UD require.

One byte of flags per word is enough for all of these conventions, so punctuation, subtypes and averages can be chosen
after reading.
"""
from array import array

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memchr, memcmp

from treewright.errors import TreebankError


FLAGS = {
    "head": HEAD, "label": LABEL, "universal_label": UNIVERSAL_LABEL,
    "punct_upos": PUNCT_UPOS, "punct_form": PUNCT_FORM, "gold_root": GOLD_ROOT,
    "outside": OUTSIDE,
}

cdef extern from "Python.h":
    bint Py_UNICODE_ISALPHA(Py_UCS4 character) nogil


cdef class Names:
    """Numbers for relations and tags, shared by all stretches of an evaluation."""

    def __init__(self, bint universal=False):
        self.relations = Interner()
        self.tags = Interner()
        self.universal = universal

    cdef int relation(self, Block block, int word) except -1:
        cdef int column = block.layout.deprel, length
        if column < 0:
            return self.relations.intern("_", 1)
        length = block.field_length(word, column)
        if self.universal:
            length = universal_length(block.field_start(word, column), length)
        return self.relations.intern(block.field_start(word, column), length)

    cdef int tag(self, Block block, int word) except -1:
        cdef int column = block.layout.upos
        if column < 0:
            return self.tags.intern("_", 1)
        return self.tags.intern(block.field_start(word, column), block.field_length(word, column))


cdef class Comparison:
    """Sentences of a gold and a system block, word by word; raises TreebankError if words differ."""

    def __init__(self, Block gold, int gold_from, Block system, int system_from, int n_sentences, Names names):
        cdef int gold_first = gold.sentence_word[gold_from]
        self.gold, self.system, self.names = gold, system, names
        self.gold_from, self.system_from = gold_from, system_from
        self.n_sentences = n_sentences
        self.n_words = gold.sentence_word[gold_from + n_sentences] - gold_first
        self.flags = array("B", bytes(self.n_words))
        self.first_word = array("i", bytes(4 * (n_sentences + 1)))
        self.flag = self.flags
        self.first = self.first_word
        self._pair(gold_from, system_from)
        self._compare(gold_first, system.sentence_word[system_from])

    def relation_numbers(self, bint of_system):
        """Return the number of every word's relation in ``names``."""
        cdef Block block = self.system if of_system else self.gold
        cdef int first = block.sentence_word[self.system_from if of_system else self.gold_from]
        cdef int word
        numbers = array("i", bytes(4 * self.n_words))
        cdef int[::1] number = numbers
        for word in range(self.n_words):
            number[word] = self.names.relation(block, first + word)
        return numbers

    def tag_numbers(self):
        """Return the number of every word's gold UPOS in ``names``."""
        cdef int first = self.gold.sentence_word[self.gold_from], word
        numbers = array("i", bytes(4 * self.n_words))
        cdef int[::1] number = numbers
        for word in range(self.n_words):
            number[word] = self.names.tag(self.gold, first + word)
        return numbers

    def distances(self, bint of_system):
        """Return, for every word, the distance to its head, positive to the right; 0 for a child of the root."""
        cdef Block block = self.system if of_system else self.gold
        cdef int base = block.sentence_word[self.system_from if of_system else self.gold_from]
        cdef int sentence, word, head
        numbers = array("i", bytes(4 * self.n_words))
        cdef int[::1] number = numbers
        for sentence in range(self.n_sentences):
            for word in range(self.first[sentence], self.first[sentence + 1]):
                head = block.head[base + word]
                number[word] = self.first[sentence] + head - 1 - word if head > 0 else 0
        return numbers

    def lengths(self):
        """Return, for every word, the length of its sentence in words."""
        cdef int sentence, word
        numbers = array("i", bytes(4 * self.n_words))
        cdef int[::1] number = numbers
        for sentence in range(self.n_sentences):
            for word in range(self.first[sentence], self.first[sentence + 1]):
                number[word] = self.first[sentence + 1] - self.first[sentence]
        return numbers

    cdef int _pair(self, int gold_from, int system_from) except -1:
        """Check that the sentences have the same words, and record where they start."""
        cdef Block gold = self.gold
        cdef Block system = self.system
        cdef int sentence, word, g, s, n, m, length
        for sentence in range(self.n_sentences):
            g = gold.sentence_word[gold_from + sentence]
            n = gold.sentence_word[gold_from + sentence + 1] - g
            s = system.sentence_word[system_from + sentence]
            m = system.sentence_word[system_from + sentence + 1] - s
            self.first[sentence + 1] = self.first[sentence] + n
            for word in range(min(n, m)):
                length = gold.field_length(g + word, gold.layout.form)
                if length != system.field_length(s + word, system.layout.form) or memcmp(
                        gold.field_start(g + word, gold.layout.form),
                        system.field_start(s + word, system.layout.form), length) != 0:
                    raise self._words_differ(sentence, g + word, s + word)
            if n != m:
                raise self._lengths_differ(sentence, n, m)
        return 0

    def _words_differ(self, int sentence, int g, int s):
        ours, theirs = (
            block.value(word, block.layout.form).decode("utf-8", "replace")
            for block, word in ((self.gold, g), (self.system, s))
        )
        line = self.gold.line_of_word(g)
        return self._error(f"the gold word is {ours!r}, the system word {theirs!r}", sentence, line, s)

    def _lengths_differ(self, int sentence, int n, int m):
        line = self.gold.line_of(self.gold_from + sentence)
        return self._error(f"the gold sentence has {n} words, the system sentence {m}", sentence, line, -1)

    def _error(self, str problem, int sentence, long line, int system_word):
        place = (self.system.line_of_word(system_word) if system_word >= 0
                 else self.system.line_of(self.system_from + sentence))
        return TreebankError(
            f"{problem} ({self.system.source}:{place})", source=self.gold.source, line=line,
            sent_id=self.gold.sent_id(self.gold_from + sentence),
            remedy="Word-by-word scores need the same words in both files. If the words differ, only the"
            " CoNLL 2018 scores are defined, which align words by the text",
        )

    cdef int _compare(self, int gold_first, int system_first) except -1:
        cdef Block gold = self.gold
        cdef Block system = self.system
        cdef int word, g, s
        cdef unsigned char flag
        for word in range(self.n_words):
            g, s = gold_first + word, system_first + word
            flag = compare_relations(gold, g, system, s)
            if gold.head[g] == system.head[s]:
                flag |= HEAD
            if gold.head[g] == 0:
                flag |= GOLD_ROOT
            if is_punct_tag(gold, g):
                flag |= PUNCT_UPOS
            if is_punctuation(gold.field_start(g, gold.layout.form), gold.field_length(g, gold.layout.form)):
                flag |= PUNCT_FORM
            self.flag[word] = flag
        return 0


cdef inline int universal_length(const char* relation, int length) noexcept nogil:
    cdef const char* colon = <const char*>memchr(relation, c':', length)
    return length if colon == NULL else <int>(colon - relation)


cdef inline unsigned char compare_relations(Block gold, int g, Block system, int s) noexcept nogil:
    cdef int gold_column = gold.layout.deprel, system_column = system.layout.deprel
    cdef const char* ours
    cdef const char* theirs
    cdef int n, m
    if gold_column < 0 or system_column < 0:
        return 0
    ours, n = gold.field_start(g, gold_column), gold.field_length(g, gold_column)
    theirs, m = system.field_start(s, system_column), system.field_length(s, system_column)
    if n == m and memcmp(ours, theirs, n) == 0:
        return LABEL | UNIVERSAL_LABEL
    n, m = universal_length(ours, n), universal_length(theirs, m)
    return UNIVERSAL_LABEL if n == m and memcmp(ours, theirs, n) == 0 else 0


cdef inline bint is_punct_tag(Block block, int word) noexcept nogil:
    cdef int column = block.layout.upos
    return column >= 0 and block.field_length(word, column) == 5 and memcmp(
        block.field_start(word, column), b"PUNCT", 5) == 0


cdef bint is_punctuation(const char* form, int length) except -1:
    """Return whether a form consists of Unicode punctuation (categories P*), as in CoNLL-X.

    The first character decides for nearly every word; only the others are checked in Python.
    """
    cdef unsigned char first = <unsigned char>form[0]
    cdef Py_UCS4 character
    if length == 0:
        return False
    if first < 0x80:
        if not is_ascii_punctuation(first):
            return False
        if length == 1:
            return True
    elif length >= 2 and 0xC2 <= first <= 0xDF:
        character = ((first & 0x1F) << 6) | (<unsigned char>form[1] & 0x3F)
        if Py_UNICODE_ISALPHA(character):
            return False
    elif length >= 3 and 0xE0 <= first <= 0xEF:
        character = ((first & 0x0F) << 12) | ((<unsigned char>form[1] & 0x3F) << 6) | (<unsigned char>form[2] & 0x3F)
        if Py_UNICODE_ISALPHA(character):
            return False
    return only_punctuation(PyUnicode_DecodeUTF8(form, length, "replace"))


cdef inline bint is_ascii_punctuation(unsigned char c) noexcept nogil:
    return memchr(b"!\"#%&'()*,-./:;?@[\\]_{}", c, 23) != NULL


def only_punctuation(str form):
    """Return whether a form consists of characters of the Unicode categories P*."""
    import unicodedata

    return form != "" and all(unicodedata.category(character)[0] == "P" for character in form)
