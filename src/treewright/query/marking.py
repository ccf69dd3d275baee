"""Sentences with their matches marked: in MISC, in a line of text with its context, in a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from treewright.display.from_sentence import picture_of
from treewright.display.picture import Picture
from treewright.query.matching import Match
from treewright.treebank.sentences.sentence import Sentence
from treewright.treebank.sentences.token import Token

#: the name in MISC
MARK = "Match"


def marked(matches: Sequence[Match], pattern: str = "") -> Sentence:
    """Return a sentence in CoNLL-U with ``Match=1:V,2:S`` in MISC of the nodes of its matches, which are numbered.

    ``pattern``: the name of one of several, which comes first.
    """
    sentence = Sentence.from_conllu(matches[0].sentence.to_conllu())
    labels: dict[str, list[str]] = {}
    for number, match in enumerate(matches, 1):
        for name, token in match.nodes.items():
            if token is not None:
                labels.setdefault(str(token.id), []).append(":".join(filter(None, (pattern, str(number), name))))
    for token in sentence.tokens:
        if str(token.id) in labels:
            token.misc[MARK] = ",".join(labels[str(token.id)])
    return sentence


@dataclass(frozen=True)
class InContext:
    """The text of a sentence around the first node of a match, in pieces: (text, whether it belongs to the match)."""

    name: str
    before: tuple[tuple[str, bool], ...]
    keyword: str
    after: tuple[tuple[str, bool], ...]


def in_context(match: Match) -> InContext:
    """Return a match with its context; without a node in the text, all of it comes after the keyword."""
    sentence = match.sentence
    found = [token for token in match.nodes.values() if token is not None]
    pieces = _pieces(sentence, found)
    first = next((token for token in found if not token.is_empty), None)
    place = next((at for at, (token, _) in enumerate(pieces) if first is not None and _covers(token, first)), -1)
    shown = tuple((text, any(_covers(token, each) for each in found)) for token, text in pieces)
    keyword = shown[place][0].rstrip() if place >= 0 else ""
    gap = shown[place][0][len(keyword) :] if place >= 0 else ""
    after = (((gap, False),) if gap else ()) + shown[place + 1 :]
    return InContext(sentence.sent_id or str(sentence.line), shown[: max(0, place)], keyword, after)


def _pieces(sentence: Sentence, found: Sequence[Token]) -> list[tuple[Token, str]]:
    """Return the tokens of the text, with the space behind each."""
    glued = sentence.layout.misc >= 0
    return [
        (token, token.form if glued and token.misc.get("SpaceAfter") == "No" else f"{token.form} ")
        for token in sentence.surface_tokens
    ]


def _covers(token: Token, other: Token) -> bool:
    return token is other or (not other.is_empty and other.id in token.span)


def picture_with(matches: Sequence[Match], tags: str = "none", tree: bool = False) -> Picture:
    """Return the picture of a sentence with the nodes of matches marked, and their names below the words."""
    sentence = matches[0].sentence
    picture = picture_of(sentence, tags, False if tree else None)
    names: dict[str, list[str]] = {}
    for match in matches:
        for name, token in match.nodes.items():
            if token is not None and name not in names.setdefault(str(token.id), []):
                names[str(token.id)].append(name)
    words = [
        replace(word, is_marked=True, tag=" ".join(filter(None, (",".join(names[word.number]), word.tag))))
        if word.number in names
        else word
        for word in picture.words
    ]
    return replace(picture, words=words)
