from array import array

from typing_extensions import Buffer

class SpanningScratch:
    capacity: int

def best_tree(scores: Buffer, projective: bool = False, single_root: bool = False) -> tuple[array[int], float]: ...
def reduced_scores(scores: Buffer, single_root: bool = False, projective: bool = False) -> list[list[float]]: ...
