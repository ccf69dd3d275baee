"""``/v1/parse`` and ``/v1/k-best``: documents in, documents with trees and graphs out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain

from treewright.apps.server.analysing import analysed, check_sentences, has_tags
from treewright.apps.server.documents import Data, Places, pieces_json, pieces_quoted, sentences_json
from treewright.apps.server.interfaces.v1_input import RequestText, parse_keywords, tags_wanted
from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import Request, Response, finite, json_stream
from treewright.apps.server.service import Handlers
from treewright.errors import CombinationError
from treewright.steps.certificate import Certificate
from treewright.steps.parser import one_sentence
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block

OUTPUTS = ("json", "conllu")
MOST_TREES = 100
#: options with which a sentence takes long: the time is looked at after each
SLOW = {"beam", "certified", "exact"}


class Parsing(Handlers):
    """The handlers."""

    def parse(self, request: Request) -> Response:
        """Split, tag and parse a text; confidences and certificates on request."""
        fields = request.json_fields()
        name, parser = self._model(fields)
        given = RequestText(fields)
        output = fields.choice("output", OUTPUTS, "json")
        options = parse_keywords(fields)
        certificates: list[Certificate] = []
        if fields.flag("certificate"):
            options["certified"] = lambda certificate, words: certificates.append(certificate)
        fields.flag("tag")
        fields.finish()
        parser._checked(options)
        pieces: list[bytes] = []
        for block in given.blocks(self._service, request, parser):
            tag = tags_wanted(fields, parser, has_tags(block))
            if SLOW & options.keys():
                check_sentences(block, self._service.limits.sentence_words)
            for part in _parts(block, slow=bool(SLOW & options.keys())):
                request.check_time()
                pieces.append(analysed(parser, part, tag, True, options))
        proofs: Data = {}
        if "certified" in options:
            proofs["certificates"] = [{**asdict(proved), "gap": proved.gap} for proved in certificates]
        end = f", {json.dumps(finite(proofs), ensure_ascii=False)[1:]}" if proofs else "}"
        start = f'{{"model": {json.dumps(name, ensure_ascii=False)}, '
        if output == "conllu":
            return json_stream(request, chain([f'{start}"conllu": "'], pieces_quoted(pieces), [f'"{end}']))
        return json_stream(request, chain([f'{start}"sentences": ['], pieces_json(pieces, given.places), [f"]{end}"]))

    def k_best(self, request: Request) -> Response:
        """Return the k best trees of every sentence."""
        fields = request.json_fields()
        name, parser = self._model(fields)
        given = RequestText(fields)
        number = fields.integer("k", 5, minimum=1, maximum=MOST_TREES)
        options = parse_keywords(fields)
        for unused in ("confidence", "exact"):
            if unused in options:
                raise CombinationError(f"{unused} has no effect on the k best trees: leave it out")
        fields.flag("tag")
        fields.finish()
        options["k_best"] = number
        parser._checked(options)
        sentences, places = list[str](), given.places
        for block in given.blocks(self._service, request, parser):
            check_sentences(block, self._service.limits.sentence_words)
            wanted = tags_wanted(fields, parser, has_tags(block))
            for part in _parts(block, slow=True):
                request.check_time()
                sentences.append(_best(parser, part, {**options, "tag": True} if wanted else options, places))
        start = f'{{"model": {json.dumps(name, ensure_ascii=False)}, "sentences": ['
        return json_stream(request, [start, ", ".join(sentences), "]}"])

    def _model(self, fields: JsonFields) -> tuple[str, Step]:
        name = self._service.models.find(fields.text("model", ""))
        return name, self._service.models.get(name)


def _parts(block: Block, slow: bool) -> Iterator[Block]:
    """Yield a block, or its sentences one by one where each may take long: the time is looked at in between."""
    if not slow:
        yield block
        return
    for number in range(block.n_sentences):
        yield one_sentence(block, number)


def _best(parser: Step, block: Block, given: dict[str, object], places: Places) -> str:
    ready, call = parser._prepared(block, parser._checked(given))
    trees = [
        {
            "heads": list(tree.heads),
            "deprels": [parser.relations[label] for label in tree.labels],
            "score": tree.score,
            "probability": tree.probability,
        }
        for tree in parser.best_trees(ready, 0, call)
    ]
    shown = json.dumps(finite(trees), ensure_ascii=False)
    return f'{next(sentences_json(ready, places))[:-1]}, "trees": {shown}}}'
