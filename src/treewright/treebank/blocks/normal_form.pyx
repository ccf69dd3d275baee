"""Normal form: text as features see it, whatever way it was typed.

One letter may be one character or several (é, or e with an accent after it, as macOS writes names of files), and text
may have characters that nobody sees: soft hyphens, marks of direction. In normal form it is composed (NFC), and what
cannot be seen is left out. Nearly all text is in normal form already, which is found out here, at no cost for ASCII;
what is not is rewritten in `normal_text.py`.
"""
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memset

from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed

cdef extern from "normal_forms.h" nogil:
    const uint16_t tw_normal_runs[][3]
    int TW_NORMAL_RUNS

cdef enum:
    TABLE = 0x3100           # a byte for each character below this one; others are looked for among the runs
    FIRST = 0xCC             # bytes below it belong to characters that are never changed, but for the soft hyphen
    BEFORE_SOFT_HYPHEN = 0xC2
    SOFT_HYPHEN = 0xAD
    AT_ONCE = 4096           # bytes that are looked at before one of them may answer
    JOINER = 253             # classes; marks that never compose have their combining class
    MAYBE = 255

cdef uint8_t* class_of = <uint8_t*>allocate_zeroed(TABLE, 1)
cdef int* run_start = <int*>allocate(TW_NORMAL_RUNS, sizeof(int))


cdef void spread() noexcept:
    """Note where runs begin, and spread the first ones over a table."""
    cdef int k, code = 0, length
    for k in range(TW_NORMAL_RUNS):
        code += tw_normal_runs[k][0]
        length = tw_normal_runs[k][1]
        run_start[k] = code
        if code < TABLE:
            memset(class_of + code, tw_normal_runs[k][2], min(length, TABLE - code))
        code += length


spread()


cdef int searched_class(int code) noexcept nogil:
    """Return the class of a character that the table does not have."""
    cdef int low = 0, high = TW_NORMAL_RUNS, middle
    if 0x3400 <= code < 0xA66F or 0xAC00 <= code < 0xD800:       # ideographs, and syllables of Hangul
        return 0
    while low + 1 < high:
        middle = (low + high) // 2
        if run_start[middle] <= code:
            low = middle
        else:
            high = middle
    return tw_normal_runs[low][2] if code < run_start[low] + tw_normal_runs[low][1] else 0


cdef bint is_plain(const char* text, const char* end) noexcept nogil:
    """Say whether text has only characters that are never changed, as bytes tell; one byte behind it can be read."""
    cdef const uint8_t* p = <const uint8_t*>text
    cdef Py_ssize_t left = end - text
    cdef int k, n
    cdef uint8_t found = 0
    while left > 0 and not found:
        n = <int>min(AT_ONCE, left)
        for k in range(n):
            found |= (p[k] >= FIRST) | ((p[k] == BEFORE_SOFT_HYPHEN) & (p[k + 1] == SOFT_HYPHEN))
        p += n
        left -= n
    return not found


cdef inline bint joins(int code) noexcept nogil:
    """Say whether a joiner may mean something after a character: in Arabic, Indic and so on, and between emoji."""
    return 0x590 <= code < 0x1D00 or 0x2600 <= code < 0x27C0 or 0x2B00 <= code < 0x2C00 or code > 0x3000


cdef bint is_normal(const char* text, const char* end) noexcept nogil:
    """Say whether valid UTF-8 is in normal form for sure."""
    cdef const uint8_t* p = <const uint8_t*>text
    cdef const uint8_t* stop = <const uint8_t*>end
    cdef int code, before = 0, kind, last = 0
    cdef uint8_t lead
    while p < stop:
        lead = p[0]
        if lead < 0xE0 or stop - p < 3:
            if lead < FIRST:
                if lead == BEFORE_SOFT_HYPHEN and stop - p > 1 and p[1] == SOFT_HYPHEN:
                    return False
                before = last = 0
                p += 1
                continue
            code = (lead & 0x1F) << 6 | p[1] & 0x3F if stop - p > 1 else 0
            p += 2
        elif lead < 0xF0:
            code = (lead & 0x0F) << 12 | (p[1] & 0x3F) << 6 | p[2] & 0x3F
            p += 3
        else:
            code = (lead & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6
            code |= p[3] & 0x3F if stop - p > 3 else 0
            p += 4
        kind = class_of[code] if code < TABLE else searched_class(code)
        if kind >= JOINER:
            if kind > JOINER or not joins(before):
                return False
            kind = 0
        elif kind < last and kind:           # marks in another order than the canonical one
            return False
        last, before = kind, code
    return True


def in_normal_form(bytes text not None):
    """Say whether text is in normal form for sure: a joiner or a mark may be taken for one that is not."""
    cdef const char* start = text
    return is_normal(start, start + len(text))


def rare_characters():
    """Return the characters of which text in normal form has few, as ranges of a regular expression."""
    cdef int k, last
    found = []
    for k in range(TW_NORMAL_RUNS):
        if tw_normal_runs[k][1]:
            last = run_start[k] + tw_normal_runs[k][1] - 1
            found.append(f"\\U{run_start[k]:08x}-\\U{last:08x}")
    return "".join(found)
