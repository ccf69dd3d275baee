from treewright.exact.part_bounds import PartBounds

class PartFamily(PartBounds):
    added: int
