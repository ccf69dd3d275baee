from treewright.kinds.exact.parts.part_family import PartFamily

class SpanChart:
    def __new__(cls, grandparents: PartFamily, siblings: PartFamily) -> SpanChart: ...
