"""The network while it learns, in PyTorch. A finished model runs without it: see network.py, which does the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from treewright.kinds.network.inputs.distances import N_KINDS, ROOT_KIND, kinds_of_distances
from treewright.kinds.network.inputs.vocabulary import INPUTS
from treewright.kinds.network.learning.batches import Batch
from treewright.kinds.network.learning.lazy_rows import WordTable
from treewright.kinds.network.learning.torch_lstm import BiLstmLayer

SLOPE = 0.1  # of a leaky rectifier below 0
IMPOSSIBLE = -1e9
TAG_SHARE = 0.5  # of the loss of one tag, against that of an arc
FIRST_VOTE = 3.0  # what the tags that words come with count at first


class Sizes(NamedTuple):
    """How large the parts of a network are; a model's header has them under these names."""

    widths: Mapping[str, int]  # of the vectors of each input
    hidden: int
    layers: int
    arcs: int
    relations: int
    tags: int


class Outputs(NamedTuple):
    """How many classes a network tells apart."""

    relations: int
    tags: Mapping[str, int]  # column (and attribute) → values
    tags_vote: bool = False  # the words come with tags, which count beside what the network finds


class DropoutShares(NamedTuple):
    """Which shares are left out while learning."""

    units: float
    recurrent: float  # of the weights between steps of LSTMs


class SharedDropout(nn.Module):
    """Dropout that leaves out the same units for all words of a sentence."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, values: Tensor) -> Tensor:
        """``values``: [sentences, words, units]."""
        if not self.training or self.rate == 0:
            return values
        mask = values.new_empty(values.shape[0], 1, values.shape[2]).bernoulli_(1 - self.rate)
        return values * (mask / (1 - self.rate))


class LearningEncoder(nn.Module):
    """Embeddings and BiLSTM layers; networks put on top of them what scores arcs or moves."""

    def __init__(
        self, rows: Mapping[str, int], widths: Mapping[str, int], hidden: int, layers: int, dropout: DropoutShares
    ) -> None:
        super().__init__()
        tables = {name: WordTable(rows[name], width, INPUTS[name].is_bag) for name, width in widths.items()}
        self.tables = nn.ModuleDict(tables)
        inputs = [sum(widths.values()), *[2 * hidden] * (layers - 1)]
        self.layers = nn.ModuleList(BiLstmLayer(width, hidden, dropout.recurrent) for width in inputs)
        self.dropout, self.rate = SharedDropout(dropout.units), dropout.units / 2

    def embedded(self, batch: Batch) -> Tensor:
        """Return the vectors of all rows; while learning, a word misses an input now and then."""
        parts: list[Tensor] = []
        for name, table in self.tables.items():
            part = table(batch.single[name]) if name in batch.single else table(*batch.bags[name])
            if self.training:
                part = part * (part.new_empty(len(part), 1).bernoulli_(1 - self.rate) / (1 - self.rate))
            parts.append(part)
        return torch.cat(parts, 1)

    def encoded(self, batch: Batch, cells: Tensor) -> Tensor:
        """Return what the BiLSTM layers make of a batch: [sentences, words, 2 * hidden]."""
        values = self.dropout(self.embedded(batch)[cells.clamp(min=0)])
        for layer in self.layers:
            values = self.dropout(layer(values, batch.lengths))
        return values

    def _rectified(self, layer: nn.Module, values: Tensor) -> Tensor:
        dropped: Tensor = self.dropout(functional.leaky_relu(layer(values), SLOPE))
        return dropped

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Return the loss of a batch, and how many words (or moves) are wrong."""
        raise NotImplementedError


class LearningNetwork(LearningEncoder):
    """An encoder, and what scores arcs, relations and tags on top of it."""

    def __init__(
        self,
        rows: Mapping[str, int],
        sizes: Sizes,
        outputs: Outputs,
        dropout: DropoutShares,
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(rows, sizes.widths, sizes.hidden, sizes.layers, dropout)
        self.label_smoothing = label_smoothing
        out, n = 2 * sizes.hidden, outputs.relations
        self.arc_dep, self.arc_head = nn.Linear(out, sizes.arcs), nn.Linear(out, sizes.arcs)
        self.arc_mix = nn.Linear(sizes.arcs, sizes.arcs)
        self.arc_distance = nn.Linear(sizes.arcs, N_KINDS)
        nn.init.zeros_(self.arc_mix.weight)
        nn.init.zeros_(self.arc_distance.weight)
        self.relation_dep, self.relation_head = nn.Linear(out, sizes.relations), nn.Linear(out, sizes.relations)
        self.relation_both = nn.Linear(sizes.relations, n)
        self.relation_from_dep = nn.Linear(sizes.relations, n, bias=False)
        self.relation_from_head = nn.Linear(sizes.relations, n, bias=False)
        if outputs.tags:
            self.tag_hidden = nn.Linear(out, sizes.tags)
        self.tag_scores = nn.ModuleDict({name: nn.Linear(sizes.tags, n) for name, n in outputs.tags.items()})
        voting = outputs.tags if outputs.tags_vote else ()
        self.tag_votes = nn.ParameterDict({name: torch.full((1,), FIRST_VOTE) for name in voting})

    def arc_scores(self, values: Tensor) -> Tensor:
        """Return the score of each arc: [sentences, dependent, head]."""
        dep, head = self._rectified(self.arc_dep, values), self._rectified(self.arc_head, values)
        kinds = _kinds(values.shape[1], values.device)[None].expand(len(values), -1, -1)
        return torch.einsum("bdk,bhk->bdh", self.arc_mix(dep), head) + self.arc_distance(dep).gather(2, kinds)

    def relation_scores(self, values: Tensor, heads: Tensor) -> Tensor:
        """Return the scores of the relations of words with given heads (positions in the sentence)."""
        dep, head = self._rectified(self.relation_dep, values), self._rectified(self.relation_head, values)
        head = head.gather(1, heads.clamp(min=0)[:, :, None].expand(-1, -1, head.shape[2]))
        scores: Tensor = self.relation_both(dep * head) + self.relation_from_dep(dep) + self.relation_from_head(head)
        return scores

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Return the loss of a batch, and how many heads are wrong."""
        cells = batch.cells()
        values = self.encoded(batch, cells)
        heads = torch.where(cells >= 0, batch.heads[cells], -1)
        wanted = heads >= 0
        arcs = self.arc_scores(values).masked_fill((cells < 0)[:, None, :], IMPOSSIBLE)
        arcs = arcs.masked_fill(torch.eye(arcs.shape[1], dtype=torch.bool, device=arcs.device)[None], IMPOSSIBLE)[
            wanted
        ]
        gold = heads[wanted]
        relations = self.relation_scores(values, heads)[wanted]
        loss = smoothed_loss(arcs, gold, self.label_smoothing)
        loss = loss + smoothed_loss(relations, batch.labels[cells][wanted], self.label_smoothing)
        if self.tag_scores:
            loss = loss + self._loss_of_tags(values[wanted], batch, cells[wanted])
        return loss, int((arcs.argmax(1) != gold).sum())

    def _loss_of_tags(self, values: Tensor, batch: Batch, rows: Tensor) -> Tensor:
        hidden = functional.leaky_relu(self.tag_hidden(values), SLOPE)
        hidden = functional.dropout(hidden, self.rate, self.training)
        total = values.new_zeros(())
        for name, scores in self.tag_scores.items():
            gold, scored = batch.tags[name][rows], scores(hidden)
            if name in self.tag_votes:
                scored = scored + self.tag_votes[name] * _one_hot(batch.given[name][rows], scored.shape[1])
            loss = functional.cross_entropy(scored, gold, ignore_index=-1, reduction="sum")
            total = total + loss / max(1, int((gold >= 0).sum()))
        return TAG_SHARE * total


def smoothed_loss(scores: Tensor, gold: Tensor, share: float) -> Tensor:
    """Return the mean cross entropy, where a share of each target is spread over all classes that are possible.

    A network that need not be certain learns more from a small treebank (label smoothing, Szegedy et al. 2016).
    PyTorch's own would also spread it over impossible classes.
    """
    logs, possible = scores.log_softmax(1), scores > IMPOSSIBLE / 2
    right = logs.gather(1, gold[:, None])[:, 0]
    all_alike = logs.masked_fill(~possible, 0.0).sum(1) / possible.sum(1)
    return -((1 - share) * right + share * all_alike).mean()


def _kinds(n: int, device: torch.device) -> Tensor:
    """Return the kind of distance of each arc of a sentence: [dependent, head]."""
    places = torch.arange(n, device=device)
    ahead = places[None] - places[:, None]
    kinds = torch.tensor(kinds_of_distances(), device=device)
    kinds_of_arcs = ROOT_KIND + ahead.sign() * kinds[ahead.abs().clamp(max=len(kinds) - 1)]
    kinds_of_arcs[:, 0] = ROOT_KIND
    return kinds_of_arcs


def _one_hot(numbers: Tensor, n: int) -> Tensor:
    """Return a 1 at each row's number, nothing for -1."""
    return (numbers[:, None] == torch.arange(n, device=numbers.device)[None]).float()
