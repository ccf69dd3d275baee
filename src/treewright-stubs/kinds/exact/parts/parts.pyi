from collections.abc import Sequence

from treewright.features.encoder import Encoder

from treewright.kinds.exact.parts.templates import PartModel

class PartProgram:
    model: PartModel
    encoder: Encoder
    advised: bool
    def __init__(self, model: PartModel, leaf_tags: Sequence[str] = ()) -> None: ...

class PartScratch:
    n: int
    def __new__(cls, program: PartProgram, single_root: bool = True) -> PartScratch: ...
