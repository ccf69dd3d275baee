"""Create pictures of sentences: the tree above the words, additional heads of the graph below them."""

from __future__ import annotations

from treewright.display.picture import Arc, MultiwordToken, Picture, Word, is_right_to_left
from treewright.errors import TreewrightError, unknown
from treewright.treebank.sentences.sentence import Sentence
from treewright.treebank.sentences.token import Token

TAGS = ("none", "upos", "xpos", "lemma")


def picture_of(sentence: Sentence, tags: str = "none", graph: bool | None = None, tree: bool = False) -> Picture:
    """Return the picture of a sentence.

    ``tags`` selects the text below the words. ``graph`` also draws DEPS, including empty nodes; None draws it if it has
    arcs that the tree lacks. Words without a head have no arc. ``tree``: the arcs above have the labels of DEPREL, not
    the longer ones of DEPS.
    """
    if tags not in TAGS:
        raise TreewrightError(unknown("tags", tags, TAGS))
    if graph is None:
        graph = has_graph(sentence)
    shown = [token for token in sentence.tokens if token.is_word or (graph and token.is_empty)]
    places = {str(token.id): place for place, token in enumerate(shown, 1)}
    arcs: list[Arc] = []
    for place, token in enumerate(shown, 1):
        arcs += _arcs_to(token, place, places, graph, tree)
    text = sentence.text
    words = [_word(token, tags) for token in shown]
    tokens = [
        MultiwordToken(places[str(token.span[0])], places[str(token.span[-1])], token.form)
        for token in sentence.tokens
        if token.is_multiword and token.span and str(token.span[0]) in places and str(token.span[-1]) in places
    ]
    return Picture(words, arcs, sentence.sent_id, text, is_right_to_left(text), tokens=tokens)


def has_graph(sentence: Sentence) -> bool:
    """Return whether DEPS has an arc that the tree lacks."""
    if sentence.layout.index("DEPS") < 0:
        return False
    return any(token.is_empty or _further(token) for token in sentence.tokens if not token.is_multiword)


def graph_arcs(token: Token) -> list[tuple[str, str]]:
    """Return the arcs of the graph to a token as (head, relation), each once."""
    if token["DEPS"] in ("_", ""):
        return []
    return list(dict.fromkeys((str(head), relation) for head, relation in token.deps))


def _further(token: Token) -> list[tuple[str, str]]:
    """Return the arcs of DEPS except the arc of the tree."""
    arcs = graph_arcs(token)
    primary = _primary(token, arcs)
    return [arc for arc in arcs if arc != primary]


def _primary(token: Token, arcs: list[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the graph arc that corresponds to the tree arc; its label may be longer (obl:on)."""
    if not token.is_word or token.head is None:
        return arcs[0] if arcs and token.is_word else None
    same_head = [arc for arc in arcs if arc[0] == str(token.head)]
    base = token.deprel.partition(":")[0]
    alike = [arc for arc in same_head if arc[1].partition(":")[0] == base]
    return next(iter(alike or same_head), None)


def _arcs_to(token: Token, place: int, places: dict[str, int], graph: bool, tree: bool) -> list[Arc]:
    in_graph = graph_arcs(token) if graph else []
    primary = _primary(token, in_graph)
    arcs = []
    if not tree and primary is not None and (primary[0] in places or primary[0] == "0"):
        arcs.append(Arc(places.get(primary[0], 0), place, primary[1]))
    elif token.is_word and token.head is not None and (token.head == 0 or str(token.head) in places):
        arcs.append(Arc(places.get(str(token.head), 0), place, token.text_of("DEPREL") or ""))
    for head, relation in in_graph:
        if (head, relation) != primary and (head in places or head == "0"):
            arcs.append(Arc(places.get(head, 0), place, relation, below=True))
    return arcs


def _word(token: Token, tags: str) -> Word:
    tag, lemma = (token.text_of(column) or "" for column in (tags.upper(), "LEMMA"))
    return Word(token.form, tag, str(token.id), lemma, token.is_empty)
