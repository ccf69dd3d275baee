"""Align system words with gold words by the rules of the CoNLL 2018 shared task.

Words that are tokens match if they cover the same characters of the text. The words of a multiword token cover no
characters of their own. There, the smallest span that cuts through no multiword token is taken, and its words are
matched by the longest common subsequence of their lower-cased forms.
"""
from libc.stdlib cimport free

from treewright.errors import TreebankError

from treewright.evaluation.side cimport NOT_ALIGNED
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed

cdef enum:
    MOST_CELLS = 1 << 28                 # in the table of one multiword span: 16,000 by 16,000 words


cdef class Alignment:
    """The words of gold and system sentences that cover the same text."""

    def __init__(self, Side gold, int gold_from, int gold_to, Side system, int system_from, int system_to):
        cdef int i
        self.gold, self.system = gold, system
        self.folded = Interner()
        self.gold_first = gold.block.sentence_word[gold_from]
        self.gold_end = gold.block.sentence_word[gold_to]
        self.system_first = system.block.sentence_word[system_from]
        self.system_end = system.block.sentence_word[system_to]
        self.gold_base = gold.sentence_start[gold_from]
        self.system_base = system.sentence_start[system_from]
        self.system_of = <int32_t*>allocate(self.gold_end - self.gold_first, sizeof(int32_t))
        self.gold_of = <int32_t*>allocate(self.system_end - self.system_first, sizeof(int32_t))
        for i in range(self.gold_end - self.gold_first):
            self.system_of[i] = NOT_ALIGNED
        for i in range(self.system_end - self.system_first):
            self.gold_of[i] = NOT_ALIGNED
        self._align()

    def __dealloc__(self):
        free(self.system_of)
        free(self.gold_of)

    cdef int _align(self) except -1:
        cdef Side gold = self.gold
        cdef Side system = self.system
        cdef int g = self.gold_first, s = self.system_first
        cdef int g_from, s_from, gold_start, system_start
        while g < self.gold_end and s < self.system_end:
            if gold.is_multiword(g) or system.is_multiword(s):
                self._multiword_span(gold, system, &g_from, &s_from, &g, &s)
                self._align_by_form(g_from, g, s_from, s)
                continue
            gold_start = gold.start(g) - self.gold_base
            system_start = system.start(s) - self.system_base
            if gold_start == system_start and gold.end(g) - self.gold_base == system.end(s) - self.system_base:
                self.match(g, s)
                g += 1
                s += 1
            elif gold_start <= system_start:
                g += 1
            else:
                s += 1
        return 0

    cdef int _multiword_span(self, Side gold, Side system, int* gold_from, int* system_from,
                             int* gold_to, int* system_to) noexcept nogil:
        """Find the smallest span at ``gold_to`` and ``system_to``, and move these to its end."""
        cdef int g = gold_to[0], s = system_to[0], span_end
        cdef int g_base = self.gold_base, s_base = self.system_base
        if gold.is_multiword(g):
            span_end = gold.end(g) - g_base
            if not system.is_multiword(s) and system.start(s) - s_base < gold.start(g) - g_base:
                s += 1
        else:
            span_end = system.end(s) - s_base
            if gold.start(g) - g_base < system.start(s) - s_base:
                g += 1
        gold_from[0], system_from[0] = g, s
        while (not is_beyond(gold, g, self.gold_end, span_end + g_base)
               or not is_beyond(system, s, self.system_end, span_end + s_base)):
            if g < self.gold_end and (s >= self.system_end or gold.start(g) - g_base <= system.start(s) - s_base):
                if gold.is_multiword(g) and gold.end(g) - g_base > span_end:
                    span_end = gold.end(g) - g_base
                g += 1
            else:
                if system.is_multiword(s) and system.end(s) - s_base > span_end:
                    span_end = system.end(s) - s_base
                s += 1
        gold_to[0], system_to[0] = g, s
        return 0

    cdef int _align_by_form(self, int gold_from, int gold_to, int system_from, int system_to) except -1:
        """Match the words of a span. Equal words at its start need no table."""
        cdef int n, m, g, s
        cdef int32_t* forms
        cdef uint8_t* gains
        if gold_to <= gold_from or system_to <= system_from:
            return 0
        n, m = gold_to - gold_from, system_to - system_from
        forms = <int32_t*>allocate(n + m, sizeof(int32_t))
        gains = NULL
        try:
            for g in range(n):
                forms[g] = self._fold(self.gold, gold_from + g)
            for s in range(m):
                forms[n + s] = self._fold(self.system, system_from + s)
            g = s = 0
            while g < n and s < m and forms[g] == forms[n + s]:
                self.match(gold_from + g, system_from + s)
                g += 1
                s += 1
            if g == n or s == m:
                return 0
            gold_from, system_from = gold_from + g, system_from + s
            gains = self._gains(forms + g, n - g, forms + n + s, m - s)
            self._follow(gains, forms + g, n - g, forms + n + s, m - s, gold_from, system_from)
        finally:
            free(forms)
            free(gains)
        return 0

    cdef uint8_t* _gains(self, int32_t* gold_forms, int n, int32_t* system_forms, int m) except NULL:
        """Return, for every pair of words, whether the longest common subsequence from there needs the gold word.

        ``longest[s]`` is the length for the words from the current gold word and from ``s`` on. To follow the
        subsequence, it is enough to know where this length grows from one row to the next.
        """
        cdef uint8_t* gains
        cdef int32_t* longest
        cdef int g, s, diagonal, below, best
        if <long long>n * m > MOST_CELLS:
            raise TreebankError(
                f"multiword tokens join {n} gold and {m} system words: too many to align",
                source=self.gold.block.source, line=self.gold.block.line_of_word(self.gold_first),
                remedy="Check the ranges of the multiword tokens after this line in both files",
            )
        longest = <int32_t*>allocate_zeroed(m + 1, sizeof(int32_t))
        try:
            gains = <uint8_t*>allocate(<size_t>n * m, 1)
        except MemoryError:
            free(longest)
            raise
        with nogil:
            for g in range(n - 1, -1, -1):
                diagonal = 0
                for s in range(m - 1, -1, -1):
                    below = longest[s]
                    best = max(below, longest[s + 1])
                    if gold_forms[g] == system_forms[s]:
                        best = max(best, 1 + diagonal)
                    gains[<size_t>g * m + s] = best != below
                    diagonal = below
                    longest[s] = best
        free(longest)
        return gains

    cdef void _follow(self, uint8_t* gains, int32_t* gold_forms, int n, int32_t* system_forms, int m,
                      int gold_from, int system_from) noexcept nogil:
        cdef int g = 0, s = 0
        while g < n and s < m:
            if gold_forms[g] == system_forms[s]:
                self.match(gold_from + g, system_from + s)
                g += 1
                s += 1
            elif not gains[<size_t>g * m + s]:
                g += 1
            else:
                s += 1

    cdef int _fold(self, Side side, int word) except -1:
        """Return the number of the lower-cased form.

        Spaces count only inside multiword tokens: the official scorer removes them from the tokens of the text.
        """
        cdef Block block = side.block
        cdef const char* form = block.field_start(word, block.layout.form)
        cdef int length = block.field_length(word, block.layout.form)
        cdef int i, n
        cdef bint plain = True
        cdef char small[64]
        cdef bytes lower
        if not side.is_multiword(word):
            form = side.text + side.start(word)
            length = side.end(word) - side.start(word)
        for i in range(length):
            if form[i] & 0x80:
                plain = False
                break
        if plain and length <= 64:
            for i in range(length):
                small[i] = form[i] + 32 if c'A' <= form[i] <= c'Z' else form[i]
            return self.folded.intern(small, length)
        lower = form[:length].decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")
        n = len(lower)
        return self.folded.intern(lower, n)


cdef inline bint is_beyond(Side side, int word, int end, int span_end) noexcept nogil:
    if word >= end:
        return True
    if side.is_multiword(word):
        return side.start(word) >= span_end
    return side.end(word) > span_end
