/* Zeroed memory for large tables that are read at random: aligned to cache lines and, if the system offers them, in
   huge pages, which avoid most address look-ups. */
#ifndef TREEWRIGHT_MEMORY_H
#define TREEWRIGHT_MEMORY_H
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(_WIN32)
#include <malloc.h>
#endif

#define TW_HUGE (2u << 20)

static inline void *tw_allocate(size_t size) {
    void *memory = NULL;
    size = (size + 63) / 64 * 64 + 64;
#if defined(_WIN32)
    memory = _aligned_malloc(size, 64);
#else
    size_t border = size >= TW_HUGE / 2 ? TW_HUGE : 64;
    size = (size + border - 1) / border * border;
    if (posix_memalign(&memory, border, size)) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (border == TW_HUGE) madvise(memory, size, MADV_HUGEPAGE);
#endif
#endif
    if (memory) memset(memory, 0, size);
    return memory;
}

static inline void tw_release(void *memory) {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* Let the C library keep freed memory of this size for the next one who asks. glibc gives memory back to the system
   beyond a threshold, which it raises when a larger piece is freed; below, every block of a file would begin with
   hundreds of page faults. The piece is not touched, so it costs nothing. */
static inline void tw_keep_freed(size_t size) {
#if defined(__GLIBC__)
    void *volatile memory = malloc(size);
    free(memory);
#endif
}

/* Like realloc, for memory of tw_allocate; new memory is zero. */
static inline void *tw_enlarge(void *memory, size_t used, size_t size) {
    void *larger = tw_allocate(size);
    if (larger && memory) memcpy(larger, memory, used);
    if (larger) tw_release(memory);
    return larger;
}
#endif
