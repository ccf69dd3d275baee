"""Text as characters with their classes. See characters.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

cdef enum:
    SPACE
    LOWER
    UPPER
    DIGIT
    LETTER                   # without case
    IDEOGRAPH
    KANA
    STOP                     # may end a sentence: . ! ? …
    COMMA                    # , ; :
    OPEN                     # brackets and quotes that open
    CLOSE
    QUOTE                    # " '
    DASH
    OTHER                    # control characters, and what Unicode has not assigned
    NO_CHARACTER             # before and after the text
    MARK                     # stands on the character before: accents, vowel signs, joiners, skin tones
    SYMBOL                   # + = ^
    CURRENCY
    EMOJI                    # and other pictures
    UNSPACED                 # letters of scripts without spaces between words, as Thai
    NUMERAL                  # ½ ² Ⅳ
    SIGN                     # other punctuation: & @ # * /
    N_KINDS

cdef enum:
    BORDER = 8               # empty characters around the text, so that features need no checks at its ends

cdef enum:                   # marks of sentences that a text lacks, as bits
    NO_CAPITALS = 1
    NO_SPACES = 1            # in scripts that have neither capitals nor spaces between words
    NO_STOPS = 2

cdef enum:                   # the code of a run of spaces
    SOFT = 0x20              # spaces, or the end of a line that means nothing
    GOING_ON = 0x09          # the same, and no sentence ends there
    LINE_END = 0x0A          # the end of a line that ends a sentence
    BLANK_LINE_END = 0x2029  # the end of a paragraph

cdef enum:                   # in `span`: what holds a character and the next one together
    NO_SPAN
    CLUSTER                  # one sign for a reader: a letter with its accents, an emoji with its skin tone
    ADDRESS                  # of the web
    MAIL
    TAG                      # #this and @that
    NUMBER                   # 1,234.5
    REPEATED                 # ... and !!!
    N_SPANS


cdef class Characters:
    """A text, character by character, with BORDER empty ones before and after. A run of spaces is one character."""
    cdef readonly bytes text             # in normal form: what features see
    cdef readonly bytes written          # as the user wrote it
    cdef readonly Py_ssize_t n
    cdef readonly Py_ssize_t size        # characters as written, spaces counted one by one
    cdef public Py_ssize_t used          # how many characters the reader has used
    cdef public int lacking              # marks of sentences that the text lacks: NO_CAPITALS, NO_STOPS
    cdef const char* data    # of the text
    cdef const char* own     # of what was written
    cdef int32_t* code       # [n], in lower case where there is one
    cdef int32_t* offset     # [n + 1], in bytes of the text
    cdef int32_t* place      # [n + 1], in characters as written
    cdef int32_t* start      # [n + 1], in bytes as written; NULL where that is the text, as nearly always
    cdef int32_t* stop       # [n + 1]
    cdef uint8_t* kind       # [n]
    cdef uint8_t* span       # [n]
    cdef uint8_t* matches    # [n], the known words that begin at a character; NULL where none are looked for
    cdef readonly object changes         # where the text is not what was written; None: nowhere
    cdef bint joined         # some ends of lines were left out: what stands on both sides belongs together
    cdef bint prepared       # for a model, which replaces the characters that it does not know
    cdef int32_t* code_room
    cdef uint8_t* kind_room


cdef int kind_of(int code) noexcept nogil


cdef inline uint64_t add(uint64_t value, uint64_t code) noexcept nogil:
    """Extend the hash of a text by one character."""
    value = (value ^ code) * 0x9E3779B97F4A7C15ULL
    return value ^ value >> 29


cdef inline uint64_t hash_of(uint64_t value, Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """Extend a hash by the characters of a stretch."""
    cdef Py_ssize_t k
    for k in range(start, end):
        value = add(value, text.code[k])
    return value


cdef inline bint is_unspaced(int kind) noexcept nogil:
    """Whether a class is that of letters of scripts without spaces between words."""
    return kind in (IDEOGRAPH, KANA, UNSPACED)


cdef inline bint is_end(int code) noexcept nogil:
    """Whether a run of spaces ends a sentence for sure."""
    return code == LINE_END or code == BLANK_LINE_END


cdef inline int end_of(Characters text, Py_ssize_t at) noexcept nogil:
    """Where a character that is no space ends, in bytes of the text."""
    return text.offset[at] + length_of(text.data[text.offset[at]])


cdef inline int start_written(Characters text, Py_ssize_t at) noexcept nogil:
    """Where a character begins, in bytes as written."""
    return text.offset[at] if text.start == NULL else text.start[at]


cdef inline int end_written(Characters text, Py_ssize_t at) noexcept nogil:
    """Where a character that is no space ends, in bytes as written."""
    return end_of(text, at) if text.start == NULL else text.stop[at]


cdef inline int length_of(char lead) noexcept nogil:
    """How many bytes a character has that begins with one."""
    return 1 if <uint8_t>lead < 0x80 else 2 if <uint8_t>lead < 0xE0 else 3 if <uint8_t>lead < 0xF0 else 4
