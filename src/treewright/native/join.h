/* The keys of features: a template's seed plus the values of its functions, each rotated according to its position.
   Values are 64-bit hashes, so their sum is as good as a hash and needs no more mixing. */
#ifndef TREEWRIGHT_JOIN_H
#define TREEWRIGHT_JOIN_H
#include <stdint.h>
#include "compiler.h"

typedef struct {
    uint64_t seed;
    uint8_t value[4];       /* positions among the values */
    uint8_t n_values;
    uint8_t n_lists;        /* how many words in list add their single FEATS */
    uint8_t list[2];        /* positions among the nodes */
} tw_template;

/* Where keys will be looked up: n_lines lines of 64 bytes. Each key's line is prefetched once the key is known. */
typedef struct {
    const char *lines;
    uint64_t n_lines;
} tw_place;

/* An attribute of a word, as positions among the nodes and among the attributes. */
typedef struct {
    uint8_t node, attribute;
} tw_attribute;

static inline void tw_fetch(const tw_attribute *a, int n, const uint64_t *const *words, uint64_t *values) {
    for (int i = 0; i < n; i++) values[i] = words[a[i].node][a[i].attribute];
}

static inline uint64_t tw_turn(uint64_t x, int by) { return x << by | x >> (64 - by); }

/* Prefetch a key's line, and return the key. */
static inline uint64_t tw_ask(const tw_place *p, uint64_t key) {
    if (p) TW_PREFETCH(p->lines + (((key >> 32) * p->n_lines >> 32) << 6));
    return key;
}

/* Keys of templates that list the single FEATS of a word: each joined with what the other functions give; no more than
   there is room for. Return how many. */
static TW_ALWAYS_INLINE int tw_join_each(const tw_place *place, uint64_t key, const uint64_t *item, int64_t n,
                                         uint64_t *out, int room) {
    n = n < room ? n : room;
    for (int64_t i = 0; i < n; i++) out[i] = tw_ask(place, key + tw_turn(item[i], 23));
    return (int)n;
}

/* The same for two words: each pair of their FEATS. */
static TW_ALWAYS_INLINE int tw_join_pairs(const tw_place *place, uint64_t key, const uint64_t *first, int64_t n_first,
                                          const uint64_t *second, int64_t n_second, uint64_t *out, int room) {
    int n = 0;
    for (int64_t i = 0; i < n_first && n + n_second <= room; i++) {
        uint64_t part = key + tw_turn(first[i], 23);
        for (int64_t k = 0; k < n_second; k++) out[n++] = tw_ask(place, part + tw_turn(second[k], 41));
    }
    return n;
}

/* A key, prefetched if prefetch is set. */
#define TW_KEY(key) (prefetch ? tw_ask(&p, key) : (key))

static TW_ALWAYS_INLINE int tw_join_body(const tw_template *t, const int32_t *first, const uint64_t *v, const tw_place p,
                                  int prefetch, uint64_t *out) {
    uint64_t *start = out;
    const tw_template *end = t + first[1];
    t += first[0];
    for (const tw_template *last = end; t < last; t++) *out++ = TW_KEY(t->seed + v[t->value[0]]);
    for (const tw_template *last = end + first[2] - first[1]; t < last; t++)
        *out++ = TW_KEY(t->seed + v[t->value[0]] + tw_turn(v[t->value[1]], 17));
    for (const tw_template *last = end + first[3] - first[1]; t < last; t++)
        *out++ = TW_KEY(t->seed + v[t->value[0]] + tw_turn(v[t->value[1]], 17) + tw_turn(v[t->value[2]], 31));
    for (const tw_template *last = end + first[4] - first[1]; t < last; t++)
        *out++ = TW_KEY(t->seed + v[t->value[0]] + tw_turn(v[t->value[1]], 17) + tw_turn(v[t->value[2]], 31) +
                        tw_turn(v[t->value[3]], 47));
    return (int)(out - start);
}

/* Write the keys of templates first[0] .. first[4], which have one, two, three and four values; return how many. If
   place is not NULL, prefetch their lines. */
static inline int tw_join(const tw_template *t, const int32_t *first, const uint64_t *v, const tw_place *place,
                          uint64_t *out) {
    tw_place nowhere = {0, 0};
    return place ? tw_join_body(t, first, v, *place, 1, out) : tw_join_body(t, first, v, nowhere, 0, out);
}
#endif
