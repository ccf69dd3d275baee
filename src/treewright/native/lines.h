/* Lines and columns of text: where columns begin, how many lines there are, whether all of it is text at all. */
#ifndef TREEWRIGHT_LINES_H
#define TREEWRIGHT_LINES_H
#include <stdint.h>
#include <string.h>
#include "processor.h"

#ifdef TW_AVX2
/* A bit for each of 64 bytes that is equal to a character. */
TW_TARGET static inline uint64_t tw_where(__m256i low, __m256i high, char c) {
    __m256i wanted = _mm256_set1_epi8(c);
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}

/* Do as tw_columns with as much of the line as lies in whole groups of 64 bytes; return where they end, or NULL if the
   line ended before. n: how many columns have begun. */
TW_TARGET static const char *tw_columns_avx2(const char *text, const char *p, const char *end, int32_t *field, int most,
                                             int *n, const char **stop) {
    for (; end - p >= 64; p += 64) {
        __m256i low = _mm256_loadu_si256((const __m256i *)p), high = _mm256_loadu_si256((const __m256i *)(p + 32));
        uint64_t tabs = tw_where(low, high, '\t'), ends = tw_where(low, high, '\n');
        int32_t first = (int32_t)(p - text) + 1, found;
        tabs &= (ends - 1) & ~ends; /* those before the end of the line; all of them if it is not here */
        found = (int32_t)_mm_popcnt_u64(tabs);
        /* Always as many, so that no branch depends on how long the columns are; the last ones are no places. */
        for (int i = *n; i < *n + most && *n < most; i++, tabs &= tabs - 1) field[i] = first + (int32_t)_tzcnt_u64(tabs);
        *n += found;
        if (ends) {
            *stop = p + _tzcnt_u64(ends);
            return NULL;
        }
    }
    return p;
}
#endif

/* Write where the columns of a line behind the first begin, counted from text, to field[1], field[2] …, up to
   field[most - 1]; what stands behind, up to field[2 * most - 1], may change. Return how many columns the line has; stop
   gets where it ends: at its '\n', or at the end of text. */
static inline int tw_columns(const char *text, const char *line, const char *end, int32_t *field, int most,
                             const char **stop, int has_avx2) {
    const char *p = line;
    int n = 1;
#ifdef TW_AVX2
    if (has_avx2) p = tw_columns_avx2(text, line, end, field, most, &n, stop);
    if (p == NULL) return n;
#endif
    for (; p < end && *p != '\n'; p++)
        if (*p == '\t') {
            if (n < most) field[n] = (int32_t)(p - text) + 1;
            n++;
        }
    *stop = p;
    return n;
}

#ifdef TW_AVX2
TW_TARGET static const char *tw_skip_lines_avx2(const char *p, const char *end, long *lines) {
    const __m256i space = _mm256_set1_epi8(' ');
    for (; end - p > 64; p += 64) {
        __m256i low = _mm256_loadu_si256((const __m256i *)p), high = _mm256_loadu_si256((const __m256i *)(p + 32));
        uint64_t ends = tw_where(low, high, '\n');
        low = _mm256_loadu_si256((const __m256i *)(p + 1)), high = _mm256_loadu_si256((const __m256i *)(p + 33));
        low = _mm256_cmpeq_epi8(_mm256_min_epu8(low, space), low);
        high = _mm256_cmpeq_epi8(_mm256_min_epu8(high, space), high);
        uint64_t blank = (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
                         (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        blank &= ends; /* ends of lines before a character that no text begins with: the next line may be blank */
        if (blank) {
            *lines += (long)_mm_popcnt_u64(ends & (blank - 1) & ~blank);
            return p + _tzcnt_u64(blank);
        }
        *lines += (long)_mm_popcnt_u64(ends);
    }
    return p;
}
#endif

/* From within a line, go to the end of the last line before one that may be blank, or less far: into a line that is
   not blank. lines grows by the number of line ends that were passed. */
static inline const char *tw_skip_lines(const char *p, const char *end, long *lines, int has_avx2) {
#ifdef TW_AVX2
    if (has_avx2) return tw_skip_lines_avx2(p, end, lines);
#endif
    return p;
}

/* Return how many '\n' there are. */
static inline size_t tw_line_ends(const char *p, const char *end) {
    size_t n = 0;
    while (p < end) {
        uint8_t some = 0; /* few enough to count them in a byte, which compilers do for many bytes at once */
        const char *stop = end - p > 255 ? p + 255 : end;
        for (; p < stop; p++) some = (uint8_t)(some + (*p == '\n'));
        n += some;
    }
    return n;
}

/* Return the length of a character in UTF-8, or 0 if it is none: overlong, a surrogate, cut off, or NUL. */
static inline int tw_character(const unsigned char *p, const unsigned char *end) {
    unsigned char lead = p[0];
    if (lead < 0x80) return lead != 0;
    int n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || end - p < n) return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if (lead == 0xE0 && p[1] < 0xA0) return 0;
    if (lead == 0xED && p[1] > 0x9F) return 0;
    if (lead == 0xF0 && p[1] < 0x90) return 0;
    if (lead == 0xF4 && p[1] > 0x8F) return 0;
    return n;
}

#ifdef TW_AVX2
/* Skip groups of 64 bytes from 0x01 to 0x7F. */
TW_TARGET static const unsigned char *tw_skip_ascii_avx2(const unsigned char *p, const unsigned char *end) {
    const __m256i zero = _mm256_setzero_si256();
    for (; end - p >= 64; p += 64) {
        __m256i low = _mm256_loadu_si256((const __m256i *)p), high = _mm256_loadu_si256((const __m256i *)(p + 32));
        /* as signed numbers, the smaller one of two is above 0 if both are */
        __m256i least = _mm256_min_epi8(low, high);
        if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, zero)) != -1) break;
    }
    return p;
}
#endif

/* Is this UTF-8 without NUL? */
static inline int tw_is_text(const char *text, size_t size, int has_avx2) {
    const unsigned char *p = (const unsigned char *)text, *end = p + size;
    while (p < end) {
#ifdef TW_AVX2
        if (has_avx2) p = tw_skip_ascii_avx2(p, end);
#endif
        for (; end - p >= 8; p += 8) { /* eight bytes from 0x01 to 0x7F: subtracting 1 from 0 sets the highest bit */
            uint64_t x;
            memcpy(&x, p, 8);
            if ((x | (x - 0x0101010101010101ull)) & 0x8080808080808080ull) break;
        }
        /* Some characters at a time: where one is not ASCII, its neighbours often are not either. */
        for (int i = 0; i < 16 && p < end; i++) {
            int n = tw_character(p, end);
            if (n == 0) return 0;
            p += n;
        }
    }
    return 1;
}
#endif
