"""Signs that preparation leaves in relations, and that treebanks may therefore not have there."""

JOINED = "∧"  # several arcs from one head to the same word
LIFTED = "↑"  # an arc that was lifted over the relation that follows
REVERSED = "↔"  # an arc that was turned round to break a cycle
FILLED, FILLED_END = "⟨", "⟩"  # a part of the relation that is copied from other words, see relation_fillers.pyx
NO_HEAD = "∅"  # of a word without any head to its neighbour, so that it can leave the stack
PATH = ">"  # through empty nodes, see graph.py; no sign of ours
SIGNS = JOINED + LIFTED + REVERSED + FILLED + FILLED_END + NO_HEAD
