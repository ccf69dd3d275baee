"""Pretrained inputs of a network while it learns: word vectors that stay as they are, and an encoder of sentences."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from treewright.kinds.network.inputs.sentence_encoder import SentenceEncoder, encoder_in
from treewright.kinds.network.inputs.vocabulary import FIRST
from treewright.kinds.network.kernel.rows import Rows
from treewright.kinds.network.learning.quantising import quantised
from treewright.kinds.network.learning.torch_network import LearningEncoder
from treewright.lexicon.vectors import WordVectors
from treewright.steps.contract import TypedArrays

ACTIVATION = 2048  # 1.0 as an activation of the compiled kernel
SLOWER = 0.02  # the learning rate of a pretrained encoder, of the network's


class ProjectedVectors(nn.Module):
    """Word vectors that do not change, and a projection that learns. A model keeps the projected vectors."""

    def __init__(self, vectors: WordVectors, places: Sequence[int], width: int) -> None:
        super().__init__()
        matrix = torch.tensor(vectors.matrix).view(-1, vectors.dimensions)[list(places)]
        matrix = matrix / matrix.norm(dim=1, keepdim=True).clamp(min=1e-6)
        rows = torch.cat([torch.zeros(FIRST, vectors.dimensions), matrix])
        self.register_buffer("vectors", rows, persistent=False)
        self.project = nn.Linear(vectors.dimensions, width)

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the projected vectors of words."""
        vectors: Tensor = self.get_buffer("vectors")[numbers]
        projected: Tensor = self.project(vectors)
        return projected

    def kept(self, name: str) -> TypedArrays:
        """Return what a model keeps: a table as those of other inputs."""
        with torch.no_grad():
            return quantised({f"tables.{name}.weight": self.project(self.get_buffer("vectors")).cpu()})


class _States:
    """What a language model makes of the rows of a treebank. Copies share it."""

    def __init__(self, made: Iterable[Rows]) -> None:
        parts = [
            torch.frombuffer(bytearray(rows.view().tobytes()), dtype=torch.int16).view(rows.shape) for rows in made
        ]
        self.of_rows = torch.cat(parts)

    def __deepcopy__(self, memo: object) -> _States:
        return self


class ContextTable(nn.Module):
    """A language model as an input of a network: its states, which do not change, projected."""

    def __init__(self, states: Iterable[Rows], width: int) -> None:
        super().__init__()
        self.states = _States(states)
        self.project = nn.Linear(self.states.of_rows.shape[1], width)

    def forward(self, rows: Tensor) -> Tensor:
        """Return the projected states of the treebank's rows."""
        states = self.states.of_rows[rows.cpu()].to(rows.device).float() / ACTIVATION
        projected: Tensor = self.project(states)
        return projected


class _Sentences:
    """The words of a treebank, sentence by sentence, and what an encoder makes of them. Copies share it."""

    def __init__(self, encoder: SentenceEncoder, sentences: Sequence[Sequence[str]], layers: int) -> None:
        self.encoder, self.sentences, self.layers = encoder, sentences, layers
        lengths = torch.tensor([len(words) + 1 for words in sentences])
        self.starts = torch.cumsum(lengths, 0) - lengths
        self.of_row = torch.repeat_interleave(torch.arange(len(sentences)), lengths)

    def __deepcopy__(self, memo: object) -> _Sentences:
        return self

    def states(self, rows: Tensor, learns: bool) -> Tensor:
        """Return the states of rows, [rows, layers, dimensions]; roots have zeros."""
        of_row = self.of_row[rows]
        wanted, places = of_row.unique_consecutive(return_inverse=True)
        words = [self.sentences[number] for number in wanted.tolist()]
        read = self.encoder.read if learns else self.encoder.vectors
        made = read(words, self.layers)
        root = torch.zeros(1, self.layers, self.encoder.dimensions)
        lengths = torch.tensor([len(each) + 1 for each in words])
        starts = torch.cumsum(lengths, 0) - lengths
        table = torch.cat([part.float() for each in made for part in (root, each)])
        return table[starts[places] + rows - self.starts[of_row]]


class EncoderTable(nn.Module):
    """An encoder as an input of a network: its top layers mixed, and projected."""

    def __init__(
        self, encoder: SentenceEncoder, sentences: Sequence[Sequence[str]], layers: int, width: int, learns: bool
    ) -> None:
        super().__init__()
        self.words, self.learns = _Sentences(encoder, sentences, layers), learns
        self.mix = nn.Parameter(torch.zeros(layers))
        self.project = nn.Linear(encoder.dimensions, width)
        if learns:
            self.model: nn.Module = encoder.model

    def forward(self, rows: Tensor) -> Tensor:
        """Return the projected states of the treebank's rows."""
        states = self.words.states(rows.cpu(), self.learns and self.training).to(rows.device)
        projected: Tensor = self.project(torch.einsum("l,rld->rd", self.mix.softmax(0), states))
        return projected

    def kept(self, name: str) -> TypedArrays:
        """Return what a model keeps: the mixture, the projection and, if it has learnt, the encoder itself."""
        own = {f"{name}.mix.bias": self.mix, f"{name}.project.bias": self.project.bias}
        arrays = quantised({key: values.detach().cpu() for key, values in own.items()})
        arrays |= quantised({f"{name}.project.weight": self.project.weight.detach().cpu()})
        if self.learns:
            for key, values in self.model.state_dict().items():
                if values.is_floating_point():
                    flat = values.detach().cpu().float().contiguous().numpy().tobytes()
                    arrays[f"{name}.learnt.{key}.bias"] = "F32", array("f", flat)
        return arrays


def encoder_for_training(folder: str, learns: bool) -> SentenceEncoder:
    """Return the encoder of a folder: one that learns is not shared, one that does not remembers its sentences."""
    place = os.path.abspath(folder)
    if learns:
        return SentenceEncoder(place)
    encoder = encoder_in(place)
    encoder.remembers = True
    return encoder


def learning_groups(network: LearningEncoder) -> list[dict[str, Any]]:
    """Return the weights in groups for an optimizer: those of a pretrained encoder learn more slowly."""
    slow = {id(values) for values in _pretrained(network)}
    usual = [values for values in network.parameters() if id(values) not in slow]
    groups: list[dict[str, Any]] = [{"params": usual, "share": 1.0}]
    return [*groups, {"params": list(_pretrained(network)), "share": SLOWER}] if slow else groups


def _pretrained(network: LearningEncoder) -> Iterator[nn.Parameter]:
    for table in network.tables.values():
        if isinstance(table, EncoderTable) and table.learns:
            yield from table.model.parameters()
