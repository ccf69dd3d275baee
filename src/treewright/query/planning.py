"""From a pattern to a program: nodes, edges and tests by number, and steps that bind the rarest node first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from treewright.query.engine.operations import Step, step
from treewright.query.evaluating import (
    RELATION,
    TEXT_FORM,
    Alternatives,
    LabelTests,
    NodeTests,
    Values,
)
from treewright.query.language import pattern as data
from treewright.query.language.pattern import (
    COMPARISONS,
    DELTA,
    IDENTITY,
    LABEL,
    LABEL_FEATURES,
    LENGTH,
    STRUCTURES,
    Clause,
    Feature,
    LabelTest,
    Pattern,
)
from treewright.query.language.well_formed import ANY_NODE, names_of


@dataclass(frozen=True)
class Link:
    """An edge of the pattern between two nodes, and the bit of its label."""

    source: int
    target: int
    bit: int


@dataclass
class Part:
    """The clauses of `pattern`, or of one filter, by number."""

    nodes: list[int]  # that it binds
    links: list[Link] = field(default_factory=list)
    arcs: list[tuple[int, Link]] = field(default_factory=list)  # named edges
    neighbours: list[tuple[int, int]] = field(default_factory=list)  # X < Y
    #: checks, and the nodes and edges that must be bound before
    checks: list[tuple[Step, frozenset[int], frozenset[int]]] = field(default_factory=list)
    wanted: bool = True


class Plan:
    """The numbered pattern; ``steps`` makes the program, given how many nodes of the treebank fit each node."""

    def __init__(self, pattern: Pattern, with_graph: bool = True, wanted: Sequence[Feature] = ()) -> None:
        """``wanted``: features of nodes and edges that are part of a match, besides the labels of named edges."""
        self.values = Values()
        self.node_tests, self.label_tests = NodeTests(self.values), LabelTests(self.values)
        self._names = names_of(pattern.clauses)
        self.found_nodes, self.found_edges = list(self._names.nodes), list(self._names.edges)
        self._number = {name: number for number, name in enumerate(self._names.nodes)}
        self._edge_number = {name: number for number, name in enumerate(self._names.edges)}
        self._ends = dict(self._names.edges)
        self.conditions: list[Alternatives] = [[[]] for _ in self._number]
        self.free = [name.endswith("$") for name in self._names.nodes]
        self.with_graph = with_graph
        if self._edge_number:
            self.label_tests.slot(LABEL, False)
        self.outputs = [self._output(Feature(edge, LABEL)) for edge in self.found_edges]
        self.outputs += [self._output(feature) for feature in wanted]
        self._main = self._part(pattern.clauses, list(range(len(self._number))), self._number, self._edge_number)
        #: what each node must be, its relation included
        self.rare = [self._rarer(number) for number in range(len(self._number))]
        self._filters = [self._filter(item) for item in pattern.filters]
        self.structures = _bits_of_structures(pattern)
        asks_for_arcs = any(self.structures) or self.label_tests.may_be_enhanced
        self.with_arcs = with_graph and (asks_for_arcs or self._has_paths(pattern))

    def _output(self, feature: Feature) -> tuple[int, int, int]:
        """Return what gives a feature: whether of an edge, its owner, its slot."""
        if feature.owner in self._edge_number:
            return 1, self._edge_number[feature.owner], self.label_tests.slot(feature.name, False)
        return 0, self._number[feature.owner], self.node_tests.slot(feature.name, False)

    @property
    def n_edges(self) -> int:
        """How many edges have a name, those of filters included."""
        return len(self._edge_number)

    def _has_paths(self, pattern: Pattern) -> bool:
        items = (*pattern.items, *pattern.filters)
        return any(isinstance(clause, data.Path) for item in items for clause in item.clauses)

    def _filter(self, item: data.Filter) -> Part:
        """Number a filter, whose nodes and edges are its own where the pattern has none of that name."""
        names = names_of(item.clauses, self._names)
        numbers, edges = dict(self._number), dict(self._edge_number)
        new = [name for name in names.nodes if name not in numbers]
        for name in new:
            numbers[name] = len(self.conditions)
            self.conditions.append([[]])
            self.free.append(name.endswith("$"))
        for name in names.edges:
            if name not in edges:
                edges[name] = len(self._edge_number)
                self._edge_number[f"{name} of {id(item)}"] = edges[name]
                self.label_tests.slot(LABEL, False)
        ends, self._ends = self._ends, names.edges
        part = self._part(item.clauses, [numbers[name] for name in new], numbers, edges)
        self._ends = ends
        part.wanted = item.wanted
        return part

    # Clauses by number

    def _part(self, clauses: Iterable[Clause], own: list[int], numbers: dict[str, int], edges: dict[str, int]) -> Part:
        part = Part(own)
        for clause in clauses:
            if isinstance(clause, data.Node):
                self._node(part, numbers[clause.name], self._alternatives(clause))
            elif isinstance(clause, data.Edge):
                self._edge(part, clause, numbers, edges)
            elif isinstance(clause, data.Has) and clause.owner not in edges:
                self._node(part, numbers[clause.owner], [self.node_tests.clause(clause.test)])
            else:
                self._relation(part, clause, numbers, edges)
        return part

    def _alternatives(self, node: data.Node) -> Alternatives:
        tests = self.node_tests
        return [[clause for each in features for clause in tests.clause(each)] for features in node.alternatives]

    def _node(self, part: Part, number: int, more: Alternatives) -> None:
        """Narrow a node; one that is bound outside of a filter gets another condition there."""
        if number in part.nodes:
            old = self.conditions[number]
            self.conditions[number] = [[*one, *other] for one in old for other in more]
            return
        twin = len(self.conditions)
        self.conditions.append(more)
        self.free.append(False)
        part.checks.append((step("fits", number, twin), frozenset((number,)), frozenset()))

    def _edge(self, part: Part, edge: data.Edge, numbers: dict[str, int], edges: dict[str, int]) -> None:
        bit = self.label_tests.bit(edge.label)
        if edge.source == ANY_NODE or edge.target == ANY_NODE:
            into = edge.source == ANY_NODE
            number = numbers[edge.target if into else edge.source]
            check = step("has-arc-in" if into else "has-arc-out", number, bit)
            part.checks.append((check, frozenset((number,)), frozenset()))
            return
        link = Link(numbers[edge.source], numbers[edge.target], bit)
        part.links.append(link)
        if edge.name is not None:
            part.arcs.append((edges[edge.name], link))

    def _relation(self, part: Part, clause: Clause, numbers: dict[str, int], edges: dict[str, int]) -> None:
        """Add a clause that checks what is bound."""
        nodes: list[int] = []
        bound: list[int] = []
        if isinstance(clause, data.Path):
            nodes = [numbers[clause.source], numbers[clause.target]]
            made = step("has-path", *nodes)
        elif isinstance(clause, data.Order):
            nodes = [numbers[clause.first], numbers[clause.second]]
            if clause.immediate:
                part.neighbours.append((nodes[0], nodes[1]))
            made = step("is-next" if clause.immediate else "is-before", *nodes)
        elif isinstance(clause, data.Has):
            bound = [edges[clause.owner]]
            made = step("edge-label", bound[0], self.label_tests.bit(_label_test(clause)))
        elif isinstance(clause, data.Compare):
            made = self._comparison(clause, numbers, edges, nodes, bound)
        elif isinstance(clause, data.Distance):
            made = self._distance(clause, numbers, nodes)
        elif isinstance(clause, data.EdgeOrder):
            nodes = [*self._ends_of(clause.first, numbers), *self._ends_of(clause.second, numbers)]
            made = step({"><": "cross", "<<": "covered", "<>": "disjoint"}[clause.operator], *nodes)
        else:
            assert isinstance(clause, data.Inside)
            nodes = [numbers[clause.node], *self._ends_of(clause.edge, numbers)]
            made = step("inside", *nodes)
        part.checks.append((made, frozenset(nodes), frozenset(bound)))

    def _comparison(
        self, clause: data.Compare, numbers: dict[str, int], edges: dict[str, int], nodes: list[int], bound: list[int]
    ) -> Step:
        operator = COMPARISONS.index(clause.operator)
        is_number = clause.operator not in ("=", "<>")
        if clause.left.name == IDENTITY and isinstance(clause.right, Feature):
            nodes += [numbers[clause.left.owner], numbers[clause.right.owner]]
            return step("is-before", *nodes)
        sides: list[int] = []
        for side in (clause.left, clause.right):
            if isinstance(side, Feature):
                of_edge = side.owner in edges
                slot = (self.label_tests if of_edge else self.node_tests).slot(side.name, is_number)
                number = (edges if of_edge else numbers)[side.owner]
                (bound if of_edge else nodes).append(number)
                sides += [int(of_edge), number, slot]
        if isinstance(clause.right, Feature):
            return step("compare", operator, *sides)
        return step("compare-number", operator, *sides, number=clause.right)

    def _distance(self, clause: data.Distance, numbers: dict[str, int], nodes: list[int]) -> Step:
        operator, number = COMPARISONS.index(clause.operator), float(clause.number)
        if clause.what not in (DELTA, LENGTH):
            nodes.append(numbers[clause.first])
        elif clause.second:
            nodes += [numbers[clause.first], numbers[clause.second]]
        else:
            nodes += self._ends_of(clause.first, numbers)
        return step(clause.what, operator, *nodes, number=number)

    def _ends_of(self, edge: str, numbers: dict[str, int]) -> list[int]:
        return [numbers[self._ends[edge].source], numbers[self._ends[edge].target]]

    # What finds sentences

    def _rarer(self, number: int) -> Alternatives:
        """Return what a node must be with the relations that lead to it, where only the tree has them."""
        clauses = self.conditions[number]
        for link in self._main.links:
            test = self.label_tests.test(link.bit)
            if link.target == number and (not test.may_be_enhanced or not self.with_graph) and test != LabelTest():
                clauses = [[*clause, *self.node_tests.relation(test)] for clause in clauses]
        return clauses

    def rarest(self, shares: Sequence[int]) -> tuple[Alternatives, set[int], bool] | None:
        """Return what a sentence must have to be looked at: a condition, its columns, whether empty nodes may fit.

        ``shares``: of all nodes, how many are as ``rare`` says.
        """
        best: tuple[int, Alternatives, set[int]] | None = None
        for number, condition in enumerate(self.rare):
            columns = self.node_tests.columns(condition)
            if not columns or TEXT_FORM in columns:
                continue
            if best is None or shares[number] < best[0]:
                best = (shares[number], condition, columns)
        return None if best is None else (best[1], best[2], RELATION not in best[2])

    # Steps

    def steps(self, shares: Sequence[float]) -> list[Step]:
        """Return the program; ``shares``: of all nodes, how many fit each node of the pattern."""
        bound: set[int] = set()
        edges: set[int] = set()
        main = self._steps_of(self._main, shares, bound, edges)
        length = len(main) + len(self._filters) + 1
        filters: list[Step] = []
        for part in self._filters:
            start = length + len(filters)
            main.append(step("filter", start, int(part.wanted)))
            filters += [*self._steps_of(part, shares, set(bound), set(edges)), step("succeed")]
        return [*main, step("found"), *filters]

    def _steps_of(self, part: Part, shares: Sequence[float], bound: set[int], bound_edges: set[int]) -> list[Step]:
        steps: list[Step] = []
        links, checks, arcs = list(part.links), list(part.checks), list(part.arcs)
        waiting = [number for number in part.nodes if number not in bound]
        while True:
            steps += _ready(links, checks, arcs, bound, bound_edges)
            if not waiting:
                assert not [*checks, *arcs], "every condition is checked"
                return steps
            number, way = min(
                ((number, way) for number in waiting for way in _ways(number, links, part.neighbours, bound)),
                key=lambda choice: _cost(choice[1], shares[choice[0]]),
            )
            steps.append(way[0])
            if way[1] is not None:
                links.remove(way[1])
            bound.add(number)
            waiting.remove(number)


def _ways(
    number: int, links: list[Link], neighbours: list[tuple[int, int]], bound: set[int]
) -> Iterable[tuple[Step, Link | None]]:
    """Yield the ways to bind a node: next to one that is bound, along an arc, or among all."""
    for first, second in neighbours:
        if first == number and second in bound:
            yield step("previous", number, second), None
        elif second == number and first in bound:
            yield step("next", number, first), None
    for link in links:
        if link.source == number and link.target in bound:
            yield step("parent", number, link.target, link.bit), link
        elif link.target == number and link.source in bound:
            yield step("child", number, link.source, link.bit), link
    yield step("any-node", number), None


def _cost(way: tuple[Step, Link | None], share: float) -> float:
    """Return about how many nodes a step binds."""
    (operation, *_), _ = way[0]
    if operation == step("any-node")[0][0]:
        return 20.0 * share
    if operation == step("child")[0][0]:
        return 0.5 + share
    return 0.1 + share * 0.1


def _ready(
    links: list[Link],
    checks: list[tuple[Step, frozenset[int], frozenset[int]]],
    arcs: list[tuple[int, Link]],
    bound: set[int],
    bound_edges: set[int],
) -> list[Step]:
    """Return the steps that can be made with what is bound, and take them off: checks, then named edges."""
    steps: list[Step] = []
    named = [link for _, link in arcs]
    for link in list(links):
        if {link.source, link.target} <= bound and link not in named:
            steps.append(step("has-arc", link.source, link.target, link.bit))
            links.remove(link)
    steps += _checked(checks, bound, bound_edges)
    for edge, link in list(arcs):
        if {link.source, link.target} <= bound:
            steps.append(step("arc", edge, link.source, link.target, link.bit))
            bound_edges.add(edge)
            arcs.remove((edge, link))
            if link in links:
                links.remove(link)
    return steps + _checked(checks, bound, bound_edges)


def _checked(
    checks: list[tuple[Step, frozenset[int], frozenset[int]]], bound: set[int], bound_edges: set[int]
) -> list[Step]:
    made = [check for check in checks if check[1] <= bound and check[2] <= bound_edges]
    for check in made:
        checks.remove(check)
    return [check[0] for check in made]


def _label_test(clause: data.Has) -> LabelTest:
    """Return a condition on a named edge as one on its label."""
    if clause.test.name == LABEL:
        return LabelTest(clause.test.test)
    assert clause.test.name in LABEL_FEATURES
    return LabelTest(features=(clause.test,))


def _bits_of_structures(pattern: Pattern) -> tuple[int, int]:
    wanted = refused = 0
    for each in pattern.structures:
        bit = 1 << STRUCTURES.index(each.name)
        wanted, refused = (wanted | bit, refused) if each.wanted else (wanted, refused | bit)
    return wanted, refused
