"""Is text in normal form? See normal_form.pyx."""

cdef bint is_normal(const char* text, const char* end) noexcept nogil
cdef bint is_plain(const char* text, const char* end) noexcept nogil
