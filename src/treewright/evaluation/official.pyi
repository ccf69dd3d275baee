from treewright.evaluation.side import Side

METRICS: tuple[str, ...]

class OfficialCounts:
    def __init__(self) -> None: ...
    def counts_of(self, metric: str) -> tuple[int, int, int, int]: ...
    def add(
        self,
        gold: Side,
        gold_from: int,
        gold_to: int,
        system: Side,
        system_from: int,
        system_to: int,
    ) -> None: ...

def common_text(gold: Side, gold_from: int, system: Side, system_from: int) -> int: ...
def last_common_border(gold: Side, gold_from: int, system: Side, system_from: int) -> tuple[int, int]: ...
