"""Write a numeric attribute into MISC of every word of a block."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdio cimport snprintf
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp

from treewright.errors import TreewrightError
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.growing_text cimport GrowingText, put_bytes


def with_misc_number(Block block not None, bytes name, const float[::1] values):
    """Return the text with ``name=0.973`` in MISC of every word, replacing an earlier value.

    The value NaN removes the attribute.
    """
    cdef GrowingText out = GrowingText(NULL, 0, 0)
    cdef int word, n, column = block.layout.misc, length = PyBytes_GET_SIZE(name)
    cdef const char* copied = block.text
    cdef const char* end = copied + PyBytes_GET_SIZE(block.data)
    cdef const char* attribute = PyBytes_AS_STRING(name)
    cdef const char* field
    if column < 0:
        raise TreewrightError(
            f"{block.source or 'the input'}: the format {block.layout.name} has no MISC column for {name.decode()}."
            " Convert it to CoNLL-U first, with `treewright convert`"
        )
    if values.shape[0] < block.n_words:
        raise ValueError("every word of the block needs a value")
    try:
        with nogil:
            for word in range(block.n_words):
                field, n = block.field_start(word, column), block.field_length(word, column)
                put_bytes(&out, copied, field - copied)
                put_attribute(&out, field, n, attribute, length, values[word])
                copied = field + n
            put_bytes(&out, copied, end - copied)
        return PyBytes_FromStringAndSize(out.data, out.size)
    finally:
        free(out.data)


cdef int put_attribute(
    GrowingText* out, const char* field, int n, const char* name, int length, float value
) except -1 nogil:
    """Write the field without the attribute, then the attribute; ``_`` if nothing is left."""
    cdef size_t first = out.size
    cdef const char* stop = field + n
    cdef const char* bar
    cdef char number[64]
    cdef int size
    while field < stop and not (n == 1 and field[0] == c"_"):
        bar = <const char*>memchr(field, c"|", stop - field)
        size = <int>((bar if bar != NULL else stop) - field)
        if not (size > length and memcmp(field, name, length) == 0 and field[length] == c"="):
            put_bytes(out, "|", out.size > first)
            put_bytes(out, field, size)
        field += size + 1
    if value == value:
        put_bytes(out, "|", out.size > first)
        put_bytes(out, name, length)
        put_bytes(out, number, snprintf(number, sizeof(number), "=%.3f", <double>value))
    return put_bytes(out, "_", out.size == first)
