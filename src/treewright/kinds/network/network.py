"""A trained network, ready to run: int8 weights and compiled layers, without PyTorch."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from treewright.errors import ModelFileError
from treewright.kinds.network.inputs.distances import N_KINDS, kinds_of_distances
from treewright.kinds.network.inputs.vocabulary import INPUTS, PRETRAINED, Vocabulary, WordNumbers, in_order
from treewright.kinds.network.kernel.arcs import ArcScores, add_distances, arc_scores, log_softmax_rows
from treewright.kinds.network.kernel.bilstm import BiLstm
from treewright.kinds.network.kernel.dense import Dense
from treewright.kinds.network.kernel.embeddings import Embeddings
from treewright.kinds.network.kernel.relations import Relations
from treewright.kinds.network.kernel.rows import Rows, side_by_side
from treewright.steps.border.arrays import LARGEST_WEIGHT
from treewright.steps.border.numbers import largest_number
from treewright.steps.contract import TypedArrays
from treewright.steps.kept_arrays import cluster_arrays, clusters_in
from treewright.steps.model_file import ArrayData
from treewright.treebank.blocks.aligned import numbers_in
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from treewright.kinds.network.inputs.pretrained import PretrainedInput, PretrainedSettings

Weights = Mapping[str, ArrayData]  # of a file, mapped, or just learnt
VOCABULARY = "vocabulary."
OF_TEXT = ("words", "ngrams")  # the inputs that raw text has
ENCODER, CONTEXT = "encoder", "context"  # the inputs that a pretrained encoder and a language model give
CLUSTER_KEYS = "clusters.keys"


class EncoderSettings(TypedDict):
    """What a model's header says of the part of its network that reads sentences."""

    widths: dict[str, int]
    hidden: int
    layers: int
    buckets: int
    encoder: NotRequired[PretrainedSettings]
    context: NotRequired[ContextSettings]


class ContextSettings(EncoderSettings):
    """What a model's header says of the language model whose encoder it holds."""

    source: str  # what it was learnt from


class NetworkSettings(EncoderSettings):
    """What a model's header says of its network."""

    arcs: int
    relations: int
    tags: int
    tag_values: dict[str, list[str]]  # column (and attribute) → its values, where the network predicts tags


class EncodedBatch(NamedTuple):
    """What the network makes of a batch of sentences: a row of numbers for each word, with the roots."""

    rows: Rows
    lengths: array[int]


class EncoderNetwork:
    """Embeddings and BiLSTM layers: what reads sentences. It never changes."""

    def __init__(self, settings: EncoderSettings, arrays: Weights) -> None:
        self.arrays = arrays
        clusters = clusters_in(arrays, "") if CLUSTER_KEYS in arrays else None
        self.vocabulary = Vocabulary(_lists(arrays), settings["buckets"], clusters)
        self.widths = widths = in_order(settings["widths"])
        self.inputs = tuple(name for name in widths if name not in (ENCODER, CONTEXT))
        rows = self.vocabulary.sizes()
        self.hidden = hidden = settings["hidden"]
        out = 2 * hidden
        tables, offset = [], 0
        for name in self.inputs:
            tables.append((*self._matrix(f"tables.{name}.weight", rows[name], widths[name]), offset))
            offset += widths[name]
        self.embeddings = Embeddings(offset, tables)
        self.pretrained: PretrainedInput | None = None
        if ENCODER in widths:
            from treewright.kinds.network.inputs.pretrained import PretrainedInput

            self.pretrained = PretrainedInput(settings["encoder"], arrays, widths[ENCODER])
            offset += widths[ENCODER]
        self.context: EncoderNetwork | None = None
        if CONTEXT in widths:
            self.context_settings = own = settings["context"]
            read: EncoderSettings = {
                "widths": {name: own["widths"][name] for name in OF_TEXT},
                "hidden": own["hidden"],
                "layers": own["layers"],
                "buckets": own["buckets"],
            }
            start = f"{CONTEXT}."
            self.context = EncoderNetwork(
                read, {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
            )
            name, states = f"tables.{CONTEXT}.project", 2 * self.context.hidden
            self.context_layer = self._dense(name, widths[CONTEXT], states, "none")
            offset += widths[CONTEXT]
        beside = offset - self.embeddings.width
        self.layers = []
        for number in range(settings["layers"]):
            inputs = self._matrix(f"layer{number}.input", 8 * hidden, offset if number == 0 else out)
            recurrent = self._matrix(f"layer{number}.recurrent", 8 * hidden, hidden)
            bias, n_beside = self._vector(f"layer{number}.bias", 8 * hidden), 0 if number else beside
            self.layers.append(BiLstm(*inputs, *recurrent, bias, n_beside))

    # Weights of the file

    def _matrix(self, name: str, rows: int, columns: int) -> tuple[memoryview[int], memoryview[float]]:
        """Return rows of eight-bit weights, and a scale for each row."""
        weights = memoryview(self.arrays[name]).cast("B")
        if len(weights) != rows * columns:
            raise ModelFileError(f"the model is damaged: {name} is not as large as it should be")
        return weights.cast("b", (rows, columns)), self._vector(f"{name}.scales", rows)

    def _vector(self, name: str, size: int) -> memoryview[float]:
        values = numbers_in(self.arrays[name], "f")
        if len(values) != size or not largest_number(values) < LARGEST_WEIGHT:
            raise ModelFileError(f"the model is damaged: {name} is not as it should be")
        return values

    def _dense(self, name: str, rows: int, columns: int, activation: str = "leaky") -> Dense:
        weights, scales = self._matrix(f"{name}.weight", rows, columns)
        return Dense(weights, scales, self._vector(f"{name}.bias", rows), activation)

    # Running

    def read(self, block: Block, first: int, last: int) -> EncodedBatch:
        """Return a row of numbers for each word of the sentences ``first`` to ``last`` of a block."""
        block = block.normal
        beside = self.pretrained.rows(block, first, last) if self.pretrained is not None else None
        if self.context is not None:
            states = self.context_layer.apply(self.context.read(block, first, last).rows)
            beside = states if beside is None else side_by_side(beside, states)
        return self.encode(self.vocabulary.numbers(block, first, last, self.inputs), beside)

    def encode(self, numbers: WordNumbers, beside: Rows | None = None) -> EncodedBatch:
        """Return a row of numbers for each word of a batch; ``beside``: what pretrained networks make of it."""
        parts = [numbers.bags[name] if INPUTS[name].is_bag else numbers.single[name] for name in self.inputs]
        rows = self.embeddings.look_up(parts, sum(numbers.lengths))
        for layer in self.layers:
            rows = layer.apply(rows, numbers.lengths, beside if layer.n_beside else None)
        return EncodedBatch(rows, numbers.lengths)


class Network(EncoderNetwork):
    """An encoder, and what scores arcs, relations and tags on top of it. It never changes."""

    def __init__(self, settings: NetworkSettings, n_relations: int, arrays: Weights) -> None:
        super().__init__(settings, arrays)
        self.settings, out = settings, 2 * settings["hidden"]
        arcs, relations = settings["arcs"], settings["relations"]
        self.arc_dep, self.arc_head = self._dense("arc_dep", arcs, out), self._dense("arc_head", arcs, out)
        self.arc_mix = self._dense("arc_mix", arcs, arcs, "none")
        self.arc_distance = self._dense("arc_distance", N_KINDS, arcs, "none")
        self.kinds = kinds_of_distances()
        self.relation_dep = self._dense("relation_dep", relations, out)
        self.relation_head = self._dense("relation_head", relations, out)
        self.relations = Relations(
            self._matrix("relation_both.weight", n_relations, relations),
            self._matrix("relation_from_dep.weight", n_relations, relations),
            self._matrix("relation_from_head.weight", n_relations, relations),
            self._vector("relation_both.bias", n_relations),
        )
        self.tag_sizes = {name: len(values) for name, values in settings["tag_values"].items()}
        self.tag_votes: dict[str, float] = {}  # how much the tags that the words come with count
        if self.tag_sizes:
            self.tag_hidden = self._dense("tag_hidden", settings["tags"], out)
            self.tag_scores = self._joined_tags(settings["tags"])
            self.tag_votes = {
                name: self._vector(f"tag_votes.{name}", 1)[0]
                for name in self.tag_sizes
                if f"tag_votes.{name}" in arrays
            }

    def _joined_tags(self, columns: int) -> Dense:
        """Return one layer that scores the values of all columns and attributes: one product instead of many."""
        weights, scales, bias = bytearray(), array("f"), array("f")
        for name, size in self.tag_sizes.items():
            own, own_scales = self._matrix(f"tag_scores.{name}.weight", size, columns)
            weights += own.cast("B")
            scales.extend(own_scales)
            bias.extend(self._vector(f"tag_scores.{name}.bias", size))
        return Dense(memoryview(weights).cast("b", (len(scales), columns)), scales, bias, "none")

    def arcs(self, encoded: EncodedBatch) -> memoryview:
        """Return the logarithm of each head's probability: for each sentence, dependent by head, the root first."""
        scores = self.arc_scores(encoded)
        log_softmax_rows(scores)
        return scores.view()

    def arc_scores(self, encoded: EncodedBatch) -> ArcScores:
        """Return the score of each arc: what head and dependent make of each other, and how far they are apart."""
        dep = self.arc_dep.apply(encoded.rows)
        scores = arc_scores(self.arc_head.apply(encoded.rows), self.arc_mix.apply(dep), encoded.lengths)
        add_distances(scores, self.arc_distance.scores(dep), self.kinds)
        return scores

    def relation_scores(self, encoded: EncodedBatch, heads: array[int]) -> memoryview:
        """Return the scores of each row's relations to a given head; ``heads`` are rows, with the roots."""
        dep, head = self.relation_dep.apply(encoded.rows), self.relation_head.apply(encoded.rows)
        return self.relations.scores(dep, head, heads).view()

    def best_tags(self, encoded: EncodedBatch, given: Mapping[str, array[int]]) -> dict[str, array[int]]:
        """Return the best value of each column (or attribute) that the network predicts, for each word.

        ``given``: for each word the number of the value that it came with, or -1, where these vote.
        """
        votes = [(self.tag_votes[name], given[name]) if name in given else None for name in self.tag_sizes]
        hidden, groups = self.tag_hidden.apply(encoded.rows), array("i", self.tag_sizes.values())
        best = self.tag_scores.best(hidden, word_rows(encoded.lengths), groups, votes)
        return dict(zip(self.tag_sizes, best, strict=True))


def word_rows(lengths: array[int]) -> array[int]:
    """Return the rows of words, of all rows: each sentence begins with its root."""
    rows, start = array("i"), 0
    for length in lengths:
        rows.extend(range(start + 1, start + length))
        start += length
    return rows


def vocabulary_arrays(vocabulary: Vocabulary) -> TypedArrays:
    """Return the lists of a vocabulary as a model file keeps them: a value a line."""
    arrays: TypedArrays = {
        VOCABULARY + name: ("U8", "\n".join(listed).encode("utf-8", "surrogateescape"))
        for name, listed in vocabulary.lists.items()
        if listed or name not in PRETRAINED
    }
    return arrays if vocabulary.clusters is None else {**arrays, **cluster_arrays(vocabulary.clusters)}


def _lists(arrays: Weights) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for name, lines in arrays.items():
        if name.startswith(VOCABULARY):
            text = bytes(lines).decode("utf-8", "surrogateescape")
            lists[name[len(VOCABULARY) :]] = text.split("\n") if text else []
    return lists
