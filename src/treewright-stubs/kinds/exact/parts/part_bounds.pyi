from treewright.kinds.exact.parts.part_scores import PartScores

class PartBounds:
    source: PartScores | None
    there: bool
    siblings: bool
    n: int
    scored: int
    def __init__(self, source: PartScores | None) -> None: ...
