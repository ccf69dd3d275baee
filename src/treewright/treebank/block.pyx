"""A stretch of a treebank file, scanned into flat arrays.

Between file and parser there is no Python object per token: a Block keeps the bytes as they were read
and, for every word, where its columns start. Reading and writing without a change gives the same bytes
because nothing is ever taken apart; a parser's answer is written by copying the text around the two
columns that change. Objects for people (Sentence, Token) are made from a Block when asked for.

The scan never raises on bad input. It lists what it found in ``problems`` so that the caller can fail,
skip or mend, and gives a sentence with an unreadable line no words.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy

from treewright.errors import TreewrightError

# Codes in Block.problems
COLUMNS = "columns"            # a line with too few or too many columns
ID = "id"                      # an ID that is not the next number
HEAD = "head"                  # a HEAD that is neither a number nor '_'
NO_FINAL_BLANK = "no-final-blank"   # the last sentence ends with the file, not with a blank line

MAX_BLOCK = 1 << 30            # offsets are 32-bit


cdef class Layout:
    """Which column of a tab-separated format holds what; -1 where it has no such column."""

    def __init__(self, str name, columns, bint comments=True):
        self.name = name
        self.columns = tuple(columns)
        self.comments = comments
        self.id = self._find("ID")
        self.form = self._find("FORM")
        self.lemma = self._find("LEMMA")
        self.upos = self._find("UPOS")
        self.xpos = self._find("XPOS")
        self.feats = self._find("FEATS")
        self.head = self._find("HEAD")
        self.deprel = self._find("DEPREL")
        self.deps = self._find("DEPS")
        self.misc = self._find("MISC")

    def _find(self, str column):
        return self.columns.index(column) if column in self.columns else -1

    def index(self, str column):
        """Return the position of a column, or -1."""
        return self._find(column)

    def __repr__(self):
        return f"Layout({self.name!r}, {' '.join(self.columns)})"


cdef class Block:
    """Whole sentences of a file as bytes, with the places of their words and columns."""

    def __init__(self, bytes data, Layout layout, str source="", long first_line=1):
        if PyBytes_GET_SIZE(data) > MAX_BLOCK:
            raise TreewrightError(
                f"{source}: a stretch of more than {MAX_BLOCK >> 20} MB without a blank line;"
                " is this a treebank?"
            )
        self.data = data
        self.text = PyBytes_AS_STRING(data)
        self.layout = layout
        self.source = source
        self.first_line = first_line
        self.n_columns = len(layout.columns)
        self.problems = []
        self._allocate()
        self._scan()

    def __dealloc__(self):
        free(self.field)
        free(self.word_line)
        free(self.head)
        free(self.sentence_word)
        free(self.sentence_offset)
        free(self.sentence_line)

    cdef int _allocate(self) except -1:
        cdef const char* p = self.text
        cdef const char* end = p + PyBytes_GET_SIZE(self.data)
        cdef size_t lines = 2
        with nogil:
            while p < end:
                p = <const char*>memchr(p, c'\n', end - p)
                if p == NULL:
                    break
                p += 1
                lines += 1
        self.field = <int32_t*>malloc(lines * (self.n_columns + 1) * sizeof(int32_t))
        self.word_line = <int32_t*>malloc(lines * sizeof(int32_t))
        self.head = <int32_t*>malloc(lines * sizeof(int32_t))
        self.sentence_word = <int32_t*>malloc(lines * sizeof(int32_t))
        self.sentence_offset = <int32_t*>malloc(lines * sizeof(int32_t))
        self.sentence_line = <int32_t*>malloc(lines * sizeof(int32_t))
        if (self.field == NULL or self.word_line == NULL or self.head == NULL
                or self.sentence_word == NULL or self.sentence_offset == NULL or self.sentence_line == NULL):
            raise MemoryError
        return 0

    cdef int _scan(self) except -1:
        """One pass over the lines: blank lines end sentences, others are comments, words or neither."""
        cdef const char* start = self.text
        cdef const char* end = start + PyBytes_GET_SIZE(self.data)
        cdef const char* line = start
        cdef const char* stop
        cdef const char* after
        cdef int number = 0
        cdef int open_words = 0, code
        cdef bint open = False, broken = False
        self.sentence_word[0] = 0
        self.sentence_offset[0] = 0
        if self.first_line == 1 and end - line >= 3 and line[0] == c'\xef' and line[1] == c'\xbb' and line[2] == c'\xbf':
            line += 3
        while line < end:
            stop = <const char*>memchr(line, c'\n', end - line)
            after = end if stop == NULL else stop + 1
            if stop == NULL:
                stop = end
            if stop > line and (stop - 1)[0] == c'\r':
                stop -= 1
            if is_blank(line, stop):
                if open:
                    self._close(after, broken, open_words)
                    open = broken = False
                    open_words = 0
            else:
                if not open:
                    open = True
                    self.sentence_line[self.n_sentences] = number
                if not (line[0] == c'#' and self.layout.comments) and not broken:
                    code = self._word(line, stop, number, open_words + 1)
                    if code == 1:
                        open_words += 1
                    elif code < 0:
                        broken = True
                        self.problems.append((self.n_sentences, self.first_line + number, COLUMNS if code == -1 else ID))
            number += 1
            line = after
        if open:
            self.problems.append((self.n_sentences, self.first_line + number - 1, NO_FINAL_BLANK))
            self._close(end, broken, open_words)
        self.sentence_offset[self.n_sentences] = <int32_t>(end - start)
        return 0

    cdef int _close(self, const char* after, bint broken, int open_words) except -1:
        if broken:
            self.n_words -= open_words
        self.n_sentences += 1
        self.sentence_word[self.n_sentences] = self.n_words
        self.sentence_offset[self.n_sentences] = <int32_t>(after - self.text)
        return 0

    cdef int _word(self, const char* line, const char* stop, int number, int expected) except -9:
        """Record a word. 1: a word; 0: a multiword token or empty node; -1, -2: bad columns, bad ID."""
        cdef int32_t* field = self.field + self.n_words * (self.n_columns + 1)
        cdef const char* p = line
        cdef const char* tab
        cdef int column = 0
        cdef int wanted = self.n_columns
        cdef int head
        field[0] = <int32_t>(p - self.text)
        while True:
            tab = <const char*>memchr(p, c'\t', stop - p)
            column += 1
            if tab == NULL:
                break
            if column >= wanted:
                return -1
            p = tab + 1
            field[column] = <int32_t>(p - self.text)
        field[column] = <int32_t>(stop - self.text) + 1
        if column != wanted:
            return -1
        if self.layout.id >= 0:
            head = parse_id(self.text + field[self.layout.id], self.text + field[self.layout.id + 1] - 1)
            if head == 0:
                return 0
            if head != expected:
                return -2
        self.head[self.n_words] = MISSING
        if self.layout.head >= 0:
            head = parse_number(self.text + field[self.layout.head], self.text + field[self.layout.head + 1] - 1)
            self.head[self.n_words] = head
            if head == INVALID:
                self.problems.append((self.n_sentences, self.first_line + number, HEAD))
        self.word_line[self.n_words] = number
        self.n_words += 1
        return 1

    # What Python may ask. Everything below is for people and for rare paths; hot loops use the arrays.

    def words_of(self, int sentence):
        """Return the range of word indices of a sentence."""
        return range(self.sentence_word[sentence], self.sentence_word[sentence + 1])

    def text_of(self, int sentence):
        """Return the bytes of a sentence, comments and final blank line included."""
        return self.data[self.sentence_offset[sentence]:self.sentence_offset[sentence + 1]]

    def span_of(self, int sentence):
        """Return where a sentence starts and ends in ``data``."""
        return self.sentence_offset[sentence], self.sentence_offset[sentence + 1]

    def line_of(self, int sentence):
        """Return the number, in the file, of the first line of a sentence."""
        return self.first_line + self.sentence_line[sentence]

    def line_of_word(self, int word):
        """Return the number, in the file, of the line of a word."""
        return self.first_line + self.word_line[word]

    def value(self, int word, int column):
        """Return one column of a word as bytes."""
        return PyBytes_FromStringAndSize(self.field_start(word, column), self.field_length(word, column))

    def place(self, int word, int column):
        """Return where one column of a word starts and ends in ``data``."""
        cdef Py_ssize_t start = self.field_start(word, column) - self.text
        return start, start + self.field_length(word, column)

    def head_of(self, int word):
        """Return HEAD as a number; -1 where there is none, -2 where it is not a number."""
        return self.head[word]

    def sent_id(self, int sentence):
        """Return the value of the ``# sent_id`` comment, or ''."""
        # Spare blank lines and a byte order mark belong to the sentence that follows them.
        for line in self.text_of(sentence).removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n"):
            if not line.startswith(b"#"):
                return ""
            key, _, value = line[1:].partition(b"=")
            if key.strip() == b"sent_id":
                return value.strip().decode("utf-8", "replace")
        return ""

    def with_tree(self, const int32_t[::1] heads, const int32_t[::1] labels, relations):
        """Return the text with HEAD and DEPREL of every word replaced and all else as it was.

        ``labels`` are positions in ``relations``, a list of bytes; a negative head or label writes ``_``.
        """
        return replace_tree(self, heads, labels, relations)

    def renumber(self, const int32_t[::1] lines):
        """Replace line numbers by those of the original, for text that was made from another format.

        ``lines`` has, for every line of ``data``, the number of the line in the file that it was made from.
        """
        cdef int number, n_lines = lines.shape[0]
        if n_lines < self.data.count(b"\n"):
            raise ValueError("every line of the block needs a number")
        self.problems = [(sentence, lines[line - self.first_line], code) for sentence, line, code in self.problems]
        for number in range(self.n_words):
            self.word_line[number] = lines[self.word_line[number]] - self.first_line
        for number in range(self.n_sentences):
            self.sentence_line[number] = lines[self.sentence_line[number]] - self.first_line


cdef inline bint is_blank(const char* p, const char* stop) noexcept nogil:
    while p < stop:
        if p[0] != c' ' and p[0] != c'\t':
            return False
        p += 1
    return True


cdef inline int parse_number(const char* p, const char* stop) noexcept nogil:
    """Return the number, MISSING for '_' or nothing, INVALID for anything else."""
    cdef int value = 0
    if p == stop or (stop - p == 1 and p[0] == c'_'):
        return MISSING
    if stop - p > 9:
        return INVALID
    while p < stop:
        if not c'0' <= p[0] <= c'9':
            return INVALID
        value = value * 10 + (p[0] - c'0')
        p += 1
    return value


cdef inline int parse_id(const char* p, const char* stop) noexcept nogil:
    """Return the number of a word, 0 for a multiword token (3-4) or an empty node (3.1), -1 for neither."""
    cdef const char* first = p
    cdef int value = 0
    while p < stop and c'0' <= p[0] <= c'9' and p - first < 9:
        value = value * 10 + (p[0] - c'0')
        p += 1
    if p == first:
        return -1
    if p == stop:
        return value if value > 0 else -1
    if (p[0] == c'-' or p[0] == c'.') and p + 1 < stop:
        p += 1
        first = p
        while p < stop and c'0' <= p[0] <= c'9' and p - first < 9:
            p += 1
        return 0 if p == stop else -1
    return -1


cdef bytes replace_tree(Block block, const int32_t[::1] heads, const int32_t[::1] labels, relations):
    cdef int n_columns = block.n_columns
    cdef int head_column = block.layout.head, deprel_column = block.layout.deprel
    cdef int n_relations = len(relations), longest = 1, word, number, length
    cdef const char** texts
    cdef int* lengths
    cdef const char* source = block.text
    cdef const char* copied = source
    cdef const char* end = source + PyBytes_GET_SIZE(block.data)
    cdef char* out
    cdef bytes relation, result
    if head_column < 0 or deprel_column != head_column + 1:
        raise TreewrightError(
            f"{block.source}: the layout {block.layout.name} has no HEAD and DEPREL columns side by side to write to"
        )
    if heads.shape[0] < block.n_words or labels.shape[0] < block.n_words:
        raise ValueError("heads and labels must cover every word of the block")
    texts = <const char**>malloc((n_relations + 1) * sizeof(char*))
    lengths = <int*>malloc((n_relations + 1) * sizeof(int))
    if texts == NULL or lengths == NULL:
        free(texts)
        free(lengths)
        raise MemoryError
    for number in range(n_relations):
        relation = relations[number]
        texts[number] = PyBytes_AS_STRING(relation)
        lengths[number] = PyBytes_GET_SIZE(relation)
        longest = max(longest, lengths[number])
    try:
        result = PyBytes_FromStringAndSize(NULL, PyBytes_GET_SIZE(block.data) + <Py_ssize_t>block.n_words * (longest + 11))
        out = PyBytes_AS_STRING(result)
        with nogil:
            for word in range(block.n_words):
                length = <int>(block.field_start(word, head_column) - copied)
                memcpy(out, copied, length)
                out += length
                out = put_number(out, heads[word])
                out[0] = c'\t'
                out += 1
                if 0 <= labels[word] < n_relations:
                    memcpy(out, texts[labels[word]], lengths[labels[word]])
                    out += lengths[labels[word]]
                else:
                    out[0] = c'_'
                    out += 1
                copied = block.field_start(word, deprel_column) + block.field_length(word, deprel_column)
            memcpy(out, copied, end - copied)
            out += end - copied
        return result[: out - PyBytes_AS_STRING(result)]
    finally:
        free(texts)
        free(lengths)


cdef inline char* put_number(char* out, int value) noexcept nogil:
    cdef char digits[12]
    cdef int n = 0
    if value < 0:
        out[0] = c'_'
        return out + 1
    while True:
        digits[n] = c'0' + value % 10
        n += 1
        value //= 10
        if value == 0:
            break
    while n > 0:
        n -= 1
        out[0] = digits[n]
        out += 1
    return out
