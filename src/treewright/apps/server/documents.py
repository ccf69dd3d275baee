"""Sentences as JSON, for our own API: written from the lines of a block, without an object for each word."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from json.encoder import encode_basestring

from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.metadata import split_comment
from treewright.treebank.sentences.offsets import Span, spans_of
from treewright.treebank.sentences.sentence import Sentence

Data = dict[str, object]
CONFIDENCES = {"Confidence": "confidence", "GraphConfidence": "graph_confidence"}
SHORT = 200  # characters of a cell whose JSON is kept: the same features come again and again

_quoted: Callable[[str], str] = encode_basestring


class Places:
    """Where the tokens of sentences are: in a text that they follow each other in, or each in its own."""

    def __init__(self, text: str | None = None) -> None:
        self.text, self.position = text, 0

    def of(self, tokens: Sequence[tuple[str, str]], own: str) -> list[Span]:
        """Return the characters of the next sentence's tokens, given as ID and form."""
        if self.text is None:
            return spans_of(tokens, own)
        spans = spans_of(tokens, self.text, self.position)
        self.position = spans[-1].end if spans else self.position
        return spans


def sentences_json(block: Block, places: Places | None = None) -> Iterator[str]:
    """Yield the sentences of CoNLL-U as JSON: words with tree and graph, multiword tokens and empty nodes."""
    places = places or Places()
    for number in range(block.n_sentences):
        yield _sentence(block, number, places)


def _sentence(block: Block, number: int, places: Places) -> str:
    comments: list[str] = []
    rows: list[list[str]] = []
    words: list[str] = []
    multiwords: list[str] = []
    nodes: list[str] = []
    text = block.text_of(number).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    for line in text.split("\n"):
        body = line.removesuffix("\r")
        if not body.strip(" \t"):
            continue
        if body.startswith("#"):
            comments.append(line.rstrip("\r"))
            continue
        rows.append(body.split("\t"))
    metadata: dict[str, str | None] = {}
    for comment in comments:
        metadata.setdefault(*split_comment(comment))
    given = metadata.get("text")
    whole = given if given is not None else Sentence.from_block(block, number).text
    spans = places.of([(cells[0], cells[1]) for cells in rows], whole)
    for cells, span in zip(rows, spans, strict=True):
        if cells[0].isdecimal():
            words.append(_word(len(words) + 1, cells, span))
        elif "-" in cells[0]:
            multiwords.append(_multiword(cells, span))
        elif "." in cells[0]:
            nodes.append(f"{{{_node(_quoted(cells[0]), cells)}{_pairs(cells[9])}}}")
    start, end = (spans[0].start, spans[-1].end) if spans else (0, 0)
    shown = ", ".join(_quoted(comment.removeprefix("#").strip()) for comment in comments)
    return (
        f'{{"sent_id": {_quoted(metadata.get("sent_id") or "")}, "text": {_quoted(whole)}, '
        f'"start": {start}, "end": {end}, "comments": [{shown}], '
        f'"words": [{", ".join(words)}], "multiwords": [{", ".join(multiwords)}], "empty_nodes": [{", ".join(nodes)}]}}'
    )


def _word(number: int, cells: list[str], span: Span) -> str:
    """Return a word; confidences in MISC become numbers of their own."""
    head, misc, sure = cells[6], cells[9], ""
    if "Confidence=" in misc or misc.startswith("Confidence"):
        found = pairs(misc)
        for key, name in CONFIDENCES.items():
            if key in found:
                sure += f', "{name}": {json.dumps(_number(found.pop(key)))}'
        misc = _quoted_pairs(found)
    else:
        misc = _pairs(misc)
    value = str(int(head)) if head.isdecimal() and head.isascii() and len(head) <= 9 else "null"
    return (
        f'{{{_node(str(number), cells)}{misc}, "start": {span.start}, "end": {span.end}, '
        f'"head": {value}, "deprel": {_quoted(cells[7])}{sure}}}'
    )


def _node(shown_id: str, cells: list[str]) -> str:
    """Return what words and empty nodes have, up to the value of MISC."""
    return (
        f'"id": {shown_id}, "form": {_quoted(cells[1])}, "lemma": {_quoted(cells[2])}, "upos": {_quoted(cells[3])}, '
        f'"xpos": {_quoted(cells[4])}, "feats": {_pairs(cells[5])}, "deps": {_arcs(cells[8])}, "misc": '
    )


def _multiword(cells: list[str], span: Span) -> str:
    first, _, last = cells[0].partition("-")
    return (
        f'{{"first": {int(first)}, "last": {int(last)}, "form": {_quoted(cells[1])}, "misc": {_pairs(cells[9])}, '
        f'"start": {span.start}, "end": {span.end}}}'
    )


def _arcs(text: str) -> str:
    if text in ("", "_"):
        return "[]"
    found = []
    for arc in text.split("|"):
        head, _, relation = arc.partition(":")
        is_word = head.isdecimal() and head.isascii() and len(head) <= 9
        found.append(f'{{"head": {_quoted(str(int(head)) if is_word else head)}, "deprel": {_quoted(relation)}}}')
    return f"[{', '.join(found)}]"


def _pairs(text: str) -> str:
    """Return FEATS or MISC as a JSON object."""
    if text in ("", "_"):
        return "{}"
    return _kept_pairs(text) if len(text) <= SHORT else _quoted_pairs(pairs(text))


@lru_cache(maxsize=4096)
def _kept_pairs(text: str) -> str:
    return _quoted_pairs(pairs(text))


def _quoted_pairs(found: dict[str, str | None]) -> str:
    shown = (f"{_quoted(name)}: {'null' if value is None else _quoted(value)}" for name, value in found.items())
    return f"{{{', '.join(shown)}}}"


def pairs(text: str) -> dict[str, str | None]:
    """Return FEATS or MISC as a dictionary, split once: a client may send cells of any length."""
    if text in ("", "_"):
        return {}
    by_name: dict[str, str | None] = {}
    for part in text.split("|"):
        name, equals, value = part.partition("=")
        by_name.setdefault(name, value if equals else None)
    return by_name


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def pieces_json(pieces: list[bytes], places: Places | None = None) -> Iterator[str]:
    """Yield the sentences of pieces of CoNLL-U, with commas between them; each piece is given up once it is done."""
    comma, places = "", places or Places()
    pieces.reverse()
    while pieces:
        for sentence in sentences_json(Block(pieces.pop(), CONLLU), places):
            yield comma + sentence
            comma = ", "


def pieces_quoted(pieces: list[bytes]) -> Iterator[str]:
    """Yield pieces of CoNLL-U as parts of one JSON string; each piece is given up once it is done."""
    pieces.reverse()
    while pieces:
        yield _quoted(pieces.pop().decode("utf-8", "replace"))[1:-1]
