from collections.abc import Iterable

from treewright.treebank.blocks.block import Block

from treewright.systems.rules.rule import Rule

class RuleTable:
    rules: tuple[Rule, ...]
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    def __init__(self, rules: Iterable[Rule], relations: Iterable[str], scheme: str = "baseline") -> None: ...

def outward_tags(block: Block) -> list[str]: ...
