"""Where a rule matches a sentence that is being rewritten: the same engine as for treebanks, with another graph."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from functools import cached_property

from treewright.errors import TreewrightError
from treewright.query.engine.matcher import Matcher
from treewright.query.evaluating import FEATS, FORM, LEMMA, MISC, N_COLUMNS, RELATION, TEXT_FORM, UPOS, WORD_FORM, XPOS
from treewright.query.language.pattern import COLUMNS
from treewright.query.matching import Query
from treewright.query.rewriting.rules import Rule
from treewright.query.rewriting.working_graph import Arc, WorkingGraph, WorkingNode

#: which node and which arc each name means
Bound = tuple[dict[str, WorkingNode], dict[str, Arc]]
MOST_STEPS = 2_000_000
MOST_KEPT = 1 << 16  # answers about values
_NAMES = {FORM: "form", LEMMA: "lemma", UPOS: "upos", XPOS: "xpos"}
assert set(_NAMES.values()) == set(COLUMNS)


class RuleMatcher:
    """Finds the matches of a rule: it is applied to one after the other."""

    def __init__(self, rule: Rule, tree: bool) -> None:
        self.rule = rule
        self.query = Query(rule.pattern, tree, most_steps=MOST_STEPS)
        self._kept: dict[tuple[int, str | None], tuple[int, list[float]]] = {}
        self._labels: dict[str, tuple[int, list[float]]] = {}

    @cached_property
    def _matcher(self) -> Matcher:
        return self.query.new_matcher()

    def all(self, graph: WorkingGraph, metadata: dict[str, str | None]) -> Iterator[Bound]:
        """Yield which node and which arc each name means in each match, by position."""
        if not all(each.test.accepts(metadata.get(each.key)) for each in self.rule.pattern.metadata):
            return
        nodes = graph.nodes
        place = {node: at for at, node in enumerate(nodes)}
        texts = graph.text_forms()
        told = [self._told(node, texts) for node in nodes]
        parents = [-1] * len(nodes)
        arcs = []
        for source, target, label in graph.seen_arcs:
            if not label.startswith("E:"):
                parents[place[target]] = place[source]
            arcs.append((place[source], place[target], *self._label(label)))
        self._matcher.fill([mask for mask, _ in told], [values for _, values in told], parents, arcs)
        raw, too_long = self._matcher.find_in_graph()
        if too_long:
            raise TreewrightError(
                f"the rule {self.rule.name} has more than {MOST_STEPS:,} possible beginnings of matches in a sentence."
                " Connect its nodes with edges, or say more of them"
            )
        rows: array[int] = array("i")
        rows.frombytes(raw)
        width = self.query.width
        for row in sorted(tuple(rows[at + 1 : at + width]) for at in range(0, len(rows), width)):
            bound = {name: nodes[at] for name, at in zip(self.query.nodes, row, strict=False)}
            yield bound, self._edges(bound, row[len(self.query.nodes) :])

    def _edges(self, bound: dict[str, WorkingNode], numbers: tuple[int, ...]) -> dict[str, Arc]:
        ends = self.query.plan.ends
        return {
            name: (bound[ends[name].source], bound[ends[name].target], self.query.label(number))
            for name, number in zip(self.query.edges, numbers, strict=True)
        }

    def _told(self, node: WorkingNode, texts: dict[WorkingNode, str]) -> tuple[int, list[float]]:
        """Return the tests that a node passes, and what is compared of it."""
        tests = self.query.plan.node_tests
        mask, values = 0, [math.nan] * len(tests.slots)
        for column in range(N_COLUMNS):
            if column == RELATION or not tests.is_used(column):
                continue
            text = _text(node, column, texts)
            key = (column, text)
            if key not in self._kept:
                if len(self._kept) > MOST_KEPT:
                    self._kept.clear()
                raw = None if text is None else text.encode("utf-8", "surrogateescape")
                self._kept[key] = tests.evaluate(column, raw)
            more, compared = self._kept[key]
            mask |= more
            values = [old if old == old else new for old, new in zip(values, compared, strict=True)]
        return mask, values

    def _label(self, label: str) -> tuple[int, list[float]]:
        if label not in self._labels:
            self._labels[label] = self.query.plan.label_tests.answers(label)
        return self._labels[label]


def _text(node: WorkingNode, column: int, texts: dict[WorkingNode, str]) -> str | None:
    """Return what tests of a column look at."""
    if column in _NAMES:
        return node.feature(_NAMES[column])
    if node.is_anchor:
        return None
    if column in (FEATS, MISC):
        return node["FEATS" if column == FEATS else "MISC"]
    if column == WORD_FORM:
        return "__EMPTY__" if node.is_empty else node["FORM"]
    assert column == TEXT_FORM
    return "_" if node.is_empty else texts.get(node, node["FORM"])
