from libc.stdint cimport int32_t, int64_t

from treewright.treebank.lifting.projectivity cimport TreeWorkspace


cdef class Deprojectivizer:
    cdef readonly str scheme
    cdef readonly list decoded_relations     # the text of every label after undo
    cdef readonly int n_encoded              # how many of the relations are encoded
    cdef int n_relations
    cdef bint follow_path, know_head
    cdef int32_t* base                       # [n_relations]: number of the user's relation
    cdef int32_t* head_relation              # [n_relations]: number of the head's relation, or -1
    cdef char* lifted
    cdef char* on_path

    cdef int undo(self, int32_t* heads, int32_t* labels, int n, TreeWorkspace w) except -1 nogil
    cdef int _reattach(self, int32_t* heads, const int32_t* labels, int n, TreeWorkspace w) except -1 nogil
    cdef int _target(self, int start, int word, const int32_t* labels, TreeWorkspace w,
                     int64_t* budget) noexcept nogil
    cdef int _search(self, int start, int word, int wanted, bint follow_path, const int32_t* labels,
                     TreeWorkspace w, int64_t* budget) noexcept nogil
    cdef bint _ends_path(self, int node, int word, const int32_t* labels, TreeWorkspace w,
                         int64_t* budget) noexcept nogil
    cdef bint _marked(self, int label) noexcept nogil
