"""A pipeline of steps from several models: whether they fit each other, and the header of the new model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from treewright.errors import CombinationError
from treewright.steps.call import TEXT
from treewright.steps.pipeline import Pipeline
from treewright.steps.step import Step
from treewright.treebank.lifting.lifted_labels import decode

#: columns that a treebank has, so that a parser which looks at them needs no tagger
WORDS = ("FORM",)


class Given(NamedTuple):
    """Some of the steps of a model: those that are named, or all."""

    name: str
    model: Step
    steps: tuple[str, ...] = ()

    @property
    def chosen(self) -> dict[str, Step]:
        """The steps to take."""
        if not self.steps:
            return self.model.steps
        for step in self.steps:
            if step not in self.model.steps:
                raise CombinationError(f"{self.name} has no step {step!r}: it has {', '.join(self.model.steps)}")
        return {name: step for name, step in self.model.steps.items() if name in self.steps}


def compose(given: Iterable[Given], allow_missing: bool = False) -> Pipeline:
    """Return one pipeline of the steps of several models, in the order in which they are given.

    A text is split before anything else. What a step looks at, an earlier one must give; with ``allow_missing``, the
    input has to.
    """
    models = list(given)
    steps: dict[str, Step] = {}
    origin: dict[str, str] = {}
    for each in models:
        for name, step in each.chosen.items():
            if name in steps:
                raise CombinationError(
                    f"{origin[name]} and {each.name} both have a step {name!r}. Say which steps to take of each, as in"
                    f" {origin[name]}:tokenizer,tagger {each.name}:parser"
                )
            steps[name], origin[name] = step, each.name
    first = {name: step for name, step in steps.items() if TEXT not in step.lacks}
    ordered = {**first, **steps}
    if not allow_missing:
        _check_columns(ordered, origin)
    return Pipeline(ordered, _info(models, ordered, origin))


def _check_columns(steps: Mapping[str, Step], origin: Mapping[str, str]) -> None:
    """Reject a step that looks at columns which a step before it should give, and does not."""
    filled = set(WORDS)
    tagged = False
    for name, step in steps.items():
        missing = [column for column in step.needs if column not in filled]
        if missing and tagged:
            raise CombinationError(
                f"the {name} of {origin[name]} was trained with {', '.join(missing)}, which no step before it gives."
                " Take a tagger that does, or --allow-missing"
            )
        unknown = _unknown_relations(step, steps.values())
        if unknown:
            raise CombinationError(
                f"the {name} of {origin[name]} knows nothing of the relations {', '.join(unknown[:5])} that an earlier"
                " step gives: take both from models of one treebank"
            )
        tagged = tagged or not {"UPOS", "XPOS"}.isdisjoint(step.gives)
        filled.update(step.gives)


def _unknown_relations(step: Step, steps: Iterable[Step]) -> list[str]:
    """Return the relations that earlier steps give, and that a step which looks at relations has not seen."""
    if "DEPREL" not in step.needs:
        return []
    seen = set(step.relations)
    relations: dict[str, None] = {}
    for earlier in steps:
        if earlier is step:
            break
        if "DEPREL" in earlier.gives:
            relations.update(dict.fromkeys(decode(relation, "head+path").base for relation in earlier.relations))
    return [relation for relation in relations if relation not in seen]


def _info(models: list[Given], steps: Mapping[str, Step], origin: Mapping[str, str]) -> dict[str, Any]:
    """Return the description of the new model: the origin of its steps, all licences, no scores of other models."""
    from treewright import __version__

    licences = dict.fromkeys(str(each.model.info.get("licence", "")) for each in models)
    columns = dict.fromkeys(column for step in steps.values() for column in step.needs)
    return {
        "version": __version__,
        "recipe": {"pipeline": True},
        "columns": [*columns],
        "licence": "; ".join(licence for licence in licences if licence),
        "description": "composed of " + ", ".join(f"{name} of {origin[name]}" for name in steps),
        "composed_of": {name: origin[name] for name in steps},
    }
