/* Made by tools/bundled_keys.py from features/models/lean.features: change these instead. */
#ifndef TREEWRIGHT_KEYS_LEAN_H
#define TREEWRIGHT_KEYS_LEAN_H
#include "looking.h"

#define TW_PROGRAM_LEAN 0x6045d459c3ea91c4ULL
#define TW_ATTRIBUTES_LEAN 4
#define TW_ITEMS_LEAN 1
#define TW_WORD(node) (words + (int64_t)(node) * TW_ATTRIBUTES_LEAN)

static TW_ALWAYS_INLINE int tw_keys_lean(
    const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,
    uint64_t *__restrict out, int room, int *__restrict counts) {
    const tw_place p = *place;
    const uint64_t *const words = s->words;
    uint64_t *const start = out, *group = out;
    const int32_t n1 = tw_in_buffer(c, 0);
    const int32_t n2 = c->leftmost[n1];
    const uint64_t v18 = s->relations[c->label[n2]];
    /* l(ld(input[0])) */
    *out++ = tw_ask(&p, 0x93d7249641bd7770ULL + v18);
    const int32_t n0 = tw_on_stack(c, 0);
    const uint64_t v0 = TW_WORD(n0)[0];
    /* lemma(stack[0]) */
    *out++ = tw_ask(&p, 0x689d51b990790ed4ULL + v0);
    const uint64_t v5 = TW_WORD(n1)[2];
    /* x(input[0]) */
    *out++ = tw_ask(&p, 0x6f124bfef2bacff4ULL + v5);
    const uint64_t v7 = TW_WORD(n2)[1];
    /* p(ld(input[0])) */
    *out++ = tw_ask(&p, 0x5f86a7cbf0855ff5ULL + v7);
    const int32_t n4 = c->right_sibling[c->leftmost[n1]];
    const uint64_t v8 = TW_WORD(n4)[1];
    /* p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0xaffb1c0569ee180cULL + v8);
    const uint64_t v1 = TW_WORD(n1)[0];
    const uint64_t v2 = TW_WORD(n2)[0];
    /* lemma(input[0]) & lemma(ld(input[0])) */
    *out++ = tw_ask(&p, 0x8e74a75255b434c1ULL + v1 + tw_turn(v2, 17));
    const int32_t n3 = tw_beside(c, n0, -1);
    const uint64_t v3 = TW_WORD(n3)[1];
    const uint64_t v4 = TW_WORD(n0)[1];
    /* p(token[stack[0] - 1]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0x66a523c519ca5046ULL + v3 + tw_turn(v4, 17));
    const uint64_t v6 = TW_WORD(n1)[1];
    const int32_t n5 = tw_in_buffer(c, 1);
    const uint64_t v10 = TW_WORD(n5)[1];
    /* p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0xce055de6d1cbd80fULL + v6 + tw_turn(v10, 17));
    const uint64_t v20 = tw_count_hash(s, c->right_count[n0]);
    /* p(stack[0]) & valency(right, stack[0]) */
    *out++ = tw_ask(&p, 0xb4ee2c5a5efacad6ULL + v4 + tw_turn(v20, 17));
    const uint64_t v9 = TW_WORD(n2)[3];
    /* p(stack[0]) & w(ld(input[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0xd0c1756111704a5bULL + v4 + tw_turn(v9, 17) + tw_turn(v6, 31));
    const int32_t n6 = c->rightmost[n0];
    const uint64_t v11 = TW_WORD(n6)[1];
    /* p(stack[0]) & p(rd(stack[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0x7a2f703f4c88fa77ULL + v4 + tw_turn(v11, 17) + tw_turn(v6, 31));
    /* p(stack[0]) & each(feats(input[0])) & p(input[0]) */
    out += tw_join_each(&p, 0xe54eb95ac8146fa9ULL + tw_turn(v4, 1) + tw_turn(v6, 16),
        s->items + s->item_start[n1], s->item_start[n1 + 1] - s->item_start[n1],
        out, room > out - group ? room - (int)(out - group) : 0);
    /* each(feats(stack[0])) & each(feats(input[0])) */
    out += tw_join_pairs(&p, 0x91c882d83f1b769aULL,
        s->items + s->item_start[n0], s->item_start[n0 + 1] - s->item_start[n0],
        s->items + s->item_start[n1], s->item_start[n1 + 1] - s->item_start[n1],
        out, room > out - group ? room - (int)(out - group) : 0);
    counts[1] = (int)(out - group), group = out;
    const int32_t n8 = c->head[n0];
    const uint64_t v14 = TW_WORD(n8)[0];
    /* lemma(h(stack[0])) */
    *out++ = tw_ask(&p, 0x8707048c1ac1268dULL + v14);
    /* p(input[1]) */
    *out++ = tw_ask(&p, 0xa3f31dda3f7b95e4ULL + v10);
    const uint64_t v16 = TW_WORD(n8)[1];
    /* p(h(stack[0])) */
    *out++ = tw_ask(&p, 0xc5543922f415d30dULL + v16);
    const int32_t n10 = c->leftmost[n0];
    const uint64_t v17 = TW_WORD(n10)[3];
    /* w(ld(stack[0])) */
    *out++ = tw_ask(&p, 0xf82730bda7486349ULL + v17);
    const uint64_t v19 = tw_count_hash(s, c->left_count[n0]);
    /* p(stack[0]) & valency(left, stack[0]) */
    *out++ = tw_ask(&p, 0xe0d0f76ec459abe1ULL + v4 + tw_turn(v19, 17));
    const int32_t n7 = tw_on_stack(c, 1);
    const uint64_t v12 = TW_WORD(n7)[3];
    const uint64_t v13 = TW_WORD(n7)[1];
    /* w(stack[1]) & p(stack[1]) */
    *out++ = tw_ask(&p, 0xafdb5faf5f6790b5ULL + v12 + tw_turn(v13, 17));
    const int32_t n9 = tw_in_buffer(c, 2);
    const uint64_t v15 = TW_WORD(n9)[1];
    /* p(input[0]) & p(input[1]) & p(input[2]) */
    *out++ = tw_ask(&p, 0x80d96f02cc1fb2adULL + v6 + tw_turn(v10, 17) + tw_turn(v15, 31));
    counts[2] = (int)(out - group), group = out;
    if (!labels) return counts[0] = 0, (int)(out - start);
    /* p(stack[1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xfee051da824bc729ULL + v13 + tw_turn(v6, 17));
    /* p(input[0]) & p(ld(input[0])) & p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0x08a5b6f2d66cec9bULL + v6 + tw_turn(v7, 17) + tw_turn(v8, 31));
    counts[0] = (int)(out - group), group = out;
    return (int)(out - start);
}
#undef TW_WORD
#endif
