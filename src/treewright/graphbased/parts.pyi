from treewright.features.encoder import Encoder
from treewright.graphbased.templates import GraphModel, Template

class Templates:
    count: int
    simple: int

class PartProgram:
    model: GraphModel
    encoder: Encoder
    guided: bool
    def __init__(self, model: GraphModel) -> None: ...

class PartScratch:
    n: int
    def __init__(self, program: PartProgram) -> None: ...

def has_lists(template: Template) -> bool: ...
