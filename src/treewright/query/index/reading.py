"""What is read of a file to find a pattern: all of it, or, if it has an index, the parts that may have matches."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.query.index.index_file import IndexFile, index_of
from treewright.query.language import pattern as data
from treewright.query.language.pattern import FeatureTest, Pattern, Test
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source
from treewright.treebank.formats.conllu import CONLLU

#: the columns of an index, by the names of features
COLUMNS = {"form": 0, "lemma": 1, "upos": 2, "xpos": 3}
RELATION = 4
ANCHOR_FORM = "__0__"
#: if more than this share of a file may have matches, all of it is read
MOST = 0.5


def blocks_for(source: Source, format: str | None, pattern: Pattern | None, tree: bool = False) -> Iterator[Block]:
    """Yield the blocks of a source that may have matches of a pattern; without one, all of them."""
    index = index_of(source) if pattern is not None and isinstance(source, str) and format in (None, "conllu") else None
    parts = parts_for(index, pattern, tree) if index is not None and pattern is not None else None
    if index is None or parts is None or len(parts) > MOST * index.n_parts:
        yield from read_blocks(source, format)
        return
    with open(str(source), "rb") as file:
        for number in parts:
            start, end, line = index.part(number)
            file.seek(start)
            yield Block(file.read(end - start), CONLLU, str(source), line)


def parts_for(index: IndexFile, pattern: Pattern, tree: bool) -> list[int] | None:
    """Return the parts that may have matches, in their order; None: any of them may."""
    found: set[int] | None = None
    for clause in pattern.clauses:
        parts = _parts_for(index, clause, tree)
        if parts is not None:
            found = parts if found is None else found & parts
            if not found:
                return []
    return None if found is None else sorted(found)


def _parts_for(index: IndexFile, clause: data.Clause, tree: bool) -> set[int] | None:
    """Return the parts where a clause may be true; None: it says nothing that an index knows."""
    if isinstance(clause, data.Node):
        found: set[int] = set()
        for alternative in clause.alternatives:
            parts = _parts_of_all(index, alternative)
            if parts is None:
                return None
            found |= parts
        return found
    if isinstance(clause, data.Has):
        return _parts_of_all(index, (clause.test,))
    if isinstance(clause, data.Edge) and clause.label.test is not None:
        test = clause.label.test
        if test.kind == "in" and not test.expressions:
            if any(value.startswith("E:") for value in test.values) and not tree:
                return None
            return index.parts_with(RELATION, test.values)
    return None


def _parts_of_all(index: IndexFile, tests: tuple[FeatureTest, ...]) -> set[int] | None:
    """Return the parts that have all of some features."""
    found: set[int] | None = None
    for each in tests:
        if each.name in COLUMNS and _names_values(each.test):
            parts = index.parts_with(COLUMNS[each.name], each.test.values)
            found = parts if found is None else found & parts
    return found


def _names_values(test: Test) -> bool:
    return test.kind == "in" and not test.expressions and ANCHOR_FORM not in test.values
