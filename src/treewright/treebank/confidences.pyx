"""Confidences of arcs in the MISC column, as ``Confidence=0.973``; all else in the text stays as it was."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memchr, memcmp, memcpy

from treewright.errors import CombinationError
from treewright.treebank.block cimport Block

cdef enum:
    LENGTH = 16              # of "Confidence=0.973"


def with_confidences(Block block not None, const float[::1] values):
    """Return the block's text with a confidence, from 0 to 1, in MISC of every word; one that was there is replaced."""
    cdef int column = block.layout.misc, word, length
    cdef const char* done
    cdef const char* end = block.text + PyBytes_GET_SIZE(block.data)
    cdef const char* field
    cdef char* out
    cdef bytes result
    if column < 0:
        raise CombinationError(
            f"{block.layout.name} has no MISC column for confidences: write another format, such as --to conllu"
        )
    if values.shape[0] < block.n_words:
        raise ValueError("one confidence per word")
    result = PyBytes_FromStringAndSize(NULL, PyBytes_GET_SIZE(block.data) + <Py_ssize_t>block.n_words * (LENGTH + 1))
    done = block.text
    out = PyBytes_AS_STRING(result)
    with nogil:
        for word in range(block.n_words):
            field = block.field_start(word, column)
            length = block.field_length(word, column)
            memcpy(out, done, field - done)
            out += field - done
            out = put_others(out, field, length)
            out = put_value(out, values[word])
            done = field + length
        memcpy(out, done, end - done)
        out += end - done
    return result[: out - PyBytes_AS_STRING(result)]


cdef char* put_others(char* out, const char* field, int length) noexcept nogil:
    """Copy the entries of a MISC column but for a confidence, each with a bar behind it."""
    cdef const char* end = field + length
    cdef const char* stop
    if length == 0 or (length == 1 and field[0] == c'_'):
        return out
    while field < end:
        stop = <const char*>memchr(field, c'|', end - field)
        if stop == NULL:
            stop = end
        if stop > field and not (stop - field >= 11 and memcmp(field, b"Confidence=", 11) == 0):
            memcpy(out, field, stop - field)
            out += stop - field
            out[0] = c'|'
            out += 1
        field = stop + 1
    return out


cdef char* put_value(char* out, float value) noexcept nogil:
    cdef int thousandths = <int>(1000 * min(max(value, <float>0), <float>1) + 0.5)
    memcpy(out, b"Confidence=", 11)
    out[11] = c'0' + thousandths // 1000
    out[12] = c'.'
    out[13] = c'0' + thousandths // 100 % 10
    out[14] = c'0' + thousandths // 10 % 10
    out[15] = c'0' + thousandths % 10
    return out + LENGTH
