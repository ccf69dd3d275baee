"""How many gold arcs arc-standard can still build. See arc_standard_chart.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.gold cimport Gold

cdef int most_gold_arcs(const Gold* g, const int32_t* nodes, int n, int top, bint single_root) except -1 nogil
