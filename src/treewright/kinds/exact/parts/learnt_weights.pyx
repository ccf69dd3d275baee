"""The weights of an exact parser during training: which features have one, and in which slot.

The features of gold trees are counted first: only those that are frequent enough get a weight. Weights are made for
these features, and begin at 0, or at their values in a model to start from. At the end of a round they are averaged:
into a scorer, to judge them on dev, or into the arrays of a model file.
"""
from array import array

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint64_t

from treewright.kinds.exact.parts.part_bounds cimport sibling_before
from treewright.kinds.exact.parts.part_templates cimport MAX_TEMPLATES
from treewright.kinds.exact.parts.weights cimport RowTable, WeightTable
from treewright.kinds.exact.parts.weights import extended, lay_out, row_width, rows_as_shorts

#: the arrays of a model file for weights, bounds above and bounds below
TABLES = {
    "grandparents": ("grandparent", "above", "below"),
    "siblings": ("sibling", "sibling_above", "sibling_below"),
}


cdef class TripleCounts:
    """Features of one kind of part of three words, and the bounds that they contribute to."""

    def __init__(self, TripleKeys parts):
        self.parts, self.keys, self.bounded = parts, KeySet(), {}

    cdef int add(self, int third, int head, int child) except -1:
        """Count the features of a part."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef uint64_t above[MAX_TEMPLATES]
        cdef uint64_t below[MAX_TEMPLATES]
        cdef int i, count = self.parts.keys(third, head, child, keys)
        self.parts.above_keys(head, child, above)
        self.parts.below_keys(third, head, below)
        for i in range(count):
            self.keys.add(keys[i])
            self.bounded[keys[i]] = (above[i], below[i])
        return 0

    def found(self, int cutoff):
        """Return the keys that are frequent enough, and by key the keys of the bounds it contributes to."""
        return self.keys.most_common(cutoff), self.bounded


cdef class FeatureCounts:
    """The features of all kinds of parts. Its scratch space goes from sentence to sentence."""

    def __init__(self, PartScratch parts):
        self.parts, self.arcs, self.relations = parts, KeySet(), KeySet()
        self.grandparents, self.siblings = TripleCounts(parts.grandparents), TripleCounts(parts.siblings)

    cdef int add_arc(self, int head, int child) except -1 nogil:
        cdef int i, count = self.parts.arc_keys(head, child)
        for i in range(count):
            self.arcs.add(self.parts.keys[i])
        return 0

    cdef int add_tree(self, const int32_t* heads, const unsigned char* likely) except -1:
        """Count the features of a tree; ``likely``: by arc, 2 for other arcs to count, NULL for none."""
        cdef int head, word, i, count, n = self.parts.n
        with nogil:
            for head in range(n + 1 if likely != NULL else 0):
                for word in range(1, n + 1):
                    if likely[<int64_t>head * (n + 1) + word] > 1 and head != heads[word]:
                        self.add_arc(head, word)
            for word in range(1, n + 1):
                self.add_arc(heads[word], word)
                count = self.parts.relation_keys(heads[word], word)
                for i in range(count):
                    self.relations.add(self.parts.keys[i])
        for word in range(1, n + 1):
            if heads[word] > 0:
                self.grandparents.add(heads[heads[word]], heads[word], word)
            self.siblings.add(sibling_before(heads, word), heads[word], word)
        return 0

    def found(self, int cutoff):
        """Return the frequent features of arcs, of relations, of grandparents and of siblings."""
        return (self.arcs.most_common(cutoff), self.relations.most_common(cutoff), self.grandparents.found(cutoff),
                self.siblings.found(cutoff))


cdef class LearntTriples:
    """The weights of one kind of part of three words, and the bounds that a model keeps beside them."""

    def __init__(self, keys, bounded, TripleWeights base, float initial):
        """Give each of these features a weight: 0, or that of a model to start from (``base``).

        ``bounded``: by key of a feature, the keys of the bounds that it contributes to. ``initial``: see Gradient.
        """
        self.keys, self.bounded, self.base = keys, bounded, base
        if base is not None:
            # A feature too rare to be added may be known to the model: its weight can grow, and its bounds with it.
            self.keys = array("Q", sorted({*keys, *(key for key in bounded if base.weights.find(key) >= 0)}))
        self.tags, self.slots, weights = placed(self.keys, None if base is None else base.weights)
        self.scorer = self.with_weights(weights, False)
        self.gradient = Gradient(weights, 1, initial)

    @property
    def n_features(self):
        """How many features have a weight."""
        return sum(tag & 1 for tag in self.tags)

    def bounds(self, weights):
        """Return the tables of bounds, above and below, for these weights.

        Bounds of the model to start from stay: they hold for the features that only this model knows.
        """
        tables = []
        for side in range(2):
            most = {}
            for key, slot in zip(self.keys, self.slots):
                if weights[slot] > 0:
                    bound = self.bounded[key][side]
                    most[bound] = max(weights[slot], most.get(bound, 0.0))
            base = None if self.base is None else self.base.below if side else self.base.above
            tags, slots, values = placed(array("Q", most), base)
            for slot, value in zip(slots, most.values()):
                values[slot] = max(value, values[slot])
            tables.append((tags, values))
        return tables

    def with_weights(self, weights, bounded=True):
        """Return what scores parts with these weights; without bounds while they are learnt."""
        nothing = array("I", bytes(16)), array("f", bytes(16))
        above, below = self.bounds(weights) if bounded else (nothing, nothing)
        return TripleWeights(WeightTable(self.tags, weights), WeightTable(*above), WeightTable(*below))

    def averaged(self, double time):
        """Return what scores parts with the weights averaged over this many steps."""
        return self.with_weights(self.gradient.averaged(time))

    def frozen(self, double time, double least):
        """Return tags and weights for a model file: the averaged weights that are not too small, bounds above, below.

        After a start from another model all weights stay: see LearntWeights.
        """
        weights = self.gradient.averaged(time)
        bounds = self.bounds(weights)
        if self.base is not None:
            return [(self.tags, weights), *bounds]
        return [without_small(self.keys, self.slots, weights, least), *bounds]


def placed(keys, WeightTable base):
    """Return the tags of a table with these keys and those of a base, the slots of the keys, and weights by slot."""
    if base is None:
        tags, slots = lay_out(keys)
        return tags, slots, array("f", bytes(4 * len(tags)))
    tags, slots, factor = extended(base.owner, keys)
    weights = array("f", bytes(4 * len(tags)))
    weights[factor - 1::factor] = array("f", base.weight_owner)
    return tags, slots, weights


def without_small(keys, slots, weights, double least):
    """Return tags and weights of a table with those weights alone that are not too small."""
    chosen = [(key, weights[slot]) for key, slot in zip(keys, slots) if abs(weights[slot]) >= least]
    tags, places = lay_out(array("Q", [key for key, _ in chosen]))
    values = array("f", bytes(4 * len(tags)))
    for place, (_, value) in zip(places, chosen):
        values[place] = value
    return tags, values


cdef class LearntWeights:
    def __init__(self, PartProgram program, relations, features, base, float initial):
        """Give each feature a weight: 0, or that of a model to start from, whose own features are added.

        ``relations``: their names, and those that arcs from the root and from words may have. ``features``: as
        FeatureCounts finds them. ``base``: what scores with the model, and the number here of each of its relations;
        or None. ``initial``: see Gradient.
        """
        self.program, self.relation_settings = program, relations
        self.width = row_width(len(relations["relations"]))
        if base is not None:
            self.base, self.base_relations = base
            self.check_base()
        self.arc_keys, self.relation_keys, grandparents, siblings = features
        old = self.base
        self.grandparents = LearntTriples(*grandparents, None if old is None else old.grandparents, initial)
        self.siblings = LearntTriples(*siblings, None if old is None else old.siblings, initial)
        self.arc_tags, self.arc_slots, arc_weights = placed(self.arc_keys, None if old is None else old.arcs)
        rows = self.lay_out_rows()
        self.scorer = self.make_scorer(arc_weights, rows, self.grandparents.scorer, self.siblings.scorer)
        self.arcs = Gradient(arc_weights, 1, initial)
        self.relations = Gradient(rows, self.width, initial)

    def check_base(self):
        """Reject a model to start from that has other templates or unknown relations."""
        if str(self.base.program.model) != str(self.program.model):
            raise ValueError("the model to start from has other templates")
        known = range(len(self.relation_settings["relations"]))
        if len(self.base_relations) != self.base.n_labels or not {*self.base_relations} <= {*known}:
            raise ValueError("each relation of the model to start from needs the number of a known relation")

    def lay_out_rows(self):
        """Give each feature of relations a row of weights; return all rows."""
        cdef int64_t old, new
        rows = array("f")
        if self.base is None:
            self.relation_tags, slots = lay_out(self.relation_keys)
            self.numbers = array("i", [-1]) * len(self.relation_tags)
        else:
            self.relation_tags, slots, factor = extended(self.base.relations.owner, self.relation_keys)
            self.numbers = array("i", [-1]) * len(self.relation_tags)
            self.numbers[factor - 1::factor] = array("i", (
                number if tag else -1
                for tag, number in zip(self.base.relations.owner, self.base.relations.number_owner)))
            rows = array("f", bytes(4 * self.width * self.base.relations.n_rows))
            for old, new in enumerate(self.base_relations):
                rows[new::self.width] = array("f", self.base.relations.row_owner[old::self.base.relations.width])
        fresh = [slot for slot in slots if self.numbers[slot] < 0]
        for number, slot in enumerate(fresh, len(rows) // self.width):
            self.numbers[slot] = number
        self.numbers = array("i", (max(number, 0) for number in self.numbers))
        rows.frombytes(bytes(4 * self.width * (len(fresh) or not rows)))
        return rows

    @property
    def n_features(self):
        """How many features have a weight; a row of weights for relations counts as one."""
        if self.base is None:
            kinds = self.arc_keys, self.relation_keys, self.grandparents.keys, self.siblings.keys
            return sum(map(len, kinds))
        known = sum(tag & 1 for tags in (self.arc_tags, self.relation_tags) for tag in tags)
        return known + self.grandparents.n_features + self.siblings.n_features

    def make_scorer(self, arc_weights, rows, grandparents, siblings):
        """Return a scorer with these weights."""
        return PartScorer(
            self.program, WeightTable(self.arc_tags, arc_weights),
            RowTable(self.relation_tags, self.numbers, rows, self.width), grandparents, siblings,
            len(self.relation_settings["relations"]), self.relation_settings["root_labels"],
            self.relation_settings["word_labels"],
        )

    def averaged_scorer(self, double time):
        """Return a scorer with the weights averaged over this many steps."""
        return self.make_scorer(self.arcs.averaged(time), self.relations.averaged(time),
                                self.grandparents.averaged(time), self.siblings.averaged(time))

    def frozen(self, double time, double least):
        """Return the weights averaged over this many steps as the arrays of a model file, and their scale.

        Weights below ``least`` are left out. After a start from another model all stay: features that only that model
        knows have no full key here, and tables without it cannot be laid out again.
        """
        arcs, rows, numbers = self.arcs.averaged(time), self.relations.averaged(time), self.numbers
        arc_tags, relation_tags = self.arc_tags, self.relation_tags
        if self.base is None:
            arc_tags, arcs = without_small(self.arc_keys, self.arc_slots, arcs, least)
            relation_tags, numbers, rows = without_small_rows(self.relation_keys, rows, self.width, least)
        packed, scale = rows_as_shorts(rows)
        result = {
            "arc_tags": arc_tags, "arc_weights": arcs,
            "relation_tags": relation_tags, "relation_numbers": numbers, "relation_rows": packed,
        }
        for names, triples in zip(TABLES.values(), (self.grandparents, self.siblings)):
            for name, (tags, values) in zip(names, triples.frozen(time, least)):
                result[f"{name}_tags"], result[f"{name}_weights"] = tags, values
        return result, scale


cdef without_small_rows(keys, rows, int width, double least):
    """Return tags, row numbers and rows of a table with those rows alone that have a weight that is not too small."""
    cdef const float[::1] values = rows
    cdef int64_t number, at
    cdef bint kept
    chosen_keys, chosen_rows = array("Q"), array("f")
    for number in range(len(keys)):
        kept = False
        for at in range(number * width, (number + 1) * width):
            kept |= fabs(values[at]) >= least
        if kept:
            chosen_keys.append(keys[number])
            chosen_rows.extend(rows[number * width:(number + 1) * width])
    tags, places = lay_out(chosen_keys)
    numbers = array("i", bytes(4 * len(tags)))
    for number, place in enumerate(places):
        numbers[place] = number
    if not len(chosen_rows):
        chosen_rows.frombytes(bytes(4 * width))
    return tags, numbers, chosen_rows
