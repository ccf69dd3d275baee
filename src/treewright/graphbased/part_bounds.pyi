from treewright.graphbased.sources import PartSource

class PartBounds:
    source: PartSource
    n: int
    scored: int
    def __init__(self, source: PartSource) -> None: ...
