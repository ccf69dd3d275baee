"""Rewrite the sentences of a block with other columns: the loop behind every conversion between tables.

The result is in canonical form: LF line ends, one blank line after every sentence, no byte order mark, ``_`` for an
empty value. Whatever the new columns cannot hold is counted, to be reported to the user.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.digits cimport put_digits
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed

from treewright.errors import TreewrightError

EMPTY = -1        # in a mapping: the target column is '_'
NUMBER = -2       # in a mapping: the target column is the number of the word

cdef enum:
    C_NUMBER = -2
    BLANK, COMMENT, HEADER, WORD, MULTIWORD, EMPTY_NODE


cdef struct Rearrangement:
    const char* p
    const char* end
    char* out
    int n_source, n_target, id_column
    bint comment_lines, keep_comments, keep_multiword, keep_empty
    int* mapping                 # [n_target]
    int* kept                    # [n_source]: whether a target column holds it
    int32_t* start               # [n_source + 1]: columns of the current line, relative to its start
    long* lost                   # [n_source]: words whose value was dropped with the column
    long comments, multiwords, empties, sentences


def rearrange(Block block not None, mapping, *, bint comments=True, bint multiword=True, bint empty=True):
    """Return the block's text with the columns of ``mapping``, and counts of what was dropped.

    ``mapping`` gives, for every target column, the position of a source column, EMPTY or NUMBER. The counts are
    ``(comments, multiword tokens, empty nodes, sentences without words, [words per source column])``. The block must
    have no problems with columns.
    """
    cdef Rearrangement job
    cdef int column, n_lines = block.data.count(b"\n") + 2
    cdef Py_ssize_t room
    cdef bytes result
    cdef list targets = list(mapping)
    for column in targets:
        if column < C_NUMBER or column >= block.n_columns:
            raise ValueError(f"{block.layout} has no column {column}")
    job.n_source, job.n_target = block.n_columns, len(targets)
    job.id_column = block.layout.id
    job.comment_lines = block.layout.comments
    job.keep_comments, job.keep_multiword, job.keep_empty = comments, multiword, empty
    job.comments = job.multiwords = job.empties = job.sentences = 0
    job.mapping = job.kept = NULL
    job.start, job.lost = NULL, NULL
    try:
        job.mapping = <int*>allocate(job.n_target, sizeof(int))
        job.kept = <int*>allocate_zeroed(job.n_source, sizeof(int))
        job.start = <int32_t*>allocate(job.n_source + 2, sizeof(int32_t))
        job.lost = <long*>allocate_zeroed(job.n_source, sizeof(long))
        for column in range(job.n_target):
            job.mapping[column] = targets[column]
            if job.mapping[column] >= 0:
                job.kept[job.mapping[column]] = 1
        # A column may be requested twice: every copy needs its own room.
        room = PyBytes_GET_SIZE(block.data) * max(1, most_common(targets))
        room += <Py_ssize_t>n_lines * (2 * job.n_target + 12)
        result = PyBytes_FromStringAndSize(NULL, room)
        job.p = block.text
        job.end = job.p + PyBytes_GET_SIZE(block.data)
        if block.first_line == 1 and block.data.startswith(b"\xef\xbb\xbf"):
            job.p += 3
        job.out = PyBytes_AS_STRING(result)
        with nogil:
            column = copy_sentences(&job)
        if column < 0:
            raise TreewrightError(f"{block.source}: cannot convert a line with too few or too many columns")
        lost = (job.comments, job.multiwords, job.empties, job.sentences,
                [job.lost[column] for column in range(job.n_source)])
        return result[: job.out - PyBytes_AS_STRING(result)], lost
    finally:
        free(job.mapping)
        free(job.kept)
        free(job.start)
        free(job.lost)


cdef int most_common(list targets):
    return max([targets.count(column) for column in targets if column >= 0], default=0)


cdef int copy_sentences(Rearrangement* job) noexcept nogil:
    """Write all sentences; return -1 if a line does not have the columns of the layout."""
    cdef const char* line
    cdef const char* stop
    cdef int kind, number = 0
    cdef bint open = False, written = False
    while job.p < job.end:
        line = job.p
        stop = <const char*>memchr(line, c'\n', job.end - line)
        if stop == NULL:
            stop = job.end
            job.p = stop
        else:
            job.p = stop + 1
        if stop > line and (stop - 1)[0] == c'\r':
            stop -= 1
        kind = kind_of(job, line, stop)
        if kind == BLANK:
            end_sentence(job, open, written)
            open = written = False
            number = 0
            continue
        if kind == HEADER:
            continue
        open = True
        if kind == COMMENT:
            if job.keep_comments:
                put(job, line, <int>(stop - line))
                put(job, b"\n", 1)
                written = True
            else:
                job.comments += 1
            continue
        if split(job, line, stop) < 0:
            return -1
        kind = kind_of_word(job, line)
        if kind == MULTIWORD and not job.keep_multiword:
            job.multiwords += 1
        elif kind == EMPTY_NODE and not job.keep_empty:
            job.empties += 1
        else:
            number += kind == WORD
            put_word(job, line, number)
            written = True
    end_sentence(job, open, written)
    return 0


cdef void end_sentence(Rearrangement* job, bint open, bint written) noexcept nogil:
    if written:
        put(job, b"\n", 1)
    elif open:
        job.sentences += 1


cdef int kind_of(Rearrangement* job, const char* line, const char* stop) noexcept nogil:
    cdef const char* p = line
    if p < stop and p[0] == c'#' and job.comment_lines:
        # This line lists the columns of the source, which differ from those of the target.
        if stop - p >= 16 and memcmp(p, b"# global.columns", 16) == 0:
            return HEADER
        return COMMENT
    while p < stop and (p[0] == c' ' or p[0] == c'\t'):
        p += 1
    return BLANK if p == stop else WORD


cdef int kind_of_word(Rearrangement* job, const char* line) noexcept nogil:
    cdef const char* p
    cdef const char* stop
    if job.id_column < 0:
        return WORD
    p = line + job.start[job.id_column]
    stop = line + job.start[job.id_column + 1] - 1
    if memchr(p, c'-', stop - p) != NULL:
        return MULTIWORD
    if memchr(p, c'.', stop - p) != NULL:
        return EMPTY_NODE
    return WORD


cdef int split(Rearrangement* job, const char* line, const char* stop) noexcept nogil:
    cdef const char* p = line
    cdef int column = 0
    job.start[0] = 0
    while True:
        p = <const char*>memchr(p, c'\t', stop - p)
        column += 1
        if p == NULL:
            break
        if column >= job.n_source:
            return -1
        p += 1
        job.start[column] = <int32_t>(p - line)
    job.start[column] = <int32_t>(stop - line) + 1
    return 0 if column == job.n_source else -1


cdef void put_word(Rearrangement* job, const char* line, int number) noexcept nogil:
    cdef int target, column, length
    for target in range(job.n_target):
        if target > 0:
            put(job, b"\t", 1)
        column = job.mapping[target]
        if column == C_NUMBER:
            put_number(job, number)
            continue
        length = 0 if column < 0 else job.start[column + 1] - 1 - job.start[column]
        if length == 0:
            put(job, b"_", 1)
        else:
            put(job, line + job.start[column], length)
    put(job, b"\n", 1)
    for column in range(job.n_source):
        if not job.kept[column] and column != job.id_column:
            length = job.start[column + 1] - 1 - job.start[column]
            job.lost[column] += not (length == 0 or (length == 1 and line[job.start[column]] == c'_'))


cdef inline void put(Rearrangement* job, const char* text, int length) noexcept nogil:
    memcpy(job.out, text, length)
    job.out += length


cdef void put_number(Rearrangement* job, int value) noexcept nogil:
    job.out = put_digits(job.out, <uint64_t>value if value > 0 else 0)
