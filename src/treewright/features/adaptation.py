"""Feature models for arc-eager's pair of words, adapted to the pairs that other systems link.

The bundled models look at the two words that arc-eager may link next: stack[0] and input[0]. Arc-standard links
stack[1] and stack[0]; arc-hybrid the one pair (LEFT) or the other (RIGHT); easy-first any two neighbours in its list.
Covington links the same pair as arc-eager, but passes over words on the way to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treewright.features.language import parse_model
from treewright.features.templates import PARTS, Address, Attribute, FeatureModel, Function, Measure, Template

#: further templates for covington: the words passed over, and the head that the next word may have by now
_FOR_COVINGTON = """
[moves labels]
l(input[0])
p(context[0])
p(stack[0]) & p(input[0]) & l(input[0])
p(context[0]) & p(stack[0]) & p(input[0])
[moves]
move(0)
p(h(input[0]))
p(context[0]) & p(input[0])
p(stack[0]) & l(stack[0]) & l(input[0]) & p(input[0])
p(h(input[0])) & p(stack[0]) & p(input[0])
w(context[0]) & p(context[0])
p(context[1])
p(context[1]) & p(context[0]) & p(input[0])
w(h(input[0]))
w(stack[0]) & l(stack[0])
w(input[0]) & l(input[0])
p(stack[0]) & p(input[0]) & distance(stack[0], input[0]) & l(stack[0])
p(stack[0]) & p(input[0]) & valency(left, input[0]) & l(input[0])
lemma(stack[0]) & p(input[0]) & l(stack[0])
move(0) & p(stack[0]) & p(input[0])
"""


#: further templates for dag-shift-reduce: dependents to the right of the top, and links to the next word
_FOR_GRAPHS_ON_THE_STACK = """
[moves labels]
linked(stack[0], input[0])
p(rd(stack[0])) & p(stack[0])
l(rd(stack[0])) & p(stack[0])
valency(right, stack[0]) & p(stack[0]) & p(input[0])
linked(stack[0], input[0]) & p(stack[0]) & p(input[0])
linked(stack[0], input[0]) & heads(input[0]) & p(stack[1]) & p(stack[0])
"""


#: steps that only a word with a head can take
_FROM_A_HEAD = (("h",), ("ls",), ("rs",), ("lss",), ("rss",))


def for_system(model: FeatureModel, system: str) -> FeatureModel:
    """Adapt a model for the pair (stack[0], input[0]) to the pairs that a system links."""
    if system in ("arc-standard", "swap"):
        return for_arc_standard(model)
    if system in ("arc-hybrid", "swap-hybrid"):
        return for_arc_hybrid(model)
    if system == "easy-first":
        return for_easy_first(model)
    if system == "covington":
        return for_covington(model)
    return model


def for_arc_standard(model: FeatureModel) -> FeatureModel:
    """Return the model with every address moved up by one: to the two topmost words of the stack."""
    return replace(model, templates=tuple(map(_moved_up, model.templates)))


def for_dag_shift_reduce(model: FeatureModel) -> FeatureModel:
    """Adapt a model for graphs to the two topmost words of the stack, with the templates that these need."""
    moved = for_arc_standard(model)
    return replace(moved, templates=(*moved.templates, *parse_model(_FOR_GRAPHS_ON_THE_STACK).templates))


def for_arc_hybrid(model: FeatureModel) -> FeatureModel:
    """Return the model with its templates, and with the same templates moved up by one.

    Templates with the head, the siblings or the relation of a word on the stack or in the buffer are left out: in
    arc-hybrid, a word that gets its head leaves both.
    """
    templates: dict[frozenset[Function], Template] = {}
    for template in (*model.templates, *map(_moved_up, model.templates)):
        if not any(map(_asks_for_its_head, template.functions)):
            first = templates.setdefault(frozenset(template.functions), template)
            templates[frozenset(template.functions)] = replace(first, parts=_union(first.parts, template.parts))
    if not any("moves" in template.parts for template in templates.values()):
        return model
    return replace(model, templates=tuple(templates.values()))


def for_easy_first(model: FeatureModel) -> FeatureModel:
    """Return the model for two neighbours in the list, list[0] and list[1].

    Words of the list have no head yet, and a place has no previous moves: templates with these are left out. So are
    words more than two places away: their places would have to be scored again after most moves.
    """
    kept = []
    for template in model.templates:
        moved = _moved(template, _in_list)
        indices = [address.index for function in moved.functions for address in function.addresses]
        past = any(isinstance(function, Measure) and function.name == "move" for function in template.functions)
        near = -1 <= min(indices, default=0) <= max(indices, default=0) <= 2
        if near and not past and not any(map(_asks_for_its_head, template.functions)):
            kept.append(moved)
    return replace(model, templates=tuple(kept), decision="joint")


def for_covington(model: FeatureModel) -> FeatureModel:
    """Return the model with further templates for words passed over, and for the next word's head.

    Templates with columns that the model does not use are left out.
    """
    there = {frozenset(template.functions) for template in model.templates}
    added = [
        template
        for template in parse_model(_FOR_COVINGTON).templates
        if frozenset(template.functions) not in there
        and set(FeatureModel("", (template,)).columns) <= set(model.columns)
    ]
    return replace(model, templates=(*model.templates, *added))


def _in_list(address: Address) -> Address:
    return replace(address, base="list", index=-address.index if address.base == "stack" else address.index + 1)


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in first or part in second)


def _moved_up(template: Template) -> Template:
    return _moved(template, _address_moved_up)


def _moved(template: Template, move: Callable[[Address], Address]) -> Template:
    functions: list[Function] = [
        replace(function, addresses=tuple(map(move, function.addresses)))
        if isinstance(function, Measure)
        else replace(function, address=move(function.address))
        for function in template.functions
    ]
    return replace(template, functions=tuple(functions))


def _address_moved_up(address: Address) -> Address:
    if address.base == "stack":
        return replace(address, index=address.index + 1)
    if address.base != "input":
        return address
    return replace(address, base="stack") if address.index == 0 else replace(address, index=address.index - 1)


def _asks_for_its_head(function: Function) -> bool:
    if isinstance(function, Attribute) and function.name == "l" and not function.address.steps:
        return True
    return any(address.steps[:1] in _FROM_A_HEAD for address in function.addresses)
