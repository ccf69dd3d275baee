"""The arrays of every kind of model: which there are, how long they are, and what their numbers may be.

Tables of weights have further rules that need several arrays at once: FrozenWeights (learners/frozen.pyx) and
KeyTable (kinds/exact/parts/weights.pyx) check them in compiled loops when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from treewright.steps.border.numbers import all_within, has_zero, is_rising, largest_number, longest_run
from treewright.steps.border.schema import damaged
from treewright.treebank.blocks.aligned import numbers_in

Arrays: TypeAlias = Mapping[str, memoryview]
Code: TypeAlias = Literal["B", "b", "H", "h", "I", "i", "Q", "f"]

LARGEST_WEIGHT = 1e6  # of exact and neural parsers: their sums stay far from infinity
LONGEST_SEARCH = 4096  # slots of a table that a search may have to pass
WEIGHT_ARRAYS: dict[str, Code] = {
    "lines": "B",
    "tags": "H",
    "moves": "b",
    "sizes": "H",
    "classes_low": "B",
    "classes_high": "B",
    "values": "b",
}
EXACT_TABLES = ("arc", "grandparent", "above", "below")
SIBLING_TABLES = ("sibling", "sibling_above", "sibling_below")


class Bounds(NamedTuple):
    """The numbers that an array may hold, both ends included."""

    low: int
    high: int


def numbers_of(arrays: Arrays, name: str, code: Code) -> memoryview:
    """Return an array as numbers of a type; reject one that is missing or no whole number of them long."""
    if name not in arrays:
        raise damaged(f"the array {name!r}", "is missing")
    try:
        return numbers_in(arrays[name], code)
    except TypeError:
        raise damaged(f"the array {name!r}", "is not as long as its numbers need") from None


def whole_numbers(arrays: Arrays, name: str, code: Code, bounds: Bounds, length: int | None = None) -> memoryview:
    """Return an array of whole numbers in a range, of a certain length."""
    found = numbers_of(arrays, name, code)
    if length is not None and len(found) != length:
        raise damaged(f"the array {name!r}", f"has {len(found)} numbers, not {length}")
    if len(found) and not all_within(found, bounds.low, bounds.high):
        raise damaged(f"the array {name!r}", f"has a number outside of {bounds.low} to {bounds.high}")
    return found


def finite_numbers(arrays: Arrays, name: str, length: int | None = None) -> memoryview:
    """Return an array of numbers that are finite and of ordinary size."""
    found = numbers_of(arrays, name, "f")
    if length is not None and len(found) != length:
        raise damaged(f"the array {name!r}", f"has {len(found)} numbers, not {length}")
    if len(found) and not largest_number(found) <= LARGEST_WEIGHT:
        raise damaged(f"the array {name!r}", "has a number that is not finite, or too large")
    return found


def keys_of(arrays: Arrays, name: str, length: int | None = None) -> memoryview:
    """Return an array of keys: none of them is 0."""
    found = numbers_of(arrays, name, "Q")
    if length is not None and len(found) != length:
        raise damaged(f"the array {name!r}", f"has {len(found)} keys, not {length}")
    if len(found) and has_zero(found):
        raise damaged(f"the array {name!r}", "has a key that is 0")
    return found


def check_weights(arrays: Arrays, prefix: str = "") -> None:
    """Check that the arrays of a table of weights are there and have whole numbers of entries."""
    for name, code in WEIGHT_ARRAYS.items():
        numbers_of(arrays, f"{prefix}{name}", code)


def check_plain_weights(arrays: Arrays) -> None:
    """Check the arrays of weights as they were learnt; PlainWeights compares them with each other."""
    entries = len(finite_numbers(arrays, "values"))
    numbers_of(arrays, "classes", "H")
    n = len(keys_of(arrays, "features"))
    finite_numbers(arrays, "moves")
    if len(numbers_of(arrays, "sizes", "H")) != n or len(numbers_of(arrays, "classes", "H")) != entries:
        raise damaged("the arrays of weights", "do not fit each other")


def check_exact(arrays: Arrays) -> None:
    """Check the arrays of an exact parser: finite weights, and tables in which every search ends soon.

    A model with one of the tables of siblings has all of them; earlier models have none.
    """
    siblings = any(f"{name}_{part}" in arrays for name in SIBLING_TABLES for part in ("tags", "weights"))
    for name in (*EXACT_TABLES, *(SIBLING_TABLES if siblings else ())):
        tags = numbers_of(arrays, f"{name}_tags", "I")
        finite_numbers(arrays, f"{name}_weights", len(tags))
        _check_searches(tags, f"{name}_tags")
    tags = numbers_of(arrays, "relation_tags", "I")
    _check_searches(tags, "relation_tags")
    numbers_of(arrays, "relation_rows", "h")
    whole_numbers(arrays, "relation_numbers", "i", Bounds(0, (1 << 31) - 1), len(tags))


def _check_searches(tags: memoryview, name: str) -> None:
    if len(tags) < 2 or longest_run(tags) >= min(LONGEST_SEARCH, len(tags)):
        raise damaged(f"the array {name!r}", "has no free slots where searches could end")


def check_tagger(settings: Mapping[str, Any], arrays: Arrays) -> None:
    """Check the arrays of a tagger."""
    n_tags = len(settings["tags"])
    tags = Bounds(0, n_tags - 1)
    whole_numbers(arrays, "open_tags", "i", tags)
    n_words = len(keys_of(arrays, "lexicon.keys"))
    n_classes = len(numbers_of(arrays, "lexicon.class_codes", "Q"))
    whole_numbers(arrays, "lexicon.classes", "H", Bounds(0, max(n_classes, 1) - 1), n_words)
    n_class_tags = len(whole_numbers(arrays, "lexicon.class_tags", "i", tags))
    starts = whole_numbers(arrays, "lexicon.class_start", "i", Bounds(0, n_class_tags), n_classes + 1)
    if starts[0] != 0 or starts[n_classes] != n_class_tags or not is_rising(starts):
        raise damaged("the array 'lexicon.class_start'", "does not rise from 0 to the number of tags")
    whole_numbers(arrays, "lexicon.closed", "B", Bounds(0, 255), n_classes)
    check_weights(arrays, "weights.")
    whole_numbers(arrays, "known.masks", "I", Bounds(1, (1 << 32) - 1), len(keys_of(arrays, "known.keys")))
    if settings["lemmas"] is not None:
        most = 4 * len(settings["lemmas"]["affixes"]) - 1
        whole_numbers(arrays, "lemmas.rules", "H", Bounds(0, most), len(numbers_of(arrays, "lemmas.keys", "Q")))
        check_weights(arrays, "lemmas.weights.")
    if "clusters" in settings:
        _check_clusters(arrays)


def _check_clusters(arrays: Arrays) -> None:
    n_clusters = len(numbers_of(arrays, "clusters.paths", "I"))
    if not n_clusters:
        raise damaged("the array 'clusters.paths'", "is empty")
    whole_numbers(arrays, "clusters.depths", "B", Bounds(0, 32), n_clusters)
    whole_numbers(arrays, "clusters.numbers", "H", Bounds(0, n_clusters - 1), len(keys_of(arrays, "clusters.keys")))


def check_network(arrays: Arrays) -> None:
    """Check that all scales and biases of a network are finite; their lengths are compared with its layers."""
    for name in arrays:
        if name.endswith((".scales", ".bias")) or name.startswith("tag_votes."):
            finite_numbers(arrays, name)


def check_machine(machine: Mapping[str, Any], arrays: Arrays) -> None:
    """Check the features that a machine of another library knows: as many as it says."""
    known = len(numbers_of(arrays, "features", "Q"))
    if machine.get("n_features", known) != known:
        raise damaged("weights.machine.n_features", f"is not {known}, the number of features")


def check_arrays(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check the arrays of a parser against its header, which has been checked."""
    kind = header["kind"]
    if kind in ("transition", "dag"):
        if "learner" in header["weights"]:
            check_machine(header["weights"]["machine"], arrays)
        else:
            (check_plain_weights if "precision" in header["weights"] else check_weights)(arrays)
    elif kind in ("exact", "graph"):
        check_exact(arrays)
        for name in ("adviser", "guide"):
            if name in header:
                check_arrays({"kind": "transition", **header[name]}, under(name, arrays))
    elif kind.startswith("neural"):
        check_network(arrays)
    elif kind == "pipeline":
        settings = header["settings"]
        if settings["tokenizer"] is not None:
            check_weights(arrays, "tokenizer.")
            if "clusters" in settings["tokenizer"]:
                _check_clusters(under("tokenizer", arrays))
        if settings["tagger"] is not None:
            check_tagger(settings["tagger"], under("tagger", arrays))


def under(name: str, arrays: Arrays) -> dict[str, memoryview]:
    """Return the arrays of a part, whose names begin with the part's."""
    return {key[len(name) + 1 :]: value for key, value in arrays.items() if key.startswith(f"{name}.")}
