from libc.stdint cimport int32_t


cdef class Layout:
    cdef readonly str name
    cdef readonly tuple columns
    cdef readonly bint comments          # lines that start with '#' are comments
    cdef readonly int id, form, lemma, upos, xpos, feats, head, deprel, deps, misc


cdef enum LineKind:            # what a line is that is neither blank nor a comment
    NO_WORD                    # a multiword token, or an empty node
    WORD
    WORD_WITH_BAD_HEAD
    BAD_COLUMNS
    BAD_ID


cdef class Block:
    cdef readonly bytes data             # the text of whole sentences
    cdef readonly Layout layout
    cdef readonly str source             # file name for messages
    cdef readonly long first_line        # line number of the start of `data` in its file, from 1
    cdef readonly int n_columns, n_words, n_sentences
    cdef const char* text
    # Column c of word w is text[field[w * (n_columns + 1) + c] : field[w * (n_columns + 1) + c + 1] - 1].
    cdef int32_t* field
    cdef int32_t* word_line              # line of the word, relative to first_line
    cdef int32_t* head                   # HEAD as a number; MISSING for '_' or without such a column
    cdef int32_t* sentence_word          # [n_sentences + 1]: index of the first word
    cdef int32_t* sentence_offset        # [n_sentences + 1]: byte offset of the first line, including comments
    cdef int32_t* sentence_line          # first line of the sentence, relative to first_line
    cdef readonly list problems          # [(sentence, line in file, code)], see block.pyx
    cdef bint looked_at                  # for what is not in normal form
    cdef Block rewritten                 # the same words in normal form; None: they are

    cdef int _allocate(self) except -1
    cdef int _scan(self, const char* line, const char* end) except -1 nogil
    cdef int32_t* _fields(self) noexcept nogil
    cdef int _note(self, long number, str problem) except -1
    cdef void _close(self, const char* after, bint broken, int open_words) noexcept nogil
    cdef LineKind _word(self, const char* line, const char* stop, int columns, int number,
                        int expected) noexcept nogil

    cdef inline const char* field_start(self, int word, int column) noexcept nogil:
        return self.text + self.field[word * (self.n_columns + 1) + column]

    cdef inline int field_length(self, int word, int column) noexcept nogil:
        cdef int32_t* f = self.field + word * (self.n_columns + 1) + column
        return f[1] - 1 - f[0]


cdef enum:
    MISSING = -1     # HEAD is '_', or the file has no such column
    INVALID = -2     # HEAD is neither a number nor '_'
