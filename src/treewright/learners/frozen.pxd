from libc.stdint cimport int8_t, uint8_t, uint16_t


cdef class FrozenWeights:
    cdef readonly int n_classes
    cdef readonly int kind_weights           # weights that a feature has for kinds of move: FEW_KINDS to MAX_KINDS
    cdef readonly float scale                # a weight of 1 is stored as scale
    cdef const uint8_t[::1] lines            # how many features have their home in a line
    cdef const uint16_t[::1] tags            # by feature, in the order of their lines
    cdef const int8_t[::1] moves             # kind_weights weights per feature
    cdef const uint16_t[::1] sizes           # how many entries a feature has
    cdef const uint8_t[::1] low, high        # the class of an entry; `high` is empty if no class exceeds 255
    cdef const int8_t[::1] values            # the weight of an entry

    cdef inline int class_at(self, long entry) noexcept nogil:
        return self.low[entry] | (self.high[entry] << 8 if self.high.shape[0] else 0)
