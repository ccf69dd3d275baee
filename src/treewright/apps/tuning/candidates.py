"""Templates to choose from: those of the bundled models, and others that have few words and many values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from treewright.features.adaptation import for_system
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.features.templates import PARTS, FeatureModel, Function, Template

#: bundled models whose templates are tried
SOURCES = ("rich", "fast", "zhang-nivre")
#: a small model to begin with, which decides the kind of a move first
START = """\
[split]
[moves labels]
w(stack[0]) & p(stack[0]) & p(input[0])
p(stack[0]) & w(input[0]) & p(input[0])
p(stack[0]) & p(input[0]) & labels(right, stack[0])
[moves]
p(stack[0]) & p(input[0]) & p(input[1]) & p(input[2])
p(stack[1]) & p(stack[0]) & p(input[0])
p(stack[0]) & l(stack[0]) & p(input[0]) & p(input[1])
"""
_MORE = """\
p(stack[1]) & p(stack[0]) & p(input[0]) & p(input[1])
p(stack[2]) & p(stack[1]) & p(stack[0]) & p(input[0])
p(stack[1]) & l(stack[1]) & p(stack[0]) & p(input[0])
p(stack[0]) & l(stack[0]) & p(input[0])
p(h(stack[0])) & l(stack[0]) & p(stack[0]) & p(input[0])
p(stack[0]) & labels(left, stack[0]) & p(input[0])
p(stack[0]) & labels(right, stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & labels(right, stack[0]) & labels(left, input[0]) & p(input[0])
p(stack[0]) & p(input[0]) & labels(left, input[0])
p(stack[0]) & p(input[0]) & p(input[1]) & labels(left, input[0])
lemma(stack[0]) & labels(right, stack[0])
lemma(stack[0]) & labels(right, stack[0]) & p(input[0])
lemma(input[0]) & labels(left, input[0])
lemma(stack[0]) & p(input[0]) & distance(stack[0], input[0])
p(stack[0]) & lemma(input[0]) & distance(stack[0], input[0])
lemma(stack[0]) & p(stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & lemma(input[0]) & p(input[0]) & p(input[1])
w(stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & w(input[0]) & p(input[1]) & p(input[2])
p(stack[1]) & w(stack[0]) & p(input[0])
p(stack[1]) & p(stack[0]) & w(input[0])
w(stack[1]) & p(stack[0]) & p(input[0])
w(h(stack[0])) & p(stack[0]) & p(input[0])
lemma(h(stack[0])) & p(stack[0]) & p(input[0])
lemma(h(stack[0])) & l(stack[0]) & p(input[0])
lemma(stack[0]) & l(stack[0]) & p(input[0])
feats(stack[0]) & p(stack[0]) & p(input[0])
p(stack[0]) & feats(input[0]) & p(input[0])
feats(stack[0]) & p(stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & feats(input[0]) & p(input[0]) & p(input[1])
feats(stack[0]) & feats(input[0]) & p(input[0])
feats(stack[0]) & feats(input[0]) & p(stack[0]) & p(input[0])
p(stack[1]) & feats(stack[0]) & feats(input[0])
feats(stack[0]) & feats(input[0]) & distance(stack[0], input[0])
feat(Case, stack[0]) & p(stack[0]) & p(input[0])
feat(Case, stack[0]) & p(stack[0]) & p(input[0]) & feat(Case, input[0])
feat(Case, stack[0]) & labels(left, input[0]) & p(input[0])
feat(Case, stack[0]) & lemma(input[0])
feats(stack[0]) & lemma(input[0]) & p(stack[0])
suffix(w(stack[0]), 2) & p(stack[0]) & suffix(w(input[0]), 2) & p(input[0])
suffix(w(stack[0]), 3) & p(stack[0]) & p(input[0])
p(stack[0]) & suffix(w(input[0]), 3) & p(input[0])
suffix(w(stack[0]), 2) & p(stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & suffix(w(input[0]), 2) & p(input[0]) & p(input[1])
x(stack[0]) & x(input[0]) & x(input[1]) & x(input[2])
x(stack[0]) & x(input[0]) & labels(right, stack[0])
x(stack[1]) & x(stack[0]) & x(input[0]) & x(input[1])
x(stack[0]) & l(stack[0]) & x(input[0]) & x(input[1])
x(stack[0]) & x(input[0]) & distance(stack[0], input[0])
x(stack[0]) & p(input[0]) & p(input[1])
p(stack[0]) & x(input[0]) & p(input[1])
x(stack[0]) & p(token[stack[0] + 1]) & x(input[0])
x(stack[0]) & p(token[input[0] - 1]) & x(input[0])
p(stack[0]) & p(token[stack[0] + 1]) & p(token[input[0] - 1]) & p(input[0])
p(stack[0]) & w(token[input[0] - 1]) & p(input[0])
p(stack[0]) & p(input[0]) & w(token[stack[0] - 1])
w(token[stack[0] - 1]) & p(stack[0])
p(token[stack[0] - 1]) & p(stack[0]) & p(input[0]) & p(input[1])
p(input[0]) & p(input[1]) & p(input[2]) & p(input[3])
w(input[1]) & p(input[0]) & p(stack[0])
p(stack[0]) & w(ld(input[0])) & p(input[0])
p(stack[0]) & l(ld(input[0])) & p(input[0])
p(stack[0]) & w(ld(stack[0])) & p(input[0])
p(stack[0]) & w(rd(stack[0])) & p(input[0])
p(stack[0]) & l(rd(stack[0])) & p(input[0])
p(stack[0]) & p(ld(input[0])) & p(input[0]) & p(input[1])
lemma(stack[0]) & w(ld(input[0])) & p(input[0])
lemma(stack[0]) & p(stack[0]) & w(rd(stack[0])) & p(input[0])
l(stack[0]) & p(input[0]) & labels(right, stack[0])
move(0) & p(stack[0]) & p(input[0])
shape(w(input[0])) & p(stack[0])
p(stack[0]) & p(input[0]) & valency(right, stack[0]) & valency(left, input[0])
p(stack[0]) & p(input[0]) & distance(stack[0], input[0]) & l(stack[0])
p(stack[0]) & p(input[0]) & p(input[1]) & distance(stack[0], input[0])
"""


def start() -> FeatureModel:
    """Return the model that a search begins with."""
    return parse_model(START, "start")


def pool(system: str = "arc-eager") -> list[str]:
    """Return the templates to choose from, as text, adapted to a system; each once, whatever the order of functions."""
    models = [*map(load_feature_model, SOURCES), parse_model(START, "start"), parse_model(_MORE, "more")]
    adapted = [for_system(model, system) for model in models]
    found: dict[frozenset[Function], str] = {}
    for model in adapted:
        for template in model.templates:
            found.setdefault(frozenset(template.functions), str(template))
    return list(found.values())


@dataclass(frozen=True)
class Change:
    """A template that gets new parts to help with; with none it is left out."""

    template: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return f"{'+' if self.parts else '-'} {self.template}" + (f"  [{' '.join(self.parts)}]" if self.parts else "")

    def applied(self, model: FeatureModel) -> FeatureModel:
        """Return the model after the change."""
        kept = [template for template in model.templates if str(template) != self.template]
        if not self.parts:
            return replace(model, templates=tuple(kept))
        changed = parse_model(self.template + "\n", "change").templates[0]
        return replace(model, templates=in_order([*kept, replace(changed, parts=self.parts)]))

    def is_possible(self, model: FeatureModel) -> bool:
        """Would the change leave a model that decides something, and differs?"""
        now = {str(template): template.parts for template in model.templates}
        if now.get(self.template, ()) == self.parts:
            return False
        return any("moves" in template.parts for template in self.applied(model).templates)


def in_order(templates: Iterable[Template]) -> tuple[Template, ...]:
    """Return templates grouped by what they help with, for a readable file."""
    groups = (PARTS, *((part,) for part in PARTS))
    return tuple(sorted(templates, key=lambda template: groups.index(template.parts)))


def additions(model: FeatureModel, templates: Iterable[str]) -> Iterator[Change]:
    """Yield the changes that let a template help with moves, with relations, or with both."""
    for template in templates:
        for parts in (PARTS, *((part,) for part in PARTS)):
            change = Change(template, parts)
            if change.is_possible(model):
                yield change


def removals(model: FeatureModel) -> Iterator[Change]:
    """Yield the changes that leave a template out, or let it help with less."""
    for template in model.templates:
        change = Change(str(template), ())
        if change.is_possible(model):
            yield change
        for part in template.parts if len(template.parts) > 1 else ():
            yield Change(str(template), (part,))
