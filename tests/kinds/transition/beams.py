"""Beams with random weights, and all that they could find: every sequence of moves, scored one by one."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from treewright.features.inspection import extracted
from treewright.kinds.transition.engines.beam import BeamParser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.learners.frozen import FrozenWeights
from treewright.learners.table import LinearTable
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block

import treewright
from treewright.kinds.transition.parser import TransitionParser
from treewright.treebank.formats.conllu import CONLLU

Move = tuple[str, int | None]

#: small, with few relations: the number of sequences grows with them
SENTENCES = (
    ("dogs/NOUN sleep/VERB ./PUNCT", (2, 0, 2), "a root b"),
    ("the/DET old/ADJ dogs/NOUN sleep/VERB", (3, 3, 4, 0), "b b a root"),
    ("sleep/VERB dogs/NOUN and/CCONJ the/DET old/ADJ", (0, 1, 5, 5, 2), "root a b b a"),
    ("the/DET dogs/NOUN", (2, 0), "b root"),
    ("dogs/NOUN ,/PUNCT old/ADJ dogs/NOUN sleep/VERB", (5, 1, 4, 1, 0), "a b b a root"),
)


class Sequence(NamedTuple):
    score: float
    moves: tuple[Move, ...]
    arcs: tuple[tuple[int, tuple[int, int]], ...]


def block_of(words: list[tuple[str, str]]) -> Block:
    lines = (f"{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for n, (form, tag) in enumerate(words, 1))
    return Block(("".join(lines) + "\n").encode(), CONLLU, "generated")


def treebank() -> bytes:
    lines = []
    for words, heads, names in SENTENCES:
        pairs = (word.split("/") for word in words.split())
        for n, ((form, tag), head, relation) in enumerate(zip(pairs, heads, names.split(), strict=True), 1):
            lines.append(f"{n}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n")
        lines.append("\n")
    return "".join(lines).encode()


@cache
def trained(system: str, root: str, features: str = "zhang-nivre") -> TransitionParser:
    """Return a parser whose weights will be shuffled: the features must be there, not more."""
    parser = treewright.train(treebank(), system=system, root=root, features=features, iterations=4, cutoff=1)
    assert isinstance(parser, TransitionParser)
    return parser


def with_random_weights(parser: TransitionParser, seed: int) -> GreedyParser:
    """Return the same parser with other weights, from -9 to 9."""
    rng = random.Random(seed)
    arrays = {name: bytes(part) for name, part in parser.weights.arrays.items()}
    for name in ("moves", "values"):
        arrays[name] = array("b", rng.choices(range(-9, 10), k=len(arrays[name]))).tobytes()
    engine = parser.engine
    table = LinearTable(FrozenWeights(arrays, parser.weights.settings))
    return GreedyParser(engine.system, engine.extractor, engine.moves, table, False, engine.deprojectivizer)


def beam_over(greedy: GreedyParser, width: int) -> BeamParser:
    return BeamParser(greedy, width)


def scored_moves(
    parser: TransitionParser, greedy: GreedyParser, state: Parse, block: Block
) -> list[tuple[float, Move]]:
    """Return all legal moves of a state with their scores."""
    allowed = {True: parser.settings["root_labels"], False: parser.settings["word_labels"]}
    return _scored(greedy, state, block, 0, allowed)


def extracted_scores(
    greedy: GreedyParser, training: Any, state: Parse, block: Block, sentence: int
) -> list[tuple[float, Move]]:
    """Return all legal moves of a state with their scores, while training."""
    return _scored(greedy, state, block, sentence, {True: training.root_labels, False: training.word_labels})


def _scored(
    greedy: GreedyParser, state: Parse, block: Block, sentence: int, allowed: dict[bool, list[int]]
) -> list[tuple[float, Move]]:
    """One that leaves no choice counts nothing. Arcs have relations that were seen with the root, or with words."""
    legal = state.legal()
    if len(legal) == 1 and legal[0] not in greedy.system.labelled_kinds:
        return [(0.0, (legal[0], None))]
    kinds, classes = greedy.scorer.score_keys(*extracted(greedy.extractor, state, block, sentence))
    moves: list[tuple[float, Move]] = []
    for kind in legal:
        number = greedy.system.kinds.index(kind)
        if kind not in greedy.system.labelled_kinds:
            moves.append((kinds[number], (kind, None)))
            continue
        arc = state.arc(kind)
        assert arc is not None
        for place, (other, label) in enumerate(greedy.moves.classes):
            if other == number and label in allowed[arc[0] == 0]:
                moves.append((kinds[number] + classes[place], (kind, label)))
    return moves


def replayed(greedy: GreedyParser, n: int, moves: tuple[Move, ...]) -> Parse:
    state = Parse(greedy.system, n)
    for kind, label in moves:
        state.apply(kind, label)
    return state


def all_sequences(parser: TransitionParser, greedy: GreedyParser, block: Block) -> Iterator[Sequence]:
    """Yield every complete sequence of moves."""
    n = block.n_words
    waiting: list[tuple[float, tuple[Move, ...]]] = [(0.0, ())]
    while waiting:
        score, moves = waiting.pop()
        state = replayed(greedy, n, moves)
        if state.terminal:
            yield Sequence(score, moves, tuple(sorted(state.arcs.items())))
            continue
        for gain, move in scored_moves(parser, greedy, state, block):
            waiting.append((score + gain, (*moves, move)))


class Candidate(NamedTuple):
    score: float
    configuration: object
    moves: tuple[Move, ...]


def configuration_of(state: Parse, moves: tuple[Move, ...]) -> object:
    """Return what tells states apart. Only of those with arc-eager's kind of stack, some are taken to be the same."""
    if state.system.name.startswith(("covington", "swap", "non-monotonic")) or state.system.planes:
        return moves
    return tuple(state.stack), tuple(state.context), tuple(state.buffer), tuple(sorted(state.arcs.items()))


def plain_beam(parser: TransitionParser, greedy: GreedyParser, block: Block, width: int) -> list[Sequence]:
    """Beam search as one would write it down: every state made again from its moves, every score computed again."""
    n = block.n_words
    beam = [Candidate(0.0, None, ())]
    while not all(replayed(greedy, n, item.moves).terminal for item in beam):
        following: list[Candidate] = []
        for item in beam:
            state = replayed(greedy, n, item.moves)
            if state.terminal:
                offer(following, Candidate(item.score, item.configuration, item.moves), width)
                continue
            ranked = sorted(scored_moves(parser, greedy, state, block), key=lambda pair: -pair[0])
            for gain, move in ranked[:width]:
                moves = (*item.moves, move)
                after = replayed(greedy, n, moves)
                offer(following, Candidate(item.score + gain, configuration_of(after, moves), moves), width)
        beam = following
    return [
        Sequence(item.score, item.moves, tuple(sorted(replayed(greedy, n, item.moves).arcs.items()))) for item in beam
    ]


def offer(kept: list[Candidate], candidate: Candidate, width: int) -> None:
    """Keep the best of different configurations; of equals, those that came first."""
    if len(kept) == width and candidate.score <= kept[-1].score:
        return
    for other in kept:
        if other.configuration == candidate.configuration:
            if other.score >= candidate.score:
                return
            kept.remove(other)
            break
    del kept[width - 1 :]
    place = len(kept)
    while place > 0 and kept[place - 1].score < candidate.score:
        place -= 1
    kept.insert(place, candidate)
