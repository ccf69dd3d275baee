"""Tokens as CoNLL-U, for the rest of the pipeline.

``SpaceAfter=No``, ``SpacesAfter``, ``SpacesInToken`` and ``SpacesBefore`` (of the first token) give the raw text back
to the byte, with the escapes of UDPipe: \\s, \\t, \\r, \\n; and \\u with four digits for other characters that
end lines for some programs, or cannot be seen. On request, ``TokenRange=a:b`` gives the characters of each token.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport strlen

from treewright.kinds.tokenizer.boundaries.boundaries cimport INSIDE, SENTENCE_END, TOKEN_END
from treewright.kinds.tokenizer.boundaries.characters cimport (
    BLANK_LINE_END, LINE_END, LOWER, SPACE, UPPER, Characters, end_written, length_of, start_written,
)
from treewright.kinds.tokenizer.multiwords.multiword_guesses cimport Neighbours
from treewright.kinds.tokenizer.multiwords.multiwords cimport MultiwordTable, Piece
from treewright.treebank.blocks.digits cimport put_digits
from treewright.treebank.blocks.growing_text cimport GrowingText, put_bytes

cdef enum:
    END = 0x7FFFFFFF


cdef class ConlluWriter:
    """Writes the sentences of one document, stretch by stretch."""
    cdef MultiwordTable multiwords       # None: no token is split
    cdef readonly bint ranges, spaces
    cdef readonly long sentences, words
    cdef readonly long long characters   # of the document before the present stretch
    cdef bint new_document, new_paragraph, mark_paragraphs, at_beginning
    cdef GrowingText out
    cdef bytes prefix, document          # of each sent_id; of newdoc
    cdef const char* prefix_text
    cdef const char* document_text

    def __init__(
        self, MultiwordTable multiwords=None, *, bint ranges=False, bint spaces=True, bint paragraphs=True,
        long before=0, bytes prefix=b"", bytes document=b"", long long characters=0, bint goes_on=False,
        bint new_paragraph=True,
    ):
        """``spaces``: write which spaces follow tokens; ``paragraphs``: a blank line begins a new one.

        ``before``: number of the sentence before the first; ``prefix``: of every sent_id; ``document``: its name.
        ``goes_on``: the document began before, ``characters`` ago; ``new_paragraph``: the text begins one.
        """
        self.sentences, self.prefix, self.document = before, prefix, document
        self.prefix_text, self.document_text = self.prefix, self.document
        self.multiwords, self.ranges, self.spaces, self.mark_paragraphs = multiwords, ranges, spaces, paragraphs
        self.new_document = self.at_beginning = not goes_on
        self.new_paragraph, self.characters = new_paragraph, characters

    def __dealloc__(self):
        free(self.out.data)

    def write(self, Characters text not None, const uint8_t[::1] labels, Py_ssize_t end):
        """Return the sentences of text[:end] as CoNLL-U; ``end`` must be the end of a sentence, or of the text."""
        if labels.shape[0] < text.n or end > text.n:
            raise ValueError("there must be one label per character")
        self.out.size = 0
        with nogil:
            self.write_all(text, labels, end)
        self.characters += text.place[end]
        return PyBytes_FromStringAndSize(self.out.data, self.out.size)

    cdef int write_all(self, Characters text, const uint8_t[::1] labels, Py_ssize_t end) except -1 nogil:
        cdef Py_ssize_t at = 0, start, stop
        while True:
            if at < end and text.kind[at] == SPACE:
                if text.code[at] == BLANK_LINE_END:
                    self.new_paragraph = True
                at += 1
            if at >= end:
                return 0
            start = at
            while at < end - 1 and labels[at] != SENTENCE_END:
                at += 1
            at += 1
            stop = at
            while text.kind[stop - 1] == SPACE:
                stop -= 1
            self.sentence(text, labels, start, stop)

    cdef int sentence(
        self, Characters text, const uint8_t[::1] labels, Py_ssize_t start, Py_ssize_t stop
    ) except -1 nogil:
        cdef Py_ssize_t token = start, end = token_end(labels, start, stop)
        cdef Neighbours beside
        cdef int number = 1
        self.comments(text, start, stop)
        beside.before_start = beside.before_end = start
        while token < stop:
            beside.after_start = end + (end < stop and text.kind[end] == SPACE)
            beside.after_end = token_end(labels, beside.after_start, stop)
            number = self.token(text, token, end, &beside, number)
            beside.before_start, beside.before_end = token, end
            token, end = beside.after_start, beside.after_end
        self.put("\n", 1)
        self.words += number - 1
        return 0

    cdef int comments(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        if self.new_document:
            self.put_text("# newdoc id = " if self.document_text[0] else "# newdoc")
            self.put_text(self.document_text)
            self.put("\n", 1)
        if self.new_paragraph and self.mark_paragraphs:
            self.put_text("# newpar\n")
        self.new_document = self.new_paragraph = False
        self.sentences += 1
        self.put_text("# sent_id = ")
        self.put_text(self.prefix_text)
        self.put_number(self.sentences)
        self.put_text("\n# text = ")
        self.put_form(text, start, stop)
        self.put("\n", 1)
        return 0

    cdef int token(
        self, Characters text, Py_ssize_t start, Py_ssize_t stop, const Neighbours* beside, int number
    ) except -1 nogil:
        """Write a token, and its words if it has several; return the number of the next word."""
        cdef int split = 0, k, first = 0, last = 0
        if self.multiwords is not None:
            split = self.multiwords.find(text, start, stop, beside)
        self.put_number(number)
        if split > 0:
            first, last = self.multiwords.first[split], self.multiwords.first[split + 1]
            self.put("-", 1)
            self.put_number(number + last - first - 1)
        self.put("\t", 1)
        self.put_form(text, start, stop)
        self.put_text("\t_\t_\t_\t_\t_\t_\t_\t")
        self.misc(text, start, stop)
        if split == 0:
            return number + 1
        for k in range(first, last):
            self.put_number(number)
            self.put("\t", 1)
            self.piece(text, start, stop, &self.multiwords.pieces[k])
            self.put_text("\t_\t_\t_\t_\t_\t_\t_\t_\n")
            number += 1
        return number

    cdef int piece(self, Characters text, Py_ssize_t start, Py_ssize_t stop, const Piece* piece) except -1 nogil:
        cdef Py_ssize_t n = stop - start
        cdef Py_ssize_t a = piece.start if piece.start >= 0 else n + piece.start
        cdef Py_ssize_t b = n if piece.end == END else piece.end if piece.end >= 0 else n + piece.end
        cdef size_t before = self.out.size
        cdef int variant = 0
        a, b = max(0, min(a, n)), max(0, min(b, n))
        if a < b:
            self.put_form(text, start + a, start + b)
        if text.kind[start] == UPPER:
            variant = 2 if n > 1 else 1
            for k in range(start, stop):
                if text.kind[k] == LOWER:
                    variant = 1
        self.put(piece.text[variant], piece.length[variant])
        if self.out.size == before:                  # not with splits from training
            self.put("_", 1)
        return 0

    cdef int misc(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        cdef bint written = False
        cdef int end, after
        if self.spaces:
            end = end_written(text, stop - 1)
            after = start_written(text, stop + (stop < text.n and text.kind[stop] == SPACE))
            if after == end:
                written = self.value(written, "SpaceAfter=No")
            elif not is_one_space(text, end, after):
                written = self.value(written, "SpacesAfter=")
                self.put_spaces(text, end, after)
            if has_odd_spaces(text, start, stop):
                written = self.value(written, "SpacesInToken=")
                self.put_with_spaces(text, start, stop)
            if start == 1 and self.at_beginning and text.kind[0] == SPACE:
                written = self.value(written, "SpacesBefore=")
                self.put_spaces(text, 0, start_written(text, 1))
        self.at_beginning = False
        if self.ranges:
            written = self.value(written, "TokenRange=")
            self.put_number(self.characters + text.place[start])
            self.put(":", 1)
            self.put_number(self.characters + text.place[stop - 1] + length_written(text, stop - 1))
        self.put_text("\n" if written else "_\n")
        return 0

    cdef bint value(self, bint written, const char* name) except -1 nogil:
        """Write the name of a value of MISC, after a bar if there is one already."""
        if written:
            self.put("|", 1)
        self.put_text(name)
        return True

    cdef int put_spaces(self, Characters text, int k, int end) except -1 nogil:
        """Write the spaces among the bytes from k to end, with escapes."""
        cdef int length, code
        cdef const uint8_t* data = <const uint8_t*>text.own
        while k < end:
            length = 1 if data[k] < 0x80 else 2 if data[k] < 0xE0 else 3
            code = data[k] if length == 1 else (data[k] & 0x1F) << 6 | data[k + 1] & 0x3F
            if length == 3:
                code = (data[k] & 0x0F) << 12 | (data[k + 1] & 0x3F) << 6 | data[k + 2] & 0x3F
            if code == c' ':
                self.put_text("\\s")
            elif code == c'\n':
                self.put_text("\\n")
            elif code == c'\t':
                self.put_text("\\t")
            elif code == c'\r':
                self.put_text("\\r")
            elif code < 32 or is_unseen(code):
                self.put_code(code)
            else:
                self.put(text.own + k, length)
            k += length
        return 0

    cdef int put_code(self, int code) except -1 nogil:
        """Write a character as its number."""
        cdef char escape[6]
        cdef int k
        escape[0], escape[1] = c'\\', c'u'
        for k in range(4):
            escape[5 - k] = "0123456789abcdef"[code >> 4 * k & 15]
        return self.put(escape, 6)

    cdef int put_with_spaces(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        """Write a token with its spaces as they are; with escapes also for what MISC or an escape may not contain."""
        cdef Py_ssize_t at
        cdef int start_here, end
        for at in range(start, stop):
            start_here = start_written(text, at)
            if text.kind[at] == SPACE:
                self.put_spaces(text, start_here, start_written(text, at + 1))
                continue
            end = end_written(text, at)
            if text.own[start_here] == c'|':
                self.put_text("\\p")
            elif text.own[start_here] == c'\\':
                self.put_text("\\\\")
            else:
                self.put(text.own + start_here, end - start_here)
            if at + 1 < stop:
                self.put_spaces(text, end, start_written(text, at + 1))
        return 0

    cdef int put_form(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        """Write a stretch of text, with one space for each run of spaces."""
        cdef Py_ssize_t at = start, begin
        cdef const char* data = text.own
        while at < stop:
            begin = at
            while at < stop and text.kind[at] != SPACE and not (text.joined and at > begin):
                at += 1
            self.put(data + start_written(text, begin), end_written(text, at - 1) - start_written(text, begin))
            if at < stop and text.kind[at] == SPACE:
                self.put(" ", 1)
                at += 1
        return 0

    cdef inline int put_text(self, const char* data) except -1 nogil:
        return self.put(data, strlen(data))

    cdef int put_number(self, long long value) except -1 nogil:
        cdef char digits[20]
        return self.put(digits, put_digits(digits, <uint64_t>value) - digits)

    cdef inline int put(self, const char* data, size_t length) except -1 nogil:
        return put_bytes(&self.out, data, length)


cdef inline Py_ssize_t token_end(const uint8_t[::1] labels, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """Where the token at a place ends."""
    while at < stop - 1 and labels[at] == INSIDE:
        at += 1
    return min(at + 1, stop)


cdef inline bint is_unseen(int code) noexcept nogil:
    """Whether a character ends lines, or cannot be seen at all, so that MISC has its number instead."""
    return (code in (0x7F, 0x85, 0xAD, 0x61C, 0x180E, 0xFEFF) or 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E
            or 0x2060 <= code <= 0x206F)


cdef inline int length_written(Characters text, Py_ssize_t at) noexcept nogil:
    """How many characters one of the text was written with."""
    cdef int n = 0, k = start_written(text, at), end = end_written(text, at)
    while k < end:
        k += length_of(text.own[k])
        n += 1
    return n


cdef inline bint is_one_space(Characters text, int start, int end) noexcept nogil:
    return end == start + 1 and text.own[start] == c' '


cdef inline bint has_odd_spaces(Characters text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a token has spaces that its form does not show as they are."""
    cdef Py_ssize_t at
    for at in range(start, stop - 1):
        if text.kind[at] == SPACE:
            if not is_one_space(text, start_written(text, at), start_written(text, at + 1)):
                return True
        elif end_written(text, at) < start_written(text, at + 1):
            return True
    return False


def label_given(Characters text not None, uint8_t[::1] out, str layout not None):
    """Label text with given tokens: ``horizontal`` (spaces between tokens, one sentence per line) or ``vertical``."""
    cdef bint vertical = layout == "vertical"
    cdef Py_ssize_t at
    cdef int code
    if out.shape[0] < text.n:
        raise ValueError("there must be one label per character")
    for at in range(text.n):
        out[at] = INSIDE
        if text.kind[at] == SPACE:
            continue
        code = text.code[at + 1] if text.kind[at + 1] == SPACE else 0
        if at + 1 >= text.n or at + 2 == text.n and code or code == BLANK_LINE_END:
            out[at] = SENTENCE_END
        elif code == LINE_END:
            out[at] = TOKEN_END if vertical else SENTENCE_END
        elif code and not vertical:
            out[at] = TOKEN_END
