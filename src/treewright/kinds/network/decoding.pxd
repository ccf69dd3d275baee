from libc.stdint cimport int64_t


cdef int forbid_leaves(double* scores, const unsigned char[::1] leaves, int word, int64_t length,
                       bint single_root) except -1
