/* The innermost loop: sum the weights of the features of a configuration.

   The table is made of 64-byte lines, one cache line each: six features, each with a 16-bit tag, four 8-bit
   weights for the kinds of move, and a reference to its weights for labelled moves. Pass 1 asks the memory for
   all lines, pass 2 compares tags and adds; nothing branches on data but the rare overflow. References are
   sorted by the size of what they refer to, so that each loop over them has a fixed length. */
#ifndef TREEWRIGHT_SCORE_H
#define TREEWRIGHT_SCORE_H
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__GNUC__) && defined(__x86_64__)
#define TW_AVX2 /* compiled beside the portable path; used where the processor has it */
#include <immintrin.h>
#endif

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define TW_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TW_CLONES
#endif
#if defined(__GNUC__)
#define TW_PREFETCH(p) __builtin_prefetch(p, 0, 3)
#define TW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define TW_PREFETCH(p) ((void)0)
#define TW_UNLIKELY(x) (x)
#endif

#define TW_SLOTS 6

/* What a reference refers to, in its upper three bits. */
enum { TW_NO_ROW, TW_ONE, TW_TWO, TW_FOUR, TW_EIGHT, TW_DENSE, TW_ROW_TYPES };
#define TW_PLACE 0x1FFFFFFFu /* lower bits: where the row begins, in units of 8 bytes; of TW_ONE: class << 8 | weight */

typedef struct {
    uint16_t tag[TW_SLOTS];     /* 0: empty */
    uint16_t passed;            /* bit b: a feature with tag & 15 == b found no room here and stands further on */
    uint16_t unused;
    uint32_t row[TW_SLOTS];
    int8_t move[TW_SLOTS][4];
} tw_line;

typedef struct {
    const tw_line *lines;
    const uint8_t *rows;        /* pairs of 16-bit numbers (class, weight); dense: an 8-bit weight for each class */
    uint32_t n_lines;
    int32_t n_classes;          /* of labelled moves, padded to a multiple of 32 */
    int32_t has_avx2;
} tw_table;

static inline uint16_t tw_tag(uint64_t key) {
    uint16_t tag = (uint16_t)key;
    return tag ? tag : 1;
}

static inline uint32_t tw_line_of(uint64_t key, uint32_t n_lines) {
    return (uint32_t)(((key >> 32) * (uint64_t)n_lines) >> 32);
}

static inline int tw_match(const tw_line *line, uint16_t tag) { /* bits of the slots with this tag, one at most */
#if defined(__SSE2__)
    __m128i tags = _mm_load_si128((const __m128i *)line);
    int mask = _mm_movemask_epi8(_mm_cmpeq_epi16(tags, _mm_set1_epi16((short)tag)));
    return mask & 0xFFF ? __builtin_ctz(mask) >> 1 : TW_SLOTS;
#else
    int i = 0;
    while (i < TW_SLOTS && line->tag[i] != tag) i++;
    return i;
#endif
}

static inline const tw_line *tw_find(const tw_table *t, const tw_line *line, uint16_t tag, int *slot) {
    int at = tw_match(line, tag);
    while (TW_UNLIKELY(at == TW_SLOTS && (line->passed >> (tag & 15) & 1))) {
        line = line + 1 == t->lines + t->n_lines ? t->lines : line + 1;
        at = tw_match(line, tag);
    }
    *slot = at;
    return line;
}

/* Add the weights of keys to moves[4]; collect the rows of the first n_rows keys. Returns how many rows. */
static inline int tw_probe(const tw_table *t, const uint64_t *keys, int n, int n_rows, int32_t *moves, uint32_t *rows) {
    const tw_line *lines[256];
    int32_t a = 0, b = 0, c = 0, d = 0;
    int found = 0;
    for (int start = 0; start < n; start += 256) {
        int m = n - start < 256 ? n - start : 256;
        for (int i = 0; i < m; i++) {
            lines[i] = t->lines + tw_line_of(keys[start + i], t->n_lines);
            TW_PREFETCH(lines[i]);
        }
        for (int i = 0; i < m; i++) {
            int slot;
            const tw_line *line = tw_find(t, lines[i], tw_tag(keys[start + i]), &slot);
            int missing = slot == TW_SLOTS;
            slot -= missing;
            int32_t keep = missing - 1; /* all ones if found */
            uint32_t packed;
            memcpy(&packed, line->move[slot], 4);
            packed &= (uint32_t)keep;
            a += (int8_t)packed;
            b += (int8_t)(packed >> 8);
            c += (int8_t)(packed >> 16);
            d += (int8_t)(packed >> 24);
            uint32_t row = line->row[slot] & (uint32_t)keep;
            rows[found] = row;
            found += (row != 0) & (start + i < n_rows);
        }
    }
    moves[0] += a;
    moves[1] += b;
    moves[2] += c;
    moves[3] += d;
    return found;
}

/* Add dense rows, one weight a class, to 16-bit sums. The sums of up to 128 classes stay in registers. */
static void tw_add_dense_plain(const int8_t *const *rows, int n, int classes, int16_t *sums) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < classes; k++) sums[k] = (int16_t)(sums[k] + rows[i][k]);
}

#ifdef TW_AVX2
#define TW_DENSE_SUM(NAME, REGISTERS)                                                                                \
    __attribute__((target("avx2"))) static void NAME(const int8_t *const *rows, int n, int first, int16_t *sums) { \
        __m256i sum[REGISTERS];                                                                                  \
        for (int k = 0; k < REGISTERS; k++) sum[k] = _mm256_loadu_si256((const __m256i *)(sums + first + 16 * k)); \
        for (int i = 0; i < n; i++) {                                                                            \
            const int8_t *row = rows[i] + first;                                                                 \
            for (int k = 0; k < REGISTERS; k++)                                                                  \
                sum[k] = _mm256_add_epi16(                                                                       \
                    sum[k], _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + 16 * k))));             \
        }                                                                                                        \
        for (int k = 0; k < REGISTERS; k++) _mm256_storeu_si256((__m256i *)(sums + first + 16 * k), sum[k]);      \
    }
TW_DENSE_SUM(tw_dense_32, 2)
TW_DENSE_SUM(tw_dense_64, 4)
TW_DENSE_SUM(tw_dense_96, 6)
TW_DENSE_SUM(tw_dense_128, 8)

static void tw_add_dense_avx2(const int8_t *const *rows, int n, int classes, int16_t *sums) {
    int first = 0;
    for (; classes - first >= 128; first += 128) tw_dense_128(rows, n, first, sums);
    switch ((classes - first) / 32) {
        case 3: tw_dense_96(rows, n, first, sums); break;
        case 2: tw_dense_64(rows, n, first, sums); break;
        case 1: tw_dense_32(rows, n, first, sums); break;
    }
}
#endif

static inline void tw_add_pairs(const uint32_t *pairs, int n, int16_t *sums) {
    for (int k = 0; k < n; k++) {
        uint32_t which = pairs[k] & 0xFFFF;
        sums[which] = (int16_t)(sums[which] + (int16_t)(pairs[k] >> 16));
    }
}

/* Add what references (256 at most: the sums must fit 16 bits) refer to, to the sums of the classes. */
static inline void tw_add_rows(const tw_table *t, const uint32_t *rows, int n, int16_t *sums) {
    const uint8_t *sorted[TW_ROW_TYPES + 2][256];
    int count[TW_ROW_TYPES + 2] = {0};
    for (int i = 0; i < n; i++) {
        const uint8_t *row = t->rows + ((size_t)(rows[i] & TW_PLACE) << 3);
        int type = rows[i] >> 29;
        TW_PREFETCH(row);
        sorted[type][count[type]++] = row;
    }
    for (int i = 0; i < count[TW_DENSE]; i++) TW_PREFETCH(sorted[TW_DENSE][i] + 64);
    for (int i = 0; i < count[TW_ONE]; i++) {
        uint32_t one = (uint32_t)((size_t)(sorted[TW_ONE][i] - t->rows) >> 3);
        sums[one >> 8] = (int16_t)(sums[one >> 8] + (int8_t)one);
    }
    for (int i = 0; i < count[TW_TWO]; i++) tw_add_pairs((const uint32_t *)sorted[TW_TWO][i], 2, sums);
    for (int i = 0; i < count[TW_FOUR]; i++) tw_add_pairs((const uint32_t *)sorted[TW_FOUR][i], 4, sums);
    for (int i = 0; i < count[TW_EIGHT]; i++) tw_add_pairs((const uint32_t *)sorted[TW_EIGHT][i], 8, sums);
#ifdef TW_AVX2
    if (t->has_avx2) {
        tw_add_dense_avx2((const int8_t *const *)sorted[TW_DENSE], count[TW_DENSE], t->n_classes, sums);
        return;
    }
#endif
    tw_add_dense_plain((const int8_t *const *)sorted[TW_DENSE], count[TW_DENSE], t->n_classes, sums);
}

static inline int tw_has_avx2(void) {
#ifdef TW_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

/* Place of the first largest of n > 0 numbers. */
TW_CLONES
static int tw_best(const int16_t *x, int n) {
    int16_t most = x[0];
    for (int i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
    int at = 0;
    while (x[at] != most) at++;
    return at;
}
#endif
