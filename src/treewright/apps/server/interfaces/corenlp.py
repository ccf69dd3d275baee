"""Stanford CoreNLP's server, as far as dependency parsing goes: text by POST to ``/``, JSON back.

So that NLTK's ``CoreNLPDependencyParser`` and other clients that ask for JSON work unchanged.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import partial

from treewright.apps.server.analysing import Reading, analysed, blocks_of
from treewright.apps.server.messages import TEXT, Request, Response, json_stream, text_response
from treewright.apps.server.routing import Route
from treewright.apps.server.service import Service
from treewright.errors import TreewrightError, unknown
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence, sentences_in
from treewright.treebank.sentences.token import Token

OUTPUTS = ("json", "conllu")
TAG_ANNOTATORS = {"pos", "lemma"}
PARSE_ANNOTATORS = {"depparse"}
#: what we have; others of CoreNLP (ner, parse, coref, …) are rejected
ANNOTATORS = {"tokenize", "ssplit", "mwt", "cleanxml", *TAG_ANNOTATORS, *PARSE_ANNOTATORS}
GRAPHS = ("basicDependencies", "enhancedDependencies", "enhancedPlusPlusDependencies")
YES = ("true", "1", "yes")


def routes(service: Service) -> list[Route]:
    """Return the routes of CoreNLP's server."""
    ready = [
        Route(
            "GET", f"/{name}", lambda request: text_response(f"{request.path[1:]}\n"), open_to_all=True, errors="text"
        )
        for name in ("live", "ready", "ping")
    ]
    return [Route("POST", "/", partial(annotate, service), heavy=True, cross_origin=True, errors="text"), *ready]


def annotate(service: Service, request: Request) -> Response:
    """Split, tag and parse as the properties say."""
    properties = _properties(request)
    wanted = _annotators(properties)
    output = properties.get("outputFormat", "json").lower()
    if output not in OUTPUTS:
        raise TreewrightError(unknown("outputFormat", output[:50], OUTPUTS))
    parser = service.models.get(service.models.find(properties.get("model", "")))
    text = request.text()
    parse = bool(wanted & PARSE_ANNOTATORS)
    tag = "tagger" in parser.steps and (parse or bool(wanted & TAG_ANNOTATORS))
    if _is_true(properties, "ssplit.isOneSentence"):
        text = text.replace("\r", " ").replace("\n", " ")
    blocks = blocks_of(service, request, parser, text, _reading(properties))
    pieces = [analysed(parser, block, tag, parse, {}) for block in blocks]
    if output == "conllu":
        return Response(200, b"".join(pieces), TEXT)
    return json_stream(request, _parts(_sentences(pieces, text, parse)))


def _parts(sentences: Iterator[dict[str, object]]) -> Iterator[str]:
    yield '{"sentences": ['
    for number, sentence in enumerate(sentences):
        yield f"{', ' if number else ''}{json.dumps(sentence, ensure_ascii=False)}"
    yield "]}"


def _properties(request: Request) -> dict[str, str]:
    """Return the properties: the JSON (or CoreNLP's own notation) in ``properties``, and single ones in the query."""
    fields = Request("GET", "/", request.query).form()
    given = fields.pop("properties", "") or "{}"
    try:
        properties = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise TreewrightError(f"properties are not JSON: {error}") from None
    if not isinstance(properties, dict):
        raise TreewrightError('properties must be a JSON object, such as {"annotators": "tokenize,depparse"}')
    return {**{str(name): str(value) for name, value in properties.items()}, **fields}


def _annotators(properties: Mapping[str, str]) -> set[str]:
    wanted = {name.strip() for name in properties.get("annotators", "tokenize,ssplit,pos,lemma,depparse").split(",")}
    wanted.discard("")
    unknown = sorted(wanted - ANNOTATORS)
    if unknown:
        raise TreewrightError(f"annotator {unknown[0][:50]!r}: this server has {', '.join(sorted(ANNOTATORS))}")
    return wanted


def _reading(properties: Mapping[str, str]) -> Reading:
    """Return how the text is split, by the properties of CoreNLP's tokeniser and splitter."""
    lines = _is_true(properties, "ssplit.eolonly") or _is_true(properties, "ssplit.isOneSentence")
    if _is_true(properties, "tokenize.whitespace"):
        return Reading("horizontal", ranges=True)
    newlines = {"always": "sentence", "two": "paragraph", "never": "ignore"}
    breaks = properties.get("ssplit.newlineIsSentenceBreak", "")
    return Reading("presegmented" if lines else "raw", ranges=True, newlines=newlines.get(breaks, "auto"))


def _is_true(properties: Mapping[str, str], name: str) -> bool:
    return properties.get(name, "").lower() in YES


def _sentences(pieces: list[bytes], text: str, parse: bool) -> Iterator[dict[str, object]]:
    places = _Places(text)
    for index, sentence in enumerate(sentences_in(Block(piece, CONLLU) for piece in pieces)):
        data: dict[str, object] = {"index": index}
        if parse:
            arcs = [_arc(sentence.words, word) for word in sentence.words]
            data |= dict.fromkeys(GRAPHS, arcs)
        data["tokens"] = _tokens(sentence, places)
        yield data


def _arc(words: list[Token], word: Token) -> dict[str, object]:
    head = word.head or 0
    return {
        "dep": "ROOT" if head == 0 else word.deprel,
        "governor": head,
        "governorGloss": "ROOT" if head == 0 else words[head - 1].form,
        "dependent": word.id,
        "dependentGloss": word.form,
    }


def _tokens(sentence: Sentence, places: _Places) -> list[dict[str, object]]:
    spans: dict[int, Token] = {}
    for token in sentence.surface_tokens:
        spans |= dict.fromkeys(token.span, token)
    tokens: list[dict[str, object]] = []
    for word in sentence.words:
        start, end = places.of(spans[int(word.id)])
        tokens.append(
            {
                "index": word.id,
                "word": word.form,
                "originalText": word.form,
                "lemma": word.lemma,
                "characterOffsetBegin": places.units(start),
                "characterOffsetEnd": places.units(end),
                "codepointOffsetBegin": start,
                "codepointOffsetEnd": end,
                "pos": word.xpos if word.xpos not in ("", "_") else word.upos,
                "ner": "O",
            }
        )
    return tokens


class _Places:
    """Where tokens stand in the text: CoreNLP counts as Java does, a character beyond U+FFFF as two."""

    def __init__(self, text: str) -> None:
        self._wide = [place for place, character in enumerate(text) if character > "\uffff"]

    def of(self, token: Token) -> tuple[int, int]:
        start, _, end = (token.misc.get("TokenRange") or "").partition(":")
        return (int(start), int(end)) if start.isdigit() and end.isdigit() else (0, 0)

    def units(self, place: int) -> int:
        return place + bisect_left(self._wide, place)
