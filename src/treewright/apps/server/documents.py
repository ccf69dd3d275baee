"""Sentences as JSON, for our own API."""

from __future__ import annotations

import math

from treewright.treebank.sentences.sentence import Sentence
from treewright.treebank.sentences.token import Token

Data = dict[str, object]


def sentence_data(sentence: Sentence) -> Data:
    """Return a sentence as plain data: its words with tree and graph, multiword tokens and empty nodes."""
    return {
        "sent_id": sentence.sent_id,
        "text": sentence.text,
        "comments": [comment.removeprefix("#").strip() for comment in sentence.comments],
        "words": [word_data(word) for word in sentence.words],
        "multiwords": [
            {"first": token.span.start, "last": token.span.stop - 1, "form": token.form, "misc": pairs(str(token.misc))}
            for token in sentence.multiword_tokens
        ],
        "empty_nodes": [_node(token) for token in sentence.empty_nodes],
    }


def word_data(word: Token) -> Data:
    """Return a word as plain data; a confidence in MISC becomes a number of its own."""
    data = _node(word)
    misc = pairs(str(word.misc))
    confidence = misc.pop("Confidence", None)
    return {
        **data,
        "misc": misc,
        "head": word.head,
        "deprel": word.deprel,
        **({} if confidence is None else {"confidence": _number(confidence)}),
    }


def pairs(text: str) -> dict[str, str | None]:
    """Return FEATS or MISC as a dictionary, split once: a client may send cells of any length."""
    if text in ("", "_"):
        return {}
    by_name: dict[str, str | None] = {}
    for part in text.split("|"):
        name, equals, value = part.partition("=")
        by_name.setdefault(name, value if equals else None)
    return by_name


def _node(token: Token) -> Data:
    return {
        "id": token.id,
        "form": token.form,
        "lemma": token.lemma,
        "upos": token.upos,
        "xpos": token.xpos,
        "feats": pairs(str(token.feats)),
        "deps": [{"head": str(head), "deprel": deprel} for head, deprel in token.deps[:]],
        "misc": pairs(str(token.misc)),
    }


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
