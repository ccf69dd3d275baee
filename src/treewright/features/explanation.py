"""Feature models in plain words, for readers who see one for the first time."""

from __future__ import annotations

from treewright.features.templates import STEPS, Address, Attribute, FeatureModel, Function, Measure, Template

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ATTRIBUTES = {
    "w": "the word form",
    "lemma": "the lemma",
    "p": "the part of speech (UPOS)",
    "x": "the tag (XPOS)",
    "feats": "the morphology (FEATS)",
    "l": "the relation",
}


def explain_template(template: Template) -> str:
    """Describe what a template looks at."""
    return ", with ".join(map(explain_function, template.functions))


def explain_function(function: Function) -> str:
    """Describe what a feature function looks at."""
    return _measure(function) if isinstance(function, Measure) else _attribute(function)


def explain_address(address: Address) -> str:
    """Describe the word that an address leads to."""
    text = _base(address)
    for step in address.steps:
        if isinstance(step, int):
            size, side = abs(step), "after" if step > 0 else "before"
            text = f"the word {'just' if size == 1 else f'{size} places'} {side} {text}" if size else text
        else:
            text = f"{STEPS[step]} of {text}"
    return text


def needs(model: FeatureModel) -> str:
    """List the columns that a model needs, for people."""
    return f"columns it needs: {', '.join(model.columns) or 'none'}"


def _base(address: Address) -> str:
    index = address.index
    if address.base == "stack":
        return "the top of the stack" if index == 0 else f"the word {index} below the top of the stack"
    if address.base == "input":
        ordinal = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
        return "the next word of the input" if index == 0 else f"the {ordinal} word of the input"
    if address.base == "context":
        return f"the word {index} of the context (the words passed over)"
    return f"the word {index} of the list"


def _attribute(attribute: Attribute) -> str:
    if attribute.name == "feat":
        text = f"the feature {attribute.argument}"
    elif attribute.name == "column":
        text = f"the column {attribute.argument}"
    else:
        text = _ATTRIBUTES.get(attribute.name, f"the value of {attribute.argument}")
    for mapping, size in attribute.mappings:
        if mapping in ("suffix", "prefix"):
            end = "last" if mapping == "suffix" else "first"
            text = f"the {end} {f'{size} characters' if size > 1 else 'character'} of {text}"
        else:
            text = {
                "lower": f"{text} in lower case",
                "shape": f"the shape of {text}",
                "each": f"each single item of {text}",
                "cluster": f"the cluster{f' (first {size} bits)' if size else ''} of {text}",
            }[mapping]
    return f"{text} of {explain_address(attribute.address)}"


def _measure(measure: Measure) -> str:
    words = [explain_address(address) for address in measure.addresses]
    classes = f" (in classes from {', '.join(map(str, measure.classes))})" if measure.classes else ""
    side = {"left": " on its left", "right": " on its right", "all": ""}.get(measure.argument, "")
    whose = "" if measure.argument == "heads" else f"the dependents{side} of "
    if measure.name == "move":
        return f"the kind of the {'last move' if measure.argument == '0' else 'move before the last'}"
    return {
        "distance": f"the distance from {words[0]} to {words[-1]}{classes}",
        "valency": f"the number of dependents{side} of {words[0]}{classes}",
        "labels": f"the set of relations of {whose}{words[0]}",
        "heads": f"the number of heads of {words[0]} so far",
        "exists": f"whether there is such a word: {words[0]}",
        "linked": f"whether, and in which direction, {words[0]} and {words[-1]} are linked",
    }[measure.name]
