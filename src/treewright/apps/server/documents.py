"""Sentences as JSON, for our own API: written from the lines of a block, without an object for each word."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from json.encoder import encode_basestring

from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.metadata import split_comment
from treewright.treebank.sentences.sentence import Sentence

Data = dict[str, object]
CONFIDENCES = {"Confidence": "confidence", "GraphConfidence": "graph_confidence"}
SHORT = 200  # characters of a cell whose JSON is kept: the same features come again and again

_quoted: Callable[[str], str] = encode_basestring


def sentences_json(block: Block) -> Iterator[str]:
    """Yield the sentences of CoNLL-U as JSON: words with tree and graph, multiword tokens and empty nodes."""
    for number in range(block.n_sentences):
        yield _sentence(block, number)


def _sentence(block: Block, number: int) -> str:
    comments: list[str] = []
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
        cells = body.split("\t")
        if cells[0].isdecimal():
            words.append(_word(len(words) + 1, cells))
        elif "-" in cells[0]:
            multiwords.append(_multiword(cells))
        elif "." in cells[0]:
            nodes.append(f"{{{_node(_quoted(cells[0]), cells)}{_pairs(cells[9])}}}")
    metadata: dict[str, str | None] = {}
    for comment in comments:
        metadata.setdefault(*split_comment(comment))
    given = metadata.get("text")
    whole = given if given is not None else Sentence.from_block(block, number).text
    shown = ", ".join(_quoted(comment.removeprefix("#").strip()) for comment in comments)
    return (
        f'{{"sent_id": {_quoted(metadata.get("sent_id") or "")}, "text": {_quoted(whole)}, "comments": [{shown}], '
        f'"words": [{", ".join(words)}], "multiwords": [{", ".join(multiwords)}], "empty_nodes": [{", ".join(nodes)}]}}'
    )


def _word(number: int, cells: list[str]) -> str:
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
    return f'{{{_node(str(number), cells)}{misc}, "head": {value}, "deprel": {_quoted(cells[7])}{sure}}}'


def _node(shown_id: str, cells: list[str]) -> str:
    """Return what words and empty nodes have, up to the value of MISC."""
    return (
        f'"id": {shown_id}, "form": {_quoted(cells[1])}, "lemma": {_quoted(cells[2])}, "upos": {_quoted(cells[3])}, '
        f'"xpos": {_quoted(cells[4])}, "feats": {_pairs(cells[5])}, "deps": {_arcs(cells[8])}, "misc": '
    )


def _multiword(cells: list[str]) -> str:
    first, _, last = cells[0].partition("-")
    return f'{{"first": {int(first)}, "last": {int(last)}, "form": {_quoted(cells[1])}, "misc": {_pairs(cells[9])}}}'


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


def pieces_json(pieces: list[bytes]) -> Iterator[str]:
    """Yield the sentences of pieces of CoNLL-U, with commas between them; each piece is given up once it is done."""
    comma = ""
    pieces.reverse()
    while pieces:
        for sentence in sentences_json(Block(pieces.pop(), CONLLU)):
            yield comma + sentence
            comma = ", "


def pieces_quoted(pieces: list[bytes]) -> Iterator[str]:
    """Yield pieces of CoNLL-U as parts of one JSON string; each piece is given up once it is done."""
    pieces.reverse()
    while pieces:
        yield _quoted(pieces.pop().decode("utf-8", "replace"))[1:-1]
