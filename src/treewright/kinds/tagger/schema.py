"""What a model file says of a tagger, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.arrays import (
    Arrays,
    Bounds,
    check_clusters,
    check_weights,
    keys_of,
    numbers_of,
    whole_numbers,
)
from treewright.steps.border.headers import MOST_CLASSES, MOST_TAGS, info, name, value, weights
from treewright.steps.border.numbers import is_rising
from treewright.steps.border.schema import (
    anything,
    damaged,
    list_of,
    one_of,
    optional,
    require,
    row,
    table,
    text,
    whole,
)

_affix = row(whole(0, 1000), text(1000), whole(0, 1000), text(1000), value, anything)
_settings = table(
    {
        "columns": list_of(one_of("LEMMA", "UPOS", "XPOS", "FEATS"), least=1, most=4),
        "tags": list_of(row(value, value, value), least=1, most=MOST_TAGS),
        "weights": weights,
        "lemmas": optional(table({"affixes": list_of(_affix, least=1, most=MOST_CLASSES), "weights": weights})),
    },
    {
        "clusters": name,
        "search": one_of("greedy", "twice", "beam", "viterbi"),
        "width": whole(0, 1 << 16),
        "composed": list_of(whole(0, MOST_TAGS), most=MOST_TAGS),
    },
)
HEADER = table({"settings": _settings, "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a tagger: its tags, what it knows of words, and its lemmas."""
    require(HEADER, header)
    settings = header["settings"]
    if len(set(settings["columns"])) != len(settings["columns"]):
        raise damaged("settings.columns", "has a column twice")  # there is room for four
    tags = Bounds(0, len(settings["tags"]) - 1)
    whole_numbers(arrays, "open_tags", "i", tags)
    _check_lexicon(arrays, tags)
    check_weights(arrays, "weights.")
    whole_numbers(arrays, "known.masks", "I", Bounds(1, (1 << 32) - 1), len(keys_of(arrays, "known.keys")))
    if settings["lemmas"] is not None:
        most = 4 * len(settings["lemmas"]["affixes"]) - 1
        whole_numbers(arrays, "lemmas.rules", "H", Bounds(0, most), len(numbers_of(arrays, "lemmas.keys", "Q")))
        check_weights(arrays, "lemmas.weights.")
        if "lemmas.times" in arrays:
            n_endings = len(keys_of(arrays, "lemmas.endings"))
            whole_numbers(arrays, "lemmas.times", "H", Bounds(1, 0xFFFF), n_endings)
    if "clusters" in settings:
        check_clusters(arrays)


def _check_lexicon(arrays: Arrays, tags: Bounds) -> None:
    n_words = len(keys_of(arrays, "lexicon.keys"))
    n_classes = len(numbers_of(arrays, "lexicon.class_codes", "Q"))
    whole_numbers(arrays, "lexicon.classes", "H", Bounds(0, max(n_classes, 1) - 1), n_words)
    n_class_tags = len(whole_numbers(arrays, "lexicon.class_tags", "i", tags))
    starts = whole_numbers(arrays, "lexicon.class_start", "i", Bounds(0, n_class_tags), n_classes + 1)
    if starts[0] != 0 or starts[n_classes] != n_class_tags or not is_rising(starts):
        raise damaged("the array 'lexicon.class_start'", "does not rise from 0 to the number of tags")
    whole_numbers(arrays, "lexicon.closed", "B", Bounds(0, 255), n_classes)
