from treewright.features.word_clusters import WordClusters
from treewright.kinds.tokenizer.boundaries.characters import Characters

REACH: int

def clusters_beside(
    clusters: WordClusters, text: Characters, first: int, at: int, next_at: int
) -> tuple[int, int, int, int]: ...
