from array import array

from typing_extensions import Buffer

def tree_marginals(scores: Buffer, single_root: bool = False) -> tuple[array[float], float]: ...
