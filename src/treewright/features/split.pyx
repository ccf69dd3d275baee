"""A compiled feature model in two parts: what new arcs can change, and what they cannot.

Where an arc is added and stack and buffer stay as they are, as in systems for graphs, most features stay as they are,
too. Both parts look at what the whole model has found (``Extractor.look``) and write the same keys.
"""
from libc.stdint cimport uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy

from treewright.features.extractor cimport N_GROUPS, Extractor
from treewright.features.extractor import GROUP_OF
from treewright.features.templates import Attribute, Measure


def split_by_arcs(Extractor whole):
    """Return two extractors with a part of the templates each: without arcs, and with."""
    return part(whole, False), part(whole, True)


def asks_for_arcs(template):
    """Does a template look at anything that an arc or a move changes, other than stack and buffer?"""
    for function in template.functions:
        if isinstance(function, Measure):
            if function.name not in ("distance", "exists"):
                return True
            addresses = function.addresses
        else:
            if function.name == "l":
                return True
            addresses = (function.address,)
        if any(not isinstance(step, int) for address in addresses for step in address.steps):
            return True
    return False


cdef Extractor part(Extractor whole, bint with_arcs):
    cdef Extractor made = Extractor.__new__(Extractor)
    cdef int group, shape, at = 0, out = 0
    made.encoder, made.model, made.relations, made.numbers = whole.encoder, whole.model, whole.relations, whole.numbers
    made.n_nodes, made.n_scalars, made.n_static = whole.n_nodes, whole.n_scalars, whole.n_static
    memcpy(made.nodes, whole.nodes, sizeof(whole.nodes))
    memcpy(made.scalars, whole.scalars, sizeof(whole.scalars))
    memcpy(made.static_scalars, whole.static_scalars, sizeof(whole.static_scalars))
    made.n_labels = whole.n_labels
    made.label_hashes = <uint64_t*>malloc((whole.n_labels + 1) * sizeof(uint64_t))
    if made.label_hashes == NULL:
        raise MemoryError
    memcpy(made.label_hashes, whole.label_hashes, (whole.n_labels + 1) * sizeof(uint64_t))
    for group in range(N_GROUPS):
        ordered = in_order(whole.model, group)
        made.groups[group].count = 0
        for shape in range(5):
            made.groups[group].first[shape] = out
            for template in ordered[shape]:
                if asks_for_arcs(template) == with_arcs:
                    made.templates[out] = whole.templates[at]
                    made.groups[group].count += 1
                    out += 1
                at += 1
        made.groups[group].first[5] = out
    return made


def in_order(model, int group):
    """Return the templates of a group in the order in which the extractor has them, by shape."""
    shapes = [[] for _ in range(5)]
    for template in model.templates:
        if GROUP_OF[template.parts] == group:
            lists = [f for f in template.functions if isinstance(f, Attribute) and ("each", 0) in f.mappings]
            shapes[4 if lists else len(template.functions) - 1].append(template)
    return shapes
