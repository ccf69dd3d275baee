from treewright.text.tokenizer.characters import Characters

NEWLINES: tuple[str, ...]

class LineStyle:
    newlines: str
    width: int
    guessed: bool
    capitals: bool
    def __init__(
        self, newlines: str = "paragraph", width: int = 0, guessed: bool = False, capitals: bool = True
    ) -> None: ...
    def mark(self, text: Characters, column: int = 0) -> None: ...

def column_after(text: Characters, end: int, column: int) -> int: ...
def line_style(text: Characters, newlines: str = "auto") -> LineStyle: ...
def lacking_marks(text: Characters) -> int: ...
