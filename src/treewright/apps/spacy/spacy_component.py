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

from treewright.apps.spacy.spacy_noun_chunks import noun_chunks_for
from treewright.apps.spacy.spacy_words import Sizes, split_tokens, token_tree
from treewright.errors import MissingExtraError
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.steps.call import TAGS
from treewright.steps.named_models import find_model
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

    from treewright.apps.spacy.spacy_graphs import set_graphs
except ImportError:
    raise MissingExtraError("the spaCy component", "spaCy", "spacy") from None

NOT_IN_A_FORM = str.maketrans({"\t": " ", "\n": " ", "\r": " "})


class TreewrightComponent:
    """Sets heads, relations, sentence starts and ``_.deps``; with ``tag``, also tags, morphology and lemmas.

    Tokens are spaCy's. Sentences are those of the Doc if it has them, else ``parser``'s tokeniser finds them. With
    ``tag``, tokens that the treebank splits into words are parsed as these words: see spacy_words.py.
    """

    def __init__(self, name: str, model: str, tag: bool) -> None:
        self.name, self.model, self.tag = name, model, tag
        self.parser = Step.load(find_model(model))

    def __call__(self, doc: Doc) -> Doc:
        """Parse one Doc."""
        sentences = [[token.i for token in span if not token.is_space] for span in self._spans(doc)]
        sentences = [words for words in sentences if words]
        if sentences:
            text, sizes = self._words(doc, sentences)
            block = Block(text, CONLLU, "spaCy")
            parsed = self.parser.parse_block(block, tag=self.tag and TAGS in self.parser.capabilities)
            self._set(doc, sentences, parsed, sizes)
        doc.noun_chunks_iterator = noun_chunks_for(self.parser.relations)
        return doc

    def _words(self, doc: Doc, sentences: list[list[int]]) -> tuple[bytes, Sizes]:
        """Return the words to parse, and how many each token has.

        Where tags are spaCy's, they are those of whole tokens, and no token is split.
        """
        tokenizer = self.parser.steps.get("tokenizer")
        if self.tag and isinstance(tokenizer, Tokenizer):
            forms = [[_form(doc[place]) for place in words] for words in sentences]
            split = split_tokens(tokenizer, forms)
            if split is not None:
                return split
        text = "".join(self._lines(doc, words) for words in sentences)
        return text.encode(), [[1] * len(words) for words in sentences]

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse Docs as they come."""
        for doc in stream:
            yield self(doc)

    def _spans(self, doc: Doc) -> Iterable[Any]:
        if doc.has_annotation("SENT_START"):
            return list(doc.sents)
        tokenizer = self.parser.steps.get("tokenizer")
        ends = tokenizer.sentence_ends(doc.text) if len(doc) and isinstance(tokenizer, Tokenizer) else None
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
            upos, xpos, feats, lemma = "_", "_", "_", "_"
            if not self.tag:
                upos, xpos = token.pos_ or "_", token.tag_ or "_"
                feats, lemma = str(token.morph) or "_", token.lemma_ or "_"
            lines.append(f"{number}\t{_form(token)}\t{lemma}\t{upos}\t{xpos}\t{feats}\t_\t_\t_\t_\n")
        return "".join(lines) + "\n"

    def _set(self, doc: Doc, sentences: list[list[int]], block: Block, sizes: Sizes) -> None:
        heads, deps = list(range(len(doc))), ["dep"] * len(doc)
        columns = {name: CONLLU.index(name) for name in ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL")}
        word = 0
        for places, widths in zip(sentences, sizes, strict=True):
            tree = token_tree(block, word, widths)
            word += sum(widths)
            for token, place in enumerate(places):
                head, chief = tree.heads[token], tree.chiefs[token]
                heads[place] = places[head] if head >= 0 else place
                deps[place] = "ROOT" if head < 0 else block.value(chief, columns["DEPREL"]).decode()
                if self.tag:
                    _set_tags(doc[place], block, chief, columns)
                if widths[token] > 1:
                    doc[place]._.treewright_words = [
                        {name.lower(): block.value(part, column).decode() for name, column in columns.items()}
                        for part in tree.words[token]
                    ]
        if "DEPS" in self.parser.gives:
            set_graphs(doc, sentences, block, sizes)
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
        self.parser = Step.load(Path(path) / "model.tw")
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


def _form(token: Any) -> str:
    return str(token.text).translate(NOT_IN_A_FORM) or "_"


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


if not Token.has_extension("treewright_words"):
    Token.set_extension("treewright_words", default=None)


@Language.factory(
    "treewright",
    assigns=["token.head", "token.dep", "token.is_sent_start", "doc.sents", "token._.deps"],
    default_config={"model": "english", "tag": True},
)
def make_treewright(nlp: Language, name: str, model: str, tag: bool) -> TreewrightComponent:
    """Make the component: ``model`` is a file or a bundled model, ``tag`` says whether to set tags too."""
    component = TreewrightComponent(name, model, tag)
    nlp.vocab.get_noun_chunks = noun_chunks_for(component.parser.relations)  # for Docs that are read from files
    return component
