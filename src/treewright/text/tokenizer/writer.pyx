"""Tokens as CoNLL-U, for the rest of the pipeline.

``SpaceAfter=No`` and ``SpacesAfter`` (with the escapes of UDPipe) make the raw text recoverable. On request,
``TokenRange=a:b`` gives the characters of each token.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, strlen

from treewright.text.tokenizer.boundaries cimport INSIDE, SENTENCE_END
from treewright.text.tokenizer.characters cimport LOWER, SPACE, UPPER, Characters
from treewright.text.tokenizer.multiwords cimport MultiwordTable, Piece
from treewright.treebank.memory cimport resize

cdef enum:
    END = 0x7FFFFFFF


cdef class ConlluWriter:
    """Writes the sentences of one document, stretch by stretch."""
    cdef MultiwordTable multiwords       # None: no token is split
    cdef readonly bint ranges, spaces
    cdef readonly long sentences, words
    cdef readonly long long characters   # of the document before the present stretch
    cdef bint new_document, new_paragraph, mark_paragraphs
    cdef char* out
    cdef size_t size, room

    def __init__(self, MultiwordTable multiwords=None, *, bint ranges=False, bint spaces=True, bint paragraphs=True):
        """``spaces``: write which spaces follow tokens; ``paragraphs``: a blank line begins a new one."""
        self.multiwords, self.ranges, self.spaces, self.mark_paragraphs = multiwords, ranges, spaces, paragraphs
        self.new_document = self.new_paragraph = True

    def __dealloc__(self):
        free(self.out)

    def write(self, Characters text not None, const uint8_t[::1] labels, Py_ssize_t end):
        """Return the sentences of text[:end] as CoNLL-U; ``end`` must be the end of a sentence, or of the text."""
        if labels.shape[0] < text.n or end > text.n:
            raise ValueError("there must be one label per character")
        self.size = 0
        with nogil:
            self.write_all(text, labels, end)
        self.characters += end
        return PyBytes_FromStringAndSize(self.out, self.size)

    cdef int write_all(self, Characters text, const uint8_t[::1] labels, Py_ssize_t end) except -1 nogil:
        cdef Py_ssize_t at = 0, start, stop
        cdef int lines
        while True:
            lines = 0
            while at < end and text.kind[at] == SPACE:
                lines += text.code[at] == c'\n'
                at += 1
            if lines > 1:
                self.new_paragraph = True
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
        cdef Py_ssize_t at = start, token
        cdef int number = 1
        self.comments(text, start, stop)
        while at < stop:
            token = at
            while at < stop - 1 and labels[at] == INSIDE:
                at += 1
            at += 1
            number = self.token(text, token, at, number)
            while at < stop and text.kind[at] == SPACE:
                at += 1
        self.put("\n", 1)
        self.words += number - 1
        return 0

    cdef int comments(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        if self.new_document:
            self.put_text("# newdoc\n")
        if self.new_paragraph and self.mark_paragraphs:
            self.put_text("# newpar\n")
        self.new_document = self.new_paragraph = False
        self.sentences += 1
        self.put_text("# sent_id = ")
        self.put_number(self.sentences)
        self.put_text("\n# text = ")
        self.put_form(text, start, stop)
        self.put("\n", 1)
        return 0

    cdef int token(self, Characters text, Py_ssize_t start, Py_ssize_t stop, int number) except -1 nogil:
        """Write a token, and its words if it has several; return the number of the next word."""
        cdef int split = 0, k, first, last
        if self.multiwords is not None:
            split = self.multiwords.find(text, start, stop)
        if split == 0:
            self.put_number(number)
            self.put("\t", 1)
            self.put_form(text, start, stop)
            self.put_text("\t_\t_\t_\t_\t_\t_\t_\t")
            self.misc(text, start, stop)
            return number + 1
        first, last = self.multiwords.first[split], self.multiwords.first[split + 1]
        self.put_number(number)
        self.put("-", 1)
        self.put_number(number + last - first - 1)
        self.put("\t", 1)
        self.put_form(text, start, stop)
        self.put_text("\t_\t_\t_\t_\t_\t_\t_\t")
        self.misc(text, start, stop)
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
        cdef size_t before = self.size
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
        if self.size == before:                  # not with splits from training
            self.put("_", 1)
        return 0

    cdef int misc(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        cdef Py_ssize_t at = stop
        cdef bint written = False
        while at < text.n and text.kind[at] == SPACE:
            at += 1
        if self.spaces:
            if at == stop:
                self.put_text("SpaceAfter=No")
                written = True
            elif at > stop + 1 or text.code[stop] != c' ':
                self.put_text("SpacesAfter=")
                self.put_spaces(text, stop, at)
                written = True
        if self.ranges:
            self.put_text("|TokenRange=" if written else "TokenRange=")
            self.put_number(self.characters + start)
            self.put(":", 1)
            self.put_number(self.characters + stop)
            written = True
        self.put_text("\n" if written else "_\n")
        return 0

    cdef int put_spaces(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        cdef Py_ssize_t at
        cdef int code
        for at in range(start, stop):
            code = text.code[at]
            if code == c' ':
                self.put_text("\\s")
            elif code == c'\n':
                self.put_text("\\n")
            elif code == c'\t':
                self.put_text("\\t")
            elif code == c'\r':
                self.put_text("\\r")
            elif code >= 128:
                self.put(text.data + text.offset[at], text.offset[at + 1] - text.offset[at])
        return 0

    cdef int put_form(self, Characters text, Py_ssize_t start, Py_ssize_t stop) except -1 nogil:
        """Write a stretch of text, with one space for each stretch of spaces."""
        cdef Py_ssize_t at = start, begin
        cdef const char* data = text.data
        while at < stop:
            begin = at
            while at < stop and text.kind[at] != SPACE:
                at += 1
            self.put(data + text.offset[begin], text.offset[at] - text.offset[begin])
            if at < stop:
                self.put(" ", 1)
            while at < stop and text.kind[at] == SPACE:
                at += 1
        return 0

    cdef inline int put_text(self, const char* data) except -1 nogil:
        return self.put(data, strlen(data))

    cdef int put_number(self, long long value) except -1 nogil:
        cdef char digits[24]
        cdef int n = 24
        while True:
            n -= 1
            digits[n] = <char>(c'0' + value % 10)
            value //= 10
            if value == 0:
                break
        return self.put(digits + n, 24 - n)

    cdef inline int put(self, const char* data, size_t length) except -1 nogil:
        cdef size_t room = self.size + length + self.room // 2 + 4096
        if self.size + length > self.room:
            self.out = <char*>resize(self.out, room, 1)
            self.room = room
        memcpy(self.out + self.size, data, length)
        self.size += length
        return 0


def label_given(Characters text not None, uint8_t[::1] out, str layout not None):
    """Label text with given tokens: ``horizontal`` (spaces between tokens, one sentence per line) or ``vertical``."""
    cdef bint vertical = layout == "vertical"
    cdef Py_ssize_t at = 0, place
    cdef int lines
    if out.shape[0] < text.n:
        raise ValueError("there must be one label per character")
    while at < text.n:
        out[at] = INSIDE
        if text.kind[at] == SPACE:
            at += 1
            continue
        place = at + 1
        lines = 0
        while place < text.n and text.kind[place] == SPACE:
            lines += text.code[place] == c'\n'
            place += 1
        if place == text.n or lines > vertical:
            out[at] = SENTENCE_END
        elif lines or (place > at + 1 and not vertical):
            out[at] = 1
        at += 1
