"""Characters that belong together in any language: accents and emoji, addresses, tags, numbers, rows of dots.

A treebank may have none of them, or split them in its own way. So only clusters are never cut; for the others,
training says whether the treebank agrees.
"""
from treewright.kinds.tokenizer.boundaries.characters cimport (
    ADDRESS, CLOSE, CLUSTER, COMMA, DASH, DIGIT, IDEOGRAPH, KANA, LETTER, LOWER, MAIL, MARK, NUMBER, OPEN, QUOTE,
    REPEATED, SPACE, STOP, TAG, UPPER, Characters,
)

cdef enum:
    JOINER = 0x200D          # between the emoji of a family
    FIRST_FLAG = 0x1F1E6     # letters of flags, two for each
    LAST_FLAG = 0x1F1FF
    LONGEST_NAME = 64        # characters of a mail address before the @


cdef inline bint is_letter(int kind) noexcept nogil:
    return kind == LOWER or kind == UPPER or kind == LETTER


cdef inline bint is_flag(int code) noexcept nogil:
    return FIRST_FLAG <= code <= LAST_FLAG


cdef void find_spans(Characters text) noexcept nogil:
    """Mark the characters that belong to the next one."""
    cdef Py_ssize_t at
    cdef int flags = 0
    cdef int code, kind
    for at in range(text.n - 1):
        code, kind = text.code[at], text.kind[at]
        flags = flags + 1 if is_flag(code) else 0
        if kind == SPACE:
            continue
        if text.kind[at + 1] == MARK or code == JOINER or (flags % 2 and is_flag(text.code[at + 1])):
            text.span[at] = CLUSTER
        elif code < 128:
            if code == c':' and text.code[at + 1] == c'/' and text.code[at + 2] == c'/':
                mark_address(text, at)
            elif code == c'w' and text.code[at + 1] == c'w' and begins_www(text, at):
                mark(text, at, address_end(text, at), ADDRESS)
            elif code == c'@' or code == c'#':
                mark_tag(text, at)
            elif (kind == STOP or kind == COMMA) and text.kind[at - 1] == DIGIT and text.kind[at + 1] == DIGIT:
                mark(text, at - 1, at + 2, NUMBER)
        if code == text.code[at + 1] and (kind == STOP or kind == DASH) and text.span[at] == 0:
            text.span[at] = REPEATED


cdef inline void mark(Characters text, Py_ssize_t start, Py_ssize_t end, int span) noexcept nogil:
    """Hold the characters from start to end together."""
    cdef Py_ssize_t at
    for at in range(start, end - 1):
        if text.span[at] != CLUSTER and text.span[at] != ADDRESS:
            text.span[at] = span


cdef bint begins_www(Characters text, Py_ssize_t at) noexcept nogil:
    return (text.code[at + 2] == c'w' and text.code[at + 3] == c'.' and is_letter(text.kind[at + 4])
            and not is_letter(text.kind[at - 1]) and text.span[at] == 0)


cdef Py_ssize_t address_end(Characters text, Py_ssize_t at) noexcept nogil:
    """Return where an address ends: before spaces, quotes and ideographs, and without punctuation at its end."""
    cdef Py_ssize_t start = at
    cdef int opened = 0, code
    while at < text.n:
        code = text.code[at]
        if text.kind[at] in (SPACE, IDEOGRAPH, KANA) or code in (c'"', c'<', c'>', 0xAB, 0xBB, 0x201C, 0x201D):
            break
        if code > 0x2FFF or (code == c')' and opened == 0):
            break
        opened += (code == c'(') - (code == c')')
        at += 1
    while at > start and text.kind[at - 1] in (STOP, COMMA, OPEN, CLOSE, QUOTE) and text.code[at - 1] != c')':
        at -= 1
    return at


cdef void mark_address(Characters text, Py_ssize_t colon) noexcept nogil:
    """Mark https://…, from the letters before the colon on."""
    cdef Py_ssize_t start = colon
    while start > 0 and colon - start < 10 and is_letter(text.kind[start - 1]):
        start -= 1
    if start < colon and text.span[colon] == 0:
        mark(text, start, address_end(text, colon), ADDRESS)


cdef void mark_tag(Characters text, Py_ssize_t at) noexcept nogil:
    """Mark name@host, or #word and @name."""
    cdef Py_ssize_t start = at, end = at + 1, dot
    if text.span[at] == ADDRESS:
        return
    if text.code[at] == c'@':
        while start > 0 and at - start < LONGEST_NAME and in_name(text, start - 1):
            start -= 1
        while end < text.n and in_name(text, end):
            end += 1
        while end > at and text.kind[end - 1] in (STOP, DASH):
            end -= 1
        for dot in range(at + 1, end if start < at else at):
            if text.kind[dot] == STOP:
                mark(text, start, end, MAIL)
                return
    end = at + 1
    if not (is_letter(text.kind[at + 1]) or text.code[at + 1] == c'_') or is_letter(text.kind[at - 1]):
        return
    while end < text.n and (is_letter(text.kind[end]) or text.kind[end] in (DIGIT, MARK) or text.code[end] == c'_'):
        end += 1
    mark(text, at, end, TAG)


cdef inline bint in_name(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether a character may stand in a mail address."""
    cdef int code = text.code[at]
    return code < 128 and (c'a' <= code <= c'z' or c'0' <= code <= c'9' or code in (c'.', c'-', c'_', c'+'))


def spans_of(Characters text not None):
    """Return what holds each character and the next one together, as numbers."""
    with nogil:
        find_spans(text)
    return [text.span[at] for at in range(text.n)]
