"""The weights of one kind of part of three words during training, and the bounds that a model keeps beside them."""
from array import array

from treewright.exact.weights cimport WeightTable
from treewright.exact.weights import extended, lay_out


cdef class LearntTriples:
    def __init__(self, float initial):
        """``initial``: see Gradient."""
        self.initial = initial

    def lay_out(self, keys, bounded, TripleWeights base):
        """Give each of these features a weight: 0, or that of a model to start from (``base``).

        ``bounded``: by key of a feature, the keys of the bounds that it contributes to.
        """
        self.keys, self.bounded, self.base = keys, bounded, base
        if base is not None:
            # A feature too rare to be added may be known to the model: its weight can grow, and its bounds with it.
            self.keys = array("Q", sorted({*keys, *(key for key in bounded if base.weights.find(key) >= 0)}))
        self.tags, self.slots, weights = placed(self.keys, None if base is None else base.weights)
        self.scorer = self.with_weights(weights, False)
        self.gradient = Gradient(weights, 1, self.initial)

    def start_from(self, TripleWeights base):
        """Go on from the weights of a trained model."""
        self.lay_out(self.keys, self.bounded, base)

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
