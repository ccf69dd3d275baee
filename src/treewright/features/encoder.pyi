from collections.abc import Iterable

# (column, argument, mappings): see Attribute in language.py
_Attribute = tuple[str, str, tuple[tuple[str, int], ...]]

MAPPING_CODES: dict[str, int]

class Encoder:
    def __init__(self, attributes: Iterable[_Attribute], has_items: bool) -> None: ...
    @property
    def attributes(self) -> list[_Attribute]: ...
    @property
    def has_items(self) -> bool: ...

class Encoded:
    def __init__(self, n_attributes: int, has_items: bool) -> None: ...
