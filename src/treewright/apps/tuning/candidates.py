"""Templates to choose from: those of the bundled models, and others that have few words and many values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from treewright.features.adaptation import for_system
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.features.templates import PARTS, FeatureModel, Function, Template

#: bundled models whose templates are tried
SOURCES = ("rich", "fast", "zhang-nivre")
#: a small model to begin with, which decides the kind of a move first; and templates that no bundled model has
START, MORE = ((Path(__file__).parent / f"{name}.features").read_text(encoding="utf-8") for name in ("start", "more"))


def start() -> FeatureModel:
    """Return the model that a search begins with."""
    return parse_model(START, "start")


def pool(system: str = "arc-eager") -> list[str]:
    """Return the templates to choose from, as text, adapted to a system; each once, whatever the order of functions."""
    models = [*map(load_feature_model, SOURCES), parse_model(START, "start"), parse_model(MORE, "more")]
    adapted = [for_system(model, system) for model in models]
    texts: dict[frozenset[Function], str] = {}
    for model in adapted:
        for template in model.templates:
            texts.setdefault(frozenset(template.functions), str(template))
    return list(texts.values())


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
        """Would the change leave a different model that still decides something?"""
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
