from treewright.evaluation.side import Side

class Alignment:
    def __init__(
        self, gold: Side, gold_from: int, gold_to: int, system: Side, system_from: int, system_to: int
    ) -> None: ...
