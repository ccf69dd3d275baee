"""A trained exact parser: parts, weights, and a decoder that certifies how good its trees are."""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import MissingExtraError, ModelFileError, TreewrightWarning
from treewright.kinds.exact.parts.learnt_weights import TABLES
from treewright.kinds.exact.parts.parts import PartProgram
from treewright.kinds.exact.parts.scorer import PartScorer, TripleWeights
from treewright.kinds.exact.parts.templates import parse_templates
from treewright.kinds.exact.parts.weights import RowTable, WeightTable, row_width, rows_as_floats
from treewright.kinds.exact.programme.ppc import decode
from treewright.kinds.exact.programme.programme import CONSTRAINTS, solver
from treewright.kinds.exact.schema import ADVISER, ARRAYS, SIBLING_ARRAYS
from treewright.kinds.exact.search.decoding import Decoder
from treewright.kinds.exact.search.k_best import ExactFinder, k_best_trees
from treewright.kinds.transition.parser import TransitionParser
from treewright.steps.best_trees import BestTree
from treewright.steps.border.arrays import part_of_arrays
from treewright.steps.call import BEAM, GRAPHS, PARSER_ALONE, PLAIN, TAGS, TEXT, TRACE, Call
from treewright.steps.certificate import Certificate
from treewright.steps.contract import Arrays, Header, TypedArrays
from treewright.steps.parser import TreeParser, Trees, empty_trees, one_sentence
from treewright.steps.pool import Pool
from treewright.steps.sentence_limit import MOST_WITH_GRANDPARENTS, MOST_WORDS, check_sentences
from treewright.treebank.blocks.aligned import numbers_in
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.steps.given_arcs import GivenArcs

_TYPES = {"tags": "U32", "weights": "F32", "numbers": "I32", "rows": "I16"}
_FORMATS: dict[str, Any] = {"U32": "I", "F32": "f", "I32": "i", "I16": "h"}
ArcScores = Callable[[int], Any]  # from the number of a sentence to scores of arcs, head by child


class ExactParser(TreeParser):
    """Parts and their weights, ready to parse."""

    kind = "exact"

    _LACKS: ClassVar[Mapping[str, str]] = {
        GRAPHS: "the model builds trees, not graphs",
        BEAM: "an exact parser has no beam: it finds the best tree",
        TRACE: "the exact parser makes no moves, so there are no steps to trace: it searches whole trees."
        " `treewright parse --stats` shows its certificate for each sentence",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }

    def __init__(
        self,
        settings: dict[str, Any],
        arrays: dict[str, Any],
        scale: float,
        info: dict[str, Any],
        adviser: TransitionParser | None = None,
    ) -> None:
        self.arrays, self.scale, self.adviser = arrays, scale, adviser
        self.model = parse_templates(settings["features"], settings["feature_model"])
        self.scorer = scorer_from(settings, arrays, scale)
        if self.model.advised and adviser is None:
            raise ModelFileError("the model has templates that look at an adviser, but no adviser")
        self._decoders: Pool[Decoder] = Pool(self.new_decoder)
        super().__init__(settings, info, settings["relations"])

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> ExactParser:
        """Return the parser that a model file holds."""
        views = {
            name: numbers_in(arrays[name], _FORMATS[_TYPES[name.split("_")[-1]]])
            for name in (*ARRAYS, *SIBLING_ARRAYS)
            if name in ARRAYS or name in arrays
        }
        adviser = None
        if ADVISER in header:
            adviser = TransitionParser.from_file(header[ADVISER], part_of_arrays(arrays, ADVISER))
        return cls(header["settings"], views, float(header["scale"]), header["info"], adviser)

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        header = {"kind": self.kind, "settings": self.settings, "scale": self.scale, "info": self.info}
        kept = [*ARRAYS, *(name for name in SIBLING_ARRAYS if self.model.of("sibling") and name in self.arrays)]
        arrays = {name: (_TYPES[name.split("_")[-1]], self.arrays[name]) for name in kept}
        if self.adviser is not None:
            header[ADVISER], inner = self.adviser.to_file()
            arrays |= {f"{ADVISER}.{name}": array for name, array in inner.items()}
        return header, arrays

    # Parsing

    def advised(self, block: Block) -> Block:
        """Return a block as templates look at it: with the adviser's trees, where the model has an adviser."""
        return block if self.adviser is None else with_advice(self.adviser, block)

    @property
    def _longest(self) -> int:
        return MOST_WORDS if self.settings["order"] == 1 else MOST_WITH_GRANDPARENTS

    def new_decoder(self) -> Decoder:
        """Return what finds trees; one thread at a time may use it."""
        return Decoder(self.scorer, self.settings["single_root"], self.settings["projective"])

    def trees(self, block: Block, call: Call = PLAIN, more: ArcScores | None = None) -> Trees:
        """Return the trees of all sentences of a block; ``more`` gives scores of another model for arcs."""
        trees = empty_trees(block, call.confidence)
        check_sentences(block, self._longest)
        block, advised = trees.block, self.advised(trees.block)
        given = call.given_arcs(block)
        with self._decoders.borrowed() as decoder:
            for sentence in range(block.n_sentences):
                words = block.words_of(sentence)
                if not words:
                    continue
                start = perf_counter()
                self._load(decoder, advised, sentence, more, given)
                scoring = perf_counter() - start
                tree, certificate = self._best(decoder, call)
                certificate.seconds = {"scoring arcs": scoring, **certificate.seconds}
                if given is not None and self.settings["projective"] and not given.are_in(words, tree[1:]):
                    tree, _ = decoder.first_order_tree(False)  # no projective tree has the given arcs
                decoder.write(tree, trees.heads, trees.labels, words.start)
                if call.certified is not None:
                    call.certified(certificate, len(words))
                if trees.confidences is not None:
                    self._load(decoder, advised, sentence, more, given, True)
                    heads = trees.heads[words.start : words.stop]
                    decoder.confidences([-1, *heads], trees.confidences, words.start)
            return trees if given is None else self._around(given, trees, decoder, advised)

    def _load(
        self,
        decoder: Decoder,
        block: Block,
        sentence: int,
        more: ArcScores | None,
        given: GivenArcs | None,
        summed: bool = False,
    ) -> None:
        """Score the arcs of a sentence, with what another model and given arcs add."""
        decoder.load(block, sentence, summed)
        if more is not None:
            decoder.add_scores(more(sentence))
        if given is not None:
            decoder.keep(given.heads, *given.banned_arrays, block.words_of(sentence).start)

    def _around(self, given: GivenArcs, trees: Trees, decoder: Decoder, block: Block) -> Trees:
        """Return trees that have the given arcs, also those that the search could not choose."""
        for sentence, words in given.complete(trees, self.settings["single_root"]).items():
            decoder.load(block, sentence)
            first = block.words_of(sentence).start
            for word in words:
                trees.labels[first + word - 1] = decoder.relation(trees.heads[first + word - 1], word)
        return given.written(trees, self.relations)

    def _best(self, decoder: Decoder, call: Call) -> tuple[Sequence[int], Certificate]:
        if self.settings["order"] == 1:
            tree, score = decoder.first_order_tree(self.settings["projective"])
            return tree, Certificate(score, score, True, True, "first order", 0, 0, 0, 0, 0)
        decoder.start_search()
        try:
            constraints = constraints_named(call.constraints)
            return decode(decoder.search, call.method, exact=call.exact, constraints=constraints, tighten=call.tighten)
        except MissingExtraError:
            if call.method != "bounds":
                raise
            # Without a solver of linear programmes, branch and bound finds the optimum all the same.
            return decode(decoder.search, exact=True, rounds=0)

    def best_trees(self, block: Block, number: int, call: Call) -> Iterator[BestTree]:
        """Yield the k best trees of a sentence, best first. Exact, with grandparents too."""
        n = len(block.words_of(number))
        if not n:
            return
        check_sentences(one_sentence(block, number), self._longest)
        with self._decoders.borrowed() as decoder:
            decoder.load(self.advised(one_sentence(block, number)), 0)
            for tree, score in self._k_best(decoder, call.k_best or 1):
                heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
                decoder.write(tree, heads, labels, 0)
                yield BestTree(heads, labels, score, None)

    def _k_best(self, decoder: Decoder, k: int) -> list[tuple[array[int], float]]:
        """Return the k best trees of the sentence that a decoder is at; heads[0] is the root's."""
        single_root, width = self.settings["single_root"], decoder.n + 1
        finder = ExactFinder(decoder.search, single_root) if self.settings["order"] == 2 else None
        scores = memoryview(decoder.arc_scores()).cast("B").cast("d", (width, width))
        trees = k_best_trees(scores, k, self.settings["projective"], single_root, finder)
        if finder is not None and not finder.is_proven:
            warnings.warn(
                "the k best trees of some sentences could not be proven to be the best: these are the best found",
                TreewrightWarning,
                stacklevel=4,
            )
        return trees

    def marginals(self, block: Block, sentence: int = 0) -> list[list[float]]:
        """Return how probable each arc is in the first-order model: row h, column m is the arc from h to m."""
        check_sentences(block, self._longest)
        with self._decoders.borrowed() as decoder:
            decoder.load(self.advised(block), sentence, True)
            width = decoder.n + 1
            flat = decoder.marginals()
        return [list(flat[row * width : (row + 1) * width]) for row in range(width)]

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": "exact",
            "order": self.settings["order"],
            "projective": self.settings["projective"],
            "feature_model": self.settings["feature_model"],
            "templates": len(self.model.templates),
            "adviser": self._adviser_name(),
            "features": sum(tag & 1 for name in self.arrays if name.endswith("_tags") for tag in self.arrays[name]),
            "relations": len(self.relations),
            "leaf_tags": self.settings["leaf_tags"],
            "linear_programmes": "HiGHS" if _has_solver() else "not installed",
        }

    def _adviser_name(self) -> str:
        if self.adviser is None:
            return "none"
        beam = f", beam {self.adviser.beam}" if self.adviser.beam > 1 else ""
        return self.adviser.system.name + beam

    def __repr__(self) -> str:
        return f"<ExactParser: order {self.settings['order']}, {len(self.model.templates)} templates>"


def with_advice(adviser: TransitionParser, block: Block) -> Block:
    """Return a block with the adviser's trees in it, which templates look at."""
    text = adviser.trees(block).text(adviser.relations)
    return Block(text, block.layout, block.source, block.first_line)


def scorer_from(settings: Mapping[str, Any], arrays: Mapping[str, Any], scale: float) -> PartScorer:
    """Return what scores parts with the arrays of a model."""
    relations = settings["relations"]
    rows = rows_as_floats(arrays["relation_rows"], scale)
    return PartScorer(
        PartProgram(parse_templates(settings["features"], settings["feature_model"]), settings["leaf_tags"]),
        WeightTable(arrays["arc_tags"], arrays["arc_weights"]),
        RowTable(arrays["relation_tags"], arrays["relation_numbers"], rows, row_width(len(relations))),
        triple_weights(TABLES["grandparents"], arrays),
        triple_weights(TABLES["siblings"], arrays),
        len(relations),
        settings["root_labels"],
        settings["word_labels"],
    )


def triple_weights(tables: Sequence[str], arrays: Mapping[str, Any]) -> TripleWeights:
    """Return the weights of one kind of part, and the bounds; a model without such parts lacks these arrays."""
    nothing = array("I", bytes(16)), array("f", bytes(16))
    if f"{tables[0]}_tags" not in arrays:
        return TripleWeights(*(WeightTable(*nothing) for _ in tables))
    return TripleWeights(*(WeightTable(arrays[f"{name}_tags"], arrays[f"{name}_weights"]) for name in tables))


def constraints_named(text: str) -> tuple[str, ...]:
    """Return the constraints of the linear programme that a list names."""
    known = {name.lower(): name for name in CONSTRAINTS}
    return tuple(known[name.strip().lower()] for name in text.split(","))


def _has_solver() -> bool:
    try:
        solver()
    except MissingExtraError:
        return False
    return True
