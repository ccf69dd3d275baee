"""A trained neural parser: a network gives each word a distribution over heads, and one search finds the tree.

In a hybrid, linear parsers vote on each arc, too: they look at other things, and make other mistakes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypedDict, cast

from treewright.errors import ModelFileError
from treewright.kinds.network.decoding import TreeFinder, best_labels
from treewright.kinds.network.inputs.numbering import looked_up
from treewright.kinds.network.inputs.tags import TagReader, TagWriter
from treewright.kinds.network.network import CONTEXT, EncodedBatch, Network, NetworkSettings, Weights
from treewright.kinds.network.ruled_labels import RuledLabels
from treewright.steps.best_trees import BestTree
from treewright.steps.border.arrays import part_of_arrays
from treewright.steps.call import BEAM, CERTIFICATE, GRAPHS, K_BEST, PARSER_ALONE, PLAIN, TAGS, TEXT, TRACE, Call
from treewright.steps.contract import Arrays, Header, TypedArrays
from treewright.steps.loading import step_of
from treewright.steps.parser import Parser, TreeParser, Trees, empty_trees, one_sentence
from treewright.steps.pool import Pool
from treewright.steps.sentence_limit import check_sentences
from treewright.steps.step import Step
from treewright.systems.leaf_tags import LeafTags
from treewright.systems.rules.rule import listed, rules_in
from treewright.systems.rules.table import RuleTable
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from typing_extensions import Self

    from treewright.steps.given_arcs import GivenArcs

CLUSTER_TYPES = {"clusters.keys": "U64", "clusters.numbers": "U16", "clusters.paths": "U32", "clusters.depths": "U8"}
EXACT = "exact"  # the member that searches, instead of voting
MOST_ROWS = 5000  # words in a batch: the more, the more of them have the same inputs, and sentences the same length
MOST_ARCS = 1 << 22  # in a batch, unless it is one sentence: what bounds its memory
NO_MOVES = "a neural parser makes no moves: it scores all arcs at once"


class _Rules(TypedDict, total=False):
    rules: list[list[Any]]  # that trees keep, see systems/rules; older files have none


class NeuralSettings(_Rules):
    """What a model's header says of a neural parser."""

    network: NetworkSettings
    relations: list[str]
    single_root: bool
    projective: bool
    leaf_tags: list[str]
    votes: list[tuple[float, float]]  # how much each member's vote for a head and for a relation counts


class Member(NamedTuple):
    """A linear parser that votes: its name in the recipe, and how much its votes for heads and relations count.

    A vote adds to the logarithm of what the network finds probable.
    """

    name: str
    parser: Step
    for_heads: float
    for_labels: float


class Votes:
    """What the members of a hybrid find for the words of a block, and which words may not govern others."""

    def __init__(self, members: Sequence[Member], relations: Sequence[str], leaves: LeafTags, block: Block) -> None:
        self.leaves = leaves.flags(block) if leaves.tags else b""
        self.enclosed = b""  # words whose arcs cross no others
        known = {relation: number for number, relation in enumerate(relations)}
        self.members = members
        self.heads: list[array[int]] = []
        self.labels: list[array[int]] = []
        for member in members:
            trees = member.parser.trees(block)
            mapped = array("i", [known.get(relation, -1) for relation in member.parser.relations])
            self.heads.append(trees.heads)
            self.labels.append(looked_up(trees.labels, mapped))

    def with_members(self, members: Sequence[Member]) -> Votes:
        """Return the same votes with other weights."""
        changed = copy(self)
        changed.members = members
        return changed

    def for_heads(self, words: slice) -> list[tuple[float, array[int]]]:
        """Return the votes for the heads of some of the words, with their weights."""
        return [(member.for_heads, heads[words]) for member, heads in zip(self.members, self.heads, strict=True)]

    def for_labels(self, words: slice) -> tuple[array[float], array[int], array[int]]:
        """Return the weights of votes for relations, and the heads and relations voted for, member by member."""
        weights = array("d", (member.for_labels for member in self.members))
        heads, labels = array("i"), array("i")
        for own_heads, own_labels in zip(self.heads, self.labels, strict=True):
            heads += own_heads[words]
            labels += own_labels[words]
        return weights, heads, labels


class _ScoresByNeed:
    """The network's scores of arcs, with votes: a batch at a time, a sentence when an exact search comes to it."""

    def __init__(self, parser: NeuralParser, block: Block, votes: Votes, weight: float, finder: TreeFinder) -> None:
        self.parser, self.block, self.votes, self.weight, self.finder = parser, block, votes, weight, finder
        self.batches = list(batches(block))
        self.first = self.last = 0

    def __call__(self, sentence: int) -> array[float]:
        """Return the scores of a sentence's arcs, head by child, times the weight."""
        if not self.first <= sentence < self.last:
            self.first, self.last = next(batch for batch in self.batches if batch[0] <= sentence < batch[1])
            encoded = self.parser.encode(self.block, self.first, self.last)
            self.arcs = self.parser.network.arcs(encoded)
            self.starts = list(accumulate((length * length for length in encoded.lengths), initial=0))
        place, words = sentence - self.first, self.block.words_of(sentence)
        own = self.arcs[self.starts[place] : self.starts[place + 1]]
        votes = self.votes.for_heads(slice(words.start, words.stop))
        scores = self.finder.matrix(own, len(words) + 1, votes, b"", False)
        return array("d", (self.weight * score for score in scores))


class NeuralParser(TreeParser):
    """A network, and linear parsers that vote beside it, ready to parse."""

    kind = "neural"

    _LACKS: ClassVar[Mapping[str, str]] = {
        GRAPHS: "the model builds trees, not graphs",
        BEAM: f"{NO_MOVES}, and needs no beam",
        TRACE: f"{NO_MOVES}. Trace a transition parser, such as the bundled english-fast",
        CERTIFICATE: "without grandparents every search is exact: only hybrids with an exact member give certificates",
        K_BEST: "a hybrid with an exact member finds the best tree alone",
        TEXT: PARSER_ALONE,
        TAGS: PARSER_ALONE,
    }

    def __init__(
        self, settings: NeuralSettings, arrays: Weights, info: dict[str, Any], members: Sequence[Member] = ()
    ) -> None:
        super().__init__(dict(settings), info, settings["relations"])
        self.network = Network(settings["network"], len(self.relations), arrays)
        self.members = tuple(members)
        self.voters = [
            member for member in members if member.name != EXACT and member.for_heads + member.for_labels > 0
        ]
        self.exact = next((member for member in members if member.name == EXACT and member.for_heads > 0), None)
        self.arrays = arrays
        self.leaves = LeafTags(self.settings["leaf_tags"])
        kept = rules_in(self.settings.get("rules", ()))
        self.rules = RuleTable(kept, self.relations) if kept else None
        values = settings["network"]["tag_values"]
        self.tag_writer = TagWriter(values)
        self.tag_reader = TagReader({name: values[name] for name in self.network.tag_votes})
        self._finders: Pool[TreeFinder] = Pool(TreeFinder)

    @property
    def lacks(self) -> Mapping[str, str]:
        """What this parser cannot do, and why."""
        has = {TAGS: bool(self.network.tag_sizes), CERTIFICATE: self.exact is not None, K_BEST: self.exact is None}
        return {name: why for name, why in self._LACKS.items() if not has.get(name)}

    # Files

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> NeuralParser:
        """Return the parser that a model file holds."""
        settings: NeuralSettings = header["settings"]
        members = []
        for number, (inner, (for_heads, for_labels)) in enumerate(
            zip(header["members"], settings["votes"], strict=True)
        ):
            if inner["kind"] not in ("transition", "exact") or not 0 <= for_heads + for_labels < 1e6:
                raise ModelFileError("the model is damaged: its members cannot be read")
            own = part_of_arrays(arrays, f"member{number}")
            members.append(Member(str(inner["name"]), step_of(inner, own), float(for_heads), float(for_labels)))
        return cls(settings, arrays, header["info"], members)

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        arrays: TypedArrays = {
            name: (array_type(name), values) for name, values in self.arrays.items() if not name.startswith("member")
        }
        inner = []
        for number, member in enumerate(self.members):
            header, own = member.parser.to_file()
            inner.append({**header, "name": member.name})
            arrays |= {f"member{number}.{name}": values for name, values in own.items()}
        return {"kind": self.kind, "settings": self.settings, "info": self.info, "members": inner}, arrays

    # Parsing

    def trees(self, block: Block, call: Call = PLAIN) -> Trees:
        """Return the trees of all sentences of a block."""
        check_sentences(block)
        votes = Votes(self.voters, self.relations, self.leaves, block)
        if self.rules is not None:
            votes.enclosed = self.rules.enclosed(block, self.leaves.tags)
        trees = empty_trees(block, call.confidence)
        if self.exact is not None:
            trees = self.exact_trees(block, call, votes, self.exact)
        given = call.given_arcs(block)
        if given is not None:
            votes.leaves = given.freed(votes.leaves)
        tags: dict[str, array[int]] = {name: array("i") for name in self.network.tag_sizes if call.tags_are_guesses}
        read = self.tag_reader.numbers(block) if tags else {}
        ruled = RuledLabels()
        with self._finders.borrowed() as finder:
            for first, last in batches(block):
                encoded = self.encode(block, first, last)
                words = words_of(block, first, last)
                if self.exact is None:
                    self._find(trees, words, encoded, votes, finder, given)
                    if given is not None:
                        given.complete(trees, self.settings["single_root"], range(first, last))
                wanted, heads = votes.for_labels(words), memoryview(trees.heads)[words]
                scores = self.label(encoded, heads, wanted, memoryview(trees.labels)[words])
                if self.rules is not None:
                    ruled.add(scores, encoded.lengths, words.start, wanted)
                if tags:
                    voted = {name: numbers[words] for name, numbers in read.items()}
                    for name, own in self.network.best_tags(encoded, voted).items():
                        tags[name] += own
        tagged = self.tag_writer.written(block, tags) if tags else trees.block
        trees = ruled.keep(self.rules, trees._replace(block=tagged), call.tags_are_guesses)
        return trees if given is None else given.written(trees, self.relations)

    def _find(
        self,
        trees: Trees,
        words: slice,
        encoded: EncodedBatch,
        votes: Votes,
        finder: TreeFinder,
        given: GivenArcs | None,
    ) -> None:
        """Write the heads of a batch of sentences to their place in ``trees``."""
        heads = memoryview(trees.heads)[words]
        confidences = memoryview(trees.confidences)[words] if trees.confidences is not None else None
        rules = self.settings["single_root"], self.settings["projective"]
        first_banned, banned = (None, None) if given is None else given.banned_arrays
        finder.find(
            self.network.arcs(encoded),
            encoded.lengths,
            votes.for_heads(words),
            votes.leaves[words],
            *rules,
            heads,
            confidences,
            given=None if given is None else given.heads,
            first_banned=first_banned,
            banned=banned,
            first=words.start,
            enclosed=votes.enclosed[words] if votes.enclosed else None,
        )

    def exact_trees(self, block: Block, call: Call, votes: Votes, member: Member) -> Trees:
        """Return the trees that an exact member finds with the network's scores added to those of its arcs.

        Its grandparents count as they are, so that the search stays exact, with a certificate.
        """
        from treewright.kinds.exact.parser import ExactParser

        assert isinstance(member.parser, ExactParser)
        with self._finders.borrowed() as finder:
            scores = _ScoresByNeed(self, block, votes, 1 / member.for_heads, finder)
            return member.parser.trees(block, call, scores)

    def label(
        self,
        encoded: EncodedBatch,
        heads: memoryview,
        votes: tuple[array[float], array[int], array[int]],
        out: memoryview,
    ) -> memoryview:
        """Write the relations of words to their heads, in the order of the block; return their scores, row by row."""
        scores = self.network.relation_scores(encoded, head_rows(encoded.lengths, heads))
        best_labels(scores, encoded.lengths, heads, out, *votes)
        return scores

    def encode(self, block: Block, first: int, last: int) -> EncodedBatch:
        """Return what the network makes of the sentences ``first`` to ``last`` of a block."""
        return self.network.read(block, first, last)

    def best_trees(self, block: Block, number: int, call: Call) -> Iterator[BestTree]:
        """Yield the k best trees of a sentence; the score is the sum of the logarithms of heads and of votes."""
        from treewright.kinds.exact.search.k_best import k_best_trees

        alone = one_sentence(block, number)
        check_sentences(alone)
        encoded = self.encode(alone, 0, 1)
        votes, words, width = (
            Votes(self.voters, self.relations, self.leaves, alone),
            slice(0, alone.n_words),
            encoded.lengths[0],
        )
        if width < 2:
            return
        with self._finders.borrowed() as finder:
            own = self.network.arcs(encoded), width, votes.for_heads(words), votes.leaves
            scores = finder.matrix(*own, self.settings["single_root"])
        rules = self.settings["projective"], self.settings["single_root"]
        square = memoryview(scores).cast("B").cast("d", (width, width))
        for tree, score in k_best_trees(square, call.k_best or 1, *rules):
            heads, labels = array("i", tree[1:]), array("i", bytes(4 * (width - 1)))
            self.label(encoded, memoryview(heads), votes.for_labels(words), memoryview(labels))
            yield BestTree(heads, labels, score, None)

    def alone(self) -> NeuralParser:
        """Return the network without the parsers that vote beside it."""
        settings = {**self.settings, "votes": []}
        return NeuralParser(cast(NeuralSettings, settings), self.arrays, self.info)

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        return {
            "system": "hybrid" if self.members else "neural",
            "network": {name: value for name, value in self.settings["network"].items() if name != "tag_values"},
            "leaf_tags": list(self.leaves.tags),
            "members": {member.name: [member.for_heads, member.for_labels] for member in self.members},
            "relations": len(self.relations),
            **({"rules": listed(self.settings)} if self.rules is not None else {}),
        }

    def __repr__(self) -> str:
        names = "".join(f", {member.name}" for member in self.members)
        return f"<NeuralParser: {self.settings['network']['hidden']} units{names}>"


def batches(block: Block) -> Iterator[tuple[int, int]]:
    """Yield batches of about the same size of a block's sentences: from the first up to, not including, the last."""
    rows = block.n_words + block.n_sentences
    share = rows / max(1, -(-rows // MOST_ROWS))
    first = used = arcs = 0
    wanted = share
    for sentence in range(block.n_sentences):
        more = len(block.words_of(sentence)) + 1
        if sentence > first and (used + more / 2 > wanted or arcs + more * more > MOST_ARCS):
            yield first, sentence
            first, wanted, arcs = sentence, wanted + share, 0
        used += more
        arcs += more * more
    if first < block.n_sentences:
        yield first, block.n_sentences


def words_of(block: Block, first: int, last: int) -> slice:
    """Return which words the sentences ``first`` to ``last`` have."""
    return slice(block.words_of(first).start, block.words_of(last - 1).stop)


def head_rows(lengths: array[int], heads: memoryview) -> array[int]:
    """Return the row of each row's head; a root is its own."""
    rows, word = array("i"), 0
    for length, end in zip(lengths, accumulate(lengths), strict=True):
        start = end - length
        rows.append(start)
        rows.extend(start + head for head in heads[word : word + length - 1])
        word += length - 1
    return rows


def array_type(name: str) -> str:
    """Return the type of the numbers of an array, as model files name it."""
    name = name.removeprefix(f"{CONTEXT}.")
    if name.startswith("clusters."):
        return CLUSTER_TYPES[name]
    if name.startswith("vocabulary.") or name.endswith(".endings"):
        return "U8"
    return "F32" if name.endswith((".scales", ".bias")) or name.startswith("tag_votes.") else "I8"


class LearntArrays(Parser):
    """What parsers share whose model file holds their settings and the arrays of one network."""

    arrays: Weights

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Self:
        """Return the parser that a model file holds."""
        of_this_kind: Callable[[Any, Arrays, dict[str, Any]], Self] = cls
        return of_this_kind(header["settings"], arrays, header["info"])

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the parser: its header, and its arrays with their types."""
        arrays: TypedArrays = {name: (array_type(name), values) for name, values in self.arrays.items()}
        return {"kind": self.kind, "settings": self.settings, "info": self.info}, arrays
