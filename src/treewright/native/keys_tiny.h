/* Made by tools/bundled_keys.py from features/models/tiny.features: change these instead. */
#ifndef TREEWRIGHT_KEYS_TINY_H
#define TREEWRIGHT_KEYS_TINY_H
#include "looking.h"

#define TW_PROGRAM_TINY 0x665820f45325d4aeULL
#define TW_ATTRIBUTES_TINY 3
#define TW_ITEMS_TINY 0
#define TW_WORD(node) (words + (int64_t)(node) * TW_ATTRIBUTES_TINY)

static TW_ALWAYS_INLINE int tw_keys_tiny(
    const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,
    uint64_t *__restrict out, int room, int *__restrict counts) {
    const tw_place p = *place;
    const uint64_t *const words = s->words;
    uint64_t *const start = out, *group = out;
    const int32_t n3 = tw_on_stack(c, 0);
    const int32_t n8 = c->rightmost[n3];
    const uint64_t v13 = s->relations[c->label[n8]];
    /* l(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x42b32302eec2b105ULL + v13);
    const uint64_t v3 = TW_WORD(n3)[1];
    /* feats(stack[0]) */
    *out++ = tw_ask(&p, 0xa4b0fdefe87469f3ULL + v3);
    const int32_t n0 = tw_in_buffer(c, 0);
    const uint64_t v0 = TW_WORD(n0)[0];
    const int32_t n1 = c->leftmost[n0];
    const uint64_t v1 = TW_WORD(n1)[0];
    const int32_t n2 = c->right_sibling[c->leftmost[n0]];
    const uint64_t v2 = TW_WORD(n2)[0];
    /* p(input[0]) & p(ld(input[0])) & p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0x08a5b6f2d66cec9bULL + v0 + tw_turn(v1, 17) + tw_turn(v2, 31));
    const uint64_t v4 = TW_WORD(n3)[0];
    const uint64_t v5 = TW_WORD(n1)[1];
    /* p(stack[0]) & feats(ld(input[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0x1aa14982a698b214ULL + v4 + tw_turn(v5, 17) + tw_turn(v0, 31));
    counts[1] = (int)(out - group), group = out;
    const int32_t n4 = tw_on_stack(c, 1);
    const uint64_t v6 = TW_WORD(n4)[0];
    /* p(stack[1]) */
    *out++ = tw_ask(&p, 0x71670c35211da43eULL + v6);
    const int32_t n5 = tw_in_buffer(c, 1);
    const uint64_t v7 = TW_WORD(n5)[0];
    /* p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0xce055de6d1cbd80fULL + v0 + tw_turn(v7, 17));
    const int32_t n6 = tw_beside(c, n3, -1);
    const uint64_t v8 = TW_WORD(n6)[0];
    /* p(token[stack[0] - 1]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0x66a523c519ca5046ULL + v8 + tw_turn(v4, 17));
    const uint64_t v9 = TW_WORD(n0)[1];
    /* p(stack[0]) & feats(input[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xd050273bf1890c22ULL + v4 + tw_turn(v9, 17) + tw_turn(v0, 31));
    counts[2] = (int)(out - group), group = out;
    if (!labels) return counts[0] = 0, (int)(out - start);
    const uint64_t v10 = TW_WORD(n3)[2];
    /* lemma(stack[0]) */
    *out++ = tw_ask(&p, 0x689d51b990790ed4ULL + v10);
    const uint64_t v12 = TW_WORD(n0)[2];
    /* lemma(input[0]) */
    *out++ = tw_ask(&p, 0x81c7a8ccd35e431bULL + v12);
    const int32_t n7 = c->leftmost[n3];
    const uint64_t v11 = TW_WORD(n7)[0];
    /* p(stack[0]) & p(ld(stack[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0xa91851a0507f72fcULL + v4 + tw_turn(v11, 17) + tw_turn(v0, 31));
    counts[0] = (int)(out - group), group = out;
    return (int)(out - start);
}
#undef TW_WORD
#endif
