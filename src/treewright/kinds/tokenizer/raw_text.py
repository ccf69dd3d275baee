"""The raw text of a treebank, and where its tokens and sentences end.

The text comes from ``# text``. If that is missing or does not match the forms, it is made from the forms and
``SpaceAfter=No``. A blank line separates documents and paragraphs (``# newdoc``, ``# newpar``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.normal_text import normal_lines

INSIDE, TOKEN_END, SENTENCE_END = range(3)


class SurfaceToken(NamedTuple):
    """A token of the text: a word, or a multiword token with its words."""

    form: str
    words: tuple[str, ...]
    space_after: bool


@dataclass
class SurfaceSentence:
    """The tokens of a sentence, and its text according to comments."""

    tokens: list[SurfaceToken] = field(default_factory=list)
    text: str = ""
    starts_paragraph: bool = False


class LabelledText(NamedTuple):
    """A stretch of text with a label for every character."""

    text: str
    labels: bytearray


def surface_sentences(blocks: Iterable[Block]) -> Iterator[SurfaceSentence]:
    """Read the tokens of a treebank in a format like CoNLL-U, sentence by sentence."""
    for block in blocks:
        layout = block.layout
        for number in range(block.n_sentences):
            text = normal_lines(block.text_of(number).decode("utf-8", "replace"))
            sentence = _sentence(text, layout.id, layout.form, layout.misc)
            if sentence.tokens:
                yield sentence


def _sentence(text: str, id_column: int, form_column: int, misc_column: int) -> SurfaceSentence:
    sentence = SurfaceSentence()
    covered = 0  # words of the current multiword token that are still to come
    words: list[str] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        line = line.removesuffix("\r")
        if line.startswith("#") and "\t" not in line:
            _comment(line, sentence)
            continue
        columns = line.split("\t")
        if not line or len(columns) <= form_column:
            continue
        name = columns[id_column] if id_column >= 0 else "1"
        form = columns[form_column]
        if "." in name:
            continue
        misc = columns[misc_column] if 0 <= misc_column < len(columns) else "_"
        space = "SpaceAfter=No" not in misc.split("|")
        if "-" in name:
            first, _, last = name.partition("-")
            covered = int(last) - int(first) + 1 if first.isdigit() and last.isdigit() else 0
            words = []
            sentence.tokens.append(SurfaceToken(form, (), space))
        elif covered:
            covered -= 1
            words.append(form)
            if not covered:
                sentence.tokens[-1] = sentence.tokens[-1]._replace(words=tuple(words))
        else:
            sentence.tokens.append(SurfaceToken(form, (form,), space))
    return sentence


def _comment(line: str, sentence: SurfaceSentence) -> None:
    name, equals, value = line[1:].partition("=")
    name = name.strip()
    if name == "text" and equals:
        sentence.text = value.strip()
    elif name.split(" ")[0] in ("newdoc", "newpar"):
        sentence.starts_paragraph = True


def label(sentence: SurfaceSentence) -> LabelledText:
    """Return the text of a sentence with the labels of its characters."""
    made = "".join([form + " " if space else form for form, _, space in sentence.tokens]).strip()
    text = sentence.text or made
    found = _count(made, sentence.tokens) if text == made else _align(text, sentence.tokens)
    return found or _align(made, sentence.tokens) or LabelledText("", bytearray())


def _count(text: str, tokens: list[SurfaceToken]) -> LabelledText | None:
    """Do what _align does for a text made of the forms, where their lengths tell where they end; None if they do not.

    Nearly all sentences are of this kind, and their characters need not be compared again.
    """
    labels = bytearray(len(text))
    after = end = 0
    for form, _, space in tokens:
        end = after + len(form)
        if not form or form[0].isspace() or end > len(text):
            return None
        labels[end - 1] = TOKEN_END
        after = end + space
    if end == 0 or end != len(text):
        return None
    labels[end - 1] = SENTENCE_END
    return LabelledText(text, labels)


def _align(text: str, tokens: list[SurfaceToken]) -> LabelledText | None:
    """Find the tokens in the text; return None if they do not match."""
    labels = bytearray(len(text))
    at = 0
    for token in tokens:
        while at < len(text) and text[at].isspace():
            at += 1
        if not token.form or not text.startswith(token.form, at):
            return None
        at += len(token.form)
        labels[at - 1] = TOKEN_END
    if text[at:].strip() or at == 0:
        return None
    labels[at - 1] = SENTENCE_END
    return LabelledText(text[:at], labels[:at])


def paragraphs(sentences: Iterable[SurfaceSentence]) -> Iterator[LabelledText]:
    """Join sentences into paragraphs."""
    texts: list[str] = []
    labels = bytearray()
    for sentence in sentences:
        if sentence.starts_paragraph and texts:
            yield LabelledText("".join(texts), labels)
            texts, labels = [], bytearray()
        text, marks = label(sentence)
        texts.append(text)
        labels += marks
        if sentence.tokens[-1].space_after:
            texts.append(" ")
            labels.append(INSIDE)
    if texts:
        yield LabelledText("".join(texts), labels)


def raw_text(blocks: Iterable[Block]) -> str:
    """Return the raw text of a treebank, paragraphs separated by blank lines."""
    return "\n\n".join(part.text.rstrip(" ") for part in paragraphs(surface_sentences(blocks))) + "\n"
