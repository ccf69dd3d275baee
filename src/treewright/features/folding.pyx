"""Lower case and shape of text, without Python objects: for words of treebanks, for tagger and tokeniser."""
from libc.string cimport memcpy

from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed

# Tables for characters below U+3000, which include nearly all that have case.
cdef uint8_t* char_class = NULL      # 0 other, 1 lower or caseless letter, 2 upper, 3 digit
cdef int32_t* lower_of = NULL


cdef int make_tables() except -1:
    global char_class, lower_of
    cdef int code
    if char_class != NULL:
        return 0
    cdef uint8_t* classes = <uint8_t*>allocate_zeroed(TABLE, 1)
    cdef int32_t* lower = <int32_t*>allocate(TABLE, sizeof(int32_t))
    for code in range(TABLE):
        char = chr(code)
        low = char.lower()
        lower[code] = ord(low) if len(low) == 1 and ord(low) < 0x10000 else code
        classes[code] = 3 if char.isdigit() else 2 if char.isupper() else 1 if char.isalpha() else 0
    lower_of = lower
    char_class = classes
    return 0


cdef int fold(const char* text, int length, char* out, bint shape) noexcept nogil:
    """Write text in lower case, or its shape (Xxd, runs longer than two cut); return the length."""
    cdef int at = 0, n = 0, code, size, kind, previous = -1, run = 0
    cdef uint8_t lead
    while at < length and at < LONGEST:
        lead = <uint8_t>text[at]
        size = forth(text, at, length) - at
        size = size if size <= 4 else 4          # stray continuation bytes
        if lead < 0x80:
            code = lead
        elif size == 2:
            code = (lead & 0x1F) << 6 | (<uint8_t>text[at + 1] & 0x3F)
        elif size == 3:
            code = (lead & 0x0F) << 12 | (<uint8_t>text[at + 1] & 0x3F) << 6 | (<uint8_t>text[at + 2] & 0x3F)
        else:
            code = TABLE
        if shape:
            kind = char_class[code] if code < TABLE else 1
            run = run + 1 if kind == previous else 1
            previous = kind
            if run <= 2 or kind == 0:
                if kind == 0:
                    memcpy(out + n, text + at, size)
                    n += size
                else:
                    out[n] = c'x' if kind == 1 else c'X' if kind == 2 else c'd'
                    n += 1
        elif code < TABLE and size <= 3 and lower_of[code] != code:
            n += put_character(out + n, lower_of[code])
        else:
            memcpy(out + n, text + at, size)
            n += size
        at += size
    return n
