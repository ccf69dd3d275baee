/* The innermost loop: sum the weights of the features of a configuration.

   The table is made of 64-byte lines, one cache line each. A line holds six features, each with a 16-bit tag, 8-bit
   weights for four kinds of move, and a reference to its weights for labelled moves. The lines were prefetched when the
   keys were made (join.h); here tags are compared and weights added, and nothing branches on data. References are
   sorted by type, so that each loop over rows treats all its rows alike. If a system has more than four kinds of move,
   as many lines follow; each has the weights of the line's features for the other kinds, and nothing else. */
#ifndef TREEWRIGHT_SCORE_H
#define TREEWRIGHT_SCORE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "processor.h"
#include "weight_lines.h"

/* Return the first slot with this tag, or TW_SLOTS. */
static inline int tw_match(const tw_line *line, uint16_t tag) {
    int i = 0;
    while (i < TW_SLOTS && line->tag[i] != tag) i++;
    return i;
}

/* Sort a reference by type: write it to both lists, and count it in one. */
static TW_ALWAYS_INLINE void tw_sort(const uint8_t *rows, uint32_t ref, tw_rows *out, uint64_t *n_dense,
                                     uint64_t *n_sparse) {
    const int8_t *row = (const int8_t *)rows + (ref & TW_PLACE);
    TW_PREFETCH(row);
    out->dense[*n_dense] = row;
    out->sparse[*n_sparse] = ref;
    *n_dense += ref >> 31;
    *n_sparse += ref >> 30 & 1;
}

static inline const int8_t *tw_weights(const tw_line *line, int slot) {
    return slot < TW_SLOTS ? line->move[slot] : (const int8_t *)&line->zero;
}

static TW_ALWAYS_INLINE void tw_probe_body(const tw_table *t, const uint64_t *keys, int n, int32_t *moves, tw_rows *out,
                                           int want_rows, int wide) {
    uint64_t n_dense = want_rows ? (uint64_t)out->n_dense : 0, n_sparse = want_rows ? (uint64_t)out->n_sparse : 0;
    for (int i = 0; i < n; i++) {
        const tw_line *line = t->lines + tw_line_of(keys[i], t->n_lines);
        int slot = tw_match(line, tw_tag(keys[i]));
        for (int k = 0; k < TW_KINDS; k++) moves[k] += tw_weights(line, slot)[k];
        for (int k = 0; wide && k < TW_KINDS; k++) moves[TW_KINDS + k] += tw_weights(line + t->n_lines, slot)[k];
        if (want_rows) tw_sort(t->rows, slot < TW_SLOTS ? line->row[slot] : 0, out, &n_dense, &n_sparse);
    }
    if (want_rows) out->n_dense = (int)n_dense, out->n_sparse = (int)n_sparse;
}

#ifdef TW_AVX2
/* want_kinds, want_rows and wide are constants where this is called. */
TW_TARGET static TW_ALWAYS_INLINE void tw_probe_body_avx2(const uint8_t *rows, const char *lines, uint64_t n_lines,
                                                          const uint64_t *keys, int n, int32_t *moves, tw_rows *out,
                                                          int want_kinds, int want_rows, int wide) {
    uint64_t n_dense = want_rows ? (uint64_t)out->n_dense : 0, n_sparse = want_rows ? (uint64_t)out->n_sparse : 0;
    __m128i sum = want_kinds ? _mm_loadu_si128((const __m128i *)moves) : _mm_setzero_si128();
    __m128i others = wide ? _mm_loadu_si128((const __m128i *)(moves + TW_KINDS)) : sum;
    for (int i = 0; i < n; i++) {
        const char *line = lines + ((keys[i] >> 32) * n_lines >> 32 << 6);
        __m128i tag = _mm_set1_epi16((short)(keys[i] | 1));
        __m128i same = _mm_cmpeq_epi16(_mm_load_si128((const __m128i *)line), tag);
        /* 2 * slot, or 2 * TW_SLOTS; what follows the tags may look like one */
        int64_t at = (int64_t)_tzcnt_u64((uint64_t)(uint32_t)_mm_movemask_epi8(same) | 1u << 2 * TW_SLOTS);
        int32_t four;
        if (want_kinds) {
            memcpy(&four, line + offsetof(tw_line, move) + 2 * at, 4);
            sum = _mm_add_epi32(sum, _mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
        }
        if (wide) {
            memcpy(&four, line + (n_lines << 6) + offsetof(tw_line, move) + 2 * at, 4);
            others = _mm_add_epi32(others, _mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
        }
        if (want_rows) {
            uint32_t ref;
            memcpy(&ref, line + offsetof(tw_line, row) + 2 * at, 4);
            tw_sort(rows, ref & (uint32_t)((at - 2 * TW_SLOTS) >> 63), out, &n_dense, &n_sparse);
        }
    }
    if (want_kinds) _mm_storeu_si128((__m128i *)moves, sum);
    if (wide) _mm_storeu_si128((__m128i *)(moves + TW_KINDS), others);
    if (want_rows) out->n_dense = (int)n_dense, out->n_sparse = (int)n_sparse;
}

#define TW_PROBE_AVX2(NAME, WANT_ROWS, WIDE)                                                                         \
    TW_TARGET static void NAME(const tw_table *t, const uint64_t *keys, int n, int32_t *moves, tw_rows *out) {       \
        tw_probe_body_avx2(t->rows, (const char *)t->lines, t->n_lines, keys, n, moves, out, 1, WANT_ROWS, WIDE);    \
    }
TW_PROBE_AVX2(tw_probe_avx2, 1, 0)
TW_PROBE_AVX2(tw_probe_moves_avx2, 0, 0)
TW_PROBE_AVX2(tw_probe_wide_avx2, 1, 1)
TW_PROBE_AVX2(tw_probe_wide_moves_avx2, 0, 1)
#endif

static TW_ALWAYS_INLINE void tw_probe_as(const tw_table *t, const uint64_t *keys, int n, int32_t *moves, tw_rows *out,
                                         int want_rows, int wide) {
#ifdef TW_AVX2
    if (t->has_avx2) {
        if (wide) (want_rows ? tw_probe_wide_avx2 : tw_probe_wide_moves_avx2)(t, keys, n, moves, out);
        else (want_rows ? tw_probe_avx2 : tw_probe_moves_avx2)(t, keys, n, moves, out);
        return;
    }
#endif
    tw_probe_body(t, keys, n, moves, out, want_rows, wide);
}

static TW_NEVER_INLINE void tw_probe_wide(const tw_table *t, const uint64_t *keys, int n, int32_t *moves, tw_rows *out,
                                          int want_rows) {
    tw_probe_as(t, keys, n, moves, out, want_rows, 1);
}

/* Add the weights of n <= TW_AT_ONCE keys for the kinds of move to moves: TW_KINDS numbers, or twice as many if the
   table is wide. If want_rows is set, also sort the references to their weights for labelled moves, behind those that
   out has already: TW_AT_ONCE in all. */
static TW_ALWAYS_INLINE void tw_probe(const tw_table *t, const uint64_t *keys, int n, int32_t *moves, tw_rows *out,
                                      int want_rows) {
    if (TW_UNLIKELY(t->wide)) tw_probe_wide(t, keys, n, moves, out, want_rows);
    else tw_probe_as(t, keys, n, moves, out, want_rows, 0);
}

/* Add dense rows to the sums of classes first .. classes (multiples of 16), or start from zero if fresh is set. The
   sums of up to 128 classes stay in registers. */
static void tw_sum_plain(const tw_rows *rows, int fresh, int first, int classes, int16_t *sums) {
    if (fresh) memset(sums + first, 0, (size_t)(classes - first) * sizeof(int16_t));
    for (int i = 0; i < rows->n_dense; i++)
        for (int k = first; k < classes; k++) sums[k] = (int16_t)(sums[k] + rows->dense[i][k]);
}

#ifdef TW_AVX2
#define TW_SUM_CLASSES(NAME, REGISTERS)                                                                            \
    TW_TARGET_OF("avx2") static void NAME(const tw_rows *rows, int fresh, int first, int16_t *sums) {   \
        __m256i sum[REGISTERS];                                                                                    \
        for (int k = 0; k < REGISTERS; k++)                                                                        \
            sum[k] = fresh ? _mm256_setzero_si256() : _mm256_loadu_si256((const __m256i *)(sums + first + 16 * k));   \
        for (int i = 0; i < rows->n_dense; i++) {                                                                  \
            const int8_t *row = rows->dense[i] + first;                                                            \
            for (int k = 0; k < REGISTERS; k++)                                                                    \
                sum[k] = _mm256_add_epi16(                                                                         \
                    sum[k], _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + 16 * k))));               \
        }                                                                                                          \
        for (int k = 0; k < REGISTERS; k++) _mm256_storeu_si256((__m256i *)(sums + first + 16 * k), sum[k]);        \
    }
TW_SUM_CLASSES(tw_sum_16, 1)
TW_SUM_CLASSES(tw_sum_32, 2)
TW_SUM_CLASSES(tw_sum_48, 3)
TW_SUM_CLASSES(tw_sum_64, 4)
TW_SUM_CLASSES(tw_sum_80, 5)
TW_SUM_CLASSES(tw_sum_96, 6)
TW_SUM_CLASSES(tw_sum_112, 7)
TW_SUM_CLASSES(tw_sum_128, 8)

static void tw_sum_avx2(const tw_rows *rows, int fresh, int first, int classes, int16_t *sums) {
    for (; classes - first >= 128; first += 128) tw_sum_128(rows, fresh, first, sums);
    switch ((classes - first) / 16) {
        case 7: tw_sum_112(rows, fresh, first, sums); break;
        case 6: tw_sum_96(rows, fresh, first, sums); break;
        case 5: tw_sum_80(rows, fresh, first, sums); break;
        case 4: tw_sum_64(rows, fresh, first, sums); break;
        case 3: tw_sum_48(rows, fresh, first, sums); break;
        case 2: tw_sum_32(rows, fresh, first, sums); break;
        case 1: tw_sum_16(rows, fresh, first, sums); break;
    }
}
#endif

static inline void tw_add_pairs(const uint32_t *pairs, int n, int16_t *sums) {
    for (int k = 0; k < n; k++) {
        uint32_t which = pairs[k] & 0xFFFF;
        sums[which] = (int16_t)(sums[which] + (int16_t)(pairs[k] >> 16));
    }
}

/* Sum the rows for the classes first .. end; the sums of other classes may change or not. fresh: start from zero;
   otherwise add to the sums. The sums have room for a multiple of 16. */
static inline void tw_sum_rows(const tw_table *t, const tw_rows *rows, int fresh, int first, int end, int16_t *sums) {
    first &= ~15;
    end = (end + 15) & ~15;
#ifdef TW_AVX2
    if (t->has_avx2)
        tw_sum_avx2(rows, fresh, first, end, sums);
    else
#endif
        tw_sum_plain(rows, fresh, first, end, sums);
    for (int i = 0; i < rows->n_sparse; i++) {
        const uint32_t *pairs = (const uint32_t *)(t->rows + (rows->sparse[i] & TW_PLACE));
        for (int n = TW_FOURS(rows->sparse[i]); n > 0; n--, pairs += 4) tw_add_pairs(pairs, 4, sums);
    }
}

static inline void tw_add_rows(const tw_table *t, const tw_rows *rows, int first, int end, int16_t *sums) {
    tw_sum_rows(t, rows, 0, first, end, sums);
}

/* The largest of n > 0 numbers, and the first place that has it. Whoever compares the best of several ranges needs the
   place in one of them only. */
static inline int16_t tw_most_plain(const int16_t *x, int n) {
    int16_t most = x[0];
    for (int i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
    return most;
}

static inline int tw_place_plain(const int16_t *x, int16_t wanted) {
    int at = 0;
    while (x[at] != wanted) at++;
    return at;
}

#ifdef TW_AVX2
TW_TARGET static int16_t tw_most_avx2(const int16_t *x, int n) {
    __m256i most = _mm256_loadu_si256((const __m256i *)x);
    for (int i = 16; i + 16 <= n; i += 16) most = _mm256_max_epi16(most, _mm256_loadu_si256((const __m256i *)(x + i)));
    /* the last sixteen, some of them for the second time */
    most = _mm256_max_epi16(most, _mm256_loadu_si256((const __m256i *)(x + n - 16)));
    /* the largest of eight: one instruction finds the smallest of unsigned numbers, so turn the order around */
    __m128i half = _mm_max_epi16(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
    half = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(0x7FFF)));
    return (int16_t)(_mm_cvtsi128_si32(half) ^ 0x7FFF);
}

/* A bit for each of 32 numbers that is equal to the wanted one. */
TW_TARGET static inline uint64_t tw_equal_avx2(const int16_t *x, __m256i wanted) {
    __m256i low = _mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)x), wanted);
    __m256i high = _mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)(x + 16)), wanted);
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8));
}

TW_TARGET static int tw_place_avx2(const int16_t *x, int n, int16_t wanted) {
    __m256i all = _mm256_set1_epi16(wanted);
    int i = 0;
    /* as a rule, without a branch that depends on the place */
    if (32 <= n && n <= 64)
        return (int)_tzcnt_u64(tw_equal_avx2(x, all) | tw_equal_avx2(x + n - 32, all) << (n - 32));
    for (; i + 16 <= n; i += 16) {
        int same = _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)(x + i)), all));
        if (same) return i + (tw_lowest((unsigned)same) >> 1);
    }
    i = n - 16;
    int same = _mm256_movemask_epi8(_mm256_cmpeq_epi16(_mm256_loadu_si256((const __m256i *)(x + i)), all));
    return i + (tw_lowest((unsigned)same) >> 1);
}
#endif

static inline int16_t tw_most(const tw_table *t, const int16_t *x, int n) {
#ifdef TW_AVX2
    if (t->has_avx2 && n >= 16) return tw_most_avx2(x, n);
#endif
    return tw_most_plain(x, n);
}

static inline int tw_place_of(const tw_table *t, const int16_t *x, int n, int16_t wanted) {
#ifdef TW_AVX2
    if (t->has_avx2 && n >= 16) return tw_place_avx2(x, n, wanted);
#endif
    return tw_place_plain(x, wanted);
}

static inline int tw_best(const tw_table *t, const int16_t *x, int n) {
    return tw_place_of(t, x, n, tw_most(t, x, n));
}
#endif
