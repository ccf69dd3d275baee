"""Templates that look at the clusters of words, made from those that look at words.

Clusters stand for words where words are too rare (Koo, Carreras & Collins 2008): each template with a word gets a copy
with the word's cluster, and templates of words on the stack or in the buffer another one with a larger cluster.
"""

from __future__ import annotations

from dataclasses import replace

from treewright.features.templates import Attribute, FeatureModel, Function

LARGER = 6  # bits of the path to a larger cluster


def with_clusters(model: FeatureModel) -> FeatureModel:
    """Return a feature model that looks at clusters too; one that does so already stays as it is."""
    functions = [function for template in model.templates for function in template.functions]
    if any(isinstance(each, Attribute) and any(name == "cluster" for name, _ in each.mappings) for each in functions):
        return model
    added = {}
    for template in model.templates:
        if any(map(_is_word, template.functions)):
            sizes = (0, LARGER) if all(map(_is_near, template.functions)) else (0,)
            for size in sizes:
                copy = replace(template, functions=tuple(_clustered(each, size) for each in template.functions))
                added[str(copy), copy.parts] = copy
    return replace(model, templates=(*model.templates, *added.values()))


def _is_word(function: Function) -> bool:
    return isinstance(function, Attribute) and function.name == "w" and function.mappings in ((), (("lower", 0),))


def _is_near(function: Function) -> bool:
    return not _is_word(function) or (isinstance(function, Attribute) and not function.address.steps)


def _clustered(function: Function, size: int) -> Function:
    if isinstance(function, Attribute) and _is_word(function):
        return replace(function, mappings=(("cluster", size),))
    return function
