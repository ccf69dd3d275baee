"""Patterns found in a text, of our own API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from treewright.apps.server.interfaces.v1_other import checked_sentences
from treewright.apps.server.messages import HttpError, Request, Response, json_response
from treewright.query.keys import features_of_keys, parse_keys, values_of
from treewright.query.language.patterns import parse_pattern
from treewright.query.matching import Match, Query
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence

MOST_MATCHES = 10_000
MOST_WORDS = 200_000
#: candidates that a sentence may take: some tenths of a second
MOST_STEPS = 2_000_000
#: sentences after which the time of the request is looked at
AT_ONCE = 100


def finds(request: Request) -> Response:
    """Find a pattern in CoNLL-U: matches with the IDs of their nodes, or how many have which values."""
    fields = request.json_fields()
    sentences = checked_sentences(fields.text("conllu"), "conllu")
    pattern = parse_pattern(fields.text("pattern"))
    limit = fields.integer("limit", 1000, maximum=MOST_MATCHES)
    tree = fields.flag("tree")
    keys = parse_keys(fields.texts("count_by") if "count_by" in fields else [], pattern)
    fields.declare("count_by")
    fields.finish()
    if sum(map(len, sentences)) > MOST_WORDS:
        raise HttpError(413, f"patterns are looked for in at most {MOST_WORDS:,} words. Send fewer at a time")
    query = Query(pattern, tree, features_of_keys(keys), MOST_STEPS)
    found = _matches(request, query, sentences, limit)
    if keys:
        counts = Counter(tuple(values_of(keys, match)) for _, match in found)
        rows = [{"values": list(values), "matches": number} for values, number in counts.most_common()]
        return json_response({"count": sum(counts.values()), "counts": rows})
    listed = [_as_json(number, match) for number, match in found]
    return json_response({"count": len(listed), "matches": listed})


def _matches(request: Request, query: Query, sentences: Sequence[Sentence], limit: int) -> Iterator[tuple[int, Match]]:
    """Yield matches with the numbers of their sentences, from 1; stop at the limit, or when the time is over."""
    for first in range(0, len(sentences), AT_ONCE):
        request.check_time()
        data = b"".join(sentence.to_bytes() for sentence in sentences[first : first + AT_ONCE])
        for each in query.in_block(Block(data, CONLLU, "conllu"), limit):
            for match in each:
                if limit == 0:
                    return
                limit -= 1
                yield first + each.number + 1, match


def _as_json(number: int, match: Match) -> dict[str, Any]:
    nodes = {name: str(token.id) if token else "0" for name, token in match.nodes.items()}
    return {"sentence": number, "sent_id": match.sentence.sent_id, "nodes": nodes, "edges": match.edges}
