"""The weights of an exact parser while it is trained: which features have one, and where it stands.

Keys are collected first and laid out once; every weight begins at 0. What comes of the steps is asked for at the end of
a round: averaged, as a scorer for a look at dev or as the arrays of a model file.
"""
from array import array

from libc.math cimport fabs
from libc.stdint cimport int64_t

from treewright.exact.parts cimport PartProgram
from treewright.exact.scorer cimport PartScorer
from treewright.exact.weights cimport Gradient, RowTable, WeightTable
from treewright.exact.weights import lay_out, rows_as_shorts


cdef class LearntWeights:
    def __init__(self, PartProgram program, relations, float initial):
        """``relations``: their names, and those that the root and that words may give; ``initial``: see Gradient."""
        self.program, self.relation_settings, self.initial = program, relations, initial
        self.width = (len(relations["relations"]) + 7) // 8 * 8

    def lay_out(self, arc_keys, relation_keys, grandparent_keys, bounded):
        """Give these features a weight of 0 each.

        ``bounded``: by key of a grandparent feature, the keys of the bounds it counts for.
        """
        self.arc_keys, self.relation_keys, self.grandparent_keys = arc_keys, relation_keys, grandparent_keys
        self.bounded = bounded
        self.arc_tags, self.arc_slots = lay_out(self.arc_keys)
        self.relation_tags, slots = lay_out(self.relation_keys)
        self.grandparent_tags, self.grandparent_slots = lay_out(self.grandparent_keys)
        arc_weights = array("f", bytes(4 * len(self.arc_tags)))
        grandparent_weights = array("f", bytes(4 * len(self.grandparent_tags)))
        self.numbers = array("i", bytes(4 * len(self.relation_tags)))
        for number, slot in enumerate(slots):
            self.numbers[slot] = number
        rows = array("f", bytes(4 * self.width * max(1, len(slots))))
        self.scorer = self.make_scorer(arc_weights, rows, grandparent_weights, False)
        self.arcs = Gradient(arc_weights, 1, self.initial)
        self.relations = Gradient(rows, self.width, self.initial)
        self.grandparents = Gradient(grandparent_weights, 1, self.initial)

    @property
    def n_features(self):
        """How many features have a weight; one for all relations counts as one."""
        return len(self.arc_keys) + len(self.relation_keys) + len(self.grandparent_keys)

    def bounds(self, weights):
        """Return the tables of bounds, above and below, for these weights of grandparent features."""
        tables = []
        for side in range(2):
            most = {}
            for key, slot in zip(self.grandparent_keys, self.grandparent_slots):
                if weights[slot] > 0:
                    bound = self.bounded[key][side]
                    most[bound] = max(weights[slot], most.get(bound, 0.0))
            tags, slots = lay_out(array("Q", most))
            values = array("f", bytes(4 * len(tags)))
            for slot, value in zip(slots, most.values()):
                values[slot] = max(value, values[slot])
            tables.append((tags, values))
        return tables

    def make_scorer(self, arc_weights, rows, grandparent_weights, bounded=True):
        """Return a scorer with these weights."""
        nothing = array("I", bytes(16)), array("f", bytes(16))
        above, below = self.bounds(grandparent_weights) if bounded else (nothing, nothing)
        return PartScorer(
            self.program, WeightTable(self.arc_tags, arc_weights),
            RowTable(self.relation_tags, self.numbers, rows, self.width),
            WeightTable(self.grandparent_tags, grandparent_weights), WeightTable(*above), WeightTable(*below),
            len(self.relation_settings["relations"]), self.relation_settings["root_labels"],
            self.relation_settings["word_labels"],
        )

    def frozen(self, double time, double least):
        """Return the weights averaged over so many steps as the arrays of a model file, and their scale.

        Those below ``least`` are left out.
        """
        arcs, grandparents = self.arcs.averaged(time), self.grandparents.averaged(time)
        rows = self.relations.averaged(time)
        cdef float[::1] row_view = rows
        cdef int64_t number, at
        cdef int width = self.width
        cdef bint kept
        result = {}
        for name, keys, slots, weights in (
            ("arc", self.arc_keys, self.arc_slots, arcs),
            ("grandparent", self.grandparent_keys, self.grandparent_slots, grandparents),
        ):
            chosen = [(key, weights[slot]) for key, slot in zip(keys, slots) if abs(weights[slot]) >= least]
            tags, places = lay_out(array("Q", [key for key, _ in chosen]))
            values = array("f", bytes(4 * len(tags)))
            for place, (_, value) in zip(places, chosen):
                values[place] = value
            result[f"{name}_tags"], result[f"{name}_weights"] = tags, values
        relation_keys, numbers = array("Q"), array("q")
        for number in range(len(self.relation_keys)):
            kept = False
            for at in range(number * width, (number + 1) * width):
                kept |= fabs(row_view[at]) >= least
            if kept:
                relation_keys.append(self.relation_keys[number])
                numbers.append(number)
        tags, places = lay_out(relation_keys)
        chosen_rows, places_of_rows = array("f"), array("i", bytes(4 * len(tags)))
        for at, (place, number) in enumerate(zip(places, numbers)):
            places_of_rows[place] = at
            chosen_rows.extend(rows[number * width:(number + 1) * width])
        if not len(chosen_rows):
            chosen_rows.extend([0.0] * width)
        packed, scale = rows_as_shorts(chosen_rows)
        result.update(relation_tags=tags, relation_numbers=places_of_rows, relation_rows=packed)
        for side, (tags, values) in zip(("above", "below"), self.bounds(grandparents)):
            result[f"{side}_tags"], result[f"{side}_weights"] = tags, values
        return result, scale

    def averaged_scorer(self, double time):
        """Return a scorer with the weights averaged over so many steps."""
        return self.make_scorer(
            self.arcs.averaged(time), self.relations.averaged(time), self.grandparents.averaged(time)
        )
