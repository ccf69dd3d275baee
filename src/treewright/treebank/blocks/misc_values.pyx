"""Write a numeric attribute into MISC of every word of a block."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdio cimport snprintf
from libc.string cimport memchr, memcmp, memcpy

from treewright.errors import TreewrightError
from treewright.treebank.blocks.block cimport Block

cdef enum:
    LONGEST_NUMBER = 24


def with_misc_number(Block block not None, bytes name, const float[::1] values):
    """Return the text with ``name=0.973`` in MISC of every word, replacing an earlier value.

    The value NaN removes the attribute.
    """
    cdef int word, n, column = block.layout.misc
    cdef const char* copied = block.text
    cdef const char* end = copied + PyBytes_GET_SIZE(block.data)
    cdef const char* field
    cdef char* out
    cdef char* start
    cdef bytes result
    if column < 0:
        raise TreewrightError(
            f"{block.source or 'the input'}: the format {block.layout.name} has no MISC column for {name.decode()}."
            " Convert it to CoNLL-U first, with `treewright convert`"
        )
    if values.shape[0] < block.n_words:
        raise ValueError("every word of the block needs a value")
    result = PyBytes_FromStringAndSize(
        NULL, PyBytes_GET_SIZE(block.data) + <Py_ssize_t>block.n_words * (PyBytes_GET_SIZE(name) + LONGEST_NUMBER)
    )
    start = out = PyBytes_AS_STRING(result)
    cdef const char* attribute = PyBytes_AS_STRING(name)
    cdef int length = PyBytes_GET_SIZE(name)
    with nogil:
        for word in range(block.n_words):
            field = block.field_start(word, column)
            memcpy(out, copied, field - copied)
            out += field - copied
            n = block.field_length(word, column)
            out = put_attribute(out, field, n, attribute, length, values[word])
            copied = field + n
        memcpy(out, copied, end - copied)
        out += end - copied
    return result[:out - start]


cdef char* put_attribute(char* out, const char* field, int n, const char* name, int length, float value) noexcept nogil:
    """Write the field without the attribute, then the attribute; ``_`` if nothing is left."""
    cdef char* first = out
    cdef const char* stop = field + n
    cdef const char* bar
    cdef int size
    if not (n == 1 and field[0] == c"_"):
        while field < stop:
            bar = <const char*>memchr(field, c"|", stop - field)
            size = <int>((bar if bar != NULL else stop) - field)
            if not (size > length and memcmp(field, name, length) == 0 and field[length] == c"="):
                if out > first:
                    out[0] = c"|"
                    out += 1
                memcpy(out, field, size)
                out += size
            field += size + 1
    if value == value:
        if out > first:
            out[0] = c"|"
            out += 1
        memcpy(out, name, length)
        out += length
        out += snprintf(out, 24, "=%.3f", <double>value)
    if out == first:
        out[0] = c"_"
        out += 1
    return out
