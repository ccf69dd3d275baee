"""A feature model compiled into a flat program, and its run on a configuration.

Three steps without a branch on data: *locate* the words that addresses point to, *evaluate* each attribute of each
word once, and *join* the values of every template into one 64-bit key. Attributes are already hashes. Joining
adds them, each rotated by its position in the template, to a seed: the hash of the template's text. The same template
therefore gives the same key in every model.

Programs of some bundled models are there beforehand, so that their texts need not be read, and also as C (see
program.py). Greedy parsers run that where the program is the
same, which it is for arc-eager and covington-projective without clusters. The keys are the same, too. Beams, graphs,
confidences and training interpret all programs.
"""
import json

cimport cython

from treewright.features.addresses cimport follow, order_steps
from treewright.features.addresses import NODE_OPS
from treewright.features.measures cimport bucket, label_sets, measure
from treewright.systems.configuration cimport RETURNED

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)
    void tw_fetch(const tw_attribute* a, int n, const uint64_t** words, uint64_t* values)
    int tw_join(const tw_template* t, const int32_t* first, const uint64_t* values, const tw_place* place,
                uint64_t* out)
    int tw_join_each(const tw_place* place, uint64_t key, const uint64_t* item, int64_t n, uint64_t* out, int room)
    int tw_join_pairs(const tw_place* place, uint64_t key, const uint64_t* first, int64_t n_first,
                      const uint64_t* second, int64_t n_second, uint64_t* out, int room)

cdef extern from "looking.h" nogil:
    enum:
        TW_FARTHEST

    uint64_t tw_count_hash(const tw_sentence* s, int32_t count)
    uint64_t tw_distance_hash(const tw_sentence* s, int32_t first, int32_t second)
    uint64_t tw_set_hash(uint64_t labels)

cdef extern from "programs.h" nogil:
    const char* tw_layout_of(const char* text)     # of a bundled feature model, as JSON; NULL of any other

cdef extern from "bundled_keys.h" nogil:
    tw_keys tw_bundled_keys(uint64_t program, int n_attributes, bint has_items)

OPERATIONS = {
    "value": VALUE, "label": LABEL, "distance": DISTANCE, "linked": LINKED, "move": PAST_MOVE,
    "valency left": LEFT_VALENCY, "valency right": RIGHT_VALENCY, "valency all": VALENCY,
    "labels left": LEFT_LABELS, "labels right": RIGHT_LABELS, "labels heads": HEAD_LABELS,
    "heads": HEADS, "exists": EXISTS,
}

cdef enum:
    MOST_NUMBERS = 32        # what is measured is above -MOST_NUMBERS and below MOST_NUMBERS

cdef uint64_t number_hashes[2 * MOST_NUMBERS]
cdef uint64_t distance_hashes[2 * TW_FARTHEST + 1]


cdef void make_hashes() noexcept:
    cdef int i
    for i in range(2 * MOST_NUMBERS):
        number_hashes[i] = tw_mix(<uint64_t>i * 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL)
    for i in range(2 * TW_FARTHEST + 1):
        distance_hashes[i] = number_hashes[MOST_NUMBERS + bucket(i - TW_FARTHEST)]


make_hashes()


cdef class Extractor:
    """Runs a feature model: from a configuration to the keys of its features."""

    def __init__(self, model, relations, leaf_tags=(), clusters=None, rules=None):
        from treewright.features.program import Program  # programs that are known need neither this nor the language

        self._model, self._program = model, Program(model)
        self._lay_out(self._program.layout, relations, leaf_tags, clusters, rules)

    @staticmethod
    def of_text(str text, str name, system, relations, leaf_tags=(), clusters=None, rules=None):
        """Return the extractor of a feature model as a model file holds it; reject one that does not fit the system.

        The text of a bundled model is not read: its program is there.
        """
        cdef bytes key = text.encode("utf-8", "surrogateescape")
        cdef const char* known = NULL if 0 in key else tw_layout_of(key)
        cdef Extractor made
        layout = None if known == NULL else json.loads(<bytes>known)
        if layout is None or not set(layout["bases"]).issubset(system.addresses):
            from treewright.features.fitting import fitting_model

            return Extractor(fitting_model(text, name, system), relations, leaf_tags, clusters, rules)
        made = Extractor.__new__(Extractor)
        made._text = text, name
        made._lay_out(layout, relations, leaf_tags, clusters, rules)
        return made

    @property
    def model(self):
        """The feature model; a text is read when this is first asked for."""
        if self._model is None:
            from treewright.features.language import parse_model

            self._model = parse_model(*self._text)
        return self._model

    @property
    def program(self):
        """The program of the feature model, see program.py."""
        if self._program is None:
            from treewright.features.program import Program

            self._program = Program(self.model)
        return self._program

    def _set_labels(self, relations):
        cdef int i
        cdef bytes text
        self.n_labels = len(relations)
        self.label_hashes = <uint64_t*>self.new_block(self.n_labels + 1, sizeof(uint64_t))
        self.label_hashes[0] = tw_hash("no relation", 11, 3)
        for i, relation in enumerate(relations):
            text = relation.encode("utf-8", "surrogateescape")
            self.label_hashes[i + 1] = tw_hash(text, len(text), 4)

    def _lay_out(self, layout, relations, leaf_tags, clusters, rules):
        """Write a program as flat arrays."""
        cdef int i
        self.leaf_tags, self.relations, self.clusters = tuple(leaf_tags), tuple(relations), clusters
        for i, (step, argument, parent) in enumerate(layout["steps"]):
            self.nodes[i].op, self.nodes[i].argument, self.nodes[i].parent = NODE_OPS[step], argument, parent
        for i, (operation, argument, first, second, classes) in enumerate(layout["scalars"]):
            self.scalars[i].op, self.scalars[i].argument = OPERATIONS[operation], argument
            self.scalars[i].first, self.scalars[i].second = first, second
            self.scalars[i].n_classes = len(classes)
            for at, start in enumerate(classes):
                self.scalars[i].classes[<int>at] = start
        self.n_nodes, self.n_scalars, self.n_static = len(layout["steps"]), len(layout["scalars"]), layout["n_static"]
        self.runs[0] = self.n_static
        for i, end in enumerate(layout["ends"]):
            self.runs[i + 1] = end
        self._write_templates(layout["templates"])
        self._pack()
        order_steps(&self.path, self.nodes, self.n_nodes)
        attributes = [
            (column, argument, tuple(map(tuple, mappings))) for column, argument, mappings in layout["attributes"]
        ]
        self.encoder = Encoder(attributes, layout["has_items"], self.leaf_tags, self.clusters, rules)
        cdef bytes text = layout["text"].encode()
        self.program_hash = tw_hash(text, <int>len(text), 0)
        self.bundled = tw_bundled_keys(self.program_hash, len(attributes), layout["has_items"])
        self._set_labels(relations)

    def _pack(self):
        """Write the static scalars in the form that is fetched fastest."""
        cdef int i
        for i in range(self.n_static):
            self.static_scalars[i].node = self.scalars[i].first
            self.static_scalars[i].attribute = self.scalars[i].argument

    @property
    def as_c(self):
        """Do greedy parsers run the program as C?"""
        return self.bundled != NULL

    def interpret(self):
        """Interpret the program from now on, for comparison with C: the keys are the same."""
        self.bundled = NULL

    def _write_templates(self, templates):
        """Write the templates in the order of their keys."""
        cdef tw_template* joined
        cdef bytes text
        for at, (_, _, key_text, scalars, lists) in enumerate(templates):
            joined = &self.templates[<int>at]
            text = key_text.encode()
            joined.seed = tw_hash(text, len(text), 5)
            joined.n_values, joined.n_lists = len(scalars), len(lists)
            for i, scalar in enumerate(scalars):
                joined.value[i] = scalar
            for i, node in enumerate(lists):
                joined.list[i] = node
        self._set_groups([(group, shape) for group, shape, *_ in templates])

    def _set_groups(self, orders):
        """Note where the templates of each group and shape begin and end; ``orders``: group and shape of each."""
        cdef int at = 0, group, shape
        for group in range(N_GROUPS):
            self.groups[group].count = 0
            for shape in range(5):
                self.groups[group].first[shape] = at + self.groups[group].count
                self.groups[group].count += orders.count((group, shape))
            at += self.groups[group].count
            self.groups[group].first[5] = at

    @cython.final
    cdef void locate(self, const Configuration* c, int32_t* nodes) noexcept nogil:
        """Find the word of every address; NONE where no word is there."""
        follow(&self.path, c, nodes)

    @cython.final
    cdef tw_sentence see(self, Encoded e, int64_t row) noexcept nogil:
        """Return a sentence as feature functions see it. ``row`` is the row of node NONE in the encoded sentence."""
        cdef tw_sentence found
        found.words = e.values + (row + 1) * e.n_attributes
        found.item_start, found.items = e.item_start + row + 1, e.items
        found.relations, found.numbers = self.label_hashes + 1, number_hashes + MOST_NUMBERS
        found.distances = distance_hashes + TW_FARTHEST
        return found

    @cython.final
    cdef void evaluate(self, const Configuration* c, const int32_t* nodes, Encoded e, int64_t row,
                       uint64_t* values) noexcept nogil:
        """Give every scalar its value."""
        cdef tw_sentence sentence = self.see(e, row)
        cdef const uint64_t* words[MAX_NODES]
        cdef const Scalar* scalars = self.scalars
        cdef const int* runs = self.runs
        cdef int i
        for i in range(self.n_nodes):
            words[i] = sentence.words + <int64_t>nodes[i] * e.n_attributes
        tw_fetch(self.static_scalars, self.n_static, words, values)
        for i in range(runs[LABELS_RUN], runs[LABELS_RUN + 1]):
            values[i] = sentence.relations[c.label[nodes[scalars[i].first]]]
        for i in range(runs[LEFT_VALENCY_RUN], runs[LEFT_VALENCY_RUN + 1]):
            values[i] = tw_count_hash(&sentence, c.left_count[nodes[scalars[i].first]])
        for i in range(runs[RIGHT_VALENCY_RUN], runs[RIGHT_VALENCY_RUN + 1]):
            values[i] = tw_count_hash(&sentence, c.right_count[nodes[scalars[i].first]])
        for i in range(runs[DISTANCE_RUN], runs[DISTANCE_RUN + 1]):
            values[i] = tw_distance_hash(&sentence, nodes[scalars[i].first], nodes[scalars[i].second])
        for i in range(runs[LEFT_LABELS_RUN], runs[LEFT_LABELS_RUN + 1]):
            values[i] = tw_set_hash(c.left_labels[nodes[scalars[i].first]])
        for i in range(runs[RIGHT_LABELS_RUN], runs[RIGHT_LABELS_RUN + 1]):
            values[i] = tw_set_hash(c.right_labels[nodes[scalars[i].first]])
        for i in range(runs[OTHER_RUN], runs[N_RUNS]):
            if scalars[i].op == LEFT_LABELS or scalars[i].op == RIGHT_LABELS or scalars[i].op == HEAD_LABELS:
                values[i] = tw_set_hash(label_sets(c, scalars[i].op)[nodes[scalars[i].first]])
            else:
                values[i] = sentence.numbers[measure(c, &scalars[i], nodes)]

    @cython.final
    cdef int keys_of(self, int group, const Seen* seen, Encoded e, int64_t row, const tw_place* place,
                     uint64_t* out, int room) noexcept nogil:
        """Write the keys of one group's templates; return how many. Products of FEATS stop where room ends."""
        cdef const Group* g = &self.groups[group]
        cdef int i, n = tw_join(self.templates, g.first, seen.values, place, out)
        for i in range(g.first[4], g.first[5]):
            n += join_lists(&self.templates[i], seen, e, row, place, out + n, room - n if room > n else 0)
        return n

    @cython.final
    cdef void look(self, const Configuration* c, Encoded e, int64_t row, Seen* seen) noexcept nogil:
        """Find the words and values that the feature model uses."""
        self.locate(c, seen.nodes)
        self.evaluate(c, seen.nodes, e, row, seen.values)

    @cython.final
    cdef int look_and_join(self, const Configuration* c, Encoded e, int64_t row, const tw_place* place, bint labels,
                           Seen* seen, uint64_t* out, int room, int* counts) noexcept nogil:
        """Look, and write the keys group by group: for both, for moves and, if asked for, for labels.

        Callers that need what was ``seen`` for more keys get it. C keeps nothing of it: the program is interpreted.
        """
        cdef Seen own
        cdef tw_sentence sentence
        cdef int n
        if self.bundled != NULL and seen == NULL and c.context_use != RETURNED:
            sentence = self.see(e, row)
            return self.bundled(c, &sentence, place, labels, out, room, counts)
        if seen == NULL:
            seen = &own
        self.look(c, e, row, seen)
        n = counts[BOTH] = self.keys_of(BOTH, seen, e, row, place, out, room)
        counts[MOVES_ONLY] = self.keys_of(MOVES_ONLY, seen, e, row, place, out + n, room)
        n += counts[MOVES_ONLY]
        counts[LABELS_ONLY] = self.keys_of(LABELS_ONLY, seen, e, row, place, out + n, room) if labels else 0
        return n + counts[LABELS_ONLY]

    cdef int extract(self, const Configuration* c, Encoded e, int64_t row, uint64_t* out, int* counts) noexcept nogil:
        """Write the keys of all features to ``out`` (room for MAX_FEATURES), group by group; return how many."""
        cdef Seen seen
        cdef int group, n = 0
        self.look(c, e, row, &seen)
        for group in range(N_GROUPS):
            counts[group] = self.keys_of(group, &seen, e, row, NULL, out + n, MAX_FEATURES - MAX_TEMPLATES - n)
            n += counts[group]
        return n


cdef int join_lists(const tw_template* t, const Seen* seen, Encoded e, int64_t row, const tw_place* place,
                    uint64_t* out, int room) noexcept nogil:
    """Join the single FEATS of one word, or each pair from two words, with the other values of the template."""
    cdef const int64_t* start = e.item_start + row + 1
    cdef uint64_t key = t.seed
    cdef int i, first = seen.nodes[t.list[0]], second
    for i in range(t.n_values):
        key += tw_turn(seen.values[t.value[i]], 1 + 15 * i)
    if t.n_lists == 1:
        return tw_join_each(place, key, e.items + start[first], start[first + 1] - start[first], out, room)
    second = seen.nodes[t.list[1]]
    return tw_join_pairs(place, key, e.items + start[first], start[first + 1] - start[first],
                         e.items + start[second], start[second + 1] - start[second], out, room)
