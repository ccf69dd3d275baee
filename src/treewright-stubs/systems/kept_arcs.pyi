from array import array

class KeptArcs:
    n_words: int
    def __init__(self, heads: array[int], labels: array[int], first_banned: array[int], banned: array[int]) -> None: ...
