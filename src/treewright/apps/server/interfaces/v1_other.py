"""Models, traces, evaluation, drawings and jobs of our own API."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import HttpError, Request, Response, event_stream, json_response
from treewright.apps.server.service import Handlers, Service
from treewright.errors import CombinationError
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import checked
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence, sentences_in

if TYPE_CHECKING:
    from treewright.apps.tracing.traced_model import TracedModel

KINDS = ("svg", "html", "fragment", "tikz")
TAGS = ("none", "upos", "xpos", "lemma")
FOLLOW = ("model", "static", "dynamic")
#: the record of a trace grows with the square of its words, a drawing with its words
LONGEST_TRACE, LARGEST_DRAWING = 200, 5000
MOST_FEATURES = 50
WIDEST = 4000  # pixels of a drawing
HEADS = "a list of numbers, one for each word, 0 for the root"


class Models(Handlers):
    """What the server can parse with."""

    def list(self, request: Request) -> Response:
        """List the models."""
        store = self._service.models
        loaded = store.loaded()
        models = [{"name": name, "steps": store.steps(name), "loaded": name in loaded} for name in store.names()]
        return json_response({"models": models, "default": store.names()[0] if store.names() else None})

    def show(self, request: Request) -> Response:
        """Describe a model; it is loaded for that."""
        name = request.path_values["name"]
        parser = self._service.models.get(name)
        return json_response(
            {
                "name": name,
                "steps": list(parser.steps),
                "capabilities": sorted(parser.capabilities),
                "relations": parser.relations,
                "info": parser.info,
                "details": parser._details(),
            }
        )


def traces(service: Service, request: Request) -> Response:
    """Follow a model or a transition system through one sentence."""
    from treewright.apps.tracing.trace_drawing import drawing_of
    from treewright.apps.tracing.traced_model import TracedModel
    from treewright.apps.tracing.tracer import ALL_SYSTEMS, trace
    from treewright.steps.named_models import path_of

    fields = request.json_fields()
    system = fields.choice("system", ALL_SYSTEMS) if "system" in fields else None
    if system is not None and "model" in fields:
        raise CombinationError("give a model or a system, not both")
    sentence = _sentence(fields)
    words = len(sentence.split()) if isinstance(sentence, str) else len(sentence)
    if words > LONGEST_TRACE:
        raise HttpError(413, f"{words} words: this is for at most {LONGEST_TRACE}")
    wishes: dict[str, Any] = {
        "follow": fields.choice("follow", FOLLOW) if "follow" in fields else None,
        "heads": fields.values("heads", HEADS, lambda head: type(head) is int) if "heads" in fields else None,
        "relations": fields.texts("relations") if "relations" in fields else None,
        "moves": fields.text("moves", "") or None,
        "features": fields.integer("features", 0, maximum=MOST_FEATURES),
        "number": fields.integer("number", 1, minimum=1),
    }
    name = fields.text("model", "")
    width = fields.integer("drawing", 0, maximum=WIDEST)
    fields.declare("system", *wishes, "text", "words", "conllu", "drawing")
    fields.finish()
    if system is None and name not in service.models.names() and path_of(name) is not None:
        model: TracedModel | str = _bundled(name)
    elif system is None:
        name = service.models.find(name)
        model = TracedModel.of(service.models.get(name), name)
    else:
        model = system
    found = trace(model, sentence, **wishes)
    return json_response({**found.to_dict(), **({"drawing": drawing_of(found, width)} if width else {})})


@cache
def _bundled(name: str) -> TracedModel:
    """Return a model that comes with treewright, whether or not the server parses with it."""
    from treewright.apps.tracing.traced_model import TracedModel

    return TracedModel.load(name)


def _sentence(fields: JsonFields) -> Sentence | str:
    given = [name for name in ("text", "words", "conllu") if name in fields]
    if len(given) != 1:
        raise CombinationError("give one of text, words (a list of words) and conllu")
    if given[0] == "words":
        words = fields.texts("words")
        if not words or not all(word.strip() for word in words):
            raise CombinationError("words: a list of words that are not blank")
        return Sentence.from_words(words)
    text = fields.text(given[0])
    if given[0] == "text":
        if not text.strip():
            raise CombinationError("text: must not be blank")
        return " ".join(text.split())
    return checked_sentences(text, "conllu")[0]


def checked_sentences(text: str, name: str) -> list[Sentence]:
    """Return the sentences of CoNLL-U that a client sent; what cannot be read is an error."""
    data = text.encode().lstrip(b"\r\n")
    block = Block(data.rstrip(b"\r\n") + b"\n\n" if data else b"", CONLLU, name)
    sentences = [sentence for sentence in sentences_in([checked(block)]) if len(sentence)]
    if not sentences:
        raise CombinationError(f"{name}: no words in it")
    return sentences


def scores(request: Request) -> Response:
    """Score CoNLL-U against CoNLL-U, with the official scores and the older conventions."""
    from treewright.evaluation.report import evaluate

    fields = request.json_fields()
    texts = {name: fields.text(name) for name in ("gold", "system")}
    several = fields.flag("multiple_roots")
    fields.finish()
    gold, system = (
        Block(b"".join(sentence.to_bytes() for sentence in checked_sentences(text, name)), CONLLU, name)
        for name, text in texts.items()
    )
    return json_response(evaluate(gold, system, multiple_roots=several).to_dict())


def check_size(sentences: Sequence[Sentence]) -> None:
    """Refuse to draw very much at once."""
    if sum(len(sentence) for sentence in sentences) > LARGEST_DRAWING:
        raise HttpError(413, f"drawings are for at most {LARGEST_DRAWING:,} words")


def drawings(request: Request) -> Response:
    """Draw every sentence of a CoNLL-U text, or its differences from a gold standard."""
    from treewright.display.drawing import draw_picture, picture_for

    fields = request.json_fields()
    kind = fields.choice("kind", KINDS, "svg")
    tags = fields.choice("tags", TAGS, "upos")
    graph = fields.flag("graph") if "graph" in fields else None
    sentences = checked_sentences(fields.text("conllu"), "conllu")
    gold = checked_sentences(fields.text("gold"), "gold") if "gold" in fields else None
    fields.declare("graph", "gold")
    fields.finish()
    check_size(sentences)
    if gold is not None and len(gold) != len(sentences):
        raise CombinationError(f"gold has {len(gold)} sentences, conllu {len(sentences)}")
    others: Sequence[Sentence | None] = gold or [None] * len(sentences)
    drawn = []
    for sentence, other in zip(sentences, others, strict=True):
        request.check_time()
        drawn.append(draw_picture(picture_for(sentence, tags, graph, other), kind))
    return json_response({"kind": kind, "drawings": drawn})


class JobStates(Handlers):
    """Work in the background."""

    def show(self, request: Request) -> Response:
        """Tell how far a job is."""
        return json_response(self._service.jobs.get(request.path_values["id"]).state())

    def events(self, request: Request) -> Response:
        """Tell how far a job is, and again whenever this changes, as server-sent events."""
        return event_stream(self._service.jobs.get(request.path_values["id"]).states())

    def cancel(self, request: Request) -> Response:
        """Ask a job to stop."""
        job = self._service.jobs.get(request.path_values["id"])
        job.cancel()
        return json_response(job.state())
