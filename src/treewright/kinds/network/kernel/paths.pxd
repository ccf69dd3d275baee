cdef extern from "neural_paths.h" nogil:
    enum:
        TW_PLAIN
        TW_N_PATHS

    int tw_has_path(int path)

cdef int current_path() noexcept nogil
