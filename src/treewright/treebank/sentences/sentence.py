"""A sentence as an object: words, multiword tokens, empty nodes and comments, without loss.

A Sentence keeps the bytes it was read from and parses them on demand. A change affects only its own line; every other
line is written as it was read, including the line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Union

from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.checks.problems import check
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.formats.writers import TabWriter
from treewright.treebank.sentences.exports import Exports, sentence_as_dict, sentence_as_networkx
from treewright.treebank.sentences.list_like import TextItems, shortened
from treewright.treebank.sentences.metadata import Metadata, comment_line, is_comment
from treewright.treebank.sentences.offsets import Span, spans_in
from treewright.treebank.sentences.other_names import no_attribute
from treewright.treebank.sentences.sentence_graph import SentenceGraph
from treewright.treebank.sentences.token import Token, text_of_pairs
from treewright.treebank.sentences.tree_changes import set_heads
from treewright.treebank.sentences.values import checked
from treewright.treebank.sentences.views import join_dependencies

if TYPE_CHECKING:
    from treewright.treebank.sentences.document import Document

ATTRIBUTES = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
MaybeNone: TypeAlias = Any  # a parsed tree has a root: users need not check for None
Word = Union[str, Mapping[str, object]]  # noqa: UP007 (evaluated in Python 3.10)


class Sentence(Exports, TextItems[Token]):
    """A sentence of a treebank. ``len``, iteration and indices (from 0) refer to its words."""

    __slots__ = ("_by_head", "_lines", "_raw", "_spans", "_tokens", "_words", "document", "layout", "line", "source")

    def __init__(self, raw: bytes, layout: Layout = CONLLU, source: str = "", line: int = 0) -> None:
        """Store the text of one sentence; use ``from_conllu`` for text that must be checked."""
        self.layout = layout
        self.source = source
        self.line = line
        self._raw = raw
        self._lines: list[str | Token] | None = None
        self._tokens: list[Token] = []
        self._words: list[Token] = []
        self._by_head: dict[int, list[Token]] | None = None
        self._spans: list[Span] | None = None
        self.document: Document | None = None  # that it is a sentence of, if any

    @classmethod
    def from_block(cls, block: Block, index: int) -> Sentence:
        """Return a sentence of a block."""
        return cls(block.text_of(index), block.layout, block.source, block.line_of(index))

    @classmethod
    def from_conllu(cls, text: str | bytes) -> Sentence:
        """Return the single sentence of a CoNLL-U text."""
        if not isinstance(text, (str, bytes)):
            raise TreewrightError(f"CoNLL-U is a text or bytes, not {text!r:.40}")
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        block = Block(data, CONLLU, "<text>")
        check(block)
        if block.n_sentences != 1:
            raise TreebankError(
                f"expected one sentence, found {block.n_sentences}",
                remedy="Read several sentences with treewright.read(text.encode()).",
            )
        return cls.from_block(block, 0)

    @classmethod
    def from_words(cls, words: Iterable[Word], metadata: Mapping[str, str | None] | None = None) -> Sentence:
        """Return a new sentence in CoNLL-U.

        A word is its form, or a dictionary with ``form`` and any of ``lemma``, ``upos``, ``xpos``, ``feats``,
        ``head``, ``deprel``, ``deps`` and ``misc``, as in Token. ``metadata`` becomes comments.
        """
        if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
            raise TreewrightError(f"words are given as a list, and this is {words!r:.40}")
        comments = [comment_line(key, value) for key, value in (metadata or {}).items()]
        rows = [_row(number, word) for number, word in enumerate(words, start=1)]
        return cls.from_conllu("\n".join([*comments, *rows, "", ""]) if comments or rows else "#\n\n")

    # Parts

    def parts(self) -> list[str | Token]:
        """Return the lines of the sentence: a Token for each token, other lines as text.

        This is the list itself, not a copy. A byte order mark is a separate part.
        """
        if self._lines is None:
            self._lines = []
            text = self._raw.decode("utf-8", "surrogateescape")
            if text.startswith("\ufeff"):
                self._lines.append("\ufeff")
            for line in LINE.findall(text.removeprefix("\ufeff")):
                self._lines.append(self._part(line))
        return self._lines

    def _part(self, line: str) -> str | Token:
        body = line.removesuffix("\n").removesuffix("\r")
        if not body.strip(" \t") or (self.layout.comments and body.startswith("#")):
            return line
        cells = body.split("\t")
        is_word = self.layout.id < 0 or cells[self.layout.id].isdecimal()
        number = len(self._words) + 1 if is_word else 0
        token = Token(self, len(self._tokens), number, cells, line[len(body) :])
        self._tokens.append(token)
        if is_word:
            self._words.append(token)
        return token

    @property
    def tokens(self) -> list[Token]:
        """All tokens in file order: words, multiword tokens and empty nodes."""
        self.parts()
        return list(self._tokens)

    @property
    def words(self) -> list[Token]:
        """The words, which form the tree."""
        self.parts()
        return list(self._words)

    @property
    def multiword_tokens(self) -> list[Token]:
        """The tokens that span several words."""
        return [token for token in self.tokens if token.is_multiword]

    @property
    def empty_nodes(self) -> list[Token]:
        """The nodes of the graph that have no word in the text."""
        return [token for token in self.tokens if token.is_empty]

    @property
    def comments(self) -> list[str]:
        """The comment lines, unchanged."""
        return [part.rstrip("\r\n") for part in self.parts() if is_comment(part)]

    @property
    def metadata(self) -> Metadata:
        """The comments as a dictionary; changes apply to the sentence."""
        return Metadata(self)

    @property
    def sent_id(self) -> str:
        """The value of the sent_id comment, or ''."""
        return self.metadata.get("sent_id") or ""

    @property
    def text(self) -> str:
        """The text: from its comment if present, otherwise from the words."""
        given = self.metadata.get("text")
        return given if given is not None else self._text_from_words()

    @property
    def spans(self) -> list[Span]:
        """Where the tokens are in the text of the document, or of the sentence where there is no document."""
        if self._spans is None:
            if self.document is not None:
                self.document.find_spans()
            else:
                self._spans = spans_in(self.text, self.tokens)
        return self._spans or []

    def set_spans(self, spans: list[Span]) -> None:
        """Store where the tokens are, as the document knows it."""
        self._spans = spans

    @property
    def start(self) -> int:
        """The first character of the first token, in the same text as ``Token.start``."""
        return self.spans[0].start if self.spans else 0

    @property
    def end(self) -> int:
        """The character after the last token, in the same text."""
        return self.spans[-1].end if self.spans else 0

    @property
    def surface_tokens(self) -> list[Token]:
        """The tokens of the text: multiword tokens in place of their words."""
        tokens: list[Token] = []
        for token in self.tokens:
            covered = tokens[-1].span.stop if tokens else 0
            if not token.is_empty and not (token.is_word and token.span.start < covered):
                tokens.append(token)
        return tokens

    def _text_from_words(self) -> str:
        pieces: list[str] = []
        for token in self.surface_tokens:
            glued = self.layout.misc >= 0 and token.misc.get("SpaceAfter") == "No"
            pieces.append(token.form if glued else token.form + " ")
        return "".join(pieces).rstrip(" ")

    # The tree

    @property
    def heads(self) -> list[int | None]:
        """The head of every word. All can be set at once: they are checked together."""
        return [word.head for word in self]

    @heads.setter
    def heads(self, values: Sequence[int | None]) -> None:
        set_heads(self, values)

    @property
    def deprels(self) -> list[str]:
        """The relation of every word."""
        return [word.deprel for word in self]

    @property
    def root(self) -> Token | MaybeNone:
        """The first word whose head is 0; None if there is none."""
        roots = self.children(0)
        return roots[0] if roots else None

    def children(self, head: int | str | Token) -> list[Token]:
        """Return the words whose head is this word, given itself or by its ID, 0 for the root, in order."""
        number = head if isinstance(head, (int, str)) else head.id
        if self._by_head is None:
            self._by_head = {}
            for word in self:
                if word.head is not None:
                    self._by_head.setdefault(word.head, []).append(word)
        return list(self._by_head.get(number, ())) if isinstance(number, int) else []

    @property
    def graph(self) -> SentenceGraph:
        """The graph in DEPS: its arcs, the parents and children of a node, and what can be reached from it."""
        return SentenceGraph(self)

    def forget_children(self) -> None:
        """Clear the cache of ``children`` after a head has changed."""
        self._by_head = None

    # As text

    def to_bytes(self) -> bytes:
        """Return the sentence as bytes, in the columns it was read with."""
        if self._lines is None:
            return self._raw
        text = "".join(part if isinstance(part, str) else part.line for part in self._lines)
        return text.encode("utf-8", "surrogateescape")

    def to_conllu(self) -> str:
        """Return the sentence in CoNLL-U; a sentence read from CoNLL-U keeps its bytes."""
        data = self.to_bytes()
        if self.layout.columns != CONLLU.columns:
            from treewright.treebank.formats.conllu import ConllU

            data = TabWriter(ConllU()).write(Block(data, self.layout, self.source))
        return data.decode("utf-8", "surrogateescape")

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as plain data, for JSON: ID, text, comments, and tokens in file order.

        Columns are text, HEAD is a number; an empty column (``_``) is left out.
        """
        return sentence_as_dict(self)

    def to_networkx(self, graph: bool = False) -> Any:
        """Return a NetworkX DiGraph of the tree, arcs from heads to dependents; with ``graph``, of DEPS."""
        return sentence_as_networkx(self, graph)

    def to_displacy(self) -> dict[str, Any]:
        """Return data for ``spacy.displacy.render(…, manual=True)``."""
        from treewright.display.displacy import data_of
        from treewright.display.from_sentence import picture_of

        return data_of(picture_of(self, tags="upos", graph=False))

    # Drawing: display is above treebank, so it is imported only when used

    def tree(
        self,
        style: str = "arcs",
        width: int | None = None,
        ascii_only: bool = False,
        tags: str = "none",
        graph: bool | None = None,
        gold: Sentence | None = None,
    ) -> str:
        """Return a drawing for the terminal: arcs above the words, or ``indented``.

        ``width`` defaults to the width of the terminal. For the other arguments see ``draw``.
        """
        from treewright.display.drawing import picture_for
        from treewright.display.terminal import draw

        return draw(picture_for(self, tags, graph, gold), style, width, ascii_only).rstrip("\n")

    def draw(
        self,
        kind: str = "svg",
        tags: str = "upos",
        graph: bool | None = None,
        gold: Sentence | None = None,
        width: int | None = None,
        theme: str | None = None,
    ) -> str:
        """Return a drawing as ``svg``, ``html`` (a page), ``fragment`` (of a page) or ``tikz``.

        ``tags`` are shown below the words: none, upos, xpos or lemma. ``graph`` also draws DEPS; None draws it if it
        has more arcs than the tree. With ``gold``, differences from the gold sentence are marked. ``width`` is that of
        a row in pixels (default 1000; 0: one row), ``theme`` is auto (default), light, dark or print.
        """
        from treewright.display.drawing import draw_picture, picture_for

        return draw_picture(picture_for(self, tags, graph, gold), kind, width, theme)

    def _repr_svg_(self) -> str:
        return self.draw("svg")

    def _repr_html_(self) -> str:
        return self.draw("fragment")

    # As a sequence

    def _items(self) -> list[Token]:
        self.parts()
        return self._words

    def __repr__(self) -> str:
        name = f" {self.sent_id}" if self.sent_id else ""
        return f"<Sentence{name}, {len(self)} words: {shortened(self.text)!r}>"

    def __getattr__(self, name: str) -> NoReturn:
        raise no_attribute(self, name)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Sentence, (self.to_bytes(), self.layout, self.source, self.line)


def _row(number: int, word: Word) -> str:
    """Return a new word as a line of CoNLL-U."""
    if not isinstance(word, (str, Mapping)):
        raise TreewrightError(
            f"word {number} is {word!r:.40}. Give its form, or a dictionary with {', '.join(ATTRIBUTES)}"
        )
    given = {"form": word} if isinstance(word, str) else dict(word)
    unknown = set(given) - set(ATTRIBUTES)
    if unknown or not given.get("form"):
        problem = f"has unknown attributes: {', '.join(sorted(unknown))}" if unknown else "has no form"
        raise TreewrightError(f"word {number} {problem}. The attributes of a word are {', '.join(ATTRIBUTES)}.")
    cells = [checked(_cell(name, given.get(name)), name) for name in ATTRIBUTES]
    return "\t".join([str(number), *cells])


def _cell(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        return text_of_pairs(value, name.upper())
    if name == "deps" and isinstance(value, (list, tuple)):
        return join_dependencies(value)
    return "_" if value is None else str(value) or "_"


def sentences_in(blocks: Iterable[Block]) -> Iterator[Sentence]:
    """Yield the sentences of blocks."""
    for block in blocks:
        for number in range(block.n_sentences):
            yield Sentence.from_block(block, number)
