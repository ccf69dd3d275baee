"""How multiword tokens are split: forms that are known, then rules by ending or beginning.

``settings`` is plain data, made by multiword_rules.py: ``splits``, each a list of words [start, end, text] (the
characters start .. end of the token, then the text), and the number of the split of known ``forms``, ``suffixes`` and
``prefixes``; split 0 is none. The longest ending or beginning decides.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from treewright.errors import ModelFileError
from treewright.text.tokenizer.characters cimport Characters

cdef enum:
    END = 0x7FFFFFFF         # as the end of a piece: that of the token

cdef uint64_t FORM = 0x666F726D00000001ULL
cdef uint64_t SUFFIX = 0x7375666600000001ULL
cdef uint64_t PREFIX = 0x7072656600000001ULL


cdef inline uint64_t add(uint64_t value, uint64_t code) noexcept nogil:
    value = (value ^ code) * 0x9E3779B97F4A7C15ULL
    return value ^ value >> 29


cdef class MultiwordTable:
    """Splits by the hash of lower-cased forms, endings and beginnings."""

    def __cinit__(self):
        self.pieces = NULL
        self.first = self.slot_split = NULL
        self.slot_key = NULL

    def __init__(self, settings):
        self.settings = settings
        self.kept = []
        self.numbers = {}
        try:
            self._take_splits([[]] + [list(split) for split in settings["splits"][1:]])
            self._take(settings["forms"], FORM, False)
            self._take(settings["suffixes"], SUFFIX, True)
            self._take(settings["prefixes"], PREFIX, False)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelFileError(f"the model is damaged: its multiword tokens cannot be read ({error})") from None
        self._make_slots()

    def __dealloc__(self):
        free(self.pieces)
        free(self.first)
        free(self.slot_key)
        free(self.slot_split)

    def _take_splits(self, splits):
        cdef int n = 0, k, variant
        cdef bytes raw
        self.n_splits = len(splits)
        self.pieces = <Piece*>calloc(sum(map(len, splits)) + 1, sizeof(Piece))
        self.first = <int32_t*>calloc(self.n_splits + 1, sizeof(int32_t))
        if self.pieces == NULL or self.first == NULL:
            raise MemoryError
        for k, split in enumerate(splits):
            if k and len(split) < 2:
                raise ValueError("a split needs two words")
            for place, (start, end, text) in enumerate(split):
                self.pieces[n].start = start
                self.pieces[n].end = END if end is None else end
                capital = text[:1].upper() + text[1:] if place == 0 and start == end else text
                for variant, shown in enumerate((text, capital, text.upper())):
                    raw = shown.encode()
                    if b"\t" in raw or b"\n" in raw:
                        raise ValueError("a word with a tab")
                    self.kept.append(raw)
                    self.pieces[n].text[variant] = raw
                    self.pieces[n].length[variant] = len(raw)
                    self.longest = max(self.longest, len(raw))
                n += 1
            self.first[k + 1] = n

    def _take(self, table, uint64_t seed, bint backwards):
        cdef Characters text
        cdef Py_ssize_t k
        cdef uint64_t key
        for form, number in table.items():
            if not 0 <= number < self.n_splits:
                raise ValueError("no such split")
            text = Characters(form.encode())
            key = seed
            for k in range(text.n):
                key = add(key, text.code[text.n - 1 - k if backwards else k])
            self.numbers[key or 1] = number

    def _make_slots(self):
        cdef uint64_t key
        cdef int slot
        self.n_slots = 64
        while self.n_slots < 2 * len(self.numbers):
            self.n_slots *= 2
        self.slot_key = <uint64_t*>calloc(self.n_slots, sizeof(uint64_t))
        self.slot_split = <int32_t*>calloc(self.n_slots, sizeof(int32_t))
        if self.slot_key == NULL or self.slot_split == NULL:
            raise MemoryError
        for key, number in self.numbers.items():
            slot = <int>(key >> 33) & (self.n_slots - 1)
            while self.slot_key[slot] != 0:
                slot = (slot + 1) & (self.n_slots - 1)
            self.slot_key[slot] = key
            self.slot_split[slot] = number
        self.numbers = {}

    cdef int look_up(self, uint64_t key) noexcept nogil:
        """Return the split of a hash, or -1."""
        cdef int slot = <int>(key >> 33) & (self.n_slots - 1)
        while self.slot_key[slot] != 0:
            if self.slot_key[slot] == key:
                return self.slot_split[slot]
            slot = (slot + 1) & (self.n_slots - 1)
        return -1

    cdef int find(self, Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Return the split of a token; 0 where it is one word."""
        cdef uint64_t key = FORM
        cdef Py_ssize_t k, n = end - start
        cdef int split = 0, found
        if self.n_splits <= 1:
            return 0
        for k in range(n):
            key = add(key, text.code[start + k])
        found = self.look_up(key)
        if found >= 0:
            return found
        # Rules leave at least one character of the token.
        key = SUFFIX
        for k in range(min(n - 1, LONGEST_AFFIX)):
            key = add(key, text.code[end - 1 - k])
            found = self.look_up(key)
            if found >= 0:
                split = found
        if split > 0:
            return split
        key = PREFIX
        for k in range(min(n - 1, LONGEST_AFFIX)):
            key = add(key, text.code[start + k])
            found = self.look_up(key)
            if found >= 0:
                split = found
        return split
