from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.line_ends import Lines

class LineStyle:
    newlines: str
    guessed: bool
    each: bool
    capitals: bool
    width: int
    wide: int
    support: int
    share: int
    def __init__(
        self,
        newlines: str = "paragraph",
        width: int = 0,
        wide: int = 2,
        *,
        support: int = 0,
        share: int = 0,
        each: bool = True,
        guessed: bool = False,
        capitals: bool = True,
    ) -> None: ...
    def mark(self, text: Characters, before: Lines | None = None) -> Lines | None: ...

def line_style(text: Characters, newlines: str = "auto") -> LineStyle: ...
def lacking_marks(text: Characters) -> int: ...
