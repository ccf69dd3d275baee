from array import array

MOST_BITS: int

class WordClusters:
    keys: array[int]
    numbers: array[int]
    paths: array[int]
    depths: array[int]
    source: str
    def __init__(
        self, keys: array[int], numbers: array[int], paths: array[int], depths: array[int], source: str = ""
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_clusters(self) -> int: ...
    def path(self, word: str) -> str | None: ...

def cluster_key(word: str) -> int: ...
