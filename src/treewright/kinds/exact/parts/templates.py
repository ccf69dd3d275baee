"""The templates of an exact parser: the features of the parts of a tree, in the notation of the feature language.

One template per line, one feature function or several joined by ``&``::

    [arc]                                              # how good an arc is
    p(head) & p(child) & distance(head, child)
    each(feats(head)) & each(feats(child))
    p(head) & between(p) & p(child)                    # each tag between the two
    [relation]                                         # which relation it has
    w(child) & p(head)
    [grandparent]                                      # how good two arcs in a row are
    p(grandparent) & p(head) & p(child) & order()
    [sibling]                                          # how good two children in a row are
    p(head) & p(sibling) & p(child) & direction(head, child)

The words are ``head`` and ``child`` of an arc; ``grandparent``, the head of the head; and ``sibling``, the child of the
head before this one, on the same side and nearer to the head. The first child on a side has no sibling: the values are
those of a missing word. ``token[head + 1]`` is the word after one of them. Attributes and mappings are those of the
feature language, except ``l``, ``plugin`` and ``cluster``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from treewright.errors import FeatureModelError
from treewright.features.bundled import names_in, text_of
from treewright.features.language import TemplateLine, reject_repeated
from treewright.features.lines import is_header, names_in_header, numbered_lines
from treewright.features.templates import MAPPINGS, Address, Attribute, Function, Measure, Template

_ARC = ("head", "child")
#: kinds of parts, and the pairs of their words that measures look at
PARTS = {
    "arc": (_ARC,),
    "relation": (_ARC,),
    "grandparent": (_ARC, ("grandparent", "head")),
    "sibling": (_ARC, ("head", "sibling")),
}
#: parts of three words, by the name of the third
TRIPLES = ("grandparent", "sibling")
MOST_FUNCTIONS = 6
_FOLDER = Path(__file__).parents[1] / "models"


@dataclass(frozen=True)
class PartModel:
    """The templates of a model, each for one kind of part, in the order of their file."""

    name: str
    templates: tuple[Template, ...]

    def of(self, part: str) -> list[Template]:
        """Return the templates of one kind of part."""
        return [template for template in self.templates if part in template.parts]

    def __str__(self) -> str:
        return "".join(f"[{part}]\n" + "".join(f"{t}\n" for t in self.of(part)) for part in PARTS if self.of(part))

    @property
    def attributes(self) -> list[Attribute]:
        """All attributes that the templates look at."""
        functions = [function for template in self.templates for function in template.functions]
        between = [tag_between(f) for f in functions if isinstance(f, Measure) and f.name == "between"]
        return [f for f in functions if isinstance(f, Attribute)] + between

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the treebank that the templates look at."""
        return tuple(dict.fromkeys(each.column for each in self.attributes if each.name != "adviser"))

    @property
    def advised(self) -> bool:
        """Whether any template looks at the tree of an adviser."""
        return any(map(_is_advised, self.templates))

    def without(self, part: str = "", adviser: bool = False) -> PartModel:
        """Return the model without the templates of a part, or without those that look at an adviser."""
        kept = [t for t in self.templates if part not in t.parts and not (adviser and _is_advised(t))]
        return PartModel(self.name, tuple(kept))


def tag_between(measure: Measure) -> Attribute:
    """Return the attribute of the words between head and child that a measure looks at."""
    return Attribute(measure.argument, Address("head"))


def _is_advised(template: Template) -> bool:
    return any(function.name in ("adviser", "advised") for function in template.functions)


class PartLine(TemplateLine):
    """A line with a template of one kind of part."""

    attributes = ("w", "lemma", "p", "x", "feats", "feat", "column", "adviser")
    mappings = tuple(name for name in MAPPINGS if name != "cluster")
    measures = ("direction", "distance", "between", "order", "advised")
    steps = ()
    most_steps = 1
    most_functions = MOST_FUNCTIONS
    example = "w(child)"

    def __init__(self, text: str, source: str, number: int, part: str) -> None:
        super().__init__(text, source, number)
        self.part = part
        self.bases = tuple(dict.fromkeys(word for pair in PARTS[part] for word in pair))

    def index(self, base: str) -> int:
        """There is one word of each name."""
        return 0

    def measure(self, name: str) -> Measure:
        """Read the words of a measure, or the tag that it looks at."""
        if name == "between":
            return Measure(name, (), self.expect("p", "x"))
        if name == "order":
            if self.part != "grandparent":
                raise self.error("order() is only for the three words under [grandparent]")
            return Measure(name)
        if name == "advised" and self.part in TRIPLES:
            raise self.error("advised(head, child) is only for arcs and relations")
        first = self.expect(*dict.fromkeys(first for first, _ in PARTS[self.part]))
        self.expect(",")
        second = self.expect(*(other for one, other in PARTS[self.part] if one == first))
        return Measure(name, (Address(first), Address(second)))

    def check(self, functions: Sequence[Function]) -> None:
        """Reject lists that cannot be joined."""
        many = [address for function in functions if function.many for address in function.addresses]
        between = sum(function.name == "between" for function in functions)
        if any(address.steps for address in many):
            raise self.error("each takes feats(head) or feats(child)")
        if len({*many}) < len(many) or between > 1 or (many and between):
            raise self.error("'each' may occur once per word, and 'between' once and only without 'each'")
        if self.part in TRIPLES and (many or between):
            raise self.error("'each' and 'between' are only for arcs and relations")


def parse_templates(text: str, name: str = "templates") -> PartModel:
    """Read templates; an error names line and column and what was expected there."""
    part = "arc"
    templates: list[Template] = []
    for number, line in numbered_lines(text):
        if is_header(line):
            (part,) = names_in_header(line, tuple(PARTS), 1, f"{name}:{number}", f"[{'], ['.join(PARTS)}]")
        else:
            templates.append(Template(PartLine(line, name, number, part).functions(), (part,), number))
    reject_repeated(name, templates, key_text)
    model = PartModel(name, tuple(templates))
    for wanted in ("arc", "relation"):
        if not model.of(wanted):
            raise FeatureModelError(f"{name}: no templates under [{wanted}]")
    return model


def key_text(template: Template) -> str:
    """Return the text that a template's keys are made of."""
    return f"{template.parts[0]}: {template.key_text}"


def bundled_templates() -> list[str]:
    """Return the names of the template files that come with the package."""
    return names_in(_FOLDER)


def load_templates(name: str) -> PartModel:
    """Return the templates of a bundled file by name, or of any other file."""
    text, _ = text_of(name, _FOLDER, "template file")
    return parse_templates(text, name)
