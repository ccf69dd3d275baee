"""A spaCy component: treewright's trees, and its tags if wanted, on spaCy's Doc.

    nlp = spacy.blank("en")
    nlp.add_pipe("treewright")
    doc = nlp("Economic news had little effect.")

Installed through the entry point ``spacy_factories``; spaCy itself is the extra ``treewright[spacy]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from treewright.errors import MissingExtraError
from treewright.parsing.parse_options import TAGS
from treewright.parsing.parser import Parser
from treewright.text.bundled import find_model
from treewright.treebank.block import Block
from treewright.treebank.formats.conllu import CONLLU

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ImportError:
    raise MissingExtraError("the spaCy component", "spaCy", "spacy") from None

NOT_IN_A_FORM = str.maketrans({"\t": " ", "\n": " ", "\r": " "})


class TreewrightComponent:
    """Sets heads, relations and sentence starts; with ``tag``, also tags, morphology and lemmas.

    Tokens are spaCy's. Sentences are those of the Doc if it has them, else ``parser``'s tokeniser finds them.
    """

    def __init__(self, name: str, model: str, tag: bool) -> None:
        self.name, self.model, self.tag = name, model, tag
        self.parser = Parser.load(find_model(model))

    def __call__(self, doc: Doc) -> Doc:
        """Parse one Doc."""
        sentences = [[token.i for token in span if not token.is_space] for span in self._spans(doc)]
        sentences = [words for words in sentences if words]
        if sentences:
            text = "".join(self._lines(doc, words) for words in sentences)
            block = Block(text.encode(), CONLLU, "spaCy")
            self._set(
                doc,
                sentences,
                Block(
                    self.parser.parse_text_block(block, tag=self.tag and TAGS in self.parser.capabilities),
                    CONLLU,
                    "spaCy",
                ),
            )
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse Docs as they come."""
        for doc in stream:
            yield self(doc)

    def _spans(self, doc: Doc) -> Iterable[Any]:
        if doc.has_annotation("SENT_START"):
            return list(doc.sents)
        ends = self.parser.sentence_ends(doc.text) if len(doc) else None
        return [doc[:]] if ends is None else self._split(doc, set(ends))

    def _split(self, doc: Doc, ends: set[int]) -> list[Any]:
        """Cut the text into sentences; an end within one of spaCy's tokens counts after it."""
        spans, start = [], 0
        for token in doc:
            within = range(token.idx, token.idx + len(token.text))
            if not ends.isdisjoint(within) and token.i + 1 < len(doc):
                spans.append(doc[start : token.i + 1])
                start = token.i + 1
        return [*spans, doc[start:]]

    def _lines(self, doc: Doc, words: list[int]) -> str:
        lines = []
        for number, place in enumerate(words, 1):
            token = doc[place]
            form = token.text.translate(NOT_IN_A_FORM) or "_"
            upos, xpos, feats, lemma = "_", "_", "_", "_"
            if not self.tag:
                upos, xpos = token.pos_ or "_", token.tag_ or "_"
                feats, lemma = str(token.morph) or "_", token.lemma_ or "_"
            lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t_\t_\t_\t_\n")
        return "".join(lines) + "\n"

    def _set(self, doc: Doc, sentences: list[list[int]], block: Block) -> None:
        heads, deps = list(range(len(doc))), ["dep"] * len(doc)
        columns = {name: CONLLU.index(name) for name in ("LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL")}
        word = 0
        starts = []
        for words in sentences:
            starts.append(words[0])
            root = words[0]
            for place in words:
                head = block.head_of(word)
                heads[place] = words[head - 1] if head > 0 else place
                root = place if head == 0 else root
                deps[place] = "ROOT" if head == 0 else block.value(word, columns["DEPREL"]).decode()
                if self.tag:
                    _set_tags(doc[place], block, word, columns)
                word += 1
        _attach_spaces(doc, heads)
        import numpy
        from spacy.attrs import DEP, HEAD

        ids = [doc.vocab.strings.add(dep) for dep in deps]
        values: Any = numpy.zeros((len(doc), 2), dtype="uint64")
        for place in range(len(doc)):
            values[place, 0] = numpy.int64(heads[place] - place).astype("uint64")
            values[place, 1] = ids[place]
        doc.from_array([HEAD, DEP], values)

    # spaCy saves a pipeline's parts by these; the model itself stays where it is.

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.parser.save(folder / "model.tw")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> TreewrightComponent:
        """Read the model from a folder."""
        self.parser = Parser.load(Path(path) / "model.tw")
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the model as bytes."""
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(folder)
            return Path(folder, "model.tw").read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> TreewrightComponent:
        """Read the model from bytes."""
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "model.tw").write_bytes(data)
            return self.from_disk(folder)


def _set_tags(token: Any, block: Block, word: int, columns: dict[str, int]) -> None:
    names = ("UPOS", "XPOS", "FEATS", "LEMMA")
    upos, xpos, feats, lemma = (block.value(word, columns[name]).decode() for name in names)
    token.pos_ = "" if upos == "_" else upos
    token.tag_ = "" if xpos == "_" else xpos
    token.set_morph("" if feats == "_" else feats)
    token.lemma_ = lemma


def _attach_spaces(doc: Doc, heads: list[int]) -> None:
    """Attach tokens of spaces, which no treebank has, to the word before them, or to the first word after."""
    last = next((token.i for token in doc if not token.is_space), None)
    if last is None:
        return
    for token in doc:
        if token.is_space:
            heads[token.i] = last
        else:
            last = token.i


@Language.factory(
    "treewright",
    assigns=["token.head", "token.dep", "token.is_sent_start", "doc.sents"],
    default_config={"model": "english", "tag": True},
)
def make_treewright(nlp: Language, name: str, model: str, tag: bool) -> TreewrightComponent:
    """Make the component: ``model`` is a file or a bundled model, ``tag`` says whether to set tags too."""
    return TreewrightComponent(name, model, tag)
