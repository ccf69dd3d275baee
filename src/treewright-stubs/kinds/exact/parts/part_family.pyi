from treewright.kinds.exact.parts.part_bounds import PartBounds

class PartFamily(PartBounds):
    added: int
