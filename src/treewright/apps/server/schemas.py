"""JSON Schemas of what our own API takes and gives, for its OpenAPI description."""

from __future__ import annotations

from collections.abc import Mapping

Schema = dict[str, object]

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
MAYBE_NUMBER: Schema = {"type": ["number", "null"]}
ANYTHING: Schema = {}


def one_of(*values: str) -> Schema:
    """Return the schema of one of some strings."""
    return {"type": "string", "enum": list(values)}


def listed(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def whole(minimum: int, maximum: int) -> Schema:
    """Return the schema of a whole number within bounds."""
    return {"type": "integer", "minimum": minimum, "maximum": maximum}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, open_: bool = False) -> Schema:
    """Return the schema of an object."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": open_,
    }


def described(schema: Schema, text: str) -> Schema:
    """Return a schema with a description."""
    return {**schema, "description": text}


PAIRS: Schema = {"type": "object", "additionalProperties": {"type": ["string", "null"]}}
NODE: dict[str, Schema] = {
    "form": STRING,
    "lemma": STRING,
    "upos": STRING,
    "xpos": STRING,
    "feats": PAIRS,
    "deps": listed(record({"head": STRING, "deprel": STRING})),
    "misc": PAIRS,
}
SPAN: dict[str, Schema] = {"start": INTEGER, "end": INTEGER}
WORD = record(
    {"id": INTEGER, **NODE, **SPAN, "head": {"type": ["integer", "null"]}, "deprel": STRING},
    {"confidence": MAYBE_NUMBER, "graph_confidence": MAYBE_NUMBER},
)
SENTENCE: dict[str, Schema] = {
    "sent_id": STRING,
    "text": STRING,
    **SPAN,
    "comments": listed(STRING),
    "words": listed(WORD),
    "multiwords": listed(record({"first": INTEGER, "last": INTEGER, "form": STRING, "misc": PAIRS, **SPAN})),
    "empty_nodes": listed(record({"id": STRING, **NODE})),
}
TREE = record({"heads": listed(INTEGER), "deprels": listed(STRING), "score": MAYBE_NUMBER, "probability": MAYBE_NUMBER})
CERTIFICATE = record(
    {
        "score": MAYBE_NUMBER,
        "objective": MAYBE_NUMBER,
        "gap": MAYBE_NUMBER,
        "optimal": FLAG,
        "integral": FLAG,
        "by": STRING,
        **dict.fromkeys(("parts", "scored", "added", "iterations", "programmes"), INTEGER),
        "seconds": {"type": "object", "additionalProperties": NUMBER},
    }
)
STEPS = listed(one_of("tokenizer", "tagger", "parser"))
ERROR = record({"error": record({"status": INTEGER, "message": STRING})})
JOB = record(
    {
        "id": STRING,
        "kind": STRING,
        "status": one_of("running", "done", "failed", "cancelled"),
        "progress": {"type": "object"},
    },
    {"result": ANYTHING, "error": STRING, "seconds": NUMBER},
)
