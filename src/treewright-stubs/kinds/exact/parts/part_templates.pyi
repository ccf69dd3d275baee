from collections.abc import Mapping, Sequence
from typing import Any

from treewright.features.templates import Template

ROLES: dict[str, int]
NEARNESS: dict[str, int]

class Templates:
    count: int
    simple: int
    def __new__(cls, templates: Sequence[Template], attributes: Mapping[Any, int]) -> Templates: ...

def has_lists(template: Template) -> bool: ...
