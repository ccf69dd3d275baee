from treewright.treebank.blocks.block import Block

NO_HEAD: str
BAD_HEAD: str
HEAD_RANGE: str
SELF_HEAD: str
NO_ROOT: str
MANY_ROOTS: str
CYCLE: str
NO_DEPREL: str
NO_FORM: str
NONPROJECTIVE: str

def find_problems(
    block: Block, need_tree: bool = True, single_root: bool = True
) -> list[tuple[int, int, str, tuple[int, ...]]]: ...
def has_trees(block: Block) -> bool: ...
def is_filled(block: Block, column: int) -> bool: ...
def tagged_runs(block: Block) -> list[int]: ...
def find_cycles(heads: list[int]) -> list[list[int]]: ...
