from array import array

ONE_FORM: int

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
    ) -> None: ...
    def __len__(self) -> int: ...

class KnownLemmas:
    keys: array[int]
    masks: array[int]
    def __init__(self, keys: array[int], masks: array[int]) -> None: ...
    def __len__(self) -> int: ...
    def mask(self, lemma: str) -> int: ...

def lemma_key(lemma: str) -> int: ...
def pos_bit(pos: int) -> int: ...
