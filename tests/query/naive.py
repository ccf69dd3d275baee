"""What a pattern means, on a page: try all assignments of nodes and edges. The compiled matcher must find the same."""

from __future__ import annotations

from itertools import product

from treewright.query.language import pattern as data
from treewright.query.language.pattern import column_name, features_of

OPERATORS = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class NaiveGraph:
    """A sentence as features of nodes and labelled arcs, by position; the anchor is 0."""

    def __init__(self, sentence, tree=False):
        self.metadata = dict(sentence.metadata)
        tokens = [t for t in sentence.tokens if t.is_word or (t.is_empty and not tree)]
        place = {"0": 0} | {str(token.id): number for number, token in enumerate(tokens, 1)}
        covered = {number: token for token in sentence.multiword_tokens for number in token.span}
        self.nodes = [{"form": "__0__"}]
        self.arcs = []
        self.parent = [None] * (len(tokens) + 1)
        for number, token in enumerate(tokens, 1):
            features = {k: v for k, v in token.misc.items() if v is not None}
            features = {f"__MISC__{k}": v for k, v in features.items()} | features
            features.setdefault("wordform", "__EMPTY__" if token.is_empty else token.form)
            whole = covered.get(token.id)
            text = "_" if token.is_empty else token.form
            if whole:
                text = whole.form if whole.span[0] == token.id else "_"
            features.setdefault("textform", text)
            features |= {k: v for k, v in token.feats.items() if v is not None}
            columns = {name: getattr(token, name) for name in ("form", "lemma", "upos", "xpos")}
            given = {
                k: v for k, v in columns.items() if v != "_" or k == "form" or (k == "lemma" and token.form == "_")
            }
            self.nodes.append({k: v for k, v in features.items() if k not in columns} | given)
            if token.is_word and str(token.head) in place:
                self.parent[number] = place[str(token.head)]
                self.arcs.append((place[str(token.head)], number, token.deprel))
            if not tree:
                for head, relation in dict.fromkeys(token.deps):
                    if str(head) in place:
                        self.arcs.append((place[str(head)], number, f"E:{relation}"))

    def feature(self, node, name):
        return self.nodes[node].get(name if name.startswith("__MISC__") else column_name(name))

    def depth(self, node):
        seen = []
        while node is not None and node not in seen:
            seen.append(node)
            if node == 0:
                return len(seen) - 1
            node = self.parent[node]
        return None

    def reachable(self, node):
        found, new = set(), {node}
        while new:
            new = {t for s, t, _ in self.arcs if s in new} - found
            found |= new
        return found

    def is_structure(self, name):
        nodes = range(len(self.nodes))
        cyclic = any(node in self.reachable(node) for node in nodes)
        incoming = [sum(t == node for _, t, _ in self.arcs) for node in nodes]
        forest = not cyclic and max(incoming) <= 1
        spans = [sorted((s, t)) for s, t, _ in self.arcs]
        return {
            "cyclic": cyclic,
            "forest": forest,
            "tree": forest and incoming.count(0) == 1,
            "projective": not any(a < c < b < d for a, b in spans for c, d in spans),
        }[name]


def naive_matches(graph, pattern):
    """Return all matches, as (position of each node…, label of each named edge…), without doubles."""
    for structure in pattern.structures:
        if graph.is_structure(structure.name) != structure.wanted:
            return set()
    if not all(each.test.accepts(graph.metadata.get(each.key)) for each in pattern.metadata):
        return set()
    found = set()
    for nodes, edges in assignments(graph, list(pattern.clauses), {}, {}):
        if all(
            item.wanted == any(True for _ in assignments(graph, item.clauses, nodes, edges)) for item in pattern.filters
        ):
            found.add((*nodes.values(), *(label for _, _, label in edges.values())))
    return found


def assignments(graph, clauses, nodes, edges):
    """Yield all extensions of an assignment of nodes and edges that fulfil clauses."""
    new, new_edges = [], []
    for clause in clauses:
        names = []
        if isinstance(clause, data.Node):
            names = [clause.name]
        elif isinstance(clause, (data.Edge, data.Path)):
            names = [clause.source, clause.target]
            if isinstance(clause, data.Edge) and clause.name:
                new_edges.append(clause.name)
        new += [name for name in names if name not in nodes and name not in new and name != "*"]
    for chosen in product(range(len(graph.nodes)), repeat=len(new)):
        bound = {**nodes, **dict(zip(new, chosen, strict=True))}
        fixed = [node for name, node in bound.items() if not name.endswith("$")]
        if len(set(fixed)) < len(fixed):
            continue
        for arcs in product(graph.arcs, repeat=len(new_edges)):
            named = {**edges, **dict(zip(new_edges, arcs, strict=True))}
            if all(holds(graph, clause, bound, named) for clause in clauses):
                yield bound, named


def holds(graph, clause, nodes, edges):
    """Say whether a clause is true of an assignment."""
    match clause:
        case data.Node():
            return any(
                all(each.test.accepts(graph.feature(nodes[clause.name], each.name)) for each in features)
                for features in clause.alternatives
            )
        case data.Edge():
            arcs = [edges[clause.name]] if clause.name else graph.arcs
            return any(
                (clause.source == "*" or s == nodes[clause.source])
                and (clause.target == "*" or t == nodes[clause.target])
                and clause.label.accepts(label)
                for s, t, label in arcs
            )
        case data.Path():
            return nodes[clause.target] in graph.reachable(nodes[clause.source])
        case data.Order():
            first, second = nodes[clause.first], nodes[clause.second]
            return first + 1 == second if clause.immediate else first < second
        case data.Has():
            return clause.test.test.accepts(value_of(graph, data.Feature(clause.owner, clause.test.name), nodes, edges))
        case data.Compare():
            return compare(graph, clause, nodes, edges)
        case data.Distance():
            return OPERATORS[clause.operator](*distance(graph, clause, nodes, edges))
        case data.Inside():
            low, high = sorted(edges[clause.edge][:2])
            return low < nodes[clause.node] < high
        case data.EdgeOrder():
            (a, b), (c, d) = sorted(edges[clause.first][:2]), sorted(edges[clause.second][:2])
            if clause.operator == "<<":
                return c <= a and b <= d
            return a < c < b < d or c < a < d < b if clause.operator == "><" else b <= c or d <= a
    raise AssertionError(clause)


def value_of(graph, feature, nodes, edges):
    if feature.owner in edges:
        label = edges[feature.owner][2]
        return label if feature.name == "label" else features_of(label).get(feature.name)
    return graph.feature(nodes[feature.owner], feature.name)


def compare(graph, clause, nodes, edges):
    if clause.left.name == "__id__":
        return nodes[clause.left.owner] < nodes[clause.right.owner]
    left = value_of(graph, clause.left, nodes, edges)
    right = clause.right
    if isinstance(right, data.Feature):
        right = value_of(graph, right, nodes, edges)
    if left is None or right is None:
        return False
    if clause.operator not in ("=", "<>"):
        try:
            left, right = float(left), float(right)
        except ValueError:
            return False
    return OPERATORS[clause.operator](left, right)


def distance(graph, clause, nodes, edges):
    if clause.what == "depth":
        depth = graph.depth(nodes[clause.first])
        return (float("nan"), float("nan")) if depth is None else (depth, clause.number)
    ends = (nodes[clause.first], nodes[clause.second]) if clause.second else edges[clause.first][:2]
    delta = ends[1] - ends[0]
    return (delta if clause.what == "delta" else abs(delta)), clause.number
