"""The XML feature models of MaltParser 1.x, read and written.

Each ``<feature>`` becomes one template: InputColumn and OutputColumn are attributes, Merge and Merge3 join, Suffix,
Prefix and Split are mappings, Distance, NumOf, Exists and OutputArc are measures. Other functions are rejected by name.
"""

from __future__ import annotations

import re
import warnings
from typing import NoReturn

from treewright.errors import FeatureModelError, TreewrightWarning
from treewright.features.language import checked_model, parse_template
from treewright.features.templates import PARTS, Address, FeatureModel, Function, Measure, Template

_COLUMNS = {
    "FORM": "w",
    "LEMMA": "lemma",
    "FEATS": "feats",
    "CPOSTAG": "p",
    "UPOSTAG": "p",
    "UPOS": "p",
    "POSTAG": "x",
    "XPOSTAG": "x",
    "XPOS": "x",
}
_STRUCTURES = {"Stack": "stack", "Input": "input", "Left": "stack", "Right": "input", "LeftContext": "context"}
_STRUCTURES |= {"ActiveStack": "stack", "InactiveStack": "context"}  # of 2planar
_STEPS = {"head": "h", "ldep": "ld", "rdep": "rd", "ldep2": "ld2", "rdep2": "rd2", "lsib": "lss", "rsib": "rss"}
_OFFSETS = {"pred": "-", "succ": "+"}
_SIDES = {"ldep": "left", "rdep": "right", "dep": "all"}
_REMEDIES = {
    "anc": "walk up by head(…), as often as needed",
    "panc": "walk up by head(…), as often as needed",
    "ldesc": "walk down by ldep(…), as often as needed",
    "pldesc": "walk down by ldep(…), as often as needed",
    "rdesc": "walk down by rdep(…), as often as needed",
    "prdesc": "walk down by rdep(…), as often as needed",
    "InputArc": "write the other parser's output to a separate column and use InputColumn",
    "InputArcDir": "write the other parser's output to a separate column and use InputColumn",
    "InputTable": "use InputColumn",
    "OutputTable": "use OutputColumn",
}


def looks_like_xml(text: str) -> bool:
    """Return whether the first character that is no space is ``<``."""
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def parse_malt_xml(text: str, name: str = "features") -> FeatureModel:
    """Read an XML feature model; an error names the line, what is unknown there, and a remedy."""
    features = _features(text, name)
    stacks = any("Lookahead" in feature for feature, _ in features)
    templates = []
    for feature, line in features:
        notation = _Reader(name, line, stacks).feature(_tree(feature, name, line))
        templates.append(parse_template(" & ".join(notation), name, line))
    return checked_model(name, templates)


def _features(text: str, source: str) -> list[tuple[str, int]]:
    """Return the text of every <feature>, with its line."""
    from xml.parsers import expat

    parser = expat.ParserCreate("utf-8")  # which the text was read as, whatever it says itself
    path: list[str] = []
    features: list[tuple[str, int]] = []
    models = 0

    def fail(problem: str) -> NoReturn:
        raise FeatureModelError(f"{source}:{parser.CurrentLineNumber}:{parser.CurrentColumnNumber + 1}: {problem}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal models
        allowed = {"featuremodels": [], "featuremodel": ["featuremodels"], "feature": ["featuremodels", "featuremodel"]}
        if allowed.get(tag) != path:
            if tag in ("submodel", "submodels"):
                fail(f"<{tag}> is not supported: move its features to a separate file")
            fail(f"<{tag}> is not expected here: a feature model is <featuremodels><featuremodel><feature>…")
        models += tag == "featuremodel"
        if models > 1:
            fail("a second <featuremodel>: keep only one in the file")
        path.append(tag)
        if tag == "feature":
            features.append(("", parser.CurrentLineNumber))

    def end(tag: str) -> None:
        path.pop()

    def characters(data: str) -> None:
        if path and path[-1] == "feature":
            features[-1] = (features[-1][0] + data, features[-1][1])
        elif data.strip():
            fail(f"unexpected text {data.strip()[:40]!r}: write features as <feature>…</feature>")

    def entity(*_: object) -> None:
        fail("entities are not allowed in a feature model")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = characters, entity
    try:
        parser.Parse(text.lstrip("\ufeff \t\r\n").encode("utf-8", "surrogateescape"), True)
    except expat.ExpatError as error:
        raise FeatureModelError(f"{source}:{error.lineno}:{error.offset + 1}: not well-formed XML: {error}") from None
    return features


_Tree = tuple[str, list["_Tree"] | None]  # a function with arguments, or a word without


def _tree(text: str, source: str, line: int) -> _Tree:
    """Parse an expression of names, parentheses and commas."""
    tokens = re.findall(r"[(),]|[^(),]+", text.strip())
    place = 0

    def fail(expected: str) -> NoReturn:
        found = repr(tokens[place]) if place < len(tokens) else "the end"
        raise FeatureModelError(f"{source}:{line}: expected {expected} in {text.strip()!r}, found {found}")

    def expression(depth: int) -> _Tree:
        nonlocal place
        if depth > 20 or place >= len(tokens) or tokens[place] in "(),":
            fail("a function or an argument")
        name = tokens[place].strip()
        place += 1
        if place >= len(tokens) or tokens[place] != "(":
            return name, None
        arguments = []
        while True:
            place += 1
            arguments.append(expression(depth + 1))
            if place >= len(tokens) or tokens[place] not in ",)":
                fail("',' or ')'")
            if tokens[place] == ")":
                place += 1
                while place < len(tokens) and not tokens[place].strip():
                    place += 1
                return name, arguments

    tree = expression(0)
    if place < len(tokens):
        fail("the end")
    return tree


class _Reader:
    """Turns the expression of one feature into our notation."""

    def __init__(self, source: str, line: int, stacks: bool) -> None:
        self.source, self.line, self.stacks = source, line, stacks

    def fail(self, problem: str) -> NoReturn:
        raise FeatureModelError(f"{self.source}:{self.line}: {problem}")

    def arguments(self, tree: _Tree, count: int, what: str) -> list[_Tree]:
        if tree[1] is None or len(tree[1]) != count:
            self.fail(f"{tree[0]} takes {what}: {count} in parentheses, found {len(tree[1] or ())}")
        return tree[1]

    def feature(self, tree: _Tree) -> list[str]:
        """Return the functions of a feature, to be joined."""
        name = tree[0]
        if name in ("Merge", "Merge3"):
            count = 3 if name == "Merge3" else 2
            return [part for child in self.arguments(tree, count, "features") for part in self.feature(child)]
        if name in ("Suffix", "Prefix"):
            inner, size = self.arguments(tree, 2, "a feature, a length")
            (function,) = self.single(name, inner)
            if not re.fullmatch("[0-9]{1,2}", size[0]):
                self.fail(f"{name} takes a length, found {size[0]!r}")
            return [f"{name.lower()}({function}, {size[0]})"] if int(size[0]) else [function]
        if name == "Split":
            inner, delimiter = self.arguments(tree, 2, "a feature, a delimiter")
            (function,) = self.single(name, inner)
            if not function.startswith("feats(") or delimiter[0] not in (r"\|", "[|]"):
                self.fail(rf"Split is supported for InputColumn(FEATS, …) at \| only, found {delimiter[0]!r}")
            return [f"each({function})"]
        return [self.function(tree)]

    def single(self, name: str, tree: _Tree) -> list[str]:
        functions = self.feature(tree)
        if len(functions) != 1:
            self.fail(f"{name} of merged features is not supported: apply it to each of them")
        return functions

    def function(self, tree: _Tree) -> str:
        name = tree[0]
        if name == "InputColumn":
            column, word = self.arguments(tree, 2, "a column, an address")
            if column[0] in ("HEAD", "DEPREL", "DEPS"):
                self.fail(f"InputColumn({column[0]}, …) is what the parser predicts. Use OutputColumn(DEPREL, …)")
            attribute = _COLUMNS.get(column[0])
            return f"{attribute}({self.address(word)})" if attribute else f"column({column[0]}, {self.address(word)})"
        if name == "OutputColumn":
            column, word = self.arguments(tree, 2, "a column, an address")
            if column[0] != "DEPREL":
                self.fail(f"OutputColumn({column[0]}, …) is not supported: only DEPREL is. For the head use head(…)")
            return f"l({self.address(word)})"
        if name == "Distance":
            first, second, classes = self.arguments(tree, 3, "two addresses, a normalization")
            return f"distance({self.address(first)}, {self.address(second)}, {self.classes(classes)})"
        if name == "NumOf":
            word, relation, classes = self.arguments(tree, 3, "an address, ldep, rdep or dep, a normalization")
            if relation[0] not in _SIDES:
                self.fail(f"NumOf counts ldep, rdep or dep, found {relation[0]!r}")
            return f"valency({_SIDES[relation[0]]}, {self.address(word)}, {self.classes(classes)})"
        if name == "Exists":
            return f"exists({self.address(self.arguments(tree, 1, 'an address')[0])})"
        if name == "OutputArc":
            _, first, second = self.arguments(tree, 3, "a column, two addresses")
            return f"linked({self.address(first)}, {self.address(second)})"
        return self.reject(name, "feature function")

    def classes(self, tree: _Tree) -> str:
        numbers = tree[0].split("|")
        if tree[1] is not None or not all(number.isascii() and number.isdigit() for number in numbers):
            self.fail(f"a normalization is a list of numbers such as 0|1|2|5, found {tree[0]!r}")
        return "|".join(numbers)

    def address(self, tree: _Tree) -> str:
        name, arguments = tree
        if arguments is not None:
            if name in _STEPS:
                return f"{_STEPS[name]}({self.address(self.arguments(tree, 1, 'an address')[0])})"
            if name in _OFFSETS:
                return _further(self.address(self.arguments(tree, 1, "an address")[0]), _OFFSETS[name])
            return self.reject(name, "address function")
        match = re.fullmatch(r"([A-Za-z0-9]+)\s*\[\s*([0-9]{1,2})\s*\]", name)
        if not match:
            self.fail(f"expected an address such as Stack[0], found {name!r}")
        structure, index = match.groups()
        if structure == "Lookahead":
            return f"input[{index}]"
        if structure == "Input" and self.stacks:
            self.fail("Input beside Lookahead holds swapped words, which are the first of input here. Leave it out")
        if structure == "RightContext" and index == "0":
            warnings.warn(
                f"{self.source}:{self.line}: RightContext[0] is read as the word before the next one, attached or not",
                TreewrightWarning,
                stacklevel=2,
            )
            return "token[input[0] - 1]"
        if structure not in _STRUCTURES:
            return self.reject(structure, "data structure")
        return f"{_STRUCTURES[structure]}[{index}]"

    def reject(self, name: str, what: str) -> NoReturn:
        remedy = _REMEDIES.get(name, "leave the feature out")
        self.fail(f"the {what} {name} of MaltParser is not supported: {remedy}")


def _further(address: str, sign: str) -> str:
    """Return the neighbour of an address; neighbours of neighbours on the same side are counted."""
    match = re.fullmatch(rf"token\[(.*) {re.escape(sign)} ([0-9]+)\]", address)
    return f"token[{match[1]} {sign} {int(match[2]) + 1}]" if match else f"token[{address} {sign} 1]"


_COLUMN_OF = {"w": "FORM", "lemma": "LEMMA", "p": "UPOSTAG", "x": "XPOSTAG", "feats": "FEATS"}
_STEP_OF = {step: name for name, step in _STEPS.items()}


def to_malt_xml(model: FeatureModel) -> str:
    """Return a model as MaltParser's XML; reject templates that XML cannot express."""
    from xml.sax.saxutils import escape, quoteattr

    if model.decision == "split":
        raise FeatureModelError(f"{model.name}: MaltParser's XML has no [split]")
    functions = [function for template in model.templates for function in template.functions]
    covington = any(address.base == "context" for function in functions for address in function.addresses)
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", re.split(r"[/\\]", model.name)[-1])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<featuremodels>", f"  <featuremodel name={quoteattr(name)}>"]
    for template in model.templates:
        lines.append(f"    <feature>{escape(_Writer(model.name, template, covington).text())}</feature>")
    return "\n".join([*lines, "  </featuremodel>", "</featuremodels>", ""])


class _Writer:
    """Turns one template into an expression of MaltParser."""

    def __init__(self, source: str, template: Template, covington: bool) -> None:
        self.source, self.template = source, template
        self.structures = {"stack": "Stack", "input": "Input"}
        if covington:
            self.structures = {"stack": "Left", "input": "Right", "context": "LeftContext"}

    def reject(self, reason: str) -> NoReturn:
        where = f"{self.source}:{self.template.line}"
        raise FeatureModelError(f"{where}: MaltParser's XML cannot express {self.template}: {reason}")

    def text(self) -> str:
        if self.template.parts != PARTS:
            self.reject(f"it has no sections. Leave out [{' '.join(self.template.parts)}]")
        parts = [self.function(function) for function in self.template.functions]
        if len(parts) == 1:
            return parts[0]
        if len(parts) == 2:
            return f"Merge({', '.join(parts)})"
        merged = f"Merge3({', '.join(parts[:3])})"
        return merged if len(parts) == 3 else f"Merge({merged}, {parts[3]})"

    def function(self, function: Function) -> str:
        if isinstance(function, Measure):
            return self.measure(function)
        address = self.address(function.address)
        if function.name == "l":
            return f"OutputColumn(DEPREL, {address})"
        if function.name not in (*_COLUMN_OF, "column"):
            self.reject(f"it has no {function.name}(…)")
        text = f"InputColumn({_COLUMN_OF.get(function.name, function.argument)}, {address})"
        for mapping, size in function.mappings:
            if mapping in ("suffix", "prefix"):
                text = f"{mapping.capitalize()}({text}, {size})"
            elif mapping == "each":
                text = rf"Split({text}, \|)"
            else:
                self.reject(f"it has no {mapping}(…)")
        return text

    def measure(self, measure: Measure) -> str:
        words = ", ".join(map(self.address, measure.addresses))
        classes = "|".join(map(str, measure.classes))
        if measure.name == "exists":
            return f"Exists({words})"
        if measure.name == "linked":
            return f"OutputArc(HEAD, {words})"
        if measure.name not in ("distance", "valency"):
            self.reject(f"it has no {measure.name}(…)")
        if not classes:
            self.reject(f"its numbers come in classes. Give {measure.name} some, such as 0|1|2|5")
        if measure.name == "distance":
            return f"Distance({words}, {classes})"
        relation = next(relation for relation, side in _SIDES.items() if side == measure.argument)
        return f"NumOf({words}, {relation}, {classes})"

    def address(self, address: Address) -> str:
        if address.base not in self.structures:
            self.reject(f"it has no {address.base}[…]")
        text = f"{self.structures[address.base]}[{address.index}]"
        for step in address.steps:
            if isinstance(step, int):
                name = "succ" if step > 0 else "pred"
                text = f"{name}(" * abs(step) + text + ")" * abs(step)
            elif step in _STEP_OF:
                text = f"{_STEP_OF[step]}({text})"
            else:
                self.reject(f"it has no {step}(…)")
        return text
