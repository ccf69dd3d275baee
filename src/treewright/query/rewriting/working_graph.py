"""A sentence that rules change: nodes in their order, and arcs. What no rule touches is written as it was read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from treewright.errors import TreebankError, TreewrightError, unknown
from treewright.query.language.pattern import COLUMNS, COMPUTED, IN_MISC, column_name
from treewright.query.rewriting.feature_names import belongs_to_feats
from treewright.treebank.blocks.block import Layout
from treewright.treebank.sentences.sentence import Sentence
from treewright.treebank.sentences.token import Token
from treewright.treebank.sentences.values import checked
from treewright.treebank.sentences.views import KeyValues

ANCHOR_FORM = "__0__"
DEPS_REMEDY = "Labels of further arcs, which DEPS holds, begin with E:."
HEADS_REMEDY = f"Delete one first. {DEPS_REMEDY}"
VALIDATE = "Run `treewright validate`."
Arc = tuple["WorkingNode", "WorkingNode", str]
Incoming = tuple["WorkingNode", str]  # an arc without its target


class WorkingNode:
    """A node: the anchor (without cells), a word or an empty node, as the columns of its line."""

    def __init__(self, cells: list[str], layout: Layout, line_end: str, is_empty: bool = False) -> None:
        self.cells, self.layout, self.line_end, self.is_empty = cells, layout, line_end, is_empty
        self.before = ""  # lines before it that are no tokens

    @property
    def is_anchor(self) -> bool:
        """Whether this is the anchor before the first word."""
        return not self.cells

    def __getitem__(self, column: str) -> str:
        place = self.layout.index(column)
        return self.cells[place] if place >= 0 and self.cells else "_"

    def __setitem__(self, column: str, value: str) -> None:
        place = self.layout.index(column)
        if place < 0:
            raise TreewrightError(f"format {self.layout.name}: {unknown('column', column, self.layout.columns)}")
        self.cells[place] = checked(value, column) or "_"

    def pairs(self, column: str) -> KeyValues:
        """Return FEATS or MISC as a dictionary; changes apply to the node."""
        return KeyValues(cast("Token", self), column, in_order=column == "FEATS")

    def feature(self, name: str) -> str | None:
        """Return a feature; None if it is missing."""
        if self.is_anchor:
            return ANCHOR_FORM if name == "form" else None
        if name in COLUMNS:
            value = self[COLUMNS[name]]
            kept = name == "form" or (name == "lemma" and self["FORM"] == "_")
            return None if value in ("", "_") and not (kept and value) else value
        if name in COMPUTED:
            return self.pairs("MISC").get(name) or ("__EMPTY__" if self.is_empty else self["FORM"])
        column = self._column_of(name)
        return self.pairs(column).get(_inner(name)) if column else None

    def set_feature(self, name: str, value: str) -> None:
        """Give a feature a value: where it is, else where features of this name belong."""
        if name in COLUMNS:
            self[COLUMNS[name]] = value
            return
        column = self._column_of(name)
        if column is None:
            in_misc = name in COMPUTED or name.startswith(IN_MISC) or not belongs_to_feats(column_name(name))
            column = "MISC" if in_misc else "FEATS"
        self.pairs(column)[_inner(name)] = value

    def delete_feature(self, name: str) -> None:
        """Take a feature away, if it is there."""
        if name in COLUMNS:
            self[COLUMNS[name]] = "_"
            return
        column = self._column_of(name)
        if column is not None:
            del self.pairs(column)[_inner(name)]

    def other_features(self) -> dict[str, str]:
        """Return the features of FEATS and MISC by the names that rules use."""
        found = {name: value for name, value in self.pairs("MISC").items() if value is not None}
        found.update((name, value) for name, value in self.pairs("FEATS").items() if value is not None)
        return found

    def _column_of(self, name: str) -> str | None:
        columns = ("MISC",) if name.startswith(IN_MISC) or name in COMPUTED else ("FEATS", "MISC")
        return next((column for column in columns if self.pairs(column).get(_inner(name)) is not None), None)


def _inner(name: str) -> str:
    return column_name(name.removeprefix(IN_MISC))


class WorkingGraph:
    """A sentence as nodes and arcs, from text and back to it.

    ``tree``: rules see neither empty nodes nor the arcs of DEPS, which stay as they are.
    """

    def __init__(self, sentence: Sentence, tree: bool = False) -> None:
        self._sentence, self.layout, self._tree = sentence, sentence.layout, tree
        self.anchor = WorkingNode([], self.layout, "")
        self.order: list[WorkingNode] = [self.anchor]
        self.arcs: dict[Arc, None] = {}
        self._whole: list[tuple[WorkingNode, list[WorkingNode]]] = []  # multiword tokens and their words
        self._before = self._after = ""  # lines around the tokens
        self._read(sentence)
        self._old_order = list(self.order)
        self._old_arcs = {node: self._arcs_to(node) for node in self.order}
        self._old_ids = {node: node["ID"] for node in self.order[1:]} | {self.anchor: "0"}

    # From text

    def _read(self, sentence: Sentence) -> None:
        pending = ""
        spans: list[tuple[WorkingNode, range]] = []
        for part in sentence.parts():
            if isinstance(part, str):
                pending += part
                continue
            body = part.line.rstrip("\r\n")
            node = WorkingNode(body.split("\t"), self.layout, part.line[len(body) :], part.is_empty)
            if len(self.order) == 1 and not spans:
                self._before = pending
            else:
                node.before = pending
            pending = ""
            if part.is_multiword:
                spans.append((node, part.span))
            else:
                self.order.append(node)
        self._after = pending
        words = [node for node in self.order if not node.is_empty]
        self._whole = [(node, words[span.start : span.stop]) for node, span in spans]
        self._read_arcs(words)

    def _read_arcs(self, words: list[WorkingNode]) -> None:
        named = {str(number): node for number, node in enumerate(words)}
        named |= {node["ID"]: node for node in self.order if node.is_empty}
        for node in self.order[1:]:
            if not node.is_empty and node["HEAD"] != "_":
                self.arcs[self._named(named, node["HEAD"], node, "HEAD"), node, node["DEPREL"]] = None
            if node["DEPS"] not in ("", "_"):
                for item in node["DEPS"].split("|"):
                    name, _, relation = item.partition(":")
                    self.arcs[self._named(named, name, node, "DEPS"), node, f"E:{relation}"] = None

    def _named(self, named: dict[str, WorkingNode], name: str, node: WorkingNode, column: str) -> WorkingNode:
        if name not in named:
            raise self._error(
                f"{column} of {node['ID']} names {name}, which is not there", "Run `treewright validate`."
            )
        return named[name]

    # What rules see

    @property
    def nodes(self) -> list[WorkingNode]:
        """The nodes that rules see, in their order."""
        return [node for node in self.order if not (node.is_empty and self._tree)]

    @property
    def seen_arcs(self) -> list[Arc]:
        """The arcs that rules see."""
        return [arc for arc in self.arcs if not (self._tree and arc[2].startswith("E:"))]

    def text_forms(self) -> dict[WorkingNode, str]:
        """Return what stands in the text for words of multiword tokens."""
        return {word: "_" if at else token["FORM"] for token, words in self._whole for at, word in enumerate(words)}

    def state(self) -> tuple[object, ...]:
        """Return something that is the same for the same graph: rules that go round in a circle come back to it."""
        place = {node: at for at, node in enumerate(self.order)}
        arcs = sorted((place[source], place[target], label) for source, target, label in self.arcs)
        # new words are made again and again: what they are counts, not which ones
        return tuple(arcs), tuple((node.is_empty, *node.cells[1:]) for node in self.order)

    # Changes

    def new_node(self) -> WorkingNode:
        """Return a word without any columns, which has no place yet."""
        ending = next((node.line_end for node in self.order[1:] if node.line_end), "\n")
        return WorkingNode(["_"] * len(self.layout.columns), self.layout, ending)

    def delete(self, node: WorkingNode) -> None:
        """Take a node away, with all its arcs."""
        self.unorder(node)
        self.arcs = {arc: None for arc in self.arcs if node not in arc[:2]}

    def unorder(self, node: WorkingNode) -> None:
        """Take a node out of its place, and out of its multiword token."""
        self.order.remove(node)
        for _, words in self._whole:
            if node in words:
                words.remove(node)

    def insert(self, node: WorkingNode, neighbour: WorkingNode, after: bool) -> None:
        """Put a node beside another."""
        self.order.insert(self.order.index(neighbour) + after, node)

    def replace_arc(self, old: Arc, new: Arc) -> None:
        """Put an arc in the place of another."""
        self.arcs = dict.fromkeys(new if arc == old else arc for arc in self.arcs)

    def snapshot(self) -> object:
        """Return all that rules change, for ``restore``."""
        cells = {node: list(node.cells) for node in self.order}
        return list(self.order), dict(self.arcs), [list(words) for _, words in self._whole], cells

    def restore(self, kept: Any) -> None:
        """Undo all since a snapshot."""
        self.order, self.arcs = list(kept[0]), dict(kept[1])
        for (_, words), old in zip(self._whole, kept[2], strict=True):
            words[:] = old
        for node, cells in kept[3].items():
            node.cells[:] = cells

    # Back to text

    def to_bytes(self) -> bytes:
        """Return the sentence as text; only what has changed is written anew."""
        if len(self.order) == 1:
            raise self._error("no word is left", "A sentence needs one: see what the rules delete.")
        names = self._number()
        for node in self.order[1:]:
            arcs = self._arcs_to(node)
            renamed = any(names[source] != self._old_ids.get(source) for source, _ in arcs)
            if renamed or arcs != self._old_arcs.get(node):
                self._write_arcs(node, arcs, names)
        whole = {words[0]: (token, words) for token, words in self._ranges()}
        lines: list[str] = []
        for node in self.order[1:]:
            if node in whole:
                token, words = whole[node]
                if self.order != self._old_order:
                    token["ID"] = f"{names[words[0]]}-{names[words[-1]]}"
                lines += [token.before, _line(token)]
            lines += [node.before, _line(node, node is not self.order[-1])]
        return (self._before + "".join(lines) + self._after).encode("utf-8", "surrogateescape")

    def _ranges(self) -> Iterator[tuple[WorkingNode, list[WorkingNode]]]:
        """Yield the multiword tokens that still have several words, with all words between the first and the last.

        Where nothing has moved, all are as they were, whatever they cover.
        """
        place = {node: at for at, node in enumerate(self.order)}
        for token, words in self._whole:
            if len(words) > 1 or (words and self.order == self._old_order):
                at = sorted(place[word] for word in words)
                yield token, [node for node in self.order[at[0] : at[-1] + 1] if not node.is_empty]

    def _number(self) -> dict[WorkingNode, str]:
        """Give every node its ID, where the order has changed; return all IDs."""
        if self.order == self._old_order:
            return self._old_ids
        names = {self.anchor: "0"}
        number = within = 0
        for node in self.order[1:]:
            number, within = (number, within + 1) if node.is_empty else (number + 1, 0)
            names[node] = f"{number}.{within}" if node.is_empty else str(number)
            if node["ID"] != names[node]:
                node["ID"] = names[node]
        return names

    def _arcs_to(self, node: WorkingNode) -> list[Incoming]:
        return [(source, label) for source, target, label in self.arcs if target is node]

    def _write_arcs(
        self, node: WorkingNode, arcs: list[tuple[WorkingNode, str]], names: dict[WorkingNode, str]
    ) -> None:
        tree = [(source, label) for source, label in arcs if not label.startswith("E:")]
        graph = [(source, label[2:]) for source, label in arcs if label.startswith("E:")]
        listed = ", ".join(f"{names[source]} by {label}" for source, label in tree)
        if tree and tree[0][0].is_empty:
            raise self._error(f"the head of word {names[node]} is an empty node ({listed})", DEPS_REMEDY)
        if node.is_empty and tree:
            raise self._error(f"the empty node {names[node]} has a head in the tree ({listed})", DEPS_REMEDY)
        if len(tree) > 1:
            raise self._error(
                f"word {names[node]} has {len(tree)} heads ({listed})", f"Delete one first. {DEPS_REMEDY}"
            )
        old = self._old_arcs.get(node, [])
        if not node.is_empty:
            head, relation = (names[tree[0][0]], tree[0][1]) if tree else ("_", "_")
            if node["HEAD"] != head:
                node["HEAD"] = head
            if [label for _, label in old if not label.startswith("E:")] != [relation]:
                node["DEPREL"] = relation
        if graph or node["DEPS"] not in ("", "_"):
            if graph != [(source, label[2:]) for source, label in old if label.startswith("E:")]:
                place = {each: at for at, each in enumerate(self.order)}
                graph.sort(key=lambda arc: (place[arc[0]], arc[1]))
            text = "|".join(f"{names[source]}:{label}" for source, label in graph) or "_"
            if node["DEPS"] != text:
                node["DEPS"] = text

    def _error(self, problem: str, remedy: str) -> TreebankError:
        sentence = self._sentence
        return TreebankError(
            problem, source=sentence.source, line=sentence.line, sent_id=sentence.sent_id, remedy=remedy
        )


def _line(node: WorkingNode, is_followed: bool = True) -> str:
    return "\t".join(node.cells) + (node.line_end or ("\n" if is_followed else ""))
