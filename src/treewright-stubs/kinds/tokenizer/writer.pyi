from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.multiwords.multiwords import MultiwordTable
from typing_extensions import Buffer

class ConlluWriter:
    ranges: bool
    spaces: bool
    sentences: int
    words: int
    characters: int
    def __init__(
        self,
        multiwords: MultiwordTable | None = None,
        *,
        ranges: bool = False,
        spaces: bool = True,
        paragraphs: bool = True,
        before: int = 0,
        prefix: bytes = b"",
        document: bytes = b"",
        characters: int = 0,
        goes_on: bool = False,
        new_paragraph: bool = True,
    ) -> None: ...
    def write(self, text: Characters, labels: Buffer, end: int) -> bytes: ...

def label_given(text: Characters, out: Buffer, layout: str) -> None: ...
