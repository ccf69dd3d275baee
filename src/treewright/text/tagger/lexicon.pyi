from array import array

class Lexicon:
    keys: array[int]
    classes: array[int]
    class_start: array[int]
    class_tags: array[int]
    class_codes: array[int]
    closed: bytes
    def __init__(
        self,
        keys: array[int],
        classes: array[int],
        class_start: array[int],
        class_tags: array[int],
        class_codes: array[int],
        closed: bytes,
        n_tags: int,
    ) -> None: ...
    def __len__(self) -> int: ...
