from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from treewright.kinds.tagger.tags import TagSet
from typing_extensions import Buffer

class OpenTags:
    fits: bool
    def __init__(self, tags: TagSet, numbers: Sequence[int]) -> None: ...
    def best(self, scores: Buffer, left_out: int = -1) -> tuple[int, float, float]: ...

def starts_of(lists: Iterable[Collection[Any]]) -> array[int]: ...
