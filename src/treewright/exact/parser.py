"""A trained exact parser: parts, weights, and a decoder that says how sure its trees are the best."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from treewright.errors import CombinationError, MissingExtraError, ModelFileError
from treewright.exact.adviser import with_adviser
from treewright.exact.decoding import Decoder
from treewright.exact.parts import PartProgram
from treewright.exact.ppc import ALL, METHODS, Certificate, decode
from treewright.exact.programme import CONSTRAINTS, solver
from treewright.exact.scorer import PartScorer
from treewright.exact.templates import parse_templates
from treewright.exact.weights import RowTable, WeightTable, rows_as_floats
from treewright.parsing.k_best import with_comments
from treewright.parsing.parser import Parser
from treewright.parsing.transition import TransitionParser
from treewright.treebank.block import Block

_DTYPES = {"tags": "U32", "weights": "F32", "numbers": "I32", "rows": "I16"}
_FORMATS: dict[str, Any] = {"U32": "I", "F32": "f", "I32": "i", "I16": "h"}
ADVISER = "adviser."  # begins the names of an adviser's arrays in a model file
ARRAYS = (
    "arc_tags",
    "arc_weights",
    "relation_tags",
    "relation_numbers",
    "relation_rows",
    "grandparent_tags",
    "grandparent_weights",
    "above_tags",
    "above_weights",
    "below_tags",
    "below_weights",
)


@dataclass(frozen=True)
class Decoding:
    """How trees are searched for; see ppc.py."""

    method: str = "bounds"
    exact: bool = False
    observer: Callable[[Certificate, int], None] | None = None  # is told each certificate, and how many words
    constraints: tuple[str, ...] = ALL  # of the linear programme, see programme.py

    def check(self) -> None:
        """Refuse what there is not."""
        if self.method not in METHODS:
            raise CombinationError(f"there is no method {self.method!r}; there are: {', '.join(METHODS)}")
        strange = [name for name in self.constraints if name not in CONSTRAINTS]
        if strange:
            raise CombinationError(f"there are no constraints {strange[0]!r}; there are: {', '.join(CONSTRAINTS)}")
        if not {"OneGP", "ArcGP"} & {*self.constraints}:
            raise CombinationError("without OneGP or ArcGP no grandparent is ever bound to the tree: add one of them")


class ExactParser(Parser):
    """Parts and their weights, ready to parse. Read-only, but for ``decoding``, which says how."""

    def __init__(
        self,
        settings: dict[str, Any],
        arrays: dict[str, Any],
        scale: float,
        info: dict[str, Any],
        adviser: Parser | None = None,
    ) -> None:
        self.arrays, self.scale, self.adviser = arrays, scale, adviser
        self.decoding = Decoding()
        model = parse_templates(settings["features"], settings["feature_model"])
        relations = settings["relations"]
        width = (len(relations) + 7) // 8 * 8
        self.model = model
        rows = rows_as_floats(arrays["relation_rows"], scale)
        self.scorer = PartScorer(
            PartProgram(model),
            WeightTable(arrays["arc_tags"], arrays["arc_weights"]),
            RowTable(arrays["relation_tags"], arrays["relation_numbers"], rows, width),
            WeightTable(arrays["grandparent_tags"], arrays["grandparent_weights"]),
            WeightTable(arrays["above_tags"], arrays["above_weights"]),
            WeightTable(arrays["below_tags"], arrays["below_weights"]),
            len(relations),
            settings["root_labels"],
            settings["word_labels"],
        )
        if model.advised and adviser is None:
            raise ModelFileError("the model has templates that look at an adviser, and no adviser")
        if adviser is not None:
            adviser._warned = True  # of missing columns: this parser says it for both
        self._decoders: deque[Decoder] = deque()
        super().__init__(settings, info, relations)

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> ExactParser:
        """Return the parser that a model file holds."""
        views = {name: memoryview(arrays[name]).cast(_FORMATS[_DTYPES[name.split("_")[-1]]]) for name in ARRAYS}
        adviser = None
        for name in ("adviser", "guide"):  # the second is what models of format 1 call it
            if name in header:
                start = f"{name}."
                inner = {key[len(start) :]: array for key, array in arrays.items() if key.startswith(start)}
                adviser = TransitionParser.from_file(header[name], inner)
        return cls(header["settings"], views, float(header["scale"]), header["info"], adviser)

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {"kind": "exact", "settings": self.settings, "scale": self.scale, "info": self.info}
        arrays = {name: (_DTYPES[name.split("_")[-1]], self.arrays[name]) for name in ARRAYS}
        if self.adviser is not None:
            header["adviser"], inner = self.adviser.to_file()
            arrays |= {ADVISER + name: array for name, array in inner.items()}
        return header, arrays

    def _with_adviser(self, block: Block) -> Block:
        """Return a block as templates look at it: with the adviser's trees, where the model has an adviser."""
        return block if self.adviser is None else with_adviser(self.adviser, self._ready(block))

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        decoder, advised = self._decoder(), self._with_adviser(block)
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            if words:
                start = perf_counter()
                decoder.load(advised, sentence)
                scoring = perf_counter() - start
                tree, certificate = self._best(decoder)
                certificate.seconds = {"scoring arcs": scoring, **certificate.seconds}
                decoder.write(tree, heads, labels, words.start)
                if self.decoding.observer is not None:
                    self.decoding.observer(certificate, len(words))
        self._decoders.append(decoder)
        return block, heads, labels

    def _decoder(self) -> Decoder:
        try:
            return self._decoders.pop()
        except IndexError:
            return Decoder(self.scorer, self.settings["single_root"])

    def _best(self, decoder: Decoder) -> tuple[Sequence[int], Certificate]:
        if self.settings["order"] == 1:
            tree, score = decoder.first_order_tree(self.settings["projective"])
            return tree, Certificate(score, score, True, True, "first order", 0, 0, 0, 0, 0)
        decoder.start_search()
        try:
            return decode(
                decoder.search, self.decoding.method, exact=self.decoding.exact, constraints=self.decoding.constraints
            )
        except MissingExtraError:
            if self.decoding.method != "bounds":
                raise
            # Without a solver of linear programmes, branch and bound finds the optimum all the same.
            return decode(decoder.search, exact=True, rounds=0)

    def marginals(self, block: Block, sentence: int = 0) -> list[list[float]]:
        """Return how probable each arc is in the first-order model: row h, column m is the arc from h to m."""
        decoder = self._decoder()
        decoder.load(self._with_adviser(block), sentence, True)
        width = decoder.n + 1
        flat = decoder.marginals()
        self._decoders.append(decoder)
        return [list(flat[row * width : (row + 1) * width]) for row in range(width)]

    def k_best(self, block: Block, sentence: int = 0, k: int = 5) -> list[tuple[list[int], float]]:
        """Return the k best trees with their scores, best first: heads, word by word. Exact, with grandparents too."""
        decoder = self._decoder()
        decoder.load(self._with_adviser(block), sentence)
        trees = self._k_best(decoder, k)
        self._decoders.append(decoder)
        return [(list(heads[1:]), score) for heads, score in trees]

    def _k_best(self, decoder: Decoder, k: int) -> list[tuple[array[int], float]]:
        """Return the k best trees of the sentence that a decoder is at; heads[0] is the root's."""
        from treewright.exact.k_best import exact_finder, k_best_trees

        single_root, width = self.settings["single_root"], decoder.n + 1
        finder = exact_finder(decoder.search, single_root) if self.settings["order"] == 2 else None
        scores = memoryview(decoder.arc_scores()).cast("B").cast("d", (width, width))
        return k_best_trees(scores, k, self.settings["projective"], single_root, finder)

    def k_best_writer(self, k: int) -> Callable[[Block], bytes]:
        """Return what makes text with the k best trees of every sentence of a block: a ``text_of`` for parse_file."""
        if k < 1:
            raise CombinationError(f"{k} best trees: at least one is needed")
        return lambda block: self._k_best_text(self._ready(block), k)

    def _k_best_text(self, block: Block, k: int) -> bytes:
        decoder, advised = self._decoder(), self._with_adviser(block)
        parts: list[bytes] = []
        for number in range(block.n_sentences):
            n = len(block.words_of(number))
            if not n:
                parts.append(block.text_of(number))
                continue
            alone = Block(block.text_of(number), block.layout, block.source, block.line_of(number))
            decoder.load(advised, number)
            for rank, (tree, score) in enumerate(self._k_best(decoder, k), 1):
                heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
                decoder.write(tree, heads, labels, 0)
                text = alone.with_tree(heads, labels, self._relation_bytes)
                notes = f"# k_best = {rank}\n# score = {score:.4f}\n".encode()
                parts.append(with_comments(text, notes) if block.layout.comments else text)
        self._decoders.append(decoder)
        return b"".join(part.rstrip(b"\r\n") + b"\n\n" for part in parts)

    def with_confidence(self) -> Parser:
        """Return a parser that gives the same trees and writes how sure it is of each arc to MISC."""
        from treewright.exact.confident import ConfidentExactParser

        return ConfidentExactParser(self)

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": "exact",
            "order": self.settings["order"],
            "projective": self.settings["projective"],
            "feature_model": self.settings["feature_model"],
            "templates": len(self.model.templates),
            "adviser": self.adviser.info["recipe"]["system"] if self.adviser is not None else "none",
            "features": sum(tag != 0 for name in ARRAYS if name.endswith("_tags") for tag in self.arrays[name]),
            "relations": len(self.relations),
            "linear_programmes": "HiGHS" if _has_solver() else "not installed",
        }

    def __repr__(self) -> str:
        return f"<ExactParser: order {self.settings['order']}, {len(self.model.templates)} templates>"


def _has_solver() -> bool:
    try:
        solver()
    except MissingExtraError:
        return False
    return True
