from array import array
from collections.abc import Iterable

from typing_extensions import Buffer

class TreeFinder:
    def find(
        self,
        arcs: Buffer,
        lengths: Buffer,
        votes: Iterable[tuple[float, Buffer]],
        leaves: Buffer,
        single_root: bool,
        projective: bool,
        out: Buffer,
        confidences: Buffer | None = None,
        given: Buffer | None = None,
        first_banned: Buffer | None = None,
        banned: Buffer | None = None,
        first: int = 0,
        enclosed: Buffer | None = None,
    ) -> None: ...
    def matrix(
        self, arcs: Buffer, length: int, votes: Iterable[tuple[float, Buffer]], leaves: Buffer, single_root: bool
    ) -> array[float]: ...

def best_labels(
    scores: Buffer,
    lengths: Buffer,
    heads: Buffer,
    out: Buffer,
    weights: Buffer,
    voted_heads: Buffer,
    voted_labels: Buffer,
) -> None: ...
