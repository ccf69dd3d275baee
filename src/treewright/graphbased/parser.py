"""A trained graph-based parser: parts, weights, and a decoder that says how sure its trees are the best."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from treewright.errors import CombinationError, MissingExtraError
from treewright.graphbased.decoding import Decoder
from treewright.graphbased.parts import PartProgram
from treewright.graphbased.ppc import METHODS, Certificate, decode
from treewright.graphbased.programme import solver
from treewright.graphbased.scorer import GraphScorer
from treewright.graphbased.templates import parse_templates
from treewright.graphbased.weights import RowTable, WeightTable, rows_as_floats
from treewright.parsing.parser import Parser
from treewright.treebank.block import Block

_DTYPES = {"tags": "U32", "weights": "F32", "numbers": "I32", "rows": "I16"}
_FORMATS: dict[str, Any] = {"U32": "I", "F32": "f", "I32": "i", "I16": "h"}
ARRAYS = (
    "arc_tags", "arc_weights", "relation_tags", "relation_numbers", "relation_rows", "grandparent_tags",
    "grandparent_weights", "above_tags", "above_weights", "below_tags", "below_weights",
)  # fmt: skip


@dataclass(frozen=True)
class Decoding:
    """How trees are searched for; see ppc.py."""

    method: str = "bounds"
    exact: bool = False
    observer: Callable[[Certificate, int], None] | None = None  # is told each certificate, and how many words

    def check(self) -> None:
        """Refuse what there is not."""
        if self.method not in METHODS:
            raise CombinationError(f"there is no method {self.method!r}; there are: {', '.join(METHODS)}")


class GraphParser(Parser):
    """Parts and their weights, ready to parse. Read-only, but for ``decoding``, which says how."""

    def __init__(self, settings: dict[str, Any], arrays: dict[str, Any], scale: float, info: dict[str, Any]) -> None:
        self.arrays, self.scale = arrays, scale
        self.decoding = Decoding()
        model = parse_templates(settings["features"], settings["feature_model"])
        relations = settings["relations"]
        width = (len(relations) + 7) // 8 * 8
        self.model = model
        rows = rows_as_floats(arrays["relation_rows"], scale)
        self.scorer = GraphScorer(
            PartProgram(model),
            WeightTable(arrays["arc_tags"], arrays["arc_weights"]),
            RowTable(arrays["relation_tags"], arrays["relation_numbers"], rows, width),
            WeightTable(arrays["grandparent_tags"], arrays["grandparent_weights"]),
            WeightTable(arrays["above_tags"], arrays["above_weights"]),
            WeightTable(arrays["below_tags"], arrays["below_weights"]),
            len(relations), settings["root_labels"], settings["word_labels"],
        )  # fmt: skip
        self._decoders: deque[Decoder] = deque()
        super().__init__(settings, info, relations)

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, Any]) -> GraphParser:
        """Return the parser that a model file holds."""
        views = {name: memoryview(arrays[name]).cast(_FORMATS[_DTYPES[name.split("_")[-1]]]) for name in ARRAYS}
        return cls(header["settings"], views, float(header["scale"]), header["info"])

    def to_file(self) -> tuple[dict[str, Any], dict[str, tuple[str, Any]]]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {"kind": "graph", "settings": self.settings, "scale": self.scale, "info": self.info}
        return header, {name: (_DTYPES[name.split("_")[-1]], self.arrays[name]) for name in ARRAYS}

    def parse_block(self, block: Block) -> tuple[Block, array[int], array[int]]:
        """Parse all sentences of a block: heads and relations (positions in ``relations``), word by word."""
        block = self._ready(block)
        heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        decoder = self._decoder()
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            if words:
                start = perf_counter()
                decoder.load(block, sentence)
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
            return decode(decoder.search, self.decoding.method, exact=self.decoding.exact)
        except MissingExtraError:
            if self.decoding.method != "bounds":
                raise
            # Without a solver of linear programmes, branch and bound finds the optimum all the same.
            return decode(decoder.search, exact=True, rounds=0)

    def marginals(self, block: Block, sentence: int = 0) -> list[list[float]]:
        """Return how probable each arc is in the first-order model: row h, column m is the arc from h to m."""
        decoder = self._decoder()
        decoder.load(block, sentence, True)
        width = decoder.n + 1
        flat = decoder.marginals()
        self._decoders.append(decoder)
        return [list(flat[row * width : (row + 1) * width]) for row in range(width)]

    def k_best(self, block: Block, sentence: int = 0, k: int = 5) -> list[tuple[list[int], float]]:
        """Return the k best trees of the first-order model with their scores, best first: heads, word by word."""
        from treewright.graphbased.k_best import k_best_trees

        decoder = self._decoder()
        decoder.load(block, sentence)
        width = decoder.n + 1
        scores = memoryview(decoder.arc_scores()).cast("B").cast("d", (width, width))
        trees = k_best_trees(scores, k, self.settings["projective"], self.settings["single_root"])
        self._decoders.append(decoder)
        return [(list(heads[1:]), score) for heads, score in trees]

    def details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": "graph",
            "order": self.settings["order"],
            "projective": self.settings["projective"],
            "feature_model": self.settings["feature_model"],
            "templates": len(self.model.templates),
            "features": sum(tag != 0 for name in ARRAYS if name.endswith("_tags") for tag in self.arrays[name]),
            "relations": len(self.relations),
            "linear_programmes": "HiGHS" if _has_solver() else "not installed",
        }

    def __repr__(self) -> str:
        return f"<GraphParser: order {self.settings['order']}, {len(self.model.templates)} templates>"


def _has_solver() -> bool:
    try:
        solver()
    except MissingExtraError:
        return False
    return True
