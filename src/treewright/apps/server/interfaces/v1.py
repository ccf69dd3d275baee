"""Our own API: JSON under ``/v1``, described by OpenAPI at ``/v1/openapi.json``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from treewright import __version__
from treewright.apps.server.interfaces.v1_find import MOST_MATCHES, finds
from treewright.apps.server.interfaces.v1_input import TEXT_LAYOUTS, WIDEST_BEAM
from treewright.apps.server.interfaces.v1_other import (
    FOLLOW,
    KINDS,
    MOST_FEATURES,
    TAGS,
    JobStates,
    Models,
    drawings,
    scores,
    traces,
)
from treewright.apps.server.interfaces.v1_parse import MOST_TREES, OUTPUTS, Parsing
from treewright.apps.server.messages import json_response
from treewright.apps.server.routing import Handler, Route
from treewright.apps.server.schemas import (
    ANYTHING,
    CERTIFICATE,
    ERROR,
    FLAG,
    INTEGER,
    JOB,
    SENTENCE,
    STEPS,
    STRING,
    TREE,
    Schema,
    described,
    listed,
    one_of,
    record,
    whole,
)
from treewright.apps.server.service import Service
from treewright.steps.call import METHODS, NEWLINES

TEXT = "Dogs bark."
PATTERN = "pattern { V -[nsubj]-> S }"
CONLLU = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
GIVEN: dict[str, Schema] = {
    "model": described(STRING, "name of the model or the beginning of it; the default if left out"),
    "text": described(STRING, "running text, or tokens, as layout says"),
    "layout": described(one_of(*TEXT_LAYOUTS), "what the lines and spaces of text mean"),
    "newlines": described(one_of(*NEWLINES), "what the end of a line means in raw text"),
    "ranges": described(FLAG, "write the characters of tokens to MISC"),
    "words": described(
        listed({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}),
        "sentences as lists of words",
    ),
    "conllu": described(STRING, "sentences in CoNLL-U"),
    "tag": described(FLAG, "tag words again that have tags"),
    "beam": whole(1, WIDEST_BEAM),
    "confidence": described(FLAG, "the confidence of each arc"),
    "exact": described(FLAG, "exact parsers: go on to the optimum"),
    "method": one_of(*METHODS),
    "constraints": STRING,
}
STATUS = {
    400: "The request is wrong; the message says how to fix it.",
    401: "A token is needed.",
    404: "There is no such thing.",
    413: "The text is too long.",
    429: "Too much is waiting. Try later.",
    503: "It took too long, or the server is busy. Try later.",
}


def routes(service: Service) -> list[Route]:
    """Return the routes of our own API, its description included."""
    ours = [*_parsing(service), *_looking(service), *_working(service)]
    description = _description(ours)
    return [Route("GET", "/v1/openapi.json", lambda request: json_response(description), cross_origin=True), *ours]


def _parsing(service: Service) -> list[Route]:
    parsing = Parsing(service)
    parsed = record(
        {"model": STRING},
        {"sentences": listed(record(SENTENCE)), "conllu": STRING, "certificates": listed(CERTIFICATE)},
    )
    wishes = {**GIVEN, "output": one_of(*OUTPUTS), "certificate": described(FLAG, "exact parsers: what is proved")}
    best = record({"model": STRING, "sentences": listed(record({**SENTENCE, "trees": listed(TREE)}))})
    wishes_for_best = {name: wish for name, wish in GIVEN.items() if name not in ("confidence", "exact")}
    return [
        _post("/v1/parse", parsing.parse, "Parse a text", record({}, wishes), parsed, {"text": TEXT}),
        _post(
            "/v1/k-best",
            parsing.k_best,
            "The k best trees of every sentence",
            record({}, {**wishes_for_best, "k": whole(1, MOST_TREES)}),
            best,
            {"words": [TEXT.rstrip(".").split()], "k": 3},
        ),
    ]


def _looking(service: Service) -> list[Route]:
    trace_wishes = record(
        {},
        {
            **{name: GIVEN[name] for name in ("model", "text", "conllu")},
            "system": described(STRING, "a transition system instead of a model"),
            "words": described(listed({"type": "string", "minLength": 1}), "the words of one sentence"),
            "heads": listed(INTEGER),
            "relations": listed(STRING),
            "moves": described(STRING, "moves to make first, such as SHIFT LEFT(nsubj)"),
            "follow": one_of(*FOLLOW),
            "features": whole(0, MOST_FEATURES),
            "number": described({"type": "integer", "minimum": 1, "maximum": 2**31}, "which sentence of the text"),
        },
    )
    traced = record({"trace": INTEGER, "words": listed(ANYTHING), "steps": listed(ANYTHING)}, open_=True)
    score_wishes = record({"gold": STRING, "system": STRING}, {"multiple_roots": FLAG})
    drawing_wishes = record(
        {"conllu": STRING}, {"kind": one_of(*KINDS), "tags": one_of(*TAGS), "graph": FLAG, "gold": STRING}
    )
    drawn = record({"kind": STRING, "drawings": listed(STRING)})
    find_wishes = record(
        {"conllu": STRING, "pattern": described(STRING, "as in pattern { V -[nsubj]-> S }")},
        {"tree": FLAG, "limit": whole(0, MOST_MATCHES), "count_by": listed(STRING)},
    )
    match = record({"sentence": INTEGER, "sent_id": STRING, "nodes": ANYTHING, "edges": ANYTHING})
    listing = record({"count": INTEGER}, {"matches": listed(match), "counts": listed(ANYTHING)})
    anything = record({}, open_=True)
    return [
        _post("/v1/trace", partial(traces, service), "A parse step by step", trace_wishes, traced, {"text": TEXT}),
        _post(
            "/v1/evaluate",
            scores,
            "Scores of a parse against the gold standard",
            score_wishes,
            anything,
            {"gold": CONLLU, "system": CONLLU},
        ),
        _post(
            "/v1/find",
            finds,
            "Find a pattern in Grew's notation",
            find_wishes,
            listing,
            {"conllu": CONLLU, "pattern": PATTERN},
        ),
        _post("/v1/draw", drawings, "Draw trees and graphs", drawing_wishes, drawn, {"conllu": CONLLU}),
    ]


def _working(service: Service) -> list[Route]:
    models, jobs = Models(service), JobStates(service)
    listing = record(
        {
            "models": listed(record({"name": STRING, "steps": STEPS, "loaded": FLAG})),
            "default": {"type": ["string", "null"]},
        }
    )
    shown = record({"name": STRING, "steps": STEPS, "capabilities": listed(STRING)}, open_=True)
    return [
        _get("/v1/models", models.list, "The models", listing),
        _get("/v1/models/{name}", models.show, "A model", shown, "name"),
        _get("/v1/jobs/{id}", jobs.show, "How far a job is", JOB, "id"),
        Route("GET", "/v1/jobs/{id}/events", jobs.events),
        Route("DELETE", "/v1/jobs/{id}", jobs.cancel, operation=_operation("Stop a job", None, JOB, "id")),
    ]


def _post(path: str, handler: Handler, summary: str, wishes: Schema, answer: Schema, example: Schema) -> Route:
    operation = _operation(summary, {**wishes, "examples": [example]}, answer)
    return Route("POST", path, handler, heavy=True, cross_origin=True, operation=operation)


def _get(path: str, handler: Handler, summary: str, answer: Schema, *values: str) -> Route:
    return Route("GET", path, handler, cross_origin=True, operation=_operation(summary, None, answer, *values))


def _operation(summary: str, wishes: Schema | None, answer: Schema, *values: str) -> Schema:
    operation: Schema = {
        "summary": summary,
        "responses": {
            "200": {"description": "Done.", "content": {"application/json": {"schema": answer}}},
            **{
                str(status): {"description": text, "content": {"application/json": {"schema": ERROR}}}
                for status, text in STATUS.items()
            },
        },
    }
    if wishes is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": wishes}}}
    if values:
        operation["parameters"] = [{"name": name, "in": "path", "required": True, "schema": STRING} for name in values]
    return operation


def _description(found: Iterable[Route]) -> Schema:
    """Return the OpenAPI description of the routes that have one."""
    paths: dict[str, dict[str, object]] = {}
    for route in found:
        if route.operation is not None:
            for method in route.methods.lower().split():
                paths.setdefault(route.pattern, {})[method] = route.operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "treewright",
            "version": __version__,
            "summary": "Dependency parsing: documents, trees, graphs, traces, scores, drawings.",
        },
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    }
