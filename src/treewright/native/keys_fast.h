/* Made by tools/bundled_keys.py from features/models/fast.features: change these instead. */
#ifndef TREEWRIGHT_KEYS_FAST_H
#define TREEWRIGHT_KEYS_FAST_H
#include "looking.h"

#define TW_PROGRAM_FAST 0x8412d5233badea33ULL
#define TW_ATTRIBUTES_FAST 5
#define TW_ITEMS_FAST 1
#define TW_WORD(node) (words + (int64_t)(node) * TW_ATTRIBUTES_FAST)

static TW_ALWAYS_INLINE int tw_keys_fast(
    const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,
    uint64_t *__restrict out, int room, int *__restrict counts) {
    const tw_place p = *place;
    const uint64_t *const words = s->words;
    uint64_t *const start = out, *group = out;
    const int32_t n1 = tw_in_buffer(c, 0);
    const int32_t n2 = c->leftmost[n1];
    const uint64_t v28 = s->relations[c->label[n2]];
    /* l(ld(input[0])) */
    *out++ = tw_ask(&p, 0x93d7249641bd7770ULL + v28);
    const int32_t n0 = tw_on_stack(c, 0);
    const uint64_t v0 = TW_WORD(n0)[0];
    /* lemma(stack[0]) */
    *out++ = tw_ask(&p, 0x689d51b990790ed4ULL + v0);
    const uint64_t v8 = TW_WORD(n1)[3];
    /* x(input[0]) */
    *out++ = tw_ask(&p, 0x6f124bfef2bacff4ULL + v8);
    const uint64_t v9 = TW_WORD(n1)[4];
    /* shape(w(input[0])) */
    *out++ = tw_ask(&p, 0x964185bc796d2585ULL + v9);
    const uint64_t v10 = TW_WORD(n2)[1];
    /* p(ld(input[0])) */
    *out++ = tw_ask(&p, 0x5f86a7cbf0855ff5ULL + v10);
    const int32_t n5 = c->right_sibling[c->leftmost[n1]];
    const uint64_t v11 = TW_WORD(n5)[1];
    /* p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0xaffb1c0569ee180cULL + v11);
    const uint64_t v12 = TW_WORD(n2)[2];
    /* w(ld(input[0])) */
    *out++ = tw_ask(&p, 0xee9ae0065244d779ULL + v12);
    const int32_t n6 = c->leftmost[n0];
    const uint64_t v13 = TW_WORD(n6)[2];
    /* w(ld(stack[0])) */
    *out++ = tw_ask(&p, 0xf82730bda7486349ULL + v13);
    const uint64_t v1 = TW_WORD(n1)[0];
    const uint64_t v2 = TW_WORD(n2)[0];
    /* lemma(input[0]) & lemma(ld(input[0])) */
    *out++ = tw_ask(&p, 0x8e74a75255b434c1ULL + v1 + tw_turn(v2, 17));
    const int32_t n3 = tw_beside(c, n0, -1);
    const uint64_t v3 = TW_WORD(n3)[1];
    const uint64_t v4 = TW_WORD(n0)[1];
    /* p(token[stack[0] - 1]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0x66a523c519ca5046ULL + v3 + tw_turn(v4, 17));
    const int32_t n4 = tw_beside(c, n1, -1);
    const uint64_t v7 = TW_WORD(n4)[1];
    const uint64_t v6 = TW_WORD(n1)[1];
    /* p(token[input[0] - 1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xcb216e7472ee4bd1ULL + v7 + tw_turn(v6, 17));
    const uint64_t v5 = TW_WORD(n1)[2];
    /* p(stack[0]) & w(input[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x0fb114798de3e63aULL + v4 + tw_turn(v5, 17) + tw_turn(v6, 31));
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
    const int32_t n9 = c->head[n0];
    const uint64_t v17 = TW_WORD(n9)[0];
    /* lemma(h(stack[0])) */
    *out++ = tw_ask(&p, 0x8707048c1ac1268dULL + v17);
    const int32_t n7 = tw_in_buffer(c, 1);
    const uint64_t v14 = TW_WORD(n7)[1];
    /* p(input[1]) */
    *out++ = tw_ask(&p, 0xa3f31dda3f7b95e4ULL + v14);
    const uint64_t v30 = tw_count_hash(s, c->left_count[n0]);
    /* p(stack[0]) & valency(left, stack[0]) */
    *out++ = tw_ask(&p, 0xe0d0f76ec459abe1ULL + v4 + tw_turn(v30, 17));
    /* p(stack[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x9dbf5c3f5156aac7ULL + v4 + tw_turn(v14, 17));
    const int32_t n8 = tw_on_stack(c, 1);
    const uint64_t v16 = TW_WORD(n8)[2];
    const uint64_t v15 = TW_WORD(n8)[1];
    /* w(stack[1]) & p(stack[1]) */
    *out++ = tw_ask(&p, 0xafdb5faf5f6790b5ULL + v16 + tw_turn(v15, 17));
    const int32_t n11 = c->rightmost[n0];
    const uint64_t v21 = TW_WORD(n11)[0];
    /* lemma(stack[0]) & lemma(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x4bad49b39c588fdbULL + v0 + tw_turn(v21, 17));
    /* p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0xce055de6d1cbd80fULL + v6 + tw_turn(v14, 17));
    const uint64_t v22 = TW_WORD(n7)[2];
    /* w(input[1]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x3c7303e2abd29f87ULL + v22 + tw_turn(v14, 17));
    const int32_t n10 = tw_in_buffer(c, 2);
    const uint64_t v18 = TW_WORD(n10)[1];
    /* p(input[0]) & p(input[1]) & p(input[2]) */
    *out++ = tw_ask(&p, 0x80d96f02cc1fb2adULL + v6 + tw_turn(v14, 17) + tw_turn(v18, 31));
    const uint64_t v19 = TW_WORD(n0)[3];
    const uint64_t v20 = TW_WORD(n7)[3];
    /* x(stack[0]) & x(input[0]) & x(input[1]) */
    *out++ = tw_ask(&p, 0x1cb82b4b491705fcULL + v19 + tw_turn(v8, 17) + tw_turn(v20, 31));
    /* p(stack[0]) & w(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x2971ae6e293d42ceULL + v4 + tw_turn(v5, 17) + tw_turn(v14, 31));
    /* p(stack[0]) & w(ld(input[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0xd0c1756111704a5bULL + v4 + tw_turn(v12, 17) + tw_turn(v6, 31));
    /* p(stack[1]) & p(stack[0]) & p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x0a32ed059bb4a1a9ULL + v15 + tw_turn(v4, 17) + tw_turn(v6, 31) + tw_turn(v14, 47));
    const int32_t n12 = tw_beside(c, n0, 1);
    const uint64_t v23 = TW_WORD(n12)[1];
    /* p(stack[0]) & p(token[stack[0] + 1]) & p(token[input[0] - 1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xd9acf2e97cd30164ULL + v4 + tw_turn(v23, 17) + tw_turn(v7, 31) + tw_turn(v6, 47));
    counts[2] = (int)(out - group), group = out;
    if (!labels) return counts[0] = 0, (int)(out - start);
    const int32_t n13 = c->left_sibling[c->rightmost[n0]];
    const uint64_t v24 = TW_WORD(n13)[1];
    /* p(rd2(stack[0])) */
    *out++ = tw_ask(&p, 0x30e3223952fabd7dULL + v24);
    /* lemma(input[0]) */
    *out++ = tw_ask(&p, 0x81c7a8ccd35e431bULL + v1);
    const uint64_t v29 = s->relations[c->label[n11]];
    /* l(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x42b32302eec2b105ULL + v29);
    const uint64_t v26 = TW_WORD(n4)[2];
    /* w(token[input[0] - 1]) */
    *out++ = tw_ask(&p, 0x3cf7b56562274009ULL + v26);
    const uint64_t v27 = TW_WORD(n3)[2];
    /* w(token[stack[0] - 1]) */
    *out++ = tw_ask(&p, 0x5dc38082a3624d23ULL + v27);
    /* p(stack[1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xfee051da824bc729ULL + v15 + tw_turn(v6, 17));
    /* x(stack[0]) & x(input[0]) */
    *out++ = tw_ask(&p, 0x53600f49db4ebe7bULL + v19 + tw_turn(v8, 17));
    const uint64_t v25 = TW_WORD(n6)[1];
    /* p(stack[0]) & p(ld(stack[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0xa91851a0507f72fcULL + v4 + tw_turn(v25, 17) + tw_turn(v6, 31));
    counts[0] = (int)(out - group), group = out;
    return (int)(out - start);
}
#undef TW_WORD
#endif
