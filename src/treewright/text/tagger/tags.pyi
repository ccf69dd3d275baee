from collections.abc import Iterable, Sequence

NOMINAL: frozenset[str]
VERBAL: frozenset[str]

class TagSet:
    tags: list[tuple[str, str, str]]
    components: list[str]
    n_tags: int
    n_components: int
    def __init__(self, tags: Iterable[Sequence[str]]) -> None: ...
    def __len__(self) -> int: ...

def components_of(tag: Sequence[str]) -> list[str]: ...
def code_of(text: str) -> int: ...
