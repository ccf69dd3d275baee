"""The characters that a tokeniser knows, and what it takes others for.

A model that has met `"` but never `«` reads the one as the other. Where nothing similar is known, a character is read
as its class. Training does the same with rare characters, so the model learns what to do with the class. Letters of
scripts with capitals and without are read as each other where the treebank has only one of these.
"""
from collections import Counter

from libc.stdint cimport uint8_t
from libc.stdlib cimport free

from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tokenizer.boundaries.characters cimport LETTER, LOWER, SPACE, UPPER, Characters, kind_of
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef enum:
    N_CODES = 0x110000       # codes from here on are classes

#: characters that mean the same to a reader, the most usual first
SIMILAR = (
    "'’‘ʼ‛`´′", '"“”„‟«»″「」『』〝〞', "-–—‐‑‒―−", ".。｡۔।", ",،、､", "?؟", ";؛", "(（[{【〔〈《", ")）]}】〕〉》", "…⋯",
)
FULL_WIDTH = 0xFEE0          # from an ASCII character to its form as wide as an ideograph


cdef class Alphabet:
    """A set of characters. Others are replaced by similar ones, or by their class."""

    def __init__(self, str known not None):
        cdef int kind
        self.known = known
        self.bits = <uint8_t*>allocate_zeroed(N_CODES // 8, 1)
        for character in known:
            self.bits[ord(character) >> 3] |= 1 << (ord(character) & 7)
        for kind in range(32):
            self.kinds[kind] = kind
        for character in known:
            self.kinds_known |= 1U << kind_of(ord(character))
        if self.kinds_known >> LOWER & 1:
            self.kinds_known |= 1 << UPPER           # characters are in lower case here
            self.kinds[LETTER] = LETTER if self.kinds_known >> LETTER & 1 else LOWER
        elif self.kinds_known >> LETTER & 1:
            self.kinds[LOWER] = self.kinds[UPPER] = LETTER
        found = {}
        for group in SIMILAR:
            best = next((character for character in group if character in known), None)
            if best is not None:
                found.update({ord(other): ord(best) for other in group if other not in known})
        for code in range(33, 127):
            character = chr(code).lower()
            if character in known and chr(code + FULL_WIDTH) not in known:
                found[code + FULL_WIDTH] = ord(character)
        make_room(&self.similar, len(found))
        for code, other in found.items():
            add_number(&self.similar, spread(code), other)

    def __dealloc__(self):
        free(self.bits)
        free(self.similar.slots)

    def reads_as(self, str character not None):
        """Return the character that an unknown one is read as, or None if only its class counts."""
        cdef Characters text = Characters(character.encode())
        self.apply(text)
        return chr(text.code[0]) if text.code[0] < N_CODES else None

    cdef bint has_kinds(self, int place) noexcept nogil:
        """Say whether characters of both classes are known, given a cell of the table of labels."""
        return self.kinds_known >> (place & 31) & 1 and self.kinds_known >> (place >> 5 & 31) & 1

    cdef void apply(self, Characters text) noexcept nogil:
        """Replace the unknown characters of a text."""
        cdef Py_ssize_t at
        cdef int code, other
        for at in range(text.n):
            code = text.code[at]
            if text.kind[at] == SPACE or self.bits[code >> 3] >> (code & 7) & 1:
                continue
            other = number_of(&self.similar, spread(code))
            text.kind[at] = self.kinds[text.kind[at]]
            text.code[at] = other if other >= 0 else N_CODES + text.kind[at]


cdef inline unsigned long long spread(int code) noexcept nogil:
    return (<unsigned long long>code + 1) * 0x9E3779B97F4A7C15ULL


def known_characters(texts, int least):
    """Return the characters that occur at least so often in texts, in lower case."""
    cdef Characters text
    cdef Py_ssize_t at
    counts = Counter()
    for text in texts:
        counts.update([text.code[at] for at in range(text.n) if text.kind[at] != SPACE])
    return "".join(sorted(chr(code) for code, count in counts.items() if count >= least))
