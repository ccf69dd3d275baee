from collections.abc import Sequence

from treewright.systems.rules.table import RuleTable
from treewright.systems.system import Parse
from typing_extensions import Buffer

class ArcScores: ...

def found_way_out(
    parse: Parse, rules: RuleTable, tags: Sequence[int], scores: Buffer, head: int, dependent: int, label: int
) -> tuple[int, int, float] | None: ...
