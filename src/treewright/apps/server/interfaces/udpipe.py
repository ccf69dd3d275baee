"""UDPipe's REST interface, as at LINDAT: ``/models``, ``/process`` and ``/weblicht/…``.

Clients that were written for it work unchanged. Errors are plain text, 400 or 404.
"""

from __future__ import annotations

from collections.abc import Mapping

from treewright import __version__
from treewright.apps.server.analysing import Reading, analysed, blocks_of
from treewright.apps.server.interfaces.udpipe_outputs import Output, named_options, without_spaces
from treewright.apps.server.messages import HttpError, Request, Response, decoded, json_response
from treewright.apps.server.routing import Route
from treewright.apps.server.service import Handlers, Service
from treewright.errors import TreewrightError, unknown
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block

TOKENIZER_OPTIONS = ("presegmented", "ranges", "normalized_spaces")
#: UDPipe's name of a format of the input → its options
INPUTS = {
    "conllu": ("v1", "v2"),
    "generic_tokenizer": TOKENIZER_OPTIONS,
    "horizontal": ("paragraphs",),
    "vertical": ("paragraphs",),
}
PARSER_OPTIONS = ("beam_search",)
OFF = "none"
CONLLU_TYPE = "application/conllu"
WEBLICHT = {"tokenize": "tokenizer", "tag": "tagger", "parse": "parser"}


def routes(service: Service) -> list[Route]:
    """Return the routes of UDPipe's interface."""
    udpipe = UDPipe(service)
    return [
        Route("GET POST", "/models", udpipe.models, cross_origin=True, errors="text"),
        Route("GET POST", "/process", udpipe.process, heavy=True, cross_origin=True, errors="text"),
        Route("GET POST", "/weblicht/{step}", udpipe.weblicht, heavy=True, cross_origin=True, errors="text"),
    ]


class UDPipe(Handlers):
    """The handlers."""

    def models(self, request: Request) -> Response:
        """List the models and the steps that each has."""
        store = self._service.models
        return json_response(
            {"models": {name: store.steps(name) for name in store.names()}, "default_model": store.default()}
        )

    def process(self, request: Request) -> Response:
        """Split, tag and parse, as far as the request says."""
        fields = request.form()
        name, result = self._result(request, fields)
        parser = self._service.models.get(name)
        if fields.get("output", "conllu").partition("=")[0] == "conllu":
            result = _generator(name, parser) + result
        described = " ".join(str(parser.info.get("description") or "").split())
        thanks = [f"treewright {__version__}", *([described] if described else [])]
        return json_response({"model": name, "acknowledgements": thanks, "result": result})

    def weblicht(self, request: Request) -> Response:
        """Do one step on a raw body, as WebLicht's services want it."""
        step = WEBLICHT.get(request.path_values["step"])
        if step is None:
            raise HttpError(404, f"no service {request.path_values['step'][:50]!r}: there are {', '.join(WEBLICHT)}")
        query = Request("GET", request.path, request.query).form()
        fields = {"data": decoded(request.body)} if request.method == "POST" else dict(query)
        fields = {"data": fields["data"]} if "data" in fields else {}
        if "model" in query:
            fields["model"] = query["model"]
        _, result = self._result(request, {**fields, step: ""})
        return Response(200, result.encode(), CONLLU_TYPE)

    def _result(self, request: Request, fields: Mapping[str, str]) -> tuple[str, str]:
        """Return the model's name and the result in the wanted format."""
        if "data" not in fields:
            raise TreewrightError("The parameter 'data' is required.")
        try:
            name = self._service.models.find(fields.get("model", ""))
        except HttpError:  # UDPipe calls this a bad request
            known = ", ".join(self._service.models.names()[:50])
            wish = fields.get("model", "")[:100]
            raise TreewrightError(
                f"The requested model '{wish}' does not exist. There are: {known or 'none'}"
            ) from None
        parser = self._service.models.get(name)
        output = Output(fields.get("output") or "conllu")
        reading, normalized = _reading(fields)
        tag, parse = _wanted(fields, "tagger"), _wanted(fields, "parser")
        options = _parser_options(fields["parser"]) if parse else {}
        for step in ("tokenizer", "tagger", "parser"):
            if _wanted(fields, step) and step not in parser.steps:
                raise TreewrightError(f"The required model does not contain a {step}!")
        pieces: list[str] = []
        for block in blocks_of(self._service, request, parser, fields["data"], reading):
            if normalized:
                block = Block(without_spaces(block.data), block.layout, block.source, block.first_line)
            pieces.append(output.text(analysed(parser, block, tag, parse, options)))
        return name, "".join([*pieces, output.finish()])


def _wanted(fields: Mapping[str, str], step: str) -> bool:
    return step in fields and fields[step] != OFF


def _reading(fields: Mapping[str, str]) -> tuple[Reading, bool]:
    """Return how the data are read, and whether only SpaceAfter=No tells of spaces."""
    if _wanted(fields, "tokenizer"):
        options = named_options(fields["tokenizer"], TOKENIZER_OPTIONS, "tokenizer")
        layout = "presegmented" if "presegmented" in options else "raw"
        return Reading(layout, "ranges" in options), "normalized_spaces" in options
    name, _, rest = (fields.get("input") or "conllu").partition("=")
    if name not in INPUTS:
        raise TreewrightError(unknown("input format", name[:100], INPUTS))
    options = named_options(rest, INPUTS[name], f"input={name}")
    if name == "generic_tokenizer":
        layout = "generic presegmented" if "presegmented" in options else "generic"
        return Reading(layout, "ranges" in options), "normalized_spaces" in options
    return Reading(name), False


def _parser_options(text: str) -> dict[str, object]:
    options = named_options(text, PARSER_OPTIONS, "parser")
    if "beam_search" not in options:
        return {}
    width = options["beam_search"]
    if not (width.isascii() and width.isdigit() and 1 <= int(width[:6]) <= 256):
        raise TreewrightError("parser: beam_search must be a number from 1 to 256")
    return {"beam": int(width)}


def _generator(name: str, parser: Step) -> str:
    """Return the comments with which LINDAT's answers begin."""
    lines = f"# generator = treewright {__version__}\n# udpipe_model = {name}\n"
    licence = " ".join(str(parser.info.get("licence") or "").split())
    return lines + (f"# udpipe_model_licence = {licence}\n" if licence else "")
