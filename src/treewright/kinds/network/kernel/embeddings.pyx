"""Input vectors of words: sums of rows of tables."""
from libc.stdint cimport int8_t, int16_t, int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.kinds.network.kernel.paths cimport current_path
from treewright.kinds.network.kernel.rows cimport Rows, new_rows
from treewright.treebank.blocks.memory cimport allocate

from treewright.errors import ModelFileError, TreewrightError
from treewright.treebank.blocks.owned_memory cimport Owner

cdef extern from "neural_elements.h" nogil:
    void tw_add_row(int path, float* sums, const int8_t* row, float scale, int n)
    void tw_add_scaled(int path, float* sums, const float* x, float scale, int n)
    void tw_quantise_row(int path, const float* x, int n, int16_t* out)

cdef struct EmbeddingTable:
    const int8_t* rows
    const float* scales
    Py_ssize_t n
    int width, column
    int step                             # 1: a scale for each row; 0: one for all

cdef struct TablePart:                   # what a table is asked for
    const int32_t* ids
    const int32_t* offsets               # of the bags; NULL: one id for each word


cdef class Embeddings(Owner):
    """Tables of 8-bit vectors; the vector of a word is the sum of what it has in them.

    ``tables`` has a tuple for each table: its rows (a two-dimensional buffer of format ``b``), its scales (format
    ``f``, one for each row or one for all), and the column of the vector where it is added. The buffers are used as
    they are, so they may be a file mapped into memory.
    """
    cdef readonly int width
    cdef EmbeddingTable* tables
    cdef int n_tables
    cdef list kept                       # the buffers

    def __cinit__(self, int width, tables):
        cdef int t
        if not 0 < width <= 1 << 20:
            raise ModelFileError(f"embeddings of width {width}")
        self.width, self.n_tables, self.kept = width, len(tables), []
        self.tables = <EmbeddingTable*>self.new_block(self.n_tables, sizeof(EmbeddingTable))
        for t, (rows, scales, column) in enumerate(tables):
            self.add(t, rows, scales, column)

    cdef int add(self, int t, const int8_t[:, ::1] rows, const float[::1] scales, int column) except -1:
        cdef Py_ssize_t n = rows.shape[0], i
        if n == 0 or column < 0 or rows.shape[1] == 0 or rows.shape[1] > self.width - column:
            raise ModelFileError(f"table {t} has {n} rows of {rows.shape[1]} numbers from column {column} on; "
                                 f"vectors have {self.width} columns")
        if scales.shape[0] != n and scales.shape[0] != 1:
            raise ModelFileError(f"table {t} has {n} rows and {scales.shape[0]} scales")
        for i in range(scales.shape[0]):
            if not -1e6 <= scales[i] <= 1e6:
                raise ModelFileError(f"table {t}: scale {i} is {scales[i]}, not a number from -1e6 to 1e6")
        self.kept += rows, scales
        self.tables[t] = EmbeddingTable(&rows[0, 0], &scales[0], n, <int>rows.shape[1], column, scales.shape[0] > 1)
        return 0

    def look_up(self, parts, Py_ssize_t n_words):
        """Return the vectors of ``n_words`` words.

        ``parts`` has one part for each table: the ids of the words (``array('i')``), or a tuple of ids and offsets if a
        word has a bag of ids: those from ``offsets[i]`` to ``offsets[i + 1]``, averaged. An empty bag adds nothing.
        """
        cdef Rows made
        cdef TablePart* asked
        cdef Owner memory = Owner()
        cdef list views = []
        cdef int t
        if len(parts) != self.n_tables:
            raise TreewrightError(f"{len(parts)} parts for {self.n_tables} tables")
        made = new_rows(n_words, self.width)
        asked = <TablePart*>memory.new_block(self.n_tables, sizeof(TablePart))
        for t in range(self.n_tables):
            read_part(&self.tables[t], t, parts[t], n_words, &asked[t], views)
        with nogil:
            sum_parts(self, asked, made)
        return made


cdef int read_part(EmbeddingTable* table, int t, part, Py_ssize_t n_words, TablePart* asked, list views) except -1:
    """Check one part, and keep what its pointers refer to."""
    cdef const int32_t[::1] ids, offsets
    cdef Py_ssize_t i
    if isinstance(part, tuple):
        ids, offsets = part
        if offsets.shape[0] != n_words + 1 or offsets[0] != 0 or offsets[n_words] != ids.shape[0]:
            raise TreewrightError(f"table {t}: the offsets of {n_words} bags must be {n_words + 1} numbers "
                                  f"from 0 to {ids.shape[0]}")
        for i in range(n_words):
            if offsets[i + 1] < offsets[i]:
                raise TreewrightError(f"table {t}: bag {i} ends before it begins")
        views.append(offsets)
        asked.offsets = &offsets[0]
    else:
        ids = part
        if ids.shape[0] != n_words:
            raise TreewrightError(f"table {t}: {ids.shape[0]} ids for {n_words} words")
    for i in range(ids.shape[0]):
        if not 0 <= ids[i] < table.n:
            raise TreewrightError(f"table {t} has no row {ids[i]}: it has {table.n}")
    views.append(ids)
    asked.ids = &ids[0] if ids.shape[0] else NULL
    return 0


cdef inline void add(int path, const EmbeddingTable* table, int32_t row, float* sums) noexcept nogil:
    tw_add_row(path, sums, table.rows + <Py_ssize_t>row * table.width, table.scales[row * table.step], table.width)


cdef int sum_parts(Embeddings layer, const TablePart* asked, Rows made) except -1 nogil:
    """Sum in floats, in the order of tables and ids, then round once."""
    cdef int path = current_path(), t, k, first, end
    cdef Py_ssize_t i
    cdef EmbeddingTable* table
    cdef float* sums = <float*>allocate(2 * <size_t>layer.width, sizeof(float))
    cdef float* bag = sums + layer.width
    for i in range(made.n):
        memset(sums, 0, layer.width * sizeof(float))
        for t in range(layer.n_tables):
            table = &layer.tables[t]
            if asked[t].offsets == NULL:
                add(path, table, asked[t].ids[i], sums + table.column)
                continue
            first, end = asked[t].offsets[i], asked[t].offsets[i + 1]
            if first == end:
                continue
            memset(bag, 0, table.width * sizeof(float))
            for k in range(first, end):
                add(path, table, asked[t].ids[k], bag)
            tw_add_scaled(path, sums + table.column, bag, <float>1 / <float>(end - first), table.width)
        tw_quantise_row(path, sums, layer.width, made.data + i * made.stride)
    free(sums)
    return 0
