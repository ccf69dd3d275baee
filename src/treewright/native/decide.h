/* Which move a configuration gets: the weights of its features are summed, and the best legal move wins.

   tw_decide takes the keys of any feature model. For the smallest bundled models (bundled_keys.h) there is one function
   from the configuration to the move: the compiler knows how many keys there are, and nothing is passed on between. */
#ifndef TREEWRIGHT_DECIDE_H
#define TREEWRIGHT_DECIDE_H
#include "bundled_keys.h"
#include "moves.h"
#include "score.h"

static inline int tw_at_once(int n) { return n < TW_AT_ONCE ? n : TW_AT_ONCE; }

/* Return the best of the legal kinds by the sums of kinds and those of classes; label gets its relation. from_root:
   the kinds whose arc would come from the root, as bits. */
static TW_ALWAYS_INLINE int tw_best_move(const tw_table *t, const tw_moves *m, unsigned legal, unsigned from_root,
                                         const int32_t *kinds, tw_desk *d, int *label) {
    int best = 0;
    int16_t most[TW_MOST_KINDS];
    int32_t best_score = INT32_MIN;
    for (unsigned left = legal; left; left &= left - 1) {
        const int kind = tw_lowest(left);
        int32_t score = kinds[kind];
        if (m->labelled >> kind & 1) {
            const tw_range r = m->range[from_root >> kind & 1][kind];
            score += most[kind] = tw_most(t, d->sums + r.first, r.end - r.first);
        }
        /* of equal ones the lower kind wins */
        best = score > best_score ? kind : best;
        best_score = score > best_score ? score : best_score;
    }
    d->best = best_score;
    *label = -1;
    if (m->labelled >> best & 1) {
        const tw_range r = m->range[from_root >> best & 1][best];
        *label = m->label[r.first + tw_place_of(t, d->sums + r.first, r.end - r.first, most[best])];
    }
    return best;
}

/* Sum the rows that were found, for all classes of the legal kinds. */
static TW_ALWAYS_INLINE void tw_sum_legal(const tw_table *t, const tw_moves *m, unsigned legal, tw_desk *d) {
    const tw_range span = m->span[legal & m->labelled];
    tw_sum_rows(t, d->rows, 1, span.first, span.end, d->sums);
}

/* Of the keys for labels, so many are looked up: only products of many single FEATS give more than TW_AT_ONCE keys, for
   which the sums have room. The last ones are dropped. */
static TW_ALWAYS_INLINE int tw_labels_at_once(const int *counts) {
    const int room = TW_AT_ONCE - tw_at_once(counts[1]);
    return counts[0] < room ? counts[0] : room;
}

/* Sum the weights of kinds, and gather the rows of keys for both. */
static inline void tw_sum_kinds(const tw_table *t, tw_desk *d, int32_t *kinds) {
    memset(kinds, 0, TW_MOST_KINDS * sizeof(int32_t));
    d->rows->n_dense = d->rows->n_sparse = 0;
    tw_probe(t, d->keys, tw_at_once(d->counts[1]), kinds, d->rows, 1);
    tw_probe(t, d->keys + d->counts[1], tw_at_once(d->counts[2]), kinds, 0, 0);
}

/* Then the sums of classes: the rows of keys for labels join the others, so that all are added at once. */
static inline void tw_sum_classes(const tw_table *t, const tw_moves *m, unsigned legal, tw_desk *d) {
    int32_t ignored[TW_MOST_KINDS] = {0};
    tw_probe(t, d->keys + d->counts[1] + d->counts[2], tw_labels_at_once(d->counts), ignored, d->rows, 1);
    tw_sum_legal(t, m, legal, d);
}

/* Decide by keys that have been made. */
static inline int tw_decide(const tw_table *t, const tw_moves *m, unsigned legal, unsigned from_root, tw_desk *d,
                            int *label) {
    int32_t kinds[TW_MOST_KINDS];
    tw_sum_kinds(t, d, kinds);
    if (legal & m->labelled) tw_sum_classes(t, m, legal, d);
    return tw_best_move(t, m, legal, from_root, kinds, d, label);
}

#ifdef TW_AVX2
/* Decide by a table that is not wide. */
#define TW_DECISION(NAME, make_keys)                                                                               \
    TW_TARGET static int NAME(const tw_table *t, const tw_place *place, const tw_moves *m, const tw_configuration *c, \
                              const tw_sentence *s, unsigned legal, unsigned from_root, tw_desk *d, int *label) {  \
        int32_t kinds[TW_MOST_KINDS] = {0};                                                                        \
        int counts[3];                                                                                             \
        uint64_t *keys = d->keys;                                                                                  \
        tw_rows *const rows = d->rows;                                                                             \
        const tw_place p = *place;                                                                                 \
        make_keys(c, s, &p, (legal & m->labelled) != 0, keys, d->room, counts);                                 \
        rows->n_dense = rows->n_sparse = 0;                                                                        \
        /* with the place that the keys were made for, so that the compiler finds lines once */                    \
        tw_probe_body_avx2(t->rows, p.lines, p.n_lines, keys, tw_at_once(counts[1]), kinds, rows, 1, 1, 0);        \
        keys += counts[1];                                                                                         \
        tw_probe_body_avx2(t->rows, p.lines, p.n_lines, keys, tw_at_once(counts[2]), kinds, rows, 1, 0, 0);        \
        keys += counts[2];                                                                                         \
        tw_probe_body_avx2(t->rows, p.lines, p.n_lines, keys, tw_labels_at_once(counts), kinds, rows, 0, 1, 0);    \
        if (legal & m->labelled) tw_sum_legal(t, m, legal, d);                                                     \
        return tw_best_move(t, m, legal, from_root, kinds, d, label);                                              \
    }
TW_DECISION(tw_decide_lean, tw_keys_lean)
TW_DECISION(tw_decide_tiny, tw_keys_tiny)
#endif

/* Return the function for a program, known by its hash; NULL: there is none. */
static inline tw_decision tw_bundled_decision(uint64_t program, int n_attributes, int has_items) {
#ifdef TW_AVX2
    if (tw_bundled_keys(program, n_attributes, has_items)) switch (program) {
        case TW_PROGRAM_LEAN: return tw_decide_lean;
        case TW_PROGRAM_TINY: return tw_decide_tiny;
    }
#endif
    return 0;
}
#endif
