"""UDPipe's output formats: CoNLL-U in, text out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from treewright.apps.server.documents import pairs
from treewright.errors import TreewrightError, unknown
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence, sentences_in
from treewright.treebank.sentences.token import Token

NAMES = ("conllu", "epe", "horizontal", "matxin", "plaintext", "vertical")
OPTIONS = {
    "conllu": ("v1", "v2"),
    "horizontal": ("paragraphs",),
    "plaintext": ("normalized_spaces",),
    "vertical": ("paragraphs",),
}
_ESCAPES = {"\\s": " ", "\\t": "\t", "\\r": "\r", "\\n": "\n", "\\p": "|", "\\\\": "\\"}
_ESCAPE = re.compile(r"\\(?:[strnp\\]|u[0-9A-Fa-f]{4})")
_SPACES = re.compile(rb"(?:SpacesAfter|SpacesBefore|SpacesInToken)=[^|\t\n]*")


class Output:
    """Writes the sentences of one answer in one of UDPipe's formats."""

    def __init__(self, wish: str) -> None:
        self.name, _, options = wish.partition("=")
        if self.name not in NAMES:
            raise TreewrightError(unknown("output format", wish[:100], NAMES))
        self._options = named_options(options, OPTIONS.get(self.name, ()), f"output={self.name}")
        self._sentences = 0
        writers: dict[str, Callable[[Sentence], Iterator[str]]] = {
            "conllu": self._old_conllu,
            "epe": self._epe,
            "horizontal": self._horizontal,
            "matxin": self._matxin,
            "plaintext": self._plain if "normalized_spaces" not in self._options else self._normalized,
            "vertical": self._vertical,
        }
        self._write = writers[self.name]
        self._as_is = self.name == "conllu" and "v1" not in self._options

    def text(self, conllu: bytes) -> str:
        """Return sentences in CoNLL-U in this format."""
        if self._as_is:
            return conllu.decode("utf-8", "replace")
        pieces: list[str] = []
        for sentence in sentences_in([Block(conllu, CONLLU)]):
            if sentence.words:
                if {"paragraphs", "normalized_spaces"} & self._options.keys() and self._begins_paragraph(sentence):
                    pieces.append("\n")
                pieces.extend(self._write(sentence))
                self._sentences += 1
        return "".join(pieces)

    def finish(self) -> str:
        """Return what ends the answer."""
        if self.name != "matxin":
            return ""
        return "</corpus>\n" if self._sentences else "<corpus>\n</corpus>\n"

    def _old_conllu(self, sentence: Sentence) -> Iterator[str]:
        """CoNLL-U of version 1: no spaces in forms and lemmas."""
        for line in sentence.to_conllu().split("\n"):
            cells = line.split("\t")
            if len(cells) == 10:
                cells[1:3] = [cell.replace(" ", "_") for cell in cells[1:3]]
            yield "\t".join(cells) + "\n"

    def _begins_paragraph(self, sentence: Sentence) -> bool:
        starts = ("newpar", "newdoc")
        return bool(self._sentences) and any(c.lstrip("# ").startswith(starts) for c in sentence.comments)

    def _horizontal(self, sentence: Sentence) -> Iterator[str]:
        yield " ".join(word.form.replace(" ", "\u00a0") for word in sentence.words) + "\n"

    def _vertical(self, sentence: Sentence) -> Iterator[str]:
        yield "".join(f"{word.form}\n" for word in sentence.words) + "\n"

    def _normalized(self, sentence: Sentence) -> Iterator[str]:
        *surface, last = sentence.surface_tokens
        for token in surface:
            yield token.form + ("" if token.misc.get("SpaceAfter") == "No" else " ")
        yield last.form + "\n"

    def _plain(self, sentence: Sentence) -> Iterator[str]:
        for token in sentence.surface_tokens:
            misc = token.misc
            yield unescaped(misc.get("SpacesBefore") or "")
            yield unescaped(misc.get("SpacesInToken") or "") or token.form
            after = misc.get("SpacesAfter")
            if after is not None:
                yield unescaped(after)
            elif misc.get("SpaceAfter") != "No":
                yield " "

    def _epe(self, sentence: Sentence) -> Iterator[str]:
        nodes = [_epe_node(sentence, word) for word in sentence.words]
        line = {"id": self._sentences + 1, "nodes": nodes}
        yield json.dumps(line, ensure_ascii=False, separators=(", ", ":")) + "\n"

    def _matxin(self, sentence: Sentence) -> Iterator[str]:
        if not self._sentences:
            yield "<corpus>"
        yield f'\n<SENTENCE ord="{self._sentences + 1}" alloc="0">\n'
        # Deep trees must not exhaust Python's stack: what is still to be written stands on our own.
        to_do: list[tuple[int, Token | None]] = [(1, word) for word in reversed(sentence.children(0))]
        while to_do:
            depth, word = to_do.pop()
            if word is None:
                yield f"{' ' * depth}</NODE>\n"
                continue
            children = sentence.children(int(word.id))
            yield f"{' ' * depth}{_matxin_node(word)}{'>' if children else '/>'}\n"
            if children:
                to_do.append((depth, None))
                to_do.extend((depth + 1, child) for child in reversed(children))
        yield "</SENTENCE>\n"


def named_options(text: str, known: tuple[str, ...], place: str) -> dict[str, str]:
    """Return options such as ``presegmented;ranges`` or ``beam_search=5``; unknown ones are an error."""
    options: dict[str, str] = {}
    for part in text.split(";"):
        if part.strip():
            name, _, value = part.strip().partition("=")
            if name not in known:
                problem = unknown("option", name[:50], known) if known else f"it takes no options, not {name[:50]!r}"
                raise TreewrightError(f"{place}: {problem}")
            options[name] = value
    return options


def without_spaces(conllu: bytes) -> bytes:
    """Return CoNLL-U that tells only whether a space follows a token, not which spaces do."""
    lines = []
    for line in conllu.split(b"\n"):
        head, tab, misc = line.rpartition(b"\t")
        if tab and b"Spaces" in misc and not line.startswith(b"#"):
            kept = [part for part in misc.split(b"|") if not _SPACES.fullmatch(part)]
            line = head + tab + (b"|".join(kept) or b"_")
        lines.append(line)
    return b"\n".join(lines)


def unescaped(text: str) -> str:
    """Return spaces as they were, from UDPipe's escapes."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[0]) or chr(int(match[0][2:], 16)), text)


def _epe_node(sentence: Sentence, word: Token) -> dict[str, object]:
    node: dict[str, object] = {"id": word.id, "form": word.form}
    start, colon, end = (word.misc.get("TokenRange") or "").partition(":")
    if colon and start.isdigit() and end.isdigit():
        node |= {"start": int(start), "end": int(end)}
    if word.head == 0:
        node["top"] = True
    properties = {"lemma": _filled(word.lemma), "upos": _filled(word.upos), "xpos": _filled(word.xpos)}
    node["properties"] = properties | {name: value for name, value in pairs(str(word.feats)).items() if value}
    children = sentence.children(int(word.id))
    if children:
        node["edges"] = [{"label": _filled(child.deprel), "target": child.id} for child in children]
    return node


def _matxin_node(word: Token) -> str:
    return (
        f'<NODE ord="{word.id}" alloc="0" form="{_xml(word.form)}" lem="{_xml(_filled(word.lemma))}"'
        f' mi="{_xml(_filled(word["FEATS"]))}" si="{_xml(_filled(word.deprel))}"'
    )


def _filled(value: str) -> str:
    return "" if value == "_" else value


def _xml(text: str) -> str:
    return escape(text, {'"': "&quot;"})
