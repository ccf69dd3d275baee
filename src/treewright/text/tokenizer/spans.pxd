"""Characters that belong together in any language. See spans.pyx."""
from treewright.text.tokenizer.characters cimport Characters

cdef void find_spans(Characters text) noexcept nogil
