"""The weights of an exact parser during training: which features have one, and in which slot.

Keys are collected first and laid out once. Weights begin at 0, or at their values in a model to start from. At the end
of a round they are averaged: into a scorer, to judge them on dev, or into the arrays of a model file.
"""
from array import array

from libc.math cimport fabs
from libc.stdint cimport int64_t

from treewright.exact.learnt_triples import placed, without_small
from treewright.exact.weights cimport RowTable, WeightTable
from treewright.exact.weights import extended, lay_out, rows_as_shorts

#: the arrays of a model file for weights, bounds above and bounds below
TABLES = {
    "grandparents": ("grandparent", "above", "below"),
    "siblings": ("sibling", "sibling_above", "sibling_below"),
}


cdef class LearntWeights:
    def __init__(self, PartProgram program, relations, float initial):
        """``relations``: their names, and those that arcs from the root and from words may have.

        ``initial``: see Gradient.
        """
        self.program, self.relation_settings, self.initial = program, relations, initial
        self.width = (len(relations["relations"]) + 7) // 8 * 8
        self.grandparents, self.siblings = LearntTriples(initial), LearntTriples(initial)

    def start_from(self, PartScorer scorer, relation_numbers):
        """Give every feature its weight in a trained model, and add the features that only the model knows.

        ``relation_numbers``: the number here of each relation of the model. Call after ``lay_out``; later calls of
        ``lay_out`` start from the same model.
        """
        if str(scorer.program.model) != str(self.program.model):
            raise ValueError("the model to start from has other templates")
        known = range(len(self.relation_settings["relations"]))
        if len(relation_numbers) != scorer.n_labels or not {*relation_numbers} <= {*known}:
            raise ValueError("relation_numbers must give a known number for each relation of the model to start from")
        self.base, self.base_relations = scorer, relation_numbers
        self.grandparents.start_from(scorer.grandparents)
        self.siblings.start_from(scorer.siblings)
        self.lay_out_arcs()

    def lay_out(self, arc_keys, relation_keys, grandparents, siblings):
        """Give each of these features a weight.

        ``grandparents``, ``siblings``: keys, and by key the keys of the bounds that it contributes to.
        """
        self.arc_keys, self.relation_keys = arc_keys, relation_keys
        self.grandparents.lay_out(*grandparents, None if self.base is None else self.base.grandparents)
        self.siblings.lay_out(*siblings, None if self.base is None else self.base.siblings)
        self.lay_out_arcs()

    def lay_out_arcs(self):
        """Give the features of arcs and relations their first weights."""
        self.arc_tags, self.arc_slots, arc_weights = placed(
            self.arc_keys, None if self.base is None else self.base.arcs)
        rows = self.lay_out_rows()
        self.scorer = self.make_scorer(arc_weights, rows, self.grandparents.scorer, self.siblings.scorer)
        self.arcs = Gradient(arc_weights, 1, self.initial)
        self.relations = Gradient(rows, self.width, self.initial)

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

        Weights below ``least`` are left out. After ``start_from`` all stay: features that only the model to start from
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
