from libc.stdint cimport int32_t

from treewright.evaluation.arcs cimport Arcs
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.interner cimport Interner

cdef enum:
    CONTENT = 1
    FUNCTION = 2


cdef class Labels:
    cdef Interner relations              # relations without subtype
    cdef Interner raw_features           # FEATS as written
    cdef dict canonical                  # universal features, sorted -> number
    cdef signed char* kind               # [relation]: CONTENT, FUNCTION or 0
    cdef int32_t* canonical_number       # [raw features]: number in `canonical`
    cdef int kind_room, canonical_room

    cdef int relation(self, const char* text, int length) except -1
    cdef int features(self, const char* text, int length) except -1


cdef class Side:
    cdef readonly Block block
    cdef readonly object rejection         # why the official scores reject this block, or None
    cdef Labels labels
    cdef Arcs arcs
    cdef char* text                      # the text: all tokens without spaces
    cdef int32_t* token_start            # [n_tokens + 1]: token t is text[token_start[t]:token_start[t + 1]]
    cdef signed char* multiword          # [n_tokens]: whether the token is a multiword token
    cdef int32_t* word_token             # [n_words]: token of the word
    cdef int32_t* sentence_start         # [n_sentences + 1]: start of the sentence in `text`
    cdef int32_t* parent                 # [n_words]: index of the head, ROOT for the root
    cdef int32_t* relation               # [n_words]: number of the relation without subtype
    cdef int32_t* features               # [n_words]: number of the universal features
    cdef int32_t* first_function_word    # [n_words]: first dependent with a function relation, or -1
    cdef int32_t* next_function_word     # [n_words]: the next such dependent of the same head, or -1
    cdef readonly int n_tokens

    cdef int _allocate(self) except -1
    cdef int _read_heads(self) except -1
    cdef int _check_cycles(self, int sentence, int32_t* seen) except -1
    cdef int _read_labels(self) except -1
    cdef int _read_tokens(self) except -1
    cdef int _read_token_lines(self, int sentence, int word, int covered) except -1
    cdef int _add_token(self, const char* form, int length, bint multiword) noexcept nogil

    cdef inline int start(self, int word) noexcept nogil:
        return self.token_start[self.word_token[word]]

    cdef inline int end(self, int word) noexcept nogil:
        return self.token_start[self.word_token[word] + 1]

    cdef inline bint is_multiword(self, int word) noexcept nogil:
        return self.multiword[self.word_token[word]]


cdef enum:
    ROOT = -1
    NOT_ALIGNED = -2
