"""The schema of every header: kinds of parsers, tokeniser and tagger.

A field that older files lack is under ``perhaps``. Ranges are those that training can give, with room to spare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.errors import ModelFileError
from treewright.features.kept import LANGUAGE
from treewright.features.trust import check_features
from treewright.kinds.transition.system_options import WIDEST_BEAM
from treewright.steps.border.schema import (
    Check,
    anything,
    damaged,
    flag,
    list_of,
    map_of,
    number,
    one_of,
    optional,
    row,
    scalar,
    table,
    text,
    whole,
)

MOST_CLASSES = 8192  # as MAX_CLASSES of learners/learner.pxd
MOST_KINDS = 8
MOST_RELATIONS = 1 << 16
MOST_TAGS = 1 << 16
MOST_UNITS = 4096  # of a layer of a network

value = text(10_000, "\t\n\r")  # what stands in a column
name = text(10_000)
features = text(4 << 20)
_labels = list_of(whole(0, MOST_RELATIONS), most=MOST_RELATIONS)

_weights = table(
    {"n_classes": whole(0, MOST_CLASSES), "scale": number(1e-30, 1e30)}, {"kind_weights": whole(1, MOST_KINDS)}
)
#: weights as they were learnt (learners/plain_weights.pyx)
_plain_weights = table(
    {"precision": one_of("float"), "n_classes": whole(0, MOST_CLASSES), "kind_weights": whole(1, MOST_KINDS)}
)
_machine = table({"learner": text(200), "n_classes": whole(0, MOST_CLASSES), "machine": table({})})
#: what each machine of another library must say of itself
MACHINES: dict[str, Check] = {
    "libsvm": table(
        {
            "column": whole(-1, 4096),
            "n_features": whole(0, (1 << 31) - 2),
            "parts": list_of(row(whole(0, (1 << 31) - 2), whole(0, 1 << 40)), least=1, most=1 << 20),
        }
    ),
    "timbl": table(
        {
            "lengths": row(whole(0, 1 << 40), whole(0, 1 << 40)),
            "n_features": whole(0, (1 << 31) - 2),
            "options": text(1000),
            "prior": list_of(number(0, 1), least=1, most=MOST_CLASSES + MOST_KINDS),
        },
        {"text_length": whole(0, 1 << 40)},
    ),
}

_share = number(0, 1)
_leaves: dict[str, Check] = {"leaf_tags": list_of(value, most=MOST_TAGS)}
_moves: dict[str, Check] = {
    **_leaves,
    "features": features,
    "feature_model": features,
    "relations": list_of(value, least=1, most=MOST_RELATIONS),
    "classes": list_of(row(whole(0, MOST_KINDS - 1), whole(0, MOST_RELATIONS)), most=MOST_CLASSES),
    "root_labels": _labels,
    "word_labels": _labels,
}
_also_of_moves: dict[str, Check] = {"feature_language": whole(LANGUAGE, LANGUAGE)}
_tree_moves: dict[str, Check] = {
    **_moves,
    "system": table({"name": name}, {"root": optional(name), "single_root": flag}),
    "lifting": name,
}
_transition = table(
    {**_tree_moves, "split": flag},
    {
        **_also_of_moves,
        "beam": whole(1, WIDEST_BEAM),
        "beam_margin": optional(number(0, 1e12)),
        "beam_confidence": table({}, {"temperature": number(1e-12, 1e12), "outside": number(-1e12, 1e12)}),
        "confidence": table({}, {"beta": number(1e-12, 1e12), "knots": list_of(row(_share, _share), most=1 << 16)}),
    },
)
_dag = table({**_moves, "system": name}, _also_of_moves)
_exact = table(
    {
        "features": features,
        "feature_model": features,
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "root_labels": _labels,
        "word_labels": _labels,
        "order": whole(1, 2),
        "projective": flag,
        "single_root": flag,
    },
    _leaves,
)
_size = whole(1, MOST_UNITS)
_reading: dict[str, Check] = {
    "widths": map_of(_size, most=64),
    "hidden": _size,
    "layers": whole(1, 64),
    "buckets": whole(1, 1 << 24),
}
_pretrained: dict[str, Check] = {
    "encoder": table({"folder": text(10_000), "fingerprint": text(1000), "layers": whole(1, 64)})
}
_network = table(
    {
        **_reading,
        "arcs": _size,
        "relations": _size,
        "tags": whole(0, MOST_UNITS),
        "tag_values": map_of(list_of(text(10_000, "\n\r"), least=1, most=MOST_TAGS), value, 10_000),
    },
    _pretrained,
)
_neural = table(
    {
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "single_root": flag,
        "projective": flag,
        "votes": list_of(row(number(0, 1e6), number(0, 1e6)), most=64),
        "network": _network,
        **_leaves,
    }
)
_neural_graph = table(
    {
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "threshold": number(-1e6, 1e6),
        "rules": table({"connected": flag, "headed": flag, "single_root": flag}),
        "network": _network,
        **_leaves,
    }
)
#: a network that scores moves, beside what every parser by moves says of itself
_move_network = table({"network": table({**_reading, "moves": _size, "relations": _size}, _pretrained)})


def _all_of(*checks: Check) -> Check:
    def check(value: object, place: str) -> None:
        for each in checks:
            each(value, place)

    return check


_split_piece = row(whole(-(1 << 20), 1 << 20), optional(whole(-(1 << 20), 1 << 20)), value)
_number_of_split = map_of(whole(0, 1 << 24))
_splits_of_affix = map_of(list_of(whole(1, 1 << 24), most=1000))
_guesses = table({"endings": _splits_of_affix, "beginnings": _splits_of_affix})
_tokenizer = table(
    {
        "weights": _weights,
        "spaces_inside": flag,
        "features": whole(5, 5),
        "longest": whole(1, 20_000),
        "marks": whole(0, 3),
        "words": map_of(whole(1, 31)),
        "alphabet": text(1 << 21),
        "usual": text(1 << 16),
        "spans": text(1000),
        "multiwords": table(
            {
                "splits": list_of(list_of(_split_piece, most=1000), least=1, most=1 << 20),
                "forms": _number_of_split,
                "suffixes": _number_of_split,
                "prefixes": _number_of_split,
                "contexts": map_of(map_of(whole(-(1 << 24), 1 << 24))),
                "guesses": _guesses,
            }
        ),
    },
    {"eager": list_of(number(-1e12, 1e12), most=64), "clusters": name},
)
_affix = row(whole(0, 1000), text(1000), whole(0, 1000), text(1000), value, anything)
_tagger = table(
    {
        "columns": list_of(one_of("LEMMA", "UPOS", "XPOS", "FEATS"), least=1, most=4),
        "tags": list_of(row(value, value, value), least=1, most=MOST_TAGS),
        "weights": _weights,
        "lemmas": optional(table({"affixes": list_of(_affix, least=1, most=MOST_CLASSES), "weights": _weights})),
    },
    {
        "clusters": name,
        "search": one_of("greedy", "twice", "beam", "viterbi"),
        "width": whole(0, 1 << 16),
        "composed": list_of(whole(0, MOST_TAGS), most=MOST_TAGS),
    },
)

_info = table(
    {},
    {
        "columns": list_of(name, most=1000),
        "recipe": map_of(optional(scalar), name, 1000),
        "training": table({}, {"name": name, "notes": list_of(anything)}),
        "dev": table({}, {"name": name}),
        "version": name,
        "description": features,
        "licence": features,
    },
)


def _settings_and_weights(settings: Check) -> Check:
    return table({"settings": settings, "weights": table({}), "info": _info})


_adviser = _settings_and_weights(_transition)
SCHEMAS: dict[str, Check] = {
    "transition": _settings_and_weights(_transition),
    "dag": _settings_and_weights(_dag),
    "exact": table(
        {"settings": _exact, "scale": number(0, 1e12), "info": _info}, {"adviser": _adviser, "guide": _adviser}
    ),
    "neural": table(
        {"settings": _neural, "members": list_of(table({"kind": name, "name": name}), most=64), "info": _info}
    ),
    "neural-graph": table({"settings": _neural_graph, "info": _info}),
    "neural-moves": table({"settings": _all_of(table(_tree_moves, _also_of_moves), _move_network), "info": _info}),
    "neural-graph-moves": table({"settings": _all_of(_dag, _move_network), "info": _info}),
    "pipeline": table(
        {
            "settings": table(
                {"parser": table({"kind": name}), "tokenizer": optional(_tokenizer), "tagger": optional(_tagger)}
            ),
            "info": _info,
        }
    ),
}
SCHEMAS["graph"] = SCHEMAS["exact"]  # as earlier versions called it


def check_header(header: Mapping[str, Any]) -> None:
    """Check the header of a parser; those within it are checked when they are built."""
    kind = header.get("kind")
    if not isinstance(kind, str) or kind not in SCHEMAS:
        raise ModelFileError(f"a model of kind {str(kind)[:40]!r}, which this version does not know")
    SCHEMAS[kind](header, "")
    for own in (header, *(header[name] for name in ("adviser", "guide") if name in header)):
        if isinstance(own["settings"].get("features"), str):
            check_features(own["settings"]["features"])
        if "weights" in own:
            _check_weights(own["weights"])
            _check_references(own["settings"])
        elif "root_labels" in own["settings"]:
            _check_references(own["settings"])
    if kind == "neural" and len(header["members"]) != len(header["settings"]["votes"]):
        raise damaged("settings.votes", "has not one entry for each member")
    if kind == "pipeline" and header["settings"]["tagger"] is not None:
        _check_tagger(header["settings"]["tagger"])


def _check_weights(weights: Mapping[str, Any]) -> None:
    """Check what the header says of weights: those of a table, or a machine of another library."""
    if "learner" not in weights:
        (_plain_weights if "precision" in weights else _weights)(weights, "weights")
        return
    _machine(weights, "weights")
    if weights["learner"] in MACHINES:
        MACHINES[weights["learner"]](weights["machine"], "weights.machine")


def _check_references(settings: Mapping[str, Any]) -> None:
    """Check that labels and classes name relations that there are."""
    n = len(settings["relations"])
    for place in ("root_labels", "word_labels"):
        if any(label >= n for label in settings[place]):
            raise damaged(f"settings.{place}", f"names a relation that is none of the {n}")
    if any(label >= n for _, label in settings.get("classes", ())):
        raise damaged("settings.classes", f"names a relation that is none of the {n}")


def _check_tagger(tagger: Mapping[str, Any]) -> None:
    """Check that no column comes twice: there is room for four."""
    columns = tagger["columns"]
    if len(set(columns)) != len(columns):
        raise damaged("settings.tagger.columns", "has a column twice")
