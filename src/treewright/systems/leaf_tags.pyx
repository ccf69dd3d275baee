"""Leaves: words that may not govern others, because words with their tag do not in the treebank.

Punctuation above all. Training learns which tags these are (obeying.py), a model keeps them, and no system builds an
arc from such a word. With a single root, ROOT does not take one either, since it would have to govern the rest. Two
things keep every sentence parsable:

- Where all words of a sentence are leaves, none is: the rule is waived.
- A move whose arc would come from a leaf does what it does to stack and buffer, but adds no arc; where another move
  does the same or better, it is illegal. A word that is left without a head goes to the root word afterwards.

So the same words can meet as without the rule, and for gold trees that obey it the costs of all moves stay what they
were: ``python -m treewright.oracles --leaves`` compares them with exhaustive search. A word that may govern always is
there to become the root word: follow the heads upwards from any such word; all of them may govern, and the last one has
no head but ROOT.
"""
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memset

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate_zeroed


cdef class LeafTags:
    """The tags of leaves. Read-only: any number of threads may share one."""

    def __cinit__(self, tags=()):
        cdef int i
        if not all(isinstance(tag, str) for tag in tags):
            raise TypeError("tags must be text")
        self.tags = tuple(tags)
        self.texts = [tag.encode("utf-8", "surrogateescape") for tag in tags]
        self.n = len(self.tags)
        self.text = <const char**>allocate_zeroed(self.n + 1, sizeof(char*))
        self.length = <int*>allocate_zeroed(self.n + 1, sizeof(int))
        for i in range(self.n):
            self.text[i] = self.texts[i]
            self.length[i] = len(self.texts[i])

    def __dealloc__(self):
        free(<void*>self.text)
        free(self.length)

    cdef bint has(self, Block block, int word) noexcept nogil:
        """Has a word one of the tags?"""
        cdef int i, length, column = tag_column(block, word)
        cdef const char* text
        if column < 0:
            return False
        text, length = block.field_start(word, column), block.field_length(word, column)
        for i in range(self.n):
            if length == self.length[i] and memcmp(text, self.text[i], length) == 0:
                return True
        return False

    cdef void mark(self, Block block, int sentence, unsigned char* out) noexcept nogil:
        """Write 1 for every leaf of a sentence and 0 for other words; 0 for all where every word would be one."""
        cdef int first = block.sentence_word[sentence], n = block.sentence_word[sentence + 1] - first, word
        for word in range(n):
            out[word] = self.has(block, first + word)
        waive(out, n)

    def flags(self, Block block):
        """Return a byte for every word of a block, 1 for leaves."""
        cdef int sentence
        cdef bytearray found = bytearray(block.n_words + 1)
        cdef unsigned char[::1] out = found
        for sentence in range(block.n_sentences):
            self.mark(block, sentence, &out[block.sentence_word[sentence]])
        return bytes(found[:block.n_words])


cdef void waive(unsigned char* flags, int n) noexcept nogil:
    """Let all n words of a sentence govern where none of them may."""
    if memchr(flags, 0, n) == NULL:
        memset(flags, 0, n)


def tags_of(Block block):
    """Return the tag of every word, as bytes; '_' for words without one."""
    return [
        block.value(word, tag_column(block, word)) if tag_column(block, word) >= 0 else b"_"
        for word in range(block.n_words)
    ]
