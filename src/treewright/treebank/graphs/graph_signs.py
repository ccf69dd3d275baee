"""Signs that preparation leaves in relations; relations of a treebank must not contain them."""

JOINED = "∧"  # several arcs from one head to the same word
LIFTED = "↑"  # an arc lifted over the relation after the sign
REVERSED = "↔"  # an arc reversed to break a cycle
FILLED, FILLED_END = "⟨", "⟩"  # a part copied from other words, see relation_fillers.pyx
NO_HEAD = "∅"  # from a neighbour to a word without heads, so it can leave the stack
PATH = ">"  # through empty nodes, see graph.py; part of the format
SIGNS = JOINED + LIFTED + REVERSED + FILLED + FILLED_END + NO_HEAD
