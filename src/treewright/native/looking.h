/* What a feature model sees of a configuration: the words that addresses point to, and the values of its functions.

   The interpreter of feature models (features/extractor.pyx) and the keys of the bundled models (keys_*.h) look at
   configurations through these functions. The node TW_NO_NODE needs no question: every array has an element for it. */
#ifndef TREEWRIGHT_LOOKING_H
#define TREEWRIGHT_LOOKING_H
#include <stdint.h>
#include "compiler.h"
#include "configuration.h"
#include "join.h"
#include "text_hash.h"

#define TW_FARTHEST 16     /* from here on, distances are in the same bucket */
#define TW_MOST_COUNTED 9  /* dependents: so many, or more */

/* A sentence in numbers, by node, and the hashes of what is not a word. */
typedef struct {
    const uint64_t *words;       /* the attributes of node 0; those of the others stand before and behind */
    const int64_t *item_start;   /* single FEATS of a node: items[item_start[node]] .. items[item_start[node + 1]] */
    const uint64_t *items;
    const uint64_t *relations;   /* [TW_NO_NODE]: no relation */
    const uint64_t *numbers;     /* small numbers, negative ones, too */
    const uint64_t *distances;   /* -TW_FARTHEST .. TW_FARTHEST */
} tw_sentence;

/* Write the keys of a feature model's templates for both, for moves and, if labels is set, for labels, as
   look_and_join of the interpreter does; counts are those of labels, both, moves. Return how many keys there are. */
typedef int (*tw_keys)(const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,
                       uint64_t *out, int room, int *counts);

static TW_ALWAYS_INLINE int32_t tw_on_stack(const tw_configuration *c, int depth) {
    return depth < c->stack_size ? c->stack[c->stack_size - 1 - depth] : TW_NO_NODE;
}

static TW_ALWAYS_INLINE int32_t tw_in_buffer(const tw_configuration *c, int place) {
    return c->buffer + place < c->buffer_end ? c->buffer + place : TW_NO_NODE;
}

/* The word so many places to the right (or left) of a node. */
static TW_ALWAYS_INLINE int32_t tw_beside(const tw_configuration *c, int32_t node, int by) {
    return node != TW_NO_NODE && 1 <= node + by && node + by <= c->n ? node + by : TW_NO_NODE;
}

static TW_ALWAYS_INLINE uint64_t tw_count_hash(const tw_sentence *s, int32_t count) {
    return s->numbers[1 + (count < TW_MOST_COUNTED ? count : TW_MOST_COUNTED)];
}

static TW_ALWAYS_INLINE uint64_t tw_distance_hash(const tw_sentence *s, int32_t first, int32_t second) {
    int distance = second - first;
    distance = distance < -TW_FARTHEST ? -TW_FARTHEST : distance > TW_FARTHEST ? TW_FARTHEST : distance;
    return first != TW_NO_NODE && second != TW_NO_NODE ? s->distances[distance] : s->numbers[0];
}

static TW_ALWAYS_INLINE uint64_t tw_set_hash(uint64_t labels) {
    return tw_mix(labels ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL);
}
#endif
