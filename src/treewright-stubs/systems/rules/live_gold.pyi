from collections.abc import Sequence

from treewright.systems.rules.table import RuleTable
from treewright.systems.system import Parse

class LiveGold:
    def __init__(self) -> None: ...
    def judge(
        self, parse: Parse, rules: RuleTable, tags: Sequence[int]
    ) -> dict[str, dict[int | None, tuple[bool, int]]]: ...
