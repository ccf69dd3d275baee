"""The network of a graph parser while it learns, in PyTorch: each arc is a decision of its own."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from treewright.kinds.network.learning.batches import Batch, ragged
from treewright.kinds.network.learning.torch_network import IMPOSSIBLE, DropoutShares, LearningNetwork, Outputs, Sizes
from treewright.treebank.graphs.graph import Graphs

RARE = -3.0  # the logit of an arc before anything is learnt: most are none


class GoldArcs:
    """The arcs of a treebank, to be looked up by sentence. Copies of a network share it."""

    def __init__(self, graphs: Graphs, lengths: Tensor) -> None:
        self.first = torch.tensor(graphs.first, dtype=torch.long)
        self.heads = torch.tensor(graphs.heads, dtype=torch.long)
        self.labels = torch.tensor(graphs.labels, dtype=torch.long)
        words = lengths - 1
        self.start, self.words = torch.cumsum(words, 0) - words, words

    def __deepcopy__(self, memo: object) -> GoldArcs:
        return self

    def of(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return all arcs of a batch: sentence in the batch, dependent and head in the sentence, relation."""
        chosen = torch.tensor(list(batch.sentences))
        sizes = self.words[chosen]
        words = ragged(self.start[chosen], sizes)
        of_sentence = torch.repeat_interleave(torch.arange(len(chosen)), sizes)
        places = words - self.start[chosen][of_sentence] + 1
        counts = self.first[words + 1] - self.first[words]
        arcs = ragged(self.first[words], counts)
        word_of = torch.repeat_interleave(torch.arange(len(words)), counts)
        parts = of_sentence[word_of], places[word_of], self.heads[arcs], self.labels[arcs]
        device = batch.heads.device
        return parts[0].to(device), parts[1].to(device), parts[2].to(device), parts[3].to(device)


class LearningGraphNetwork(LearningNetwork):
    """The network of a neural parser, whose arcs do not compete."""

    def __init__(
        self, rows: Mapping[str, int], sizes: Sizes, outputs: Outputs, dropout: DropoutShares, gold: GoldArcs
    ) -> None:
        super().__init__(rows, sizes, outputs, dropout)
        self.gold = gold
        self.arc_offset = nn.ParameterDict({"bias": nn.Parameter(torch.full((1,), RARE))})

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Return the loss of a batch, and how many arcs are missing or wrong.

        Each arc is a decision of its own. Gold arcs also compete with those that are none: alone, the few gold arcs
        among many others teach the network slowly.
        """
        cells = batch.cells()
        values = self.encoded(batch, cells)
        scores = self.arc_scores(values) + self.arc_offset["bias"]
        sentence, dep, head, label = self.gold.of(batch)
        wanted = torch.zeros_like(scores)
        wanted[sentence, dep, head] = 1
        real = cells >= 0
        possible = real[:, :, None] & real[:, None, :]
        possible[:, 0] = False  # the root depends on nothing
        possible &= ~torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)[None]
        losses = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        loss = losses[possible].sum() / max(1, int(real[:, 1:].sum()))
        if len(label):
            others = scores.masked_fill(~possible | (wanted > 0), IMPOSSIBLE).logsumexp(2)
            loss = loss + functional.softplus(others[sentence, dep] - scores[sentence, dep, head]).mean()
            loss = loss + functional.cross_entropy(self._relations(values, sentence, dep, head), label)
        return loss, int((((scores > 0) != (wanted > 0)) & possible).sum())

    def _relations(self, values: Tensor, sentence: Tensor, dep: Tensor, head: Tensor) -> Tensor:
        """Return the scores of the relations of given arcs."""
        own = self._rectified(self.relation_dep, values)[sentence, dep]
        other = self._rectified(self.relation_head, values)[sentence, head]
        scores: Tensor = self.relation_both(own * other) + self.relation_from_dep(own) + self.relation_from_head(other)
        return scores
