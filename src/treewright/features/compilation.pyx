"""From a feature model to the flat program that an extractor runs: nodes, scalars, templates, in fixed order."""
from itertools import groupby, takewhile

from libc.stdint cimport uint64_t

from treewright.errors import FeatureModelError
from treewright.features.addresses cimport Node
from treewright.features.addresses import NODE_OPS
from treewright.features.extractor cimport (
    DISTANCE, DISTANCE_RUN, EXISTS, HEAD_LABELS, HEADS, LABEL, LABELS_RUN, LEFT_LABELS, LEFT_LABELS_RUN, LEFT_VALENCY,
    LEFT_VALENCY_RUN, LINKED, MAX_NODES, MAX_SCALARS, MAX_TEMPLATES, N_GROUPS, N_RUNS, OTHER_RUN, PAST_MOVE,
    RIGHT_LABELS, RIGHT_LABELS_RUN, RIGHT_VALENCY, RIGHT_VALENCY_RUN, VALENCY, VALUE, Extractor, Scalar,
    tw_template,
)
from treewright.features.templates import Attribute, Measure
from treewright.systems.configuration cimport NONE

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

#: what templates help to decide; positions are LABELS_ONLY, BOTH and MOVES_ONLY of extractor.pxd
GROUPS = (("labels",), ("moves", "labels"), ("moves",))
#: templates of one, two, three and four values, and those that list the single FEATS of a word
N_SHAPES = 5

MEASURE_OPS = {
    ("valency", "left"): LEFT_VALENCY, ("valency", "right"): RIGHT_VALENCY,
    ("valency", "all"): VALENCY,
    ("labels", "left"): LEFT_LABELS, ("labels", "right"): RIGHT_LABELS,
    ("labels", "heads"): HEAD_LABELS,
    ("heads", ""): HEADS, ("exists", ""): EXISTS,
}


RUNS = {
    LEFT_VALENCY: LEFT_VALENCY_RUN, RIGHT_VALENCY: RIGHT_VALENCY_RUN, DISTANCE: DISTANCE_RUN,
    LEFT_LABELS: LEFT_LABELS_RUN, RIGHT_LABELS: RIGHT_LABELS_RUN,
}

cdef class Compiler:
    """Lays out nodes, scalars and templates of an extractor; what stands where is in three tables, by what it is."""

    cdef Extractor made
    cdef object model
    cdef dict nodes, attributes, scalars

    def __init__(self, Extractor made):
        self.made, self.model = made, made.model
        self.nodes, self.attributes, self.scalars = {}, {}, {}

    def run(self):
        """Lay out all; static attributes first, templates by group and shape."""
        cdef Extractor made = self.made
        static = [f for t in self.model.templates for f in t.functions if isinstance(f, Attribute)]
        for function in sorted(static, key=lambda f: f.name == "l"):
            if not function.many:
                self.scalar(function)
        made.n_static = sum(op == VALUE for op, *_ in self.scalars)
        made.runs[LABELS_RUN], made.runs[LABELS_RUN + 1] = made.n_static, len(self.scalars)
        measures = []
        for template in self.model.templates:
            for function in template.functions:
                if isinstance(function, Measure):
                    # in the order of templates: networks know nodes by their numbers
                    for address in function.addresses:
                        self.node(address)
                    measures.append(function)
                elif function.many:
                    self.node(function.address)
        for run in range(LABELS_RUN + 1, N_RUNS):
            for function in measures:
                if run_of(function) == run:
                    self.scalar(function)
            made.runs[<int>run + 1] = len(self.scalars)
        self.write_templates()
        made.n_nodes, made.n_scalars = len(self.nodes), len(self.scalars)
        self.limit(len(self.attributes) - 1, 256, "different attributes of words")
        made.equip(list(self.attributes), any(function.many for function in static))
        return self.nodes, self.attributes, self.scalars

    def limit(self, int count, int most, str what):
        if count >= most:
            raise FeatureModelError(f"{self.model.name}: more than {most} {what}")

    def node(self, address):
        """Return the number of an address's node; add the node and those that lead to it."""
        key = (address.base, address.index, address.steps)
        if key in self.nodes:
            return self.nodes[key]
        cdef Node node
        node.parent = NONE
        node.argument = address.index
        if address.steps:
            self.limit(len(list(groupby(address.steps))) - 1, MAX_NODES, "different steps in an address")
            *before, step = address.steps
            node.argument = step if isinstance(step, int) else 1
            if not isinstance(step, int):  # the same step several times is one node, which says how often
                node.argument = len(list(takewhile(lambda other: other == step, reversed(address.steps))))
                before = address.steps[:len(address.steps) - node.argument]
            node.parent = self.node(type(address)(address.base, address.index, tuple(before)))
            node.op = NODE_OPS["offset" if isinstance(step, int) else step]
        elif address.base not in NODE_OPS:
            raise FeatureModelError(f"{self.model.name}: no system has a {address.base}: {address}")
        else:
            node.op = NODE_OPS[address.base]
        self.limit(len(self.nodes), MAX_NODES, "different addresses")
        self.made.nodes[len(self.nodes)] = node
        self.nodes[key] = len(self.nodes)
        return self.nodes[key]

    def scalar(self, function):
        """Return the number of a function's scalar, adding it if it is new."""
        cdef int at, i
        cdef Scalar* scalar
        key = self.key_of(function)
        if key in self.scalars:
            return self.scalars[key]
        self.limit(len(self.scalars), MAX_SCALARS, "different feature functions")
        at = self.scalars[key] = len(self.scalars)
        scalar = &self.made.scalars[at]
        scalar.op, scalar.argument, scalar.first, scalar.second = key[:4]
        scalar.n_classes = len(key) - 4
        for i, start in enumerate(key[4:]):
            scalar.classes[i] = start
        return at

    def key_of(self, function):
        """Return a function's operation, argument, words and classes of numbers."""
        if isinstance(function, Attribute):
            if function.name == "l":
                return LABEL, 0, self.node(function.address), 0
            number = self.attributes.setdefault(function.encoded, len(self.attributes))
            return VALUE, number, self.node(function.address), 0
        if function.name in ("distance", "linked"):
            key = (DISTANCE if function.name == "distance" else LINKED, 0, *map(self.node, function.addresses))
        elif function.name == "move":
            key = (PAST_MOVE, int(function.argument), 0, 0)
        else:
            key = (MEASURE_OPS[function.name, function.argument], 0, self.node(function.addresses[0]), 0)
        return (*key, *function.classes)

    def write_templates(self):
        """Write the templates in the order of their keys."""
        self.limit(len(self.model.templates) - 1, MAX_TEMPLATES, "templates")
        cdef tw_template* joined
        cdef bytes text
        for at, template in enumerate(in_key_order(self.model)):
            joined = &self.made.templates[<int>at]
            lists = [f for f in template.functions if f.many]
            single = [f for f in template.functions if not f.many]
            text = template.key_text.encode()
            joined.seed = tw_hash(text, len(text), 5)
            joined.n_values, joined.n_lists = len(single), len(lists)
            for i, function in enumerate(single):
                joined.value[i] = self.scalar(function)
            for i, function in enumerate(lists):
                joined.list[i] = self.node(function.address)
        set_groups(self.made, self.model.templates)


def order_of(template):
    """Return the group and the shape of a template."""
    shape = N_SHAPES - 1 if any(function.many for function in template.functions) else len(template.functions) - 1
    return GROUPS.index(template.parts), shape


def in_key_order(model):
    """Return the templates of a model in the order of their keys: by group, by shape, then as listed."""
    return sorted(model.templates, key=order_of)


def compiled(Extractor made):
    """Fill in the program of an extractor's model; return the numbers of addresses, attributes and functions."""
    return Compiler(made).run()


def number_of(Extractor extractor, function):
    """Return the number of one of an extractor's functions."""
    compiler = Compiler(extractor)
    compiler.nodes, compiler.attributes, compiler.scalars = extractor.numbers
    return compiler.scalar(function)


def set_groups(Extractor made, templates):
    """Note where the templates of each group and shape begin and end."""
    cdef int at = 0, group, shape
    orders = [order_of(template) for template in templates]
    for group in range(N_GROUPS):
        made.groups[group].count = 0
        for shape in range(N_SHAPES):
            made.groups[group].first[shape] = at + made.groups[group].count
            made.groups[group].count += orders.count((group, shape))
        at += made.groups[group].count
        made.groups[group].first[5] = at


def run_of(function):
    """Return the run of scalars that a measure belongs to."""
    op = MEASURE_OPS.get((function.name, function.argument), DISTANCE if function.name == "distance" else None)
    return OTHER_RUN if function.classes else RUNS.get(op, OTHER_RUN)
