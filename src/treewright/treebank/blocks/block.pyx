"""A part of a treebank file, scanned into flat arrays.

There is no Python object per token between file and parser: a Block keeps the bytes as read and, for every word, the
offsets of its columns. Writing an unchanged Block gives the same bytes, because the text is never taken apart. A
parser's result is written by copying the text around the two columns that change. Sentence and Token objects are
created from a Block on request.

The scan never raises on bad input. It lists problems in ``problems``, so the caller can fail, skip or fix. A sentence
with an unreadable line has no words.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdlib cimport free
from libc.string cimport memchr

from treewright.treebank.blocks.memory cimport allocate
from treewright.treebank.blocks.normal_form cimport is_normal, is_plain

from functools import cache

from treewright.errors import TreewrightError

cdef extern from "lines.h" nogil:
    int tw_columns(const char* text, const char* line, const char* end, int32_t* field, int most, const char** stop,
                   int has_avx2)
    int tw_has_avx2()
    size_t tw_line_ends(const char* p, const char* end)

# Codes in Block.problems
COLUMNS = "columns"            # a line has too few or too many columns
ID = "id"                      # an ID is not the next number
HEAD = "head"                  # HEAD is neither a number nor '_'
NO_FINAL_BLANK = "no-final-blank"   # no blank line ends the last sentence

MAX_BLOCK = 1 << 30            # offsets are 32-bit


cdef class Layout:
    """The positions of the columns of a tab-separated format; -1 for a column that it lacks."""

    def __init__(self, str name, columns, bint comments=True):
        self.name = name
        self.columns = tuple(columns)
        self.comments = comments
        self.id, self.form, self.lemma = map(self.index, ("ID", "FORM", "LEMMA"))
        if self.form < 0:
            raise TreewrightError(f"the format {name} has no column FORM. Every format needs one, with the words")
        self.upos, self.xpos, self.feats = map(self.index, ("UPOS", "XPOS", "FEATS"))
        self.head, self.deprel, self.deps, self.misc = map(self.index, ("HEAD", "DEPREL", "DEPS", "MISC"))

    def index(self, str column):
        """Return the position of a column, or -1 if there is none."""
        return self.columns.index(column) if column in self.columns else -1

    def __repr__(self):
        return f"Layout({self.name!r}, {' '.join(self.columns)})"

    def __reduce__(self):
        return layout_of, (self.name, self.columns, bool(self.comments))


@cache
def layout_of(name, columns, comments=True):
    """Return a layout, the same for the same columns: whatever is pickled shares it again."""
    return Layout(name, columns, comments)


cdef class Block:
    """Whole sentences of a file as bytes, with the offsets of their words and columns."""

    def __init__(self, bytes data, Layout layout, str source="", long first_line=1):
        if PyBytes_GET_SIZE(data) > MAX_BLOCK:
            raise TreewrightError(
                f"{source}: more than {MAX_BLOCK >> 20} MB without a blank line. Is this a treebank?"
            )
        self.data = data
        self.text = PyBytes_AS_STRING(data)
        self.layout = layout
        self.source = source
        self.first_line = first_line
        self.n_columns = len(layout.columns)
        self.problems = []
        self._allocate()
        # A file may begin with a byte order mark.
        cdef int skipped = 3 if first_line == 1 and data.startswith(b"\xef\xbb\xbf") else 0
        cdef const char* end = self.text + PyBytes_GET_SIZE(data)
        with nogil:
            self._scan(self.text + skipped, end)

    def __dealloc__(self):
        free(self.field)
        free(self.word_line)
        free(self.head)
        free(self.sentence_word)
        free(self.sentence_offset)
        free(self.sentence_line)

    cdef int _allocate(self) except -1:
        cdef size_t lines = 2 + tw_line_ends(self.text, self.text + PyBytes_GET_SIZE(self.data))
        # The scan writes a little more than a line's columns.
        self.field = <int32_t*>allocate((lines + 1) * (self.n_columns + 1), sizeof(int32_t))
        self.word_line = <int32_t*>allocate(lines, sizeof(int32_t))
        self.head = <int32_t*>allocate(lines, sizeof(int32_t))
        self.sentence_word = <int32_t*>allocate(lines, sizeof(int32_t))
        self.sentence_offset = <int32_t*>allocate(lines, sizeof(int32_t))
        self.sentence_line = <int32_t*>allocate(lines, sizeof(int32_t))
        return 0

    cdef int _scan(self, const char* line, const char* end) except -1 nogil:
        """Scan all lines once: a blank line ends a sentence, any other line is a comment, a word or neither."""
        cdef const char* stop
        cdef const char* after
        cdef int number = 0
        cdef int open_words = 0, columns, has_avx2 = tw_has_avx2()
        cdef bint open = False, broken = False, comments = self.layout.comments
        cdef LineKind kind
        self.sentence_word[0] = 0
        self.sentence_offset[0] = 0
        while line < end:
            if line[0] == c'#' and comments:
                columns = 0
                stop = <const char*>memchr(line, c'\n', end - line)
                stop = end if stop == NULL else stop
            else:
                columns = tw_columns(self.text, line, end, self._fields(), self.n_columns, &stop, has_avx2)
            after = stop + 1 if stop < end else end
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
                if columns > 0 and not broken:
                    kind = self._word(line, stop, columns, number, open_words + 1)
                    open_words += kind == WORD or kind == WORD_WITH_BAD_HEAD
                    if kind != WORD and kind != NO_WORD:
                        broken = kind != WORD_WITH_BAD_HEAD
                        with gil:
                            self._note(number, COLUMNS if kind == BAD_COLUMNS else ID if kind == BAD_ID else HEAD)
            number += 1
            line = after
        if open:
            with gil:
                self._note(number - 1, NO_FINAL_BLANK)
            self._close(end, broken, open_words)
        self.sentence_offset[self.n_sentences] = <int32_t>(end - self.text)
        return 0

    @cython.final
    cdef int32_t* _fields(self) noexcept nogil:
        """Return where the columns of the next word are written."""
        return self.field + self.n_words * (self.n_columns + 1)

    cdef int _note(self, long number, str problem) except -1:
        """Note a problem of the open sentence, in a line counted from the start of the block."""
        self.problems.append((self.n_sentences, self.first_line + number, problem))
        return 0

    cdef void _close(self, const char* after, bint broken, int open_words) noexcept nogil:
        if broken:
            self.n_words -= open_words
        self.n_sentences += 1
        self.sentence_word[self.n_sentences] = self.n_words
        self.sentence_offset[self.n_sentences] = <int32_t>(after - self.text)

    @cython.final
    cdef LineKind _word(self, const char* line, const char* stop, int columns, int number,
                        int expected) noexcept nogil:
        """Record a word whose columns behind the first have been found."""
        cdef int32_t* field = self._fields()
        cdef int found
        if columns != self.n_columns:
            return BAD_COLUMNS
        field[0] = <int32_t>(line - self.text)
        field[columns] = <int32_t>(stop - self.text) + 1
        if self.layout.id >= 0:
            found = parse_id(self.text + field[self.layout.id], self.text + field[self.layout.id + 1] - 1)
            if found == 0:
                return NO_WORD
            if found != expected:
                return BAD_ID
        found = MISSING
        if self.layout.head >= 0:
            found = parse_number(self.text + field[self.layout.head], self.text + field[self.layout.head + 1] - 1)
        self.head[self.n_words] = found
        self.word_line[self.n_words] = number
        self.n_words += 1
        return WORD if found != INVALID else WORD_WITH_BAD_HEAD

    # The methods below are for Python code and rare paths; hot loops use the arrays.

    @property
    def normal(self):
        """The same words with FORM and LEMMA in normal form, which features look at; nearly always the block itself."""
        if not self.looked_at:
            self.rewritten = None if all_normal(self) else in_normal_form(self)
            self.looked_at = True
        return self if self.rewritten is None else self.rewritten

    def words_of(self, int sentence):
        """Return the indices of the words of a sentence."""
        check_sentence(self, sentence)
        return range(self.sentence_word[sentence], self.sentence_word[sentence + 1])

    def text_of(self, int sentence):
        """Return the bytes of a sentence, including comments and the final blank line."""
        check_sentence(self, sentence)
        return self.data[self.sentence_offset[sentence]:self.sentence_offset[sentence + 1]]

    def span_of(self, int sentence):
        """Return the start and end of a sentence in ``data``."""
        check_sentence(self, sentence)
        return self.sentence_offset[sentence], self.sentence_offset[sentence + 1]

    def line_of(self, int sentence):
        """Return the line number of the start of a sentence in the file."""
        check_sentence(self, sentence)
        return self.first_line + self.sentence_line[sentence]

    def line_of_word(self, int word):
        """Return the line number of a word in the file."""
        check_word(self, word)
        return self.first_line + self.word_line[word]

    def value(self, int word, int column):
        """Return one column of a word as bytes."""
        check_word(self, word, column)
        return PyBytes_FromStringAndSize(self.field_start(word, column), self.field_length(word, column))

    def place(self, int word, int column):
        """Return the start and end of a column of a word in ``data``."""
        check_word(self, word, column)
        cdef Py_ssize_t start = self.field_start(word, column) - self.text
        return start, start + self.field_length(word, column)

    def head_of(self, int word):
        """Return HEAD as a number; -1 if it is missing, -2 if it is not a number."""
        check_word(self, word)
        return self.head[word]

    def attached(self):
        """Return a byte for every sentence: 1 where it has words, and each of them a head."""
        cdef bytearray flags = bytearray(self.n_sentences)
        cdef char* flag = flags
        cdef int sentence, word
        for sentence in range(self.n_sentences):
            flag[sentence] = self.sentence_word[sentence] < self.sentence_word[sentence + 1]
            for word in range(self.sentence_word[sentence], self.sentence_word[sentence + 1]):
                if self.head[word] == MISSING:
                    flag[sentence] = 0
        return bytes(flags)

    def sent_id(self, int sentence):
        """Return the value of the ``# sent_id`` comment, or ''."""
        # Extra blank lines and a byte order mark belong to the sentence after them.
        for line in self.text_of(sentence).removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n"):
            if not line.startswith(b"#"):
                return ""
            key, _, value = line[1:].partition(b"=")
            if key.strip() == b"sent_id":
                return value.strip().decode("utf-8", "replace")
        return ""

    def with_tree(self, const int32_t[::1] heads, const int32_t[::1] labels, relations):
        """Return the text with HEAD and DEPREL of every word replaced and everything else unchanged.

        ``labels`` are positions in ``relations``, a list of bytes; a negative head or label writes ``_``.
        """
        from treewright.treebank.blocks.tree_text import replace_tree

        return replace_tree(self, heads, labels, relations)

    def renumber(self, const int32_t[::1] lines):
        """Replace the line numbers of text converted from another format by those of the original file.

        ``lines`` holds the line number in the original file for every line of ``data``.
        """
        cdef int number, n_lines = lines.shape[0]
        if n_lines < self.data.count(b"\n"):
            raise ValueError("lines must hold a number for every line of the block")
        self.problems = [(sentence, lines[line - self.first_line], code) for sentence, line, code in self.problems]
        for number in range(self.n_words):
            self.word_line[number] = lines[self.word_line[number]] - self.first_line
        for number in range(self.n_sentences):
            self.sentence_line[number] = lines[self.sentence_line[number]] - self.first_line


cdef bint all_normal(Block block) noexcept nogil:
    """Whether forms and lemmas are in normal form for sure."""
    cdef const char* start
    cdef int word, column, place
    if is_plain(block.text, block.text + block.sentence_offset[block.n_sentences]):
        return True
    for word in range(block.n_words):
        for place in range(2):
            column = block.layout.lemma if place else block.layout.form
            if column >= 0:
                start = block.field_start(word, column)
                if not is_normal(start, start + block.field_length(word, column)):
                    return False
    return True


cdef Block in_normal_form(Block block):
    """Return a copy with forms and lemmas in normal form; None if they were."""
    from treewright.treebank.blocks.normal_text import normal_bytes

    cdef Py_ssize_t done = 0, start, stop
    cdef int word, column
    pieces = []
    columns = sorted({place for place in (block.layout.form, block.layout.lemma) if place >= 0})
    for word in range(block.n_words):
        for column in columns:
            start = block.field_start(word, column) - block.text
            stop = start + block.field_length(word, column)
            if not is_normal(block.text + start, block.text + stop):
                pieces += block.data[done:start], normal_bytes(block.data[start:stop])
                done = stop
    data = b"".join((*pieces, block.data[done:]))
    return None if data == block.data else Block(data, block.layout, block.source, block.first_line)


cdef int check_sentence(Block block, int sentence) except -1:
    if not 0 <= sentence < block.n_sentences:
        raise IndexError(f"sentence {sentence} of a block of {block.n_sentences}")
    return 0


cdef int check_word(Block block, int word, int column=0) except -1:
    if not 0 <= word < block.n_words:
        raise IndexError(f"word {word} of a block of {block.n_words}")
    if not 0 <= column < block.n_columns:
        raise IndexError(f"column {column} of {block.n_columns}")
    return 0


cdef inline bint is_blank(const char* p, const char* stop) noexcept nogil:
    while p < stop:
        if p[0] != c' ' and p[0] != c'\t':
            return False
        p += 1
    return True


cdef inline int parse_number(const char* p, const char* stop) noexcept nogil:
    """Return the number, MISSING for '_' or nothing, INVALID for anything else."""
    cdef int value = 0
    cdef unsigned tens, ones
    if 1 <= stop - p <= 2:
        # nearly always: one or two digits, without a branch that depends on how many
        ones = <unsigned>((stop - 1)[0]) - c'0'
        tens = <unsigned>(p[0]) - c'0' if stop - p == 2 else 0
        if ones <= 9 and tens <= 9:
            return 10 * tens + ones
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
