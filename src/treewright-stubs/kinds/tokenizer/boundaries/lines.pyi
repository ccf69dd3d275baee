from treewright.kinds.tokenizer.boundaries.characters import Characters

class LineStyle:
    newlines: str
    width: int
    wide: int
    guessed: bool
    capitals: bool
    def __init__(
        self,
        newlines: str = "paragraph",
        width: int = 0,
        wide: int = 2,
        guessed: bool = False,
        capitals: bool = True,
    ) -> None: ...
    def mark(self, text: Characters, column: int = 0) -> None: ...

class Lines:
    wide: int
    breaks: int
    lower: int
    upper: int
    width: int
    forced: float
    ended: float
    full: float
    def __init__(self, text: Characters, wide: int) -> None: ...

def column_after(text: Characters, end: int, column: int, wide: int) -> int: ...
def line_style(text: Characters, newlines: str = "auto") -> LineStyle: ...
def lacking_marks(text: Characters) -> int: ...
