"""A compiled feature model in two parts: what new arcs can change, and what they cannot.

In systems for graphs, moves add arcs while stack and buffer stay as they are, and most features stay the same. Both
parts use what the whole model has found (``Extractor.look``) and write the same keys.
"""
from libc.string cimport memcpy

from treewright.features.extractor cimport Extractor
from treewright.features.program import in_key_order, order_of


def split_by_arcs(Extractor whole):
    """Return two extractors, with the templates that do not look at arcs and with those that do."""
    return part(whole, False), part(whole, True)


def asks_for_arcs(template):
    """Does a template look at anything that an arc or a move changes, other than stack and buffer?"""
    return any(
        function.of_arcs or any(not isinstance(step, int) for address in function.addresses for step in address.steps)
        for function in template.functions
    )


cdef Extractor part(Extractor whole, bint with_arcs):
    cdef Extractor made = Extractor.__new__(Extractor)
    cdef int at, n = 0
    made.encoder, made._model, made.relations = whole.encoder, whole.model, whole.relations
    made._program = whole.program
    made.n_nodes, made.n_scalars, made.n_static = whole.n_nodes, whole.n_scalars, whole.n_static
    made.path = whole.path
    memcpy(made.nodes, whole.nodes, sizeof(whole.nodes))
    memcpy(made.runs, whole.runs, sizeof(whole.runs))
    memcpy(made.scalars, whole.scalars, sizeof(whole.scalars))
    memcpy(made.static_scalars, whole.static_scalars, sizeof(whole.static_scalars))
    made._set_labels(whole.relations)
    mine = []
    for at, template in enumerate(in_key_order(whole.model)):
        if asks_for_arcs(template) == with_arcs:
            mine.append(template)
            made.templates[n] = whole.templates[at]
            n += 1
    made._set_groups([order_of(template) for template in mine])
    return made
