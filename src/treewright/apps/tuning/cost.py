"""What a feature model costs: nanoseconds a word, by what its templates make the parser do.

Time is noisy, and one more template costs less than the noise. So the search counts what a model makes the parser do
and multiplies with prices that ``benchmarks/template_costs.py`` has fitted to measured models. Only ratios matter: the
prices are those of one machine, and of programs that are interpreted. Bundled feature models run as C: they take less.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.features.templates import Attribute, FeatureModel, Measure, Template

DECISIONS = 1.75  # scored decisions a word, of arc-eager
ARCS = 1.0  # decisions a word that need a relation


@dataclass(frozen=True)
class Prices:
    """Nanoseconds: fixed ones a word, the others for each time that something is done.

    The fit gives addresses and values no price of their own: what they cost goes with columns and keys.
    """

    word: float = 246.0  # reading the word's columns, making the moves, writing the tree
    column: float = 17.0  # an attribute of a word, hashed or copied once
    address: float = 0.0  # an address looked up in a configuration
    value: float = 0.0  # an attribute of a word fetched, or a measure taken
    key: float = 5.2  # a key joined, looked up and its weights for kinds added
    row: float = 5.6  # a key's row of relations added


@dataclass(frozen=True)
class Work:
    """How often a feature model makes the parser do each thing, a word."""

    columns: float
    addresses: float
    values: float
    keys: float
    rows: float


PRICES = Prices()


def keys_of(template: Template, feats_per_word: float) -> float:
    """Return how many keys a template gives on average: one, or one for each single feature (or pair) of FEATS."""
    return feats_per_word ** sum(function.many for function in template.functions)


def work_of(model: FeatureModel, feats_per_word: float = 0.0) -> Work:
    """Return what a feature model makes the parser do for a word."""
    functions = {function for template in model.templates for function in template.functions}
    static = {f for f in functions if isinstance(f, Attribute) and f.name != "l" and not f.many}
    counts = {"moves": 0.0, "labels": 0.0, "both": 0.0}
    for template in model.templates:
        name = template.parts[0] if len(template.parts) == 1 else "both"
        counts[name] += keys_of(template, feats_per_word)
    labelled = ARCS if model.decision == "split" else DECISIONS
    return Work(
        columns=float(len({(f.name, f.argument, f.mappings) for f in static})),
        addresses=DECISIONS * len(model.addresses),
        values=DECISIONS * (len(static) + 2 * sum(isinstance(f, Measure) or f.name == "l" for f in functions)),
        keys=DECISIONS * (counts["moves"] + counts["both"]) + labelled * counts["labels"],
        rows=labelled * (counts["labels"] + counts["both"]),
    )


def nanoseconds(model: FeatureModel, feats_per_word: float = 0.0, prices: Prices = PRICES) -> float:
    """Return about how long a parser with this feature model takes for a word."""
    work = work_of(model, feats_per_word)
    return (
        prices.word
        + prices.column * work.columns
        + prices.address * work.addresses
        + prices.value * work.values
        + prices.key * work.keys
        + prices.row * work.rows
    )
