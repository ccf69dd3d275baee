from treewright.treebank.blocks.block import Block

class Arcs:
    def __init__(self, block: Block) -> None: ...
