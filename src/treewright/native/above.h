/* Search in sums of labelled moves for those that still have a chance. */
#ifndef TREEWRIGHT_ABOVE_H
#define TREEWRIGHT_ABOVE_H
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The first place at or behind `at`, before `end`, with a number above the limit; `end` where there is none. */
static inline int tw_next_above(const int16_t *x, int at, int end, int limit) {
    if (limit >= INT16_MAX) return end;
    if (limit < INT16_MIN) return at;
#if defined(__SSE2__)
    const __m128i limits = _mm_set1_epi16((short)limit);
    for (; at + 16 <= end; at += 16) {
        __m128i low = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(x + at)), limits);
        __m128i high = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(x + at + 8)), limits);
        int mask = _mm_movemask_epi8(_mm_packs_epi16(low, high));
        if (mask) {
            while (!(mask & 1)) mask >>= 1, at++;
            return at;
        }
    }
#endif
    while (at < end && x[at] <= limit) at++;
    return at;
}
#endif
