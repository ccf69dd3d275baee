from libc.stdint cimport int32_t, int64_t

cdef class ArcScores:
    cdef float* data
    cdef int64_t* starts                 # one more than sentences
    cdef int32_t* sizes                  # rows of each sentence
    cdef readonly Py_ssize_t n_sentences
    cdef Py_ssize_t[1] length, step      # for the buffer protocol
