"""Sentences as JSON, against a plain reference that makes objects of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block

from tests.toy import DEV
from treewright.apps.server.documents import pairs, pieces_json, pieces_quoted, sentences_json
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence, sentences_in
from treewright.treebank.sentences.token import Token

FULL = (
    '\ufeff# sent_id = 1\n#text = Vámonos "al\\" mar\n# text = two\n#\n# x=\n# sent_id = 2\n'
    "1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tA=1|SpaceAfter=No\n"
    "1\tVam\x01os\tir\tVERB\t_\tMood=Imp|Mood=Ind|=x|y\t0\troot\t0:root|01:x\tConfidence=0.5|B\n"
    "# inside\n"
    '2\tnos\t_\t"\t\\\t_\t_\t_\t1:obj:x|2.1:y|:z|w\tGraphConfidence=0.25|Confidence=nan|Confidence=1\n'
    "2.1\tempty\t\t_\t_\tF=1\t_\t_\t1:a\tConfidence=1\n"
    "3\tmar\tm\u2028\t_\t_\t_\t0123456789\tx\t_\tConfidence|C=a=b\n"
    "\n\n \t\n1\tx\t_\t_\t_\t_\t-1\t_\t_\tNoConfidence=1\r\n2\ty\t_\t_\t_\t_\t007\t_\t\t\r\n\r\n# only\n\n"
)


def reference(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence as plain data."""
    return {
        "sent_id": sentence.sent_id,
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "comments": [comment.removeprefix("#").strip() for comment in sentence.comments],
        "words": [word_data(word) for word in sentence.words],
        "multiwords": [
            {
                "first": token.span.start,
                "last": token.span.stop - 1,
                "form": token.form,
                "misc": pairs(str(token.misc)),
                "start": token.start,
                "end": token.end,
            }
            for token in sentence.multiword_tokens
        ],
        "empty_nodes": [node(token) for token in sentence.empty_nodes],
    }


def word_data(word: Token) -> dict[str, Any]:
    misc = pairs(str(word.misc))
    names = {"Confidence": "confidence", "GraphConfidence": "graph_confidence"}
    sure = {name: number(misc.pop(key)) for key, name in names.items() if key in misc}
    return {
        **node(word),
        "misc": misc,
        "start": word.start,
        "end": word.end,
        "head": word.head,
        "deprel": word.deprel,
        **sure,
    }


def node(token: Token) -> dict[str, Any]:
    return {
        **{name: getattr(token, name) for name in ("id", "form", "lemma", "upos", "xpos")},
        "feats": pairs(str(token.feats)),
        "deps": [{"head": str(head), "deprel": deprel} for head, deprel in token.deps[:]],
        "misc": pairs(str(token.misc)),
    }


def number(text: str | None) -> float | None:
    found = float(text or "nan")
    return found if math.isfinite(found) else None


@pytest.mark.parametrize("text", [FULL, Path(DEV).read_text(encoding="utf-8"), FULL.replace("3\tmar", "3\tm\udcffar")])
def test_the_same_as_the_reference(text: str) -> None:
    block = Block(text.encode("utf-8", "surrogateescape"), CONLLU)
    wanted = [json.dumps(reference(sentence), ensure_ascii=False) for sentence in sentences_in([block])]
    assert list(sentences_json(block)) == wanted
    assert len(wanted) > 2


def test_pieces_are_given_up() -> None:
    pieces = [FULL.encode(), b"1\ta" + b"\t_" * 8 + b"\n\n"]
    found = pieces_json(pieces)
    next(found)
    assert len(pieces) == 1
    assert len(json.loads("[{}" + "".join(found) + "]")) == 4
    assert pieces == []
    assert list(pieces_json([])) == []
    pieces = [FULL.encode(), b"1\t\xff\n"]
    assert json.loads('"' + "".join(pieces_quoted(pieces)) + '"') == FULL + "1\t\ufffd\n"
    assert pieces == []
