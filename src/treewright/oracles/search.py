"""An exact dynamic oracle by search, where no formula is known: what each move costs from a configuration.

Unlike ``exhaustive.Search``, it looks only at what follows one configuration, and stops where nothing better can
follow: a word with a wrong head is lost, and no parse loses less than these. It takes sentences of six or seven words.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright.oracles.exhaustive import Move, State, replay, state_of
from treewright.systems.system import Parse


class OracleBySearch:
    """What moves cost against one gold tree; what was found is kept for the next question."""

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = heads
        self._loss: dict[State, int] = {}

    def costs(self, parse: Parse) -> dict[str, int]:
        """Return {legal kind: gold arcs that it loses}."""
        best = self.loss(parse)
        return {kind: self.loss(self._after(parse, kind)) - best for kind in parse.legal()}

    def loss(self, parse: Parse) -> int:
        """Return how many gold arcs the best parse that can follow lacks."""
        state = state_of(parse)
        if state not in self._loss:
            self._loss[state] = self._search(parse)
        return self._loss[state]

    def _search(self, parse: Parse) -> int:
        arcs = parse.arcs
        right = sum(word in arcs and arcs[word][0] == head for word, head in enumerate(self.heads, 1))
        if parse.terminal:
            return len(self.heads) - right
        least, best = len(arcs) - right, len(self.heads) + 1
        for kind in sorted(parse.legal(), key=lambda kind: not self._is_gold(parse, kind)):
            best = min(best, self.loss(self._after(parse, kind)))
            if best == least and parse.system.name != "non-monotonic":  # whose wrong heads may be replaced
                break
        return best

    def _after(self, parse: Parse, kind: str) -> Parse:
        move: Move = (kind, 0 if parse.carries_relation(kind) else None)
        return replay(parse.system, parse.n_words, [*parse.history, move], parse.leaves)

    def _is_gold(self, parse: Parse, kind: str) -> bool:
        arc = parse.arc(kind)
        return arc is not None and self.heads[arc[1] - 1] == arc[0]
