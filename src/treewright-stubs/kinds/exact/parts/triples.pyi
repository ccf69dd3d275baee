from treewright.kinds.exact.parts.part_templates import Templates

class TripleKeys:
    def __new__(cls, templates: Templates, siblings: bool) -> TripleKeys: ...
