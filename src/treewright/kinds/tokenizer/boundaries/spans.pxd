"""Characters that belong together in any language. See spans.pyx."""
from treewright.kinds.tokenizer.boundaries.characters cimport Characters

cdef void find_spans(Characters text) noexcept nogil
