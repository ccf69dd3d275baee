"""Text as characters with their classes, for the features of the tokeniser."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free

from treewright.features.folding cimport TABLE, char_class, lower_of, make_tables
from treewright.treebank.memory cimport allocate

make_tables()

cdef uint8_t ascii_kinds[128]


cdef void fill_ascii() noexcept:
    cdef int code
    for code in range(128):
        ascii_kinds[code] = OTHER
        if code <= 32 or code == 127:
            ascii_kinds[code] = SPACE
        elif c'a' <= code <= c'z':
            ascii_kinds[code] = LOWER
        elif c'A' <= code <= c'Z':
            ascii_kinds[code] = UPPER
        elif c'0' <= code <= c'9':
            ascii_kinds[code] = DIGIT
    for code in b".!?":
        ascii_kinds[code] = STOP
    for code in b",;:":
        ascii_kinds[code] = COMMA
    for code in b"([{":
        ascii_kinds[code] = OPEN
    for code in b")]}":
        ascii_kinds[code] = CLOSE
    for code in b"\"'`":
        ascii_kinds[code] = QUOTE
    ascii_kinds[c'-'] = DASH


fill_ascii()


cdef int kind_of(int code) noexcept nogil:
    """Return the class of a character."""
    cdef int kind
    if code < 128:
        return ascii_kinds[code]
    if code < TABLE:
        kind = char_class[code]
        if kind == 3:
            return DIGIT
        if kind == 2:
            return UPPER
        if kind == 1:
            return LOWER if code < 0x590 else LETTER
        return other_kind(code)
    if 0x3041 <= code <= 0x30FF:
        return KANA
    if 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF:
        return IDEOGRAPH
    if 0xFF01 <= code <= 0xFF5E:             # full-width forms of ASCII
        return ascii_kinds[code - 0xFEE0]
    return other_kind(code)


cdef int other_kind(int code) noexcept nogil:
    """The class of characters that are neither letters nor digits, and of letters in the upper planes."""
    if code == 0xA0 or 0x2000 <= code <= 0x200A or code in (0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x85, 0x1680):
        return SPACE
    if code in (0x2026, 0x3002, 0x61F, 0x6D4, 0x964, 0x965, 0xFF61, 0x589, 0x203C, 0x2049, 0x1362):
        return STOP
    if code in (0x3001, 0x60C, 0x61B, 0xB7, 0x387):
        return COMMA
    if code in (0xAB, 0x2018, 0x201C, 0x2039, 0x201A, 0x201E, 0x300A, 0x300C, 0x300E, 0x3010, 0xBF, 0xA1):
        return OPEN
    if code in (0xBB, 0x2019, 0x201D, 0x203A, 0x300B, 0x300D, 0x300F, 0x3011):
        return CLOSE
    if 0x2010 <= code <= 0x2015 or code == 0x2212:
        return DASH
    if 0x300 <= code < 0x370 or 0x590 <= code < 0x2000 or code in (0x200C, 0x200D):
        return LETTER                        # marks that stand on letters, and joiners between them
    if 0xA000 <= code < 0xE000 or 0xFB00 <= code < 0xFE00 or 0xFE70 <= code < 0xFEFF or 0x10000 <= code < 0x1F000:
        return LETTER
    return OTHER


cdef class Characters:
    def __cinit__(self, bytes text not None):
        cdef Py_ssize_t size = PyBytes_GET_SIZE(text)
        self.offset = <int32_t*>allocate(size + 1, sizeof(int32_t))
        self.code_room = <int32_t*>allocate(size + 2 * BORDER, sizeof(int32_t))
        self.kind_room = <uint8_t*>allocate(size + 2 * BORDER, 1)
        self.text = text
        self.data = PyBytes_AS_STRING(text)

    def __init__(self, bytes text not None):
        """Take valid UTF-8 of less than 2 GB."""
        cdef int k
        cdef const uint8_t* data = <const uint8_t*>PyBytes_AS_STRING(text)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(text)
        if size >= 1 << 31:
            raise ValueError("the text is too long")
        self.code = self.code_room + BORDER
        self.kind = self.kind_room + BORDER
        with nogil:
            self.n = decode(data, size, self.code, self.offset, self.kind)
        for k in range(1, BORDER + 1):
            self.code[-k] = self.code[self.n + k - 1] = 0
            self.kind[-k] = self.kind[self.n + k - 1] = NO_CHARACTER

    def __dealloc__(self):
        free(self.offset)
        free(self.code_room)
        free(self.kind_room)

    def __len__(self):
        return self.n

    def byte_offset(self, Py_ssize_t at):
        """Return where a character begins in the text."""
        if not 0 <= at <= self.n:
            raise IndexError("the place is outside the text")
        return self.offset[at]


cdef Py_ssize_t decode(
    const uint8_t* text, Py_ssize_t size, int32_t* codes, int32_t* offsets, uint8_t* kinds
) noexcept nogil:
    """Write lower-cased characters, their offsets and classes; return how many there are."""
    cdef Py_ssize_t at = 0, n = 0
    cdef int code, length, k
    cdef uint8_t lead
    while at < size:
        lead = text[at]
        offsets[n] = <int32_t>at
        if lead < 0x80:
            codes[n] = lead + 32 if c'A' <= lead <= c'Z' else lead
            kinds[n] = ascii_kinds[lead]
            n += 1
            at += 1
            continue
        length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        code = lead & (0x3F >> (length - 1))
        for k in range(1, length):
            code = code << 6 | (text[at + k] & 0x3F if at + k < size else 0)
        kinds[n] = kind_of(code)
        codes[n] = lower_of[code] if code < TABLE else code
        n += 1
        at += length
    offsets[n] = <int32_t>size
    return n
