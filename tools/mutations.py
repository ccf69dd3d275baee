"""Small changes of a Python file, one at a time: mutmut's changes, without those that only change wording.

mutmut leaves out decorated functions, since it wraps what it changes. Here the code of a function is replaced in
place (see mutants.py), so that properties and class methods are changed as well.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, OuterFunctionProvider, deep_replace
from mutmut.mutation.mutators import mutation_operators, operator_arg_removal, operator_string
from mutmut.mutation.pragma_handling import IgnoredCode

#: guards that no input of ours can set off, and settings that are the default on most machines
GUARDS = ("strict", "encoding")
#: calls whose strings are read by people only
WORDING = ("warn", "warn_explicit", "TypeVar")


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, how it looks, and the text of the whole changed file."""

    file: Path
    function: str
    lines: range
    change: str
    text: str
    key: str


class Changes(MutationVisitor):
    """Collect changes in functions, decorated ones too, but not in what only people read."""

    METADATA_DEPENDENCIES = (PositionProvider, OuterFunctionProvider, ParentNodeProvider)

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return node.name.value == "__new__"
        if isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value in GUARDS:
            return True
        return bool(super()._skip_node_and_children(node))

    def is_wording(self, node: cst.CSTNode) -> bool:
        """Whether this string stands in an error or a warning."""
        parent = self.get_metadata(ParentNodeProvider, node, None)
        while parent is not None and not isinstance(parent, cst.BaseStatement):
            if isinstance(parent, cst.Raise):
                return True
            if isinstance(parent, cst.Call):
                name = getattr(parent.func, "attr", parent.func)
                if getattr(name, "value", "") in WORDING:
                    return True
            parent = self.get_metadata(ParentNodeProvider, parent, None)
        return False

    def _create_mutations(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.BaseString) and self.is_wording(node):
            return
        super()._create_mutations(node)


def changed_arguments(node: cst.Call) -> list[cst.Call]:
    """Change an argument by position to None, and leave out one by name: a missing position is an error anyway."""
    changed = []
    for place, argument in enumerate(node.args):
        if argument.star or (argument.keyword is not None and argument.keyword.value in GUARDS):
            continue
        others = [*node.args[:place], *node.args[place + 1 :]]
        if argument.keyword is not None:
            changed.append(node.with_changes(args=others))
        elif not (isinstance(argument.value, cst.Name) and argument.value.value == "None"):
            replaced = argument.with_changes(value=cst.Name("None"))
            changed.append(node.with_changes(args=[*node.args[:place], replaced, *node.args[place + 1 :]]))
    return changed


def one_per_string(node: cst.BaseString) -> list[cst.BaseString]:
    """Keep the first of mutmut's three changes of a string: whoever notices one notices all."""
    return list(operator_string(node))[:1]


FEWER = {operator_string: one_per_string, operator_arg_removal: changed_arguments}
OPERATORS = [(kind, FEWER.get(made, made)) for kind, made in mutation_operators]


def statement_lines(tree: ast.Module, line: int) -> range:
    """Return the lines of the innermost statement around a line; of a compound statement, its head."""
    found = range(line, line + 1)
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= (node.end_lineno or 0):
            continue
        first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
        body = getattr(node, "body", None)
        end = max(body[0].lineno, first + 1) if body else (node.end_lineno or line) + 1
        if line < end or not body:
            found = range(first, end)
    return found


def difference(old: list[str], new: list[str]) -> str:
    """Return the lines that differ, without those before and after that are equal."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    minus = [f"- {line.strip()}" for line in old[start : len(old) - end]]
    plus = [f"+ {line.strip()}" for line in new[start : len(new) - end]]
    return "\n".join(minus + plus)


def qualified_names(module: cst.Module) -> dict[cst.CSTNode, str]:
    """Return the names of functions and methods of classes, as Python spells them."""
    names: dict[cst.CSTNode, str] = {}
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            names[node] = node.name.value
        elif isinstance(node, cst.ClassDef):
            for part in node.body.body:
                if isinstance(part, cst.FunctionDef):
                    names[part] = f"{node.name.value}.{part.name.value}"
    return names


def replaced(module: cst.Module, lines: list[str], place: CodeRange, old: cst.CSTNode, new: cst.CSTNode) -> str:
    """Return the text of the file with one node replaced."""
    before = [*lines[: place.start.line - 1], lines[place.start.line - 1][: place.start.column]]
    after = [lines[place.end.line - 1][place.end.column :], *lines[place.end.line :]]
    text = "".join(lines)
    start, end = len("".join(before)), len(text) - len("".join(after))
    if text[start:end] == module.code_for_node(old):
        return text[:start] + module.code_for_node(new) + text[end:]
    return deep_replace(module, old, new).code  # the place of a node in brackets: right, but slow


def mutants_of(file: Path) -> list[Mutant]:
    """Return all changes of the functions of a file."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    wrapper = MetadataWrapper(cst.parse_module(text))
    visitor = Changes(OPERATORS, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    positions = wrapper.resolve(PositionProvider)
    names = qualified_names(module)
    lines = text.splitlines(keepends=True)
    seen: Counter[tuple[str, str]] = Counter()
    mutants = []
    for mutation in visitor.mutations:
        name = names.get(mutation.contained_by_top_level_function)
        if name is None:
            continue
        place = positions[mutation.original_node]
        changed = replaced(module, lines, place, mutation.original_node, mutation.mutated_node)
        change = difference(lines, changed.splitlines(keepends=True))
        seen[name, change] += 1
        if not change or (seen[name, change] > 1 and "None" in change):
            continue  # an argument and an assignment changed to None look alike
        key = hashlib.sha1(repr((name, change, seen[name, change])).encode()).hexdigest()
        mutants.append(Mutant(file, name, statement_lines(tree, place.start.line), change, changed, key))
    return mutants
