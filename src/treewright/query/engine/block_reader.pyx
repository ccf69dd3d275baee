"""From the text of a sentence in a block to the graph that patterns are matched with.

Nodes are the anchor, words and empty nodes in the order of the file. Most sentences are never loaded: ``may_match``
looks at the columns of the rarest node of the pattern alone.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint64_t
from libc.math cimport NAN
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp

from treewright.query.engine.sentence_graph cimport SentenceGraph
from treewright.query.engine.value_table cimport ABSENT, ValueTable
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate, resize

cdef extern from "lines.h" nogil:
    int tw_columns(const char* text, const char* line, const char* end, int32_t* field, int most, const char** stop,
                   int has_avx2)

cdef const char* ANCHOR_FORM = "__0__"
cdef const char* EMPTY_FORM = "__EMPTY__"
cdef const char* NO_TEXT = "_"

cdef enum:                               # what stands in the text for a word
    AS_FORM = -1                         # its form
    WITHIN_TOKEN = -2                    # nothing: it belongs to a token that began before


cdef class Condition:
    """What a node must be: one of some alternatives, each of clauses, each of terms of which one must hold."""

    def __init__(self, alternatives):
        cdef int clause = 0, term = 0
        clauses = [terms for each in alternatives for terms in each]
        self.n_alternatives, self.n_clauses = len(alternatives), len(clauses)
        self.n_terms = sum(map(len, clauses))
        self.first_clause = <int*>allocate(self.n_alternatives + 1, sizeof(int))
        self.first_term = <int*>allocate(self.n_clauses + 1, sizeof(int))
        self.terms = <Term*>allocate(self.n_terms, sizeof(Term))
        self.first_clause[0] = self.first_term[0] = 0
        for number, each in enumerate(alternatives, 1):
            clause += len(each)
            self.first_clause[number] = clause
        for number, terms in enumerate(clauses, 1):
            for must, must_not in terms:
                self.terms[term] = Term(must, must_not)
                term += 1
            self.first_term[number] = term

    def __dealloc__(self):
        free(self.first_clause)
        free(self.first_term)
        free(self.terms)


cdef class BlockReader:
    """Reads sentences of blocks into a graph."""

    def __init__(self, SentenceGraph graph not None, tables, ValueTable tree_labels, ValueTable graph_labels,
                 bint with_graph, bint with_arcs, misc_names):
        """``tables``: of each column, or None. ``with_graph``: empty nodes and, ``with_arcs``, the arcs of DEPS."""
        cdef int column
        self.graph, self.tables = graph, list(tables)
        self.tree_labels, self.graph_labels = tree_labels, graph_labels
        self.with_graph, self.with_arcs = with_graph, with_arcs
        self.misc_names = list(misc_names)
        self.misc_name = <const char**>allocate(len(self.misc_names), sizeof(char*))
        self.misc_length = <int*>allocate(len(self.misc_names), sizeof(int))
        for name in self.misc_names:
            self.misc_name[self.n_misc_names] = PyBytes_AS_STRING(name)
            self.misc_length[self.n_misc_names] = PyBytes_GET_SIZE(name)
            self.n_misc_names += 1
        for column in range(N_COLUMNS):
            self.table[column] = <void*>self.tables[column] if self.tables[column] is not None else NULL
        self.look_for(None, (), False)

    def __dealloc__(self):
        free(self.misc_name)
        free(self.misc_length)
        free(self.other_fields)
        free(self.node_of_word)
        free(self.text_form)

    def look_for(self, Condition rare, columns, bint others_may):
        """Choose what ``may_match`` looks at: a condition on a node, and the columns that it needs.

        ``others_may``: whether an empty node can fulfil it, and so a sentence that has some must be loaded.
        """
        cdef int column
        self.rare = rare
        self.others_may = others_may
        for column in range(N_COLUMNS):
            self.rare_columns[column] = column in columns and self.table[column] != NULL
        self.anchor_may = rare is None or rare.holds(self._mask(NULL, 0, False))

    cdef int open(self, Block block) except -1:
        """Turn to a block."""
        self.block = block
        self.text, self.fields, self.heads = block.text, block.field, block.head
        self.sentence_word, self.sentence_offset = block.sentence_word, block.sentence_offset
        self.word_line, self.n_columns = block.word_line, block.n_columns
        layout = block.layout
        self.id_place, self.deps_place, self.has_comments = layout.id, layout.deps, layout.comments
        self.place[FORM], self.place[LEMMA] = layout.form, layout.lemma
        self.place[UPOS], self.place[XPOS] = layout.upos, layout.xpos
        self.place[FEATS], self.place[MISC] = layout.feats, layout.misc
        self.place[RELATION] = layout.deprel
        self.place[TEXT_FORM] = self.place[WORD_FORM] = -1
        return 0

    cdef bint may_match(self, int sentence) except -1 nogil:
        """Return whether a node of a sentence may be the rarest of the pattern; cheaper than to load it."""
        cdef int word
        if self.anchor_may:
            return True
        for word in range(self.sentence_word[sentence], self.sentence_word[sentence + 1]):
            if self.rare.holds(self._mask(self.field_of(word), -1, True)):
                return True
        return self.others_may and self.with_graph and self._has_other_lines(sentence)

    cdef int load(self, int sentence) except -1 nogil:
        """Fill the graph with a sentence."""
        cdef int first = self.sentence_word[sentence], words = self.sentence_word[sentence + 1] - first
        cdef int word, node, k, width = self.n_columns + 2
        self.n_others = 0
        if words >= self.text_room:
            self.text_room = 64 + 2 * words
            self.node_of_word = <int32_t*>resize(self.node_of_word, self.text_room + 1, sizeof(int32_t))
        for word in range(words + 1):
            self.node_of_word[word] = word
        if (self.with_graph or self.table[TEXT_FORM] != NULL) and self._has_other_lines(sentence):
            self._look_at_lines(sentence)
        elif self.table[TEXT_FORM] != NULL:
            self.text_form = <int32_t*>resize(self.text_form, 2 * words + 2, sizeof(int32_t))
            for node in range(words + 1):
                self.text_form[2 * node + 1] = AS_FORM
        self.graph.begin(1 + words + self.n_others)
        self._mask(NULL, 0, False)
        for word in range(words):
            self._mask(self.field_of(first + word), self.node_of_word[word + 1], False)
        for k in range(self.n_others):
            self._mask(self.other_fields + k * width + 1, self.other_fields[k * width], False)
        self._add_tree(sentence)
        if self.with_arcs and self.deps_place >= 0:
            for word in range(words):
                self._add_graph(self.field_of(first + word), self.node_of_word[word + 1], words)
            for k in range(self.n_others):
                self._add_graph(self.other_fields + k * width + 1, self.other_fields[k * width], words)
        self.graph.index()
        return 0

    cdef uint64_t _mask(self, const int32_t* field, int node, bint only_rare) except? 1 nogil:
        """Return what the tests say of a node; write it and what is compared to the graph, but for ``only_rare``.

        Without fields, the node is the anchor.
        """
        cdef uint64_t mask = 0
        cdef int column, entry, slot, n_slots = self.graph.n_slots
        cdef double* values
        cdef double* found
        if not only_rare and self.graph.node_room > node:
            values = self.graph.value + node * n_slots
            for slot in range(n_slots):
                values[slot] = NAN
        else:
            values = NULL
        for column in range(N_COLUMNS):
            if self.table[column] == NULL or (only_rare and not self.rare_columns[column]):
                continue
            entry = self._entry(column, self._text(field, node, column))
            mask |= (<ValueTable>self.table[column]).masks[entry]
            if values != NULL:
                found = (<ValueTable>self.table[column]).values + entry * n_slots
                for slot in range(n_slots):
                    if values[slot] != values[slot]:
                        values[slot] = found[slot]
        if values != NULL:
            self.graph.mask[node] = mask
        return mask

    cdef int _entry(self, int column, Text text) except -1 nogil:
        if text.length < 0:
            return ABSENT
        # MISC may say anything: nearly all of it is of no interest
        if column == MISC and not self._has_misc_name(text):
            return ABSENT
        return (<ValueTable>self.table[column]).entry(text.start, text.length)

    cdef bint _has_misc_name(self, Text text) noexcept nogil:
        """Return whether a feature that tests name may be in a text."""
        cdef const char* end = text.start + text.length
        cdef const char* p = text.start
        cdef const char* name
        cdef int n, length
        for n in range(self.n_misc_names):
            name, length = self.misc_name[n], self.misc_length[n]
            p = text.start
            while end - p > length:
                if p[length] == c"=" and memcmp(p, name, length) == 0:
                    return True
                p = <const char*>memchr(p, c"|", end - p)
                if p == NULL:
                    break
                p += 1
        return False

    cdef Text _text(self, const int32_t* field, int node, int column) noexcept nogil:
        """Return a column of a node; its length is -1 where it is missing."""
        cdef Text found = Text(NULL, -1)
        cdef bint is_other
        cdef int place = self.place[column]
        if field == NULL:
            return Text(ANCHOR_FORM, 5) if column == FORM else found
        if column == WORD_FORM:
            is_other = self.n_others > 0 and node >= 0 and self._is_other(field)
            return Text(EMPTY_FORM, 9) if is_other else self._text(field, node, FORM)
        if column == TEXT_FORM:
            if self.n_others > 0 and self._is_other(field):
                return Text(NO_TEXT, 1)
            if self.text_form[2 * node + 1] == AS_FORM:
                return self._text(field, node, FORM)
            if self.text_form[2 * node + 1] == WITHIN_TOKEN:
                return Text(NO_TEXT, 1)
            return Text(self.text + self.text_form[2 * node], self.text_form[2 * node + 1])
        if place < 0:
            return found
        found.start = self.text + field[place]
        found.length = field[place + 1] - 1 - field[place]
        if found.length == 0:
            found.length = -1
        elif found.length == 1 and found.start[0] == c"_" and column != FORM:
            # a word that is written with this sign has it as its lemma, too
            if column != LEMMA or self.text[field[self.place[FORM]]] != c"_" or \
                    field[self.place[FORM] + 1] - 1 - field[self.place[FORM]] != 1:
                found.length = -1
        return found

    cdef inline bint _is_other(self, const int32_t* field) noexcept nogil:
        return self.other_fields <= field < self.other_fields + self.n_others * (self.n_columns + 2)

    # Lines that are no words

    cdef bint _has_other_lines(self, int sentence) noexcept nogil:
        """Return whether a sentence may have multiword tokens or empty nodes."""
        cdef int first = self.sentence_word[sentence], last = self.sentence_word[sentence + 1] - 1
        cdef const char* begin = self.text + self.sentence_offset[sentence]
        cdef const char* end = self.text + self.sentence_offset[sentence + 1]
        cdef const char* p
        if last < first or self.word_line[last] - self.word_line[first] != last - first:
            return True
        # the line behind the last word, and the one before the first
        p = self.text + self.fields[last * (self.n_columns + 1) + self.n_columns] - 1
        p = <const char*>memchr(p, c"\n", end - p)
        if p != NULL and p + 1 < end and p[1] > c" ":
            return True
        p = self.text + self.fields[first * (self.n_columns + 1)] - 1
        if p <= begin:
            return False
        p -= 1
        while p > begin and p[-1] != c"\n":
            p -= 1
        return p[0] != c"#" and p[0] > c" "

    cdef int _look_at_lines(self, int sentence) except -1 nogil:
        """Number all nodes: words and empty nodes; keep the texts of multiword tokens."""
        cdef const char* line = self.text + self.sentence_offset[sentence]
        cdef const char* end = self.text + self.sentence_offset[sentence + 1]
        cdef const char* stop
        cdef const char* p
        cdef int32_t* field
        cdef int columns, width = self.n_columns + 2, node = 0, word = 0, id_place = self.id_place
        cdef int words = self.sentence_word[sentence + 1] - self.sentence_word[sentence], lines = 0
        cdef int covered = 0, token = 0, token_length = 0
        p = line
        while p != NULL and p < end:
            lines += 1
            p = <const char*>memchr(p, c"\n", end - p)
            p = p + 1 if p != NULL else NULL
        # the scan writes a little more than the columns of a line
        self.other_fields = <int32_t*>resize(self.other_fields, (lines + 2) * width + 2, sizeof(int32_t))
        self.text_form = <int32_t*>resize(self.text_form, 2 * (lines + 2), sizeof(int32_t))
        while line < end and id_place >= 0:
            stop = <const char*>memchr(line, c"\n", end - line)
            if stop == NULL:
                stop = end
            if line[0] > c" " and not (line[0] == c"#" and self.has_comments):
                field = self.other_fields + self.n_others * width + 1
                columns = tw_columns(self.text, line, end, field, self.n_columns, &stop, False)
                field[0] = <int32_t>(line - self.text)
                field[self.n_columns] = <int32_t>((stop - 1 if stop[-1] == c"\r" else stop) - self.text) + 1
                p = self.text + field[id_place]
                while p < stop and c"0" <= p[0] <= c"9":
                    p += 1
                if columns != self.n_columns:
                    pass
                elif p[0] == c"." and self.with_graph:
                    node += 1
                    self.other_fields[self.n_others * width] = node
                    self.n_others += 1
                elif p[0] == c"-":
                    # of the words that follow, the first has the text of the whole token, the others have none
                    covered = 1 + number_in(p + 1, last_digit(p + 1, stop)) - number_in(self.text + field[id_place], p)
                    token = field[self.place[FORM]]
                    token_length = field[self.place[FORM] + 1] - 1 - token
                elif p[0] != c"." and word < words:
                    word += 1
                    node += 1
                    self.node_of_word[word] = node
                    self.text_form[2 * node] = token
                    self.text_form[2 * node + 1] = token_length if covered > 0 else AS_FORM
                    covered -= 1
                    if covered > 0:
                        token_length = WITHIN_TOKEN
            line = stop + 1
        return 0

    # Arcs

    cdef int _add_tree(self, int sentence) except -1 nogil:
        cdef int first = self.sentence_word[sentence], words = self.sentence_word[sentence + 1] - first
        cdef int word, head, node, place = self.place[RELATION]
        cdef const int32_t* field
        for word in range(words):
            head = self.heads[first + word]
            if 0 <= head <= words:
                node = self.node_of_word[word + 1]
                head = self.node_of_word[head]
                self.graph.parent[node] = head
                if place >= 0:
                    field = self.field_of(first + word) + place
                    self._add_arc(<void*>self.tree_labels, head, node, self.text + field[0], field[1] - 1 - field[0])
                else:
                    self._add_arc(<void*>self.tree_labels, head, node, NO_TEXT, 1)
        return 0

    cdef int _add_graph(self, const int32_t* field, int node, int words) except -1 nogil:
        """Add the arcs of DEPS to a node, each once."""
        cdef const char* p = self.text + field[self.deps_place]
        cdef const char* end = self.text + field[self.deps_place + 1] - 1
        cdef const char* stop
        cdef const char* colon
        cdef int source
        while p < end:
            stop = <const char*>memchr(p, c"|", end - p)
            if stop == NULL:
                stop = end
            colon = <const char*>memchr(p, c":", stop - p)
            if colon != NULL:
                source = self._node_named(p, colon, words)
                if source >= 0:
                    self._add_arc(<void*>self.graph_labels, source, node, colon + 1, <int>(stop - colon) - 1)
            p = stop + 1
        return 0

    cdef int _node_named(self, const char* start, const char* stop, int words) noexcept nogil:
        """Return the node with an ID; -1 if there is none."""
        cdef const char* p
        cdef int number, k, place, width = self.n_columns + 2, length = <int>(stop - start)
        if memchr(start, c".", length) == NULL:
            number = number_in(start, stop)
            return self.node_of_word[number] if 0 <= number <= words else -1
        for k in range(self.n_others):
            place = self.other_fields[k * width + 1 + self.id_place]
            p = self.text + place
            if self.other_fields[k * width + 2 + self.id_place] - 1 - place == length and \
                    memcmp(p, start, length) == 0:
                return self.other_fields[k * width]
        return -1

    cdef int _add_arc(self, void* table, int source, int node, const char* label, int length) except -1 nogil:
        cdef int entry = (<ValueTable>table).entry(label, length), n = self.graph.n_arc_slots
        cdef int arc = self.graph.n_arcs - 1, slot
        cdef const double* values = (<ValueTable>table).values + entry * n
        while n > 0 and arc >= 0 and self.graph.target[arc] == node:
            # the first slot is the whole label
            if self.graph.source[arc] == source and self.graph.arc_value[arc * n] == values[0]:
                return 0
            arc -= 1
        arc = self.graph.add(source, node, (<ValueTable>table).masks[entry])
        for slot in range(n):
            self.graph.arc_value[arc * n + slot] = values[slot]
        return 0


cdef inline const char* last_digit(const char* start, const char* stop) noexcept nogil:
    """Return where digits end."""
    while start < stop and c"0" <= start[0] <= c"9":
        start += 1
    return start


cdef inline int number_in(const char* start, const char* stop) noexcept nogil:
    """Return a number of digits; -1 if it is none."""
    cdef int value = 0
    if start >= stop or stop - start > 9:
        return -1
    while start < stop:
        if not c"0" <= start[0] <= c"9":
            return -1
        value = 10 * value + (start[0] - c"0")
        start += 1
    return value
