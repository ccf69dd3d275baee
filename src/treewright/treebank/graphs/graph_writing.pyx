"""Restore the graphs that a parser built and write them into DEPS, without a Python object per word."""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memchr

from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.digits cimport put_digits
from treewright.treebank.graphs.graph_restoring cimport GraphRestorer
from treewright.treebank.graphs.graph_signs import FILLED, FILLED_END, NO_HEAD, PATH
from treewright.treebank.blocks.growing_text cimport GrowingText, put_bytes
from treewright.treebank.graphs.relation_fillers import CASE
from treewright.treebank.graphs.relation_fillers cimport RelationFillers
from treewright.treebank.graphs.sentence_arcs cimport SentenceArcs


cdef class GraphWriter:
    """Writes graphs with numbered relations. Owns scratch memory: use one per thread."""
    cdef readonly list relations
    cdef readonly list with_paths    # sentences of the last block with a relation that is a path (`conj>obj`)
    cdef GraphRestorer restorer
    cdef RelationFillers fillers
    cdef SentenceArcs built, final
    cdef list texts                  # by name: bytes, or a list of parts to fill in
    cdef bint has_patterns
    cdef int32_t[::1] is_path        # by name
    cdef int no_head                 # name of arcs that are not written, or -1
    cdef GrowingText out

    def __init__(self, relations, cases=None):
        """``cases``: marker → the cases that it takes, see RelationFillers."""
        self.relations = list(relations)
        self.restorer = GraphRestorer(self.relations)
        self.fillers = RelationFillers(self.restorer.names, cases)
        self.texts = [self._parts(name) for name in self.restorer.names]
        self.has_patterns = any(isinstance(text, list) for text in self.texts)
        self.no_head = self.restorer.names.index(NO_HEAD) if NO_HEAD in self.restorer.names else -1
        self.is_path = array("i", [*(PATH in name for name in self.restorer.names), 0])
        self.with_paths = []
        self.built, self.final = SentenceArcs(), SentenceArcs()

    def __dealloc__(self):
        free(self.out.data)

    def _parts(self, name):
        """Return a name as bytes; with placeholders, as a list of bytes, (relation, last), or None for a case."""
        if FILLED not in name:
            return name.encode("utf-8", "surrogateescape")
        parts = []
        for part in name.split(":"):
            inner = part.removeprefix(FILLED).removesuffix(FILLED_END)
            if inner == part:
                parts.append(part.encode("utf-8", "surrogateescape"))
            elif part == CASE:
                parts.append(None)
            else:
                relation = self.fillers.numbers.get(inner.removeprefix("…"), -1)
                parts.append((relation, inner.startswith("…")))
        return parts

    def write(self, Block block, const int32_t[::1] dependents, const int32_t[::1] heads, const int32_t[::1] labels):
        """Return the text of a block with DEPS of every word replaced and everything else unchanged.

        Arcs are ordered by sentence. A dependent is numbered over the whole block from 0, a head within its sentence (0
        is the root). Empty nodes belong to the replaced graph: their lines are left out.
        """
        cdef int sentence, first, n, at = 0, total = dependents.shape[0], column = block.layout.deps, word, copied = 0
        cdef int start, i
        if heads.shape[0] != total or labels.shape[0] != total:
            raise ValueError("every arc needs a dependent, a head and a relation")
        self.out.size = 0
        self.with_paths = []
        for sentence in range(block.n_sentences):
            first, n = block.sentence_word[sentence], block.sentence_word[sentence + 1] - block.sentence_word[sentence]
            self.built.begin(n)
            while at < total and dependents[at] < first + n:
                if dependents[at] < first or not (0 <= heads[at] <= n and 0 <= labels[at] < self.restorer.n_relations):
                    raise ValueError("an arc is out of range")
                self.built.add(heads[at], dependents[at] - first + 1, labels[at])
                at += 1
            self.restorer.restore(self.built, self.final)
            self.final.index()
            for i in range(self.final.n_arcs):
                if self.is_path[self.final.label[i]]:
                    self.with_paths.append(sentence)
                    break
            if self.has_patterns:
                self.fillers.block, self.fillers.first_word, self.fillers.arcs = block, first, self.final
            for word in range(n):
                start = <int>(block.field_start(first + word, column) - block.text)
                self.copy(block, copied, start)
                copied = start + block.field_length(first + word, column)
                self.write_word(word + 1)
        self.copy(block, copied, <int>PyBytes_GET_SIZE(block.data))
        return PyBytes_FromStringAndSize(self.out.data, self.out.size)

    cdef int copy(self, Block block, int start, int end) except -1:
        """Copy the text between two changed columns, without the lines of empty nodes."""
        cdef const char* line
        cdef const char* stop
        cdef const char* p = block.text + start
        cdef const char* last = block.text + end
        while p < last:
            line = <const char*>memchr(p, c'\n', last - p)
            stop = last if line == NULL else line + 1
            if line == NULL or not (p == block.text or (p - 1)[0] == c'\n') or not is_empty_node(p, stop):
                put_bytes(&self.out, p, stop - p)
            p = stop
        return 0

    cdef int write_word(self, int word) except -1:
        """Write the arcs to a word, ordered by head and relation."""
        cdef int at, i, count = 0, head
        cdef int first = self.final.first_in[word], end = self.final.first_in[word + 1]
        cdef bytes text
        i = self.final.arriving[first] if end > first else 0
        if end - first == 1 and self.final.label[i] != self.no_head:
            self.write_arc(self.final.head[i], self.text(word, self.final.label[i]))
            return 0
        arcs = set()
        for at in range(first, end):
            i = self.final.arriving[at]
            if self.final.label[i] != self.no_head:
                arcs.add((self.final.head[i], self.text(word, self.final.label[i])))
        if not arcs:
            put_bytes(&self.out, b"_", 1)
        for head, text in sorted(arcs):
            if count:
                put_bytes(&self.out, b"|", 1)
            self.write_arc(head, text)
            count += 1
        return 0

    cdef int write_arc(self, int head, bytes relation) except -1:
        cdef char digits[20]
        put_bytes(&self.out, digits, put_digits(digits, <uint64_t>head) - digits)
        put_bytes(&self.out, b":", 1)
        put_bytes(&self.out, PyBytes_AS_STRING(relation), PyBytes_GET_SIZE(relation))
        return 0

    cdef bytes text(self, int word, int name):
        """Return a relation as it is written."""
        cdef object parts = self.texts[name]
        if type(parts) is bytes:
            return parts
        found, marker = [], b""
        for part in parts:
            if part is None:
                part = self.fillers.case_of(word, marker)
            elif type(part) is tuple:
                part = self.fillers.of_dependent(word, part[0], part[1]) if part[0] >= 0 else None
            marker = part or b""
            if part:
                found.append(part)
        return b":".join(found)


cdef inline bint is_empty_node(const char* p, const char* stop) noexcept:
    """Return whether a line starts with a number, a dot and a number."""
    cdef const char* start = p
    while p < stop and c'0' <= p[0] <= c'9':
        p += 1
    if p == start or p == stop or p[0] != c'.':
        return False
    p += 1
    start = p
    while p < stop and c'0' <= p[0] <= c'9':
        p += 1
    return p > start and p < stop and p[0] == c'\t'
