"""Words as numbers: 64-bit hashes of their attributes, computed once per word.

There is no vocabulary: an unknown word hashes to a number without weights. A sentence of n words takes n + 3 rows:
nothing, node 0, the words, node n + 1. So the extractor can read any node without a check. The root is node 0 or n + 1,
depending on the system; the other one stands for nothing.
"""
from libc.string cimport memcmp, memcpy, memset

from treewright.errors import FeatureModelError, TreewrightError
from treewright.features.folding cimport SCRATCH, back, fold, forth, make_tables
from treewright.features.word_clusters cimport WordClusters
from treewright.features.word_types cimport UNKNOWN_TYPE
from treewright.systems.leaf_tags cimport LeafTags, waive

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

cdef enum Role:
    OTHER = 0
    TAG = 1          # UPOS, or XPOS where UPOS is '_'
    FEATURE = 2      # one feature of FEATS by name
    PLUGIN = 3       # a function from another package

cdef enum Mapping:
    WHOLE = 0
    SUFFIX = 1
    PREFIX = 2
    SHAPE = 3
    CLUSTER = 4

MAPPING_CODES = {"suffix": SUFFIX, "prefix": PREFIX, "shape": SHAPE, "cluster": CLUSTER}

cdef uint64_t SEED = 0x7472656577726967ULL
cdef uint64_t NOTHING = tw_hash("nothing", 7, 1)
cdef uint64_t ROOT = tw_hash("root", 4, 2)


cdef class Encoded:
    def __cinit__(self, int n_attributes, bint has_items):
        self.n_attributes = n_attributes
        self.has_items = has_items
        self.column_index = <int32_t*>self.new_block(n_attributes + 1, sizeof(int32_t))
        self.types = WordTypes(n_attributes)
        self.reserve(256)
        self.clear()

    cdef void clear(self) noexcept nogil:
        """Remove all rows."""
        if self.types.full:
            self.types.reset()
        self.n_rows = 0
        self.item_start[0] = 0

    cdef int reserve(self, int64_t rows) except -1 nogil:
        cdef int64_t capacity = self.capacity
        if rows <= capacity:
            return 0
        capacity = rows if rows > capacity + capacity // 2 else capacity + capacity // 2
        self.values = <uint64_t*>self.resized(self.values, capacity * (self.n_attributes + 1), sizeof(uint64_t))
        self.item_start = <int64_t*>self.resized(self.item_start, capacity + 1, sizeof(int64_t))
        self.leaf = <unsigned char*>self.resized(self.leaf, capacity, 1)
        self.tag = <unsigned char*>self.resized(self.tag, capacity, 1)
        self.capacity = capacity
        return 0

    cdef const unsigned char* leaves_at(self, int64_t row) noexcept nogil:
        """Return the flags of leaves by node, of the sentence that begins at a row; NULL if no word is a leaf."""
        return self.leaf + row + 1 if self.has_leaves else NULL

    cdef void equip(self, Configuration* c, int64_t row) noexcept nogil:
        """Tell a configuration which arcs may not be, of the sentence at a row: leaves and rules."""
        c.leaf = self.leaves_at(row)
        c.rules = &self.rules.table if self.rules is not None else NULL
        c.tag, c.tag_price = self.tag + row + 1, self.tag_price


cdef int add_item(Encoded self, int64_t at, uint64_t item) except -1 nogil:
    cdef int64_t capacity
    if at >= self.items_capacity:
        capacity = 256 + self.items_capacity + self.items_capacity // 2
        self.items = <uint64_t*>self.resized(self.items, capacity, sizeof(uint64_t))
        self.items_capacity = capacity
    self.items[at] = item
    return 0


cdef class Encoder:
    """Turns the words of a block into rows of hashes, one per attribute that the feature model uses.

    Words with one of the ``leaf_tags`` are marked: they may not govern others. ``rules`` say which arcs may not be.
    """

    def __cinit__(self, attributes, bint has_items, leaf_tags=(), WordClusters clusters=None,
                  RuleTable rules=None):
        self.clusters = clusters
        self.leaf_tags, self.rules = LeafTags(leaf_tags), rules
        self.n_attributes = len(attributes)
        self.columns = <Column*>self.new_block(self.n_attributes + 1, sizeof(Column))
        self.name_text = <const char**>self.new_block(self.n_attributes + 1, sizeof(char*))
        self.name_length = <int*>self.new_block(self.n_attributes + 1, sizeof(int))

    def __init__(self, attributes, bint has_items, leaf_tags=(), WordClusters clusters=None,
                 RuleTable rules=None):
        cdef int i
        cdef bytes name
        self.attributes = list(attributes)
        self.has_items = has_items
        self.names = []
        for i, (column, argument, mappings) in enumerate(self.attributes):
            self.columns[i].role = TAG if column == "UPOS" else FEATURE if argument else OTHER
            if not column:
                self.columns[i].role = PLUGIN
                from treewright.features.plugins import feature_function

                self.names.append(feature_function(argument))
                continue
            for mapping, size in mappings:
                if mapping == "lower":
                    self.columns[i].lower = True
                else:
                    self.columns[i].mapping = MAPPING_CODES[mapping]
                    self.columns[i].size = size
                if mapping == "cluster":
                    self.columns[i].lower = True
            if mappings:
                make_tables()
            name = argument.encode()
            self.names.append(name)
            self.name_text[i] = name
            self.name_length[i] = len(name)

    cdef int bind(self, Block block, Encoded out) except -1:
        """Find the columns in the layout of a block; call this before encode. The encoder itself never changes."""
        cdef int i
        out.has_leaves, out.rules = self.leaf_tags.n > 0, self.rules
        out.block = block.normal
        if out.layout is block.layout:
            return 0
        if self.clusters is None and any(self.columns[i].mapping == CLUSTER for i in range(self.n_attributes)):
            raise FeatureModelError(
                "the feature model looks at word clusters, but the model has none. Train a pipeline with --raw or"
                " --vectors"
            )
        for i, (column, _, _) in enumerate(self.attributes):
            out.column_index[i] = block.layout.index(column)
        used = [out.column_index[i] for i in range(self.n_attributes)]
        used += [block.layout.xpos for i in range(self.n_attributes) if self.columns[i].role == TAG]
        used += [block.layout.feats] * self.has_items
        used += [block.layout.upos, block.layout.xpos] * (out.has_leaves or out.rules is not None)
        used += [block.layout.feats] * (out.rules is not None)
        used = [index for index in used if index >= 0]
        out.first_column, out.last_column = (min(used), max(used)) if used else (-1, -1)
        out.types.reset()
        out.layout = block.layout
        return 0

    cdef int encode(self, int sentence, bint root_last, Encoded out) except -1 nogil:
        """Append the rows of one sentence of the block that ``out`` was bound to."""
        cdef int first = out.block.sentence_word[sentence], n = out.block.sentence_word[sentence + 1] - first
        cdef int word, attribute, known, k = self.n_attributes
        cdef int64_t row = out.n_rows, items, at
        cdef uint64_t key
        cdef uint64_t* values
        out.reserve(row + n + 3)
        memset(out.leaf + row, 0, n + 3)
        memset(out.tag + row, 0, n + 3)
        values = out.values + row * k
        for attribute in range(k):
            values[attribute] = NOTHING
            values[k + attribute] = NOTHING if root_last else ROOT
            values[(n + 2) * k + attribute] = ROOT if root_last else NOTHING
        items = out.item_start[row]
        out.item_start[row + 1] = out.item_start[row + 2] = items
        row += 2
        for word in range(first, first + n):
            values = out.values + row * k
            key = word_key(out.block, word, out)
            known = out.types.find(key)
            if known == UNKNOWN_TYPE:
                at = items
                items = encode_word(self, out.block, word, out, values, at)
                out.leaf[row] = out.has_leaves and self.leaf_tags.has(out.block, word)
                out.tag[row] = <unsigned char>out.rules.tag_of(out.block, word) if out.rules is not None else 0
                out.types.add(key, out.leaf[row], out.tag[row], values, out.items + at, items - at)
            else:
                out.leaf[row], out.tag[row] = out.types.leaf[known], out.types.tag[known]
                memcpy(values, out.types.values + <int64_t>known * k, k * sizeof(uint64_t))
                for at in range(out.types.item_start[known], out.types.item_start[known + 1]):
                    add_item(out, items, out.types.items[at])
                    items += 1
            if out.tag_price == 0:
                out.tag[row] = 0
            row += 1
            out.item_start[row] = items
        for attribute in range(k):
            if self.columns[attribute].role == PLUGIN:
                with gil:
                    add_plugin_values(self.names[attribute], self.attributes[attribute][1], out.block, first, n,
                                      out.values + (row - n) * k + attribute, k)
        waive(out.leaf + row - n, n)
        out.item_start[row + 1] = items
        out.n_rows = row + 1
        return 0

    def text(self, Block block, int word, int attribute):
        """Return the text that the hash of an attribute of a word is made of; for clusters, the path."""
        cdef char scratch[SCRATCH]
        cdef const char* text = NULL
        cdef int length
        if not (0 <= word < block.n_words and 0 <= attribute < self.n_attributes):
            raise IndexError("the word or the attribute is out of range")
        block = block.normal
        if self.columns[attribute].role == PLUGIN:
            return plugin_text(self.names[attribute], self.attributes[attribute][1], block, word)
        length = narrow(self, block, word, attribute, block.layout.index(self.attributes[attribute][0]), scratch, &text)
        if self.columns[attribute].mapping == CLUSTER:
            path = self.clusters.path(text[:length].decode("utf-8", "surrogateescape"))
            return (path or "_")[:self.columns[attribute].size or None].encode()
        return text[:length]


cdef int64_t encode_word(Encoder self, Block block, int word, Encoded out, uint64_t* values,
                         int64_t at) except -1 nogil:
    """Hash the attributes of a word, and its single FEATS into ``out.items`` from ``at``; return where they end."""
    cdef const char* text = NULL
    cdef char scratch[SCRATCH]
    cdef int attribute, length
    for attribute in range(self.n_attributes):
        length = narrow(self, block, word, attribute, out.column_index[attribute], scratch, &text)
        if self.columns[attribute].mapping == CLUSTER:
            values[attribute] = self.clusters.code(
                self.clusters.cluster_of(text, length), self.columns[attribute].size
            )
        else:
            values[attribute] = tw_hash(text, length, SEED)
    return split_items(block, word, out, at) if self.has_items else at


cdef int narrow(Encoder self, Block block, int word, int attribute, int index, char* scratch,
                const char** text) noexcept nogil:
    """Find the text of an attribute, in the block's column ``index`` or in ``scratch``; return its length."""
    cdef Column* column = &self.columns[attribute]
    cdef int length, start
    if column.role == TAG and (index < 0 or is_underscore(block, word, index)):
        index = block.layout.xpos if block.layout.xpos >= 0 else index
    if index < 0:
        text[0] = "_"
        length = 1
    else:
        text[0] = block.field_start(word, index)
        length = block.field_length(word, index)
    if column.role == FEATURE:
        length = find_feature(text, length, self.name_text[attribute], self.name_length[attribute])
    if column.lower or column.mapping == SHAPE:
        length = fold(text[0], length, scratch, column.mapping == SHAPE)
        text[0] = scratch
    if column.mapping == SUFFIX:
        start = length
        for _ in range(column.size):
            if start == 0:
                break
            start = back(text[0], start)
        text[0] += start
        length -= start
    elif column.mapping == PREFIX:
        start = 0
        for _ in range(column.size):
            if start == length:
                break
            start = forth(text[0], start, length)
        length = start
    return length


cdef list plugin_values(function, str name, Block block, int first, int n):
    """Call a plug-in with the words of one sentence as dictionaries; return its text for each word."""
    cdef list names = list(block.layout.columns)
    words = [
        {column: block.value(word, i).decode("utf-8", "surrogateescape") for i, column in enumerate(names)}
        for word in range(first, first + n)
    ]
    try:
        found = list(function(words))
    except Exception as error:
        raise TreewrightError(
            f"the feature function {name} failed: {type(error).__name__}: {error}. Fix the plug-in"
        ) from error
    if len(found) != n or not all(isinstance(text, str) for text in found):
        raise TreewrightError(f"the feature function {name} must return one text for each word. Fix the plug-in")
    return [text.encode("utf-8", "surrogateescape") for text in found]


cdef int add_plugin_values(function, str name, Block block, int first, int n, uint64_t* values, int step) except -1:
    """Write the hashes of a plug-in's texts for the words of one sentence."""
    cdef int i
    cdef bytes text
    for i, text in enumerate(plugin_values(function, name, block, first, n)):
        values[i * step] = tw_hash(text, <int>len(text), SEED)
    return 0


cdef bytes plugin_text(function, str name, Block block, int word):
    """Return the text of a plug-in for one word; the plug-in is called for the whole sentence."""
    cdef int sentence = 0
    while block.sentence_word[sentence + 1] <= word:
        sentence += 1
    cdef int first = block.sentence_word[sentence]
    return plugin_values(function, name, block, first, block.sentence_word[sentence + 1] - first)[word - first]


cdef inline uint64_t word_key(Block block, int word, Encoded out) noexcept nogil:
    """One hash of all columns that the attributes read, and of the columns between them."""
    cdef const char* start
    if out.first_column < 0:
        return 0
    start = block.field_start(word, out.first_column)
    return tw_hash(
        start, <int>(block.field_start(word, out.last_column) - start) + block.field_length(word, out.last_column), SEED
    )


cdef inline bint is_underscore(Block block, int word, int column) noexcept nogil:
    return block.field_length(word, column) == 1 and block.field_start(word, column)[0] == c'_'


cdef inline const char* end_of_item(const char* p, const char* end) noexcept nogil:
    """The end of the item of FEATS that begins at a place."""
    while p < end and p[0] != c'|':
        p += 1
    return p


cdef int find_feature(const char** text, int length, const char* name, int name_length) noexcept nogil:
    """Narrow FEATS text to the value of one name ('_' where it has none); return the length."""
    cdef const char* p = text[0]
    cdef const char* end = p + length
    cdef const char* stop
    while p < end:
        stop = end_of_item(p, end)
        if stop - p > name_length and p[name_length] == c'=' and memcmp(p, name, name_length) == 0:
            text[0] = p + name_length + 1
            return <int>(stop - text[0])
        p = stop + 1
    text[0] = "_"
    return 1


cdef int64_t split_items(Block block, int word, Encoded out, int64_t at) except -1 nogil:
    """Append the hash of every single feature of FEATS; none for '_'."""
    cdef const char* p
    cdef const char* end
    cdef const char* stop
    cdef int index = block.layout.feats
    if index < 0:
        return at
    p = block.field_start(word, index)
    end = p + block.field_length(word, index)
    if end - p == 1 and p[0] == c'_':
        return at
    while p < end:
        stop = end_of_item(p, end)
        if stop > p:
            add_item(out, at, tw_hash(p, <int>(stop - p), SEED))
            at += 1
        p = stop + 1
    return at
