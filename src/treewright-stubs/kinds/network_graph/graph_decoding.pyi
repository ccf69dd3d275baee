from array import array

from typing_extensions import Buffer, Self

class GraphFinder:
    def __new__(cls) -> Self: ...
    def find(
        self,
        arcs: Buffer,
        lengths: Buffer,
        threshold: float,
        leaves: Buffer,
        connected: bool,
        headed: bool,
        single_root: bool,
    ) -> tuple[array[int], array[int], array[float]]: ...

def as_probabilities(logits: Buffer) -> array[float]: ...
