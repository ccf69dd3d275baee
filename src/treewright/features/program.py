"""The program of a feature model: which words it looks at, which values it needs of them, and what its templates join.

The extractor runs the program (``extractor.pyx``). ``tools/bundled_keys.py`` writes it as C when the package is built,
before anything is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, takewhile

from treewright.errors import FeatureModelError
from treewright.features.templates import BASES, Address, Attribute, FeatureModel, Function, Measure, Template

_MOST_NODES = _MOST_SCALARS = 256
_MOST_TEMPLATES = 512
#: runs of scalars that are not attributes of words, each evaluated by a loop of its own
RUNS = ("label", "valency left", "valency right", "distance", "labels left", "labels right", "other")

#: what templates help to decide; positions are LABELS_ONLY, BOTH and MOVES_ONLY of extractor.pxd
GROUPS = (("labels",), ("moves", "labels"), ("moves",))
#: templates of one, two, three and four values, and those that list the single FEATS of a word
N_SHAPES = 5

#: what a feature function computes: the operation, a number that it takes, two nodes, where its own classes begin
Scalar = tuple[str, int, int, int, tuple[int, ...]]


class Program:
    """Nodes (words, by address), attributes of words, and scalars (values of functions), numbered as they are needed.

    Static attributes come first, then the other runs of scalars.
    """

    def __init__(self, model: FeatureModel) -> None:
        self.model = model
        self.nodes: dict[Address, int] = {}
        #: how each node is found: the last step, how often or how far, and the node before it or -1
        self.steps: list[tuple[str, int, int]] = []
        self.attributes: dict[tuple[str, str, tuple[tuple[str, int], ...]], int] = {}
        self.scalars: dict[Scalar, int] = {}
        self._known: dict[Function, int] = {}
        functions = [function for template in model.templates for function in template.functions]
        static = [function for function in functions if isinstance(function, Attribute)]
        self.has_items = any(function.many for function in static)
        self._number(function for function in static if function.name != "l" and not function.many)
        self.n_static = len(self.scalars)
        # where the scalars of each run end
        self.ends: list[int] = []
        self._number(function for function in static if function.name == "l")
        self.ends.append(len(self.scalars))
        for function in functions:  # in the order of templates: networks know nodes by their numbers
            if isinstance(function, Measure) or function.many:
                for address in function.addresses:
                    self.node(address)
        for run in RUNS[1:]:
            self._number(function for function in functions if isinstance(function, Measure) and _run(function) == run)
            self.ends.append(len(self.scalars))
        self._limit(len(model.templates) - 1, _MOST_TEMPLATES, "templates")
        #: in the order of keys: each template, the text of its key, its scalars, nodes whose FEATS it lists
        self.templates = [
            (
                template,
                template.key_text,
                [self.scalar(function) for function in template.functions if not function.many],
                [self.node(function.addresses[0]) for function in template.functions if function.many],
            )
            for template in in_key_order(model)
        ]

    @property
    def text(self) -> str:
        """All that decides which keys a configuration has, as text."""
        keys = (f"{' '.join(template.parts)}: {key_text}" for template, key_text, *_ in self.templates)
        return "\n".join((str(list(self.attributes)), *keys))

    def _number(self, functions: Iterable[Function]) -> None:
        for function in functions:
            self.scalar(function)

    def _limit(self, count: int, most: int, what: str) -> None:
        if count >= most:
            raise FeatureModelError(f"{self.model.name}: more than {most} {what}")

    def node(self, address: Address) -> int:
        """Return the number of an address's node; add the node and those that lead to it."""
        if address in self.nodes:
            return self.nodes[address]
        before, argument = -1, address.index
        if address.steps:
            self._limit(len(list(groupby(address.steps))) - 1, _MOST_NODES, "different steps in an address")
            last, repeated = address.steps[-1], 1
            name = "offset" if isinstance(last, int) else last
            argument = last if isinstance(last, int) else 1
            if not isinstance(last, int):  # the same step several times is one node, which says how often
                argument = repeated = len(list(takewhile(lambda step: step == last, reversed(address.steps))))
            before = self.node(Address(address.base, address.index, address.steps[:-repeated]))
        elif address.base in BASES:
            name = address.base
        else:
            raise FeatureModelError(f"{self.model.name}: no system has a {address.base}: {address}")
        self._limit(len(self.nodes), _MOST_NODES, "different addresses")
        self.steps.append((name, argument, before))
        return self.nodes.setdefault(address, len(self.nodes))

    def scalar(self, function: Function) -> int:
        """Return the number of a function's scalar; add it if it is new."""
        number = self._known.get(function)
        if number is not None:
            return number
        nodes = [self.node(address) for address in function.addresses]
        first, second = (*nodes, 0, 0)[:2]
        argument = 0
        if isinstance(function, Attribute) and function.name != "l":
            argument = self.attributes.setdefault(function.encoded, len(self.attributes))
        elif isinstance(function, Measure) and function.name == "move":
            argument = int(function.argument)
        classes = function.classes if isinstance(function, Measure) else ()
        scalar = (operation(function), argument, first, second, classes)
        if scalar not in self.scalars:
            self._limit(len(self.scalars), _MOST_SCALARS, "different feature functions")
        return self._known.setdefault(function, self.scalars.setdefault(scalar, len(self.scalars)))


def operation(function: Function) -> str:
    """Return the name of what a function computes: OPERATIONS of extractor.pyx has them all."""
    if isinstance(function, Attribute):
        return "label" if function.name == "l" else "value"
    return f"{function.name} {function.argument}" if function.name in ("valency", "labels") else function.name


def _run(function: Measure) -> str:
    """Return the run of scalars that a measure belongs to."""
    return operation(function) if operation(function) in RUNS and not function.classes else RUNS[-1]


def order_of(template: Template) -> tuple[int, int]:
    """Return the group and the shape of a template."""
    shape = N_SHAPES - 1 if any(function.many for function in template.functions) else len(template.functions) - 1
    return GROUPS.index(template.parts), shape


def in_key_order(model: FeatureModel) -> list[Template]:
    """Return the templates of a model in the order of their keys: by group, by shape, then as listed."""
    return sorted(model.templates, key=order_of)
