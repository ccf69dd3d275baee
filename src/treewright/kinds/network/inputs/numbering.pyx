"""The values of columns as numbers that a network reads, and the values that it predicts as text."""
from array import array

from cpython cimport array as arrays
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.growing_text cimport GrowingText, put_bytes

cdef object INTS = array("i")


def single_numbers(Block block, int first, int last, int column, known, int root):
    """Return one number for each word of the sentences ``first`` to ``last``, each sentence after its root's.

    ``known`` has the numbers of values, and works out those that it does not have yet (remembered.py). Without such a
    column all words have the number 0.
    """
    cdef int sentence, word, place = 0
    cdef arrays.array out = arrays.clone(INTS, _rows(block, first, last), zero=True)
    cdef int32_t* numbers = <int32_t*>out.data.as_ints
    for sentence in range(first, last):
        numbers[place] = root
        place += 1
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            if column >= 0:
                numbers[place] = known[_value(block, word, column)]
            place += 1
    return out


def bags_of_numbers(Block block, int first, int last, int column, known):
    """Return the numbers of each word one after the other, and where each word's begin; roots have none.

    ``known`` gives bytes: 32-bit numbers as they lie in memory.
    """
    cdef int sentence, word, row = 0
    cdef Py_ssize_t used = 0, more
    cdef int rows = _rows(block, first, last)
    cdef arrays.array starts = arrays.clone(INTS, rows + 1, zero=True)
    cdef arrays.array out = arrays.clone(INTS, 16 * rows, zero=False)
    cdef bytes packed
    for sentence in range(first, last):
        starts.data.as_ints[row] = <int>used
        row += 1
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            starts.data.as_ints[row] = <int>used
            row += 1
            if column < 0:
                continue
            packed = known[_value(block, word, column)]
            more = PyBytes_GET_SIZE(packed) // sizeof(int32_t)
            if used + more > len(out):
                arrays.resize(out, 2 * (used + more))
            memcpy(out.data.as_ints + used, PyBytes_AS_STRING(packed), more * sizeof(int32_t))
            used += more
    starts.data.as_ints[row] = <int>used
    arrays.resize(out, used)
    return out, starts


def word_numbers(Block block, int column, known):
    """Return one number for each word of a block; ``known`` as in ``single_numbers``."""
    cdef int word
    cdef arrays.array out = arrays.clone(INTS, block.n_words, zero=False)
    for word in range(block.n_words):
        out.data.as_ints[word] = known[_value(block, word, column)]
    return out


def looked_up(const int32_t[::1] numbers, const int32_t[::1] table):
    """Return the entry of a table for each number, -1 for those below zero."""
    cdef arrays.array out = arrays.clone(INTS, numbers.shape[0], zero=False)
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        if numbers[i] >= table.shape[0]:
            raise IndexError(f"entry {numbers[i]} of {table.shape[0]}")
        out.data.as_ints[i] = table[numbers[i]] if numbers[i] >= 0 else -1
    return out


def texts_of_rows(list columns, known):
    """Return a text for each row of numbers; ``columns`` are arrays of the same length.

    ``known`` has the texts of rows, as 32-bit numbers that lie in memory.
    """
    cdef int c, n = len(columns)
    cdef Py_ssize_t i, size = len(columns[0])
    cdef list out = []
    cdef arrays.array column
    cdef arrays.array rows = arrays.clone(INTS, n * size, zero=False)
    for c in range(n):
        column = columns[c]
        if len(column) != size:
            raise IndexError("columns of different lengths")
        for i in range(size):
            rows.data.as_ints[i * n + c] = column.data.as_ints[i]
    for i in range(size):
        out.append(known[PyBytes_FromStringAndSize(<char*>(rows.data.as_ints + i * n), n * sizeof(int))])
    return out


def with_values(Block block, list columns):
    """Return the text of a block with columns replaced: pairs of a place on the line, and a value for every word.

    The places come in their order on the line.
    """
    cdef GrowingText text = GrowingText(NULL, 0, 0)
    cdef const char* done = block.text
    cdef const char* start
    cdef int word, c, n = len(columns)
    cdef arrays.array places = array("i", [place for place, _ in columns])
    cdef list values = [own for _, own in columns]
    cdef bytes value
    for c in range(n):
        if len(values[c]) != block.n_words or places.data.as_ints[c] < 0:
            raise IndexError("a column without a value for every word")
    try:
        for word in range(block.n_words):
            for c in range(n):
                start = block.field_start(word, places.data.as_ints[c])
                value = (<list>values[c])[word]
                put_bytes(&text, done, start - done)
                put_bytes(&text, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value))
                done = start + block.field_length(word, places.data.as_ints[c])
        put_bytes(&text, done, block.text + len(block.data) - done)
        return PyBytes_FromStringAndSize(text.data, text.size)
    finally:
        free(text.data)


def piece_numbers(bytes text, int shortest, int longest, uint32_t buckets):
    """Return the numbers of all n-grams of characters of a text in UTF-8, as 32-bit numbers that lie in memory.

    The number is a hash of the n-gram's bytes that is the same everywhere (FNV-1a, 32 bits).
    """
    cdef const unsigned char* data = <const unsigned char*>PyBytes_AS_STRING(text)
    cdef Py_ssize_t start, place, size = PyBytes_GET_SIZE(text), used = 0
    cdef int characters
    cdef uint32_t value
    cdef arrays.array out = arrays.clone(INTS, size * (longest - shortest + 1), zero=False)
    for start in range(size):
        if is_inside(data[start]):
            continue
        value, characters = 0x811C9DC5, 0
        for place in range(start, size):
            value = (value ^ data[place]) * <uint32_t>0x01000193
            if place + 1 < size and is_inside(data[place + 1]):
                continue
            characters += 1
            if characters >= shortest:
                out.data.as_ints[used] = <int>(value % buckets)
                used += 1
            if characters == longest:
                break
    return out[:used].tobytes()


cdef inline bint is_inside(unsigned char byte) noexcept nogil:
    """Does a byte continue a character of UTF-8?"""
    return byte & 0xC0 == 0x80


cdef int _rows(Block block, int first, int last) except -1:
    if not 0 <= first <= last <= block.n_sentences:
        raise IndexError(f"sentences {first} to {last} of {block.n_sentences}")
    return block.sentence_word[last] - block.sentence_word[first] + last - first


cdef inline bytes _value(Block block, int word, int column):
    return PyBytes_FromStringAndSize(block.field_start(word, column), block.field_length(word, column))
