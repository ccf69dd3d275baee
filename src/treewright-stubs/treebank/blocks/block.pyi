from collections.abc import Iterable, Sequence

from typing_extensions import Buffer

COLUMNS: str
ID: str
HEAD: str
NO_FINAL_BLANK: str
MAX_BLOCK: int

class Layout:
    name: str
    columns: tuple[str, ...]
    comments: bool
    id: int
    form: int
    lemma: int
    upos: int
    xpos: int
    feats: int
    head: int
    deprel: int
    deps: int
    misc: int
    def __init__(self, name: str, columns: Iterable[str], comments: bool = True) -> None: ...
    def index(self, column: str) -> int: ...

def layout_of(name: str, columns: tuple[str, ...], comments: bool = True) -> Layout: ...

class Block:
    data: bytes
    layout: Layout
    source: str
    first_line: int
    n_columns: int
    n_words: int
    n_sentences: int
    problems: list[tuple[int, int, str]]
    def __init__(self, data: bytes, layout: Layout, source: str = "", first_line: int = 1) -> None: ...
    def words_of(self, sentence: int) -> range: ...
    def text_of(self, sentence: int) -> bytes: ...
    def span_of(self, sentence: int) -> tuple[int, int]: ...
    def line_of(self, sentence: int) -> int: ...
    def line_of_word(self, word: int) -> int: ...
    def value(self, word: int, column: int) -> bytes: ...
    def place(self, word: int, column: int) -> tuple[int, int]: ...
    def head_of(self, word: int) -> int: ...
    def sent_id(self, sentence: int) -> str: ...
    def with_tree(self, heads: Buffer, labels: Buffer, relations: Sequence[bytes]) -> bytes: ...
    def renumber(self, lines: Buffer) -> None: ...
