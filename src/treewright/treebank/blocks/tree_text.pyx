"""The text of a block with another tree: what stands around HEAD and DEPREL is copied."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.digits cimport put_digits
from treewright.treebank.blocks.memory cimport allocate

from treewright.errors import TreewrightError

cdef extern from "text_copy.h" nogil:
    int TW_SHORT
    char* tw_copy(char* out, const char* source, Py_ssize_t n, const char* source_end, const char* out_end)
    char* tw_copy_padded(char* out, const char* source, Py_ssize_t n, const char* out_end)


cdef struct Texts:                   # relations as text
    const char** start               # [n + 1]: the last one is for labels that are no relations
    int* length
    int n


def replace_tree(Block block not None, const int32_t[::1] heads, const int32_t[::1] labels, relations):
    """Return the text of a block with HEAD and DEPREL replaced, see ``Block.with_tree``."""
    cdef int head_column = block.layout.head, n_relations = len(relations), number
    cdef Texts texts
    cdef bytes relation, result
    if head_column < 0 or block.layout.deprel != head_column + 1:
        raise TreewrightError(
            f"{block.source}: the format {block.layout.name} has no adjacent HEAD and DEPREL columns to write to"
        )
    if heads.shape[0] < block.n_words or labels.shape[0] < block.n_words:
        raise ValueError("heads and labels must cover every word of the block")
    texts.n, texts.start, texts.length = n_relations, NULL, NULL
    # Copies, where short ones have room behind them, see text_copy.h. The last one is for labels that are no relations.
    cdef bytes room = b"".join([relation.ljust(TW_SHORT, b" ") for relation in [*relations, b"_"]])
    cdef const char* place = PyBytes_AS_STRING(room)
    try:
        texts.start = <const char**>allocate(n_relations + 1, sizeof(char*))
        texts.length = <int*>allocate(n_relations + 1, sizeof(int))
        for number in range(n_relations + 1):
            relation = relations[number] if number < n_relations else b"_"
            texts.start[number], texts.length[number] = place, <int>PyBytes_GET_SIZE(relation)
            place += max(TW_SHORT, texts.length[number])
        result = PyBytes_FromStringAndSize(NULL, size_with_tree(block, heads, labels, &texts))
        write_with_tree(block, heads, labels, &texts, PyBytes_AS_STRING(result), PyBytes_GET_SIZE(result))
        return result
    finally:
        free(texts.start)
        free(texts.length)


cdef inline int text_of_label(const Texts* texts, int label) noexcept nogil:
    return label if 0 <= label < texts.n else texts.n


cdef Py_ssize_t size_with_tree(Block block, const int32_t[::1] heads, const int32_t[::1] labels, const Texts* texts):
    """Return the size of a block's text with another tree."""
    cdef int word, column = block.layout.head
    cdef Py_ssize_t size = PyBytes_GET_SIZE(block.data)
    with nogil:
        for word in range(block.n_words):
            size += count_digits(heads[word]) + texts.length[text_of_label(texts, labels[word])]
            size -= block.field_length(word, column) + block.field_length(word, column + 1)
    return size


cdef int write_with_tree(Block block, const int32_t[::1] heads, const int32_t[::1] labels, const Texts* texts,
                         char* out, Py_ssize_t size) except -1:
    """Write a block's text with another tree: copy what stands between DEPREL of a word and HEAD of the next."""
    cdef int word, label, column = block.layout.head
    cdef const char* copied = block.text
    cdef const char* end = copied + PyBytes_GET_SIZE(block.data)
    cdef const char* out_end = out + size
    with nogil:
        for word in range(block.n_words):
            label = text_of_label(texts, labels[word])
            out = tw_copy(out, copied, block.field_start(word, column) - copied, end, out_end)
            out = put_number(out, heads[word])
            out[0] = c'\t'
            out = tw_copy_padded(out + 1, texts.start[label], texts.length[label], out_end)
            copied = block.field_start(word, column + 1) + block.field_length(word, column + 1)
        memcpy(out, copied, end - copied)
    return 0


cdef inline int count_digits(int value) noexcept nogil:
    """Return how many characters ``put_number`` writes."""
    cdef int n = 1
    while value >= 10:
        value //= 10
        n += 1
    return n


cdef inline char* put_number(char* out, int value) noexcept nogil:
    if value < 10:
        out[0] = <char>(c'0' + value) if value >= 0 else c'_'
        return out + 1
    if value < 100:
        out[0], out[1] = <char>(c'0' + value // 10), <char>(c'0' + value % 10)
        return out + 2
    return put_digits(out, <uint64_t>value)
