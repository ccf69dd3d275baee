/* The innermost loop: sum the weights of the features of a configuration.

   The table is made of 64-byte lines, one cache line each: six features, each with a 16-bit tag, four 8-bit
   weights for the kinds of move, and the place of its row of weights for labelled moves. Pass 1 asks the
   memory for all lines, pass 2 compares tags and adds; nothing branches on data but the rare overflow. */
#ifndef TREEWRIGHT_SCORE_H
#define TREEWRIGHT_SCORE_H
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
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
#define TW_OVERFLOW 1   /* a feature of this line may stand in the next one */

typedef struct {
    uint16_t tag[TW_SLOTS];     /* 0: empty */
    uint16_t flags, unused;
    uint32_t row[TW_SLOTS];     /* count << 24 | place; count 0: no row, 255: dense */
    int8_t move[TW_SLOTS][4];
} tw_line;

typedef struct {
    const tw_line *lines;
    const uint8_t *rows;        /* sparse: (class low, class high, weight) each; dense: one weight a class */
    uint32_t n_lines;
    int32_t row_shift;          /* rows begin at place << row_shift */
    int32_t n_classes;          /* of labelled moves, padded to a multiple of 32 */
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
    while (TW_UNLIKELY(at == TW_SLOTS && (line->flags & TW_OVERFLOW))) {
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

TW_CLONES
static void tw_add_rows(const tw_table *t, const uint32_t *rows, int n, int16_t *restrict sums) {
    const int classes = t->n_classes;
    for (int i = 0; i < n; i++) TW_PREFETCH(t->rows + ((size_t)(rows[i] & 0xFFFFFF) << t->row_shift));
    for (int i = 0; i < n; i++) {
        const uint8_t *row = t->rows + ((size_t)(rows[i] & 0xFFFFFF) << t->row_shift);
        int count = rows[i] >> 24;
        if (count == 255) {
            const int8_t *dense = (const int8_t *)row;
            for (int k = 0; k < classes; k++) sums[k] = (int16_t)(sums[k] + dense[k]);
        } else {
            for (int k = 0; k < count; k++, row += 3) {
                uint16_t which = (uint16_t)(row[0] | row[1] << 8);
                sums[which] = (int16_t)(sums[which] + (int8_t)row[2]);
            }
        }
    }
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
