/* Made by tools/bundled_keys.py from features/models/rich.features: change these instead. */
#ifndef TREEWRIGHT_KEYS_RICH_H
#define TREEWRIGHT_KEYS_RICH_H
#include "looking.h"

#define TW_PROGRAM_RICH 0xfb67be6a393530f3ULL
#define TW_ATTRIBUTES_RICH 9
#define TW_ITEMS_RICH 1
#define TW_WORD(node) (words + (int64_t)(node) * TW_ATTRIBUTES_RICH)

static TW_ALWAYS_INLINE int tw_keys_rich(
    const tw_configuration *c, const tw_sentence *s, const tw_place *place, int labels,
    uint64_t *__restrict out, int room, int *__restrict counts) {
    const tw_place p = *place;
    const uint64_t *const words = s->words;
    uint64_t *const start = out, *group = out;
    const int32_t n0 = tw_on_stack(c, 0);
    const uint64_t v0 = TW_WORD(n0)[0];
    /* p(stack[0]) */
    *out++ = tw_ask(&p, 0x4d7389dca7c769ceULL + v0);
    const int32_t n1 = tw_in_buffer(c, 1);
    const uint64_t v1 = TW_WORD(n1)[0];
    /* p(input[1]) */
    *out++ = tw_ask(&p, 0xa3f31dda3f7b95e4ULL + v1);
    const int32_t n4 = c->leftmost[n0];
    const uint64_t v4 = TW_WORD(n4)[1];
    /* w(ld(stack[0])) */
    *out++ = tw_ask(&p, 0xf82730bda7486349ULL + v4);
    const uint64_t v51 = s->relations[c->label[n4]];
    /* l(ld(stack[0])) */
    *out++ = tw_ask(&p, 0x081d8b0e2eef633cULL + v51);
    const int32_t n5 = c->rightmost[n0];
    const uint64_t v5 = TW_WORD(n5)[1];
    /* w(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x88128b4ab153e996ULL + v5);
    const uint64_t v6 = TW_WORD(n5)[0];
    /* p(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x3091fe7c66a89cefULL + v6);
    const int32_t n2 = tw_in_buffer(c, 0);
    const int32_t n6 = c->leftmost[n2];
    const uint64_t v7 = TW_WORD(n6)[1];
    /* w(ld(input[0])) */
    *out++ = tw_ask(&p, 0xee9ae0065244d779ULL + v7);
    const uint64_t v8 = TW_WORD(n6)[0];
    /* p(ld(input[0])) */
    *out++ = tw_ask(&p, 0x5f86a7cbf0855ff5ULL + v8);
    const uint64_t v52 = s->relations[c->label[n6]];
    /* l(ld(input[0])) */
    *out++ = tw_ask(&p, 0x93d7249641bd7770ULL + v52);
    const int32_t n7 = c->right_sibling[c->leftmost[n2]];
    const uint64_t v9 = TW_WORD(n7)[1];
    /* w(ld2(input[0])) */
    *out++ = tw_ask(&p, 0x67ca2a2852f768cbULL + v9);
    const uint64_t v10 = TW_WORD(n7)[0];
    /* p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0xaffb1c0569ee180cULL + v10);
    const uint64_t v53 = s->relations[c->label[n7]];
    /* l(ld2(input[0])) */
    *out++ = tw_ask(&p, 0xd7a85d9b1b404a07ULL + v53);
    const int32_t n10 = tw_on_stack(c, 1);
    const uint64_t v13 = TW_WORD(n10)[0];
    /* p(stack[1]) */
    *out++ = tw_ask(&p, 0x71670c35211da43eULL + v13);
    const int32_t n11 = tw_on_stack(c, 2);
    const uint64_t v14 = TW_WORD(n11)[0];
    /* p(stack[2]) */
    *out++ = tw_ask(&p, 0x655a908dab681052ULL + v14);
    const uint64_t v15 = TW_WORD(n1)[2];
    /* lemma(input[1]) */
    *out++ = tw_ask(&p, 0x186de4f09634e1adULL + v15);
    const uint64_t v18 = TW_WORD(n0)[3];
    /* feats(stack[0]) */
    *out++ = tw_ask(&p, 0xa4b0fdefe87469f3ULL + v18);
    const uint64_t v19 = TW_WORD(n2)[3];
    /* feats(input[0]) */
    *out++ = tw_ask(&p, 0x337097029bb2b95aULL + v19);
    const uint64_t v20 = TW_WORD(n1)[3];
    /* feats(input[1]) */
    *out++ = tw_ask(&p, 0xf4377843b9497e23ULL + v20);
    const uint64_t v21 = TW_WORD(n0)[4];
    /* suffix(w(stack[0]), 2) */
    *out++ = tw_ask(&p, 0xe617c772e4545d96ULL + v21);
    const uint64_t v22 = TW_WORD(n2)[4];
    /* suffix(w(input[0]), 2) */
    *out++ = tw_ask(&p, 0x190d8cfab21af4a0ULL + v22);
    const uint64_t v23 = TW_WORD(n2)[5];
    /* prefix(w(input[0]), 3) */
    *out++ = tw_ask(&p, 0xfeade11f49ee4b6fULL + v23);
    const uint64_t v24 = TW_WORD(n0)[6];
    /* shape(w(stack[0])) */
    *out++ = tw_ask(&p, 0x5d670e118ba5bb36ULL + v24);
    const uint64_t v25 = TW_WORD(n2)[6];
    /* shape(w(input[0])) */
    *out++ = tw_ask(&p, 0x964185bc796d2585ULL + v25);
    const uint64_t v26 = TW_WORD(n0)[7];
    /* x(stack[0]) */
    *out++ = tw_ask(&p, 0x6f95a6cc9182b4a8ULL + v26);
    const uint64_t v27 = TW_WORD(n2)[7];
    /* x(input[0]) */
    *out++ = tw_ask(&p, 0x6f124bfef2bacff4ULL + v27);
    const uint64_t v28 = TW_WORD(n1)[7];
    /* x(input[1]) */
    *out++ = tw_ask(&p, 0x2f15acc44cba410eULL + v28);
    const int32_t n12 = tw_beside(c, n0, 1);
    const uint64_t v32 = TW_WORD(n12)[1];
    /* w(token[stack[0] + 1]) */
    *out++ = tw_ask(&p, 0xdca148797dea3119ULL + v32);
    const int32_t n13 = tw_beside(c, n2, -1);
    const uint64_t v33 = TW_WORD(n13)[1];
    /* w(token[input[0] - 1]) */
    *out++ = tw_ask(&p, 0x3cf7b56562274009ULL + v33);
    const uint64_t v2 = TW_WORD(n2)[0];
    /* p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0xce055de6d1cbd80fULL + v2 + tw_turn(v1, 17));
    const uint64_t v59 = tw_count_hash(s, c->left_count[n0]);
    /* p(stack[0]) & valency(left, stack[0]) */
    *out++ = tw_ask(&p, 0xe0d0f76ec459abe1ULL + v0 + tw_turn(v59, 17));
    const uint64_t v60 = tw_count_hash(s, c->left_count[n2]);
    /* p(input[0]) & valency(left, input[0]) */
    *out++ = tw_ask(&p, 0x73600c7b29e0511bULL + v2 + tw_turn(v60, 17));
    const uint64_t v64 = tw_set_hash(c->right_labels[n0]);
    /* p(stack[0]) & labels(right, stack[0]) */
    *out++ = tw_ask(&p, 0x9cd0062df757aa73ULL + v0 + tw_turn(v64, 17));
    const uint64_t v63 = tw_set_hash(c->left_labels[n2]);
    /* p(input[0]) & labels(left, input[0]) */
    *out++ = tw_ask(&p, 0x01795f746092ece0ULL + v2 + tw_turn(v63, 17));
    /* p(stack[1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xfee051da824bc729ULL + v13 + tw_turn(v2, 17));
    /* p(stack[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x9dbf5c3f5156aac7ULL + v0 + tw_turn(v1, 17));
    const uint64_t v16 = TW_WORD(n0)[2];
    const uint64_t v17 = TW_WORD(n5)[2];
    /* lemma(stack[0]) & lemma(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x4bad49b39c588fdbULL + v16 + tw_turn(v17, 17));
    /* feats(stack[0]) & feats(input[0]) */
    *out++ = tw_ask(&p, 0x2df4d6fb7b220eb1ULL + v18 + tw_turn(v19, 17));
    /* p(stack[0]) & feats(input[0]) */
    *out++ = tw_ask(&p, 0xf8e33b0f57445a73ULL + v0 + tw_turn(v19, 17));
    /* x(stack[0]) & x(input[0]) */
    *out++ = tw_ask(&p, 0x53600f49db4ebe7bULL + v26 + tw_turn(v27, 17));
    const uint64_t v30 = TW_WORD(n12)[0];
    /* p(stack[0]) & p(token[stack[0] + 1]) */
    *out++ = tw_ask(&p, 0x7f7ef9eeb7ca97ecULL + v0 + tw_turn(v30, 17));
    const uint64_t v31 = TW_WORD(n13)[0];
    /* p(token[input[0] - 1]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xcb216e7472ee4bd1ULL + v31 + tw_turn(v2, 17));
    const uint64_t v54 = s->relations[c->label[n5]];
    const uint64_t v55 = s->relations[c->label[n0]];
    /* l(rd(stack[0])) & l(stack[0]) */
    *out++ = tw_ask(&p, 0x6b485a83eb6743a9ULL + v54 + tw_turn(v55, 17));
    const int32_t n3 = tw_in_buffer(c, 2);
    const uint64_t v3 = TW_WORD(n3)[0];
    /* p(input[0]) & p(input[1]) & p(input[2]) */
    *out++ = tw_ask(&p, 0x80d96f02cc1fb2adULL + v2 + tw_turn(v1, 17) + tw_turn(v3, 31));
    /* p(stack[0]) & p(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x45b3caddd6209faeULL + v0 + tw_turn(v2, 17) + tw_turn(v1, 31));
    const int32_t n8 = c->head[n0];
    const uint64_t v11 = TW_WORD(n8)[0];
    const int32_t n9 = c->head[n8];
    const uint64_t v12 = TW_WORD(n9)[0];
    /* p(stack[0]) & p(h(stack[0])) & p(h(h(stack[0]))) */
    *out++ = tw_ask(&p, 0x54419b947984a617ULL + v0 + tw_turn(v11, 17) + tw_turn(v12, 31));
    /* p(input[0]) & p(ld(input[0])) & p(ld2(input[0])) */
    *out++ = tw_ask(&p, 0x08a5b6f2d66cec9bULL + v2 + tw_turn(v8, 17) + tw_turn(v10, 31));
    const uint64_t v29 = TW_WORD(n10)[7];
    /* x(stack[1]) & x(stack[0]) & x(input[0]) */
    *out++ = tw_ask(&p, 0xf29f4beebe7168a4ULL + v29 + tw_turn(v26, 17) + tw_turn(v27, 31));
    const int32_t n14 = tw_beside(c, n0, -1);
    const uint64_t v34 = TW_WORD(n14)[0];
    /* p(token[stack[0] - 1]) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x3a6b8ca2784f1340ULL + v34 + tw_turn(v0, 17) + tw_turn(v2, 31));
    /* l(ld(input[0])) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x3fb6e4a97b4866adULL + v52 + tw_turn(v0, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & p(input[0]) & p(input[1]) & p(input[2]) */
    *out++ = tw_ask(&p, 0x4da912b0c8faa9b0ULL + v0 + tw_turn(v2, 17) + tw_turn(v1, 31) + tw_turn(v3, 47));
    /* each(feats(stack[0])) & p(stack[0]) & p(input[0]) */
    out += tw_join_each(&p, 0xb7e8983f9b040944ULL + tw_turn(v0, 1) + tw_turn(v2, 16),
        s->items + s->item_start[n0], s->item_start[n0 + 1] - s->item_start[n0],
        out, room > out - group ? room - (int)(out - group) : 0);
    /* p(stack[0]) & each(feats(input[0])) & p(input[0]) */
    out += tw_join_each(&p, 0xe54eb95ac8146fa9ULL + tw_turn(v0, 1) + tw_turn(v2, 16),
        s->items + s->item_start[n2], s->item_start[n2 + 1] - s->item_start[n2],
        out, room > out - group ? room - (int)(out - group) : 0);
    /* each(feats(stack[0])) & each(feats(input[0])) */
    out += tw_join_pairs(&p, 0x91c882d83f1b769aULL,
        s->items + s->item_start[n0], s->item_start[n0 + 1] - s->item_start[n0],
        s->items + s->item_start[n2], s->item_start[n2 + 1] - s->item_start[n2],
        out, room > out - group ? room - (int)(out - group) : 0);
    counts[1] = (int)(out - group), group = out;
    /* p(input[0]) */
    *out++ = tw_ask(&p, 0x82c1e34c061b9f1fULL + v2);
    /* p(input[2]) */
    *out++ = tw_ask(&p, 0xc1245e20745ba045ULL + v3);
    /* p(h(stack[0])) */
    *out++ = tw_ask(&p, 0xc5543922f415d30dULL + v11);
    /* l(stack[0]) */
    *out++ = tw_ask(&p, 0xe0cfde2dbe7f61edULL + v55);
    const uint64_t v38 = TW_WORD(n4)[0];
    /* p(ld(stack[0])) */
    *out++ = tw_ask(&p, 0xef17c46b2e27b77eULL + v38);
    /* l(rd(stack[0])) */
    *out++ = tw_ask(&p, 0x42b32302eec2b105ULL + v54);
    /* p(h(h(stack[0]))) */
    *out++ = tw_ask(&p, 0xb71de0167ceb7296ULL + v12);
    const uint64_t v56 = s->relations[c->label[n8]];
    /* l(h(stack[0])) */
    *out++ = tw_ask(&p, 0x327b50da276456f1ULL + v56);
    const int32_t n15 = c->right_sibling[c->leftmost[n0]];
    const uint64_t v39 = TW_WORD(n15)[1];
    /* w(ld2(stack[0])) */
    *out++ = tw_ask(&p, 0xcd09a0accbe2e9a3ULL + v39);
    const uint64_t v40 = TW_WORD(n15)[0];
    /* p(ld2(stack[0])) */
    *out++ = tw_ask(&p, 0xa809ee08ef106541ULL + v40);
    const uint64_t v57 = s->relations[c->label[n15]];
    /* l(ld2(stack[0])) */
    *out++ = tw_ask(&p, 0x10dc62e4ea3d5ed5ULL + v57);
    const int32_t n16 = c->left_sibling[c->rightmost[n0]];
    const uint64_t v41 = TW_WORD(n16)[0];
    /* p(rd2(stack[0])) */
    *out++ = tw_ask(&p, 0x30e3223952fabd7dULL + v41);
    const uint64_t v58 = s->relations[c->label[n16]];
    /* l(rd2(stack[0])) */
    *out++ = tw_ask(&p, 0xfb2030e2598bbb8bULL + v58);
    const int32_t n17 = tw_in_buffer(c, 3);
    const uint64_t v43 = TW_WORD(n17)[0];
    /* p(input[3]) */
    *out++ = tw_ask(&p, 0xee5598afacbbbe1eULL + v43);
    /* lemma(stack[0]) */
    *out++ = tw_ask(&p, 0x689d51b990790ed4ULL + v16);
    const uint64_t v44 = TW_WORD(n2)[2];
    /* lemma(input[0]) */
    *out++ = tw_ask(&p, 0x81c7a8ccd35e431bULL + v44);
    const uint64_t v45 = TW_WORD(n8)[2];
    /* lemma(h(stack[0])) */
    *out++ = tw_ask(&p, 0x8707048c1ac1268dULL + v45);
    const uint64_t v49 = TW_WORD(n0)[5];
    /* prefix(w(stack[0]), 3) */
    *out++ = tw_ask(&p, 0xa30050a95271ab3cULL + v49);
    const uint64_t v50 = TW_WORD(n14)[1];
    /* w(token[stack[0] - 1]) */
    *out++ = tw_ask(&p, 0x5dc38082a3624d23ULL + v50);
    const uint64_t v35 = TW_WORD(n0)[1];
    /* w(stack[0]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0x6fed29e1c25c42feULL + v35 + tw_turn(v0, 17));
    const uint64_t v36 = TW_WORD(n2)[1];
    /* w(input[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x294e7784b76c0a52ULL + v36 + tw_turn(v2, 17));
    const uint64_t v37 = TW_WORD(n1)[1];
    /* w(input[1]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x3c7303e2abd29f87ULL + v37 + tw_turn(v1, 17));
    /* w(stack[0]) & w(input[0]) */
    *out++ = tw_ask(&p, 0xa68d7097b20726d7ULL + v35 + tw_turn(v36, 17));
    const uint64_t v61 = tw_count_hash(s, c->right_count[n0]);
    /* w(stack[0]) & valency(right, stack[0]) */
    *out++ = tw_ask(&p, 0xd62d22857a04afcbULL + v35 + tw_turn(v61, 17));
    /* p(stack[0]) & valency(right, stack[0]) */
    *out++ = tw_ask(&p, 0xb4ee2c5a5efacad6ULL + v0 + tw_turn(v61, 17));
    /* w(stack[0]) & labels(right, stack[0]) */
    *out++ = tw_ask(&p, 0xb70112d3758a48e8ULL + v35 + tw_turn(v64, 17));
    /* w(input[0]) & labels(left, input[0]) */
    *out++ = tw_ask(&p, 0xce48b469bb025a88ULL + v36 + tw_turn(v63, 17));
    const uint64_t v42 = TW_WORD(n10)[1];
    /* w(stack[1]) & p(stack[1]) */
    *out++ = tw_ask(&p, 0xafdb5faf5f6790b5ULL + v42 + tw_turn(v13, 17));
    /* lemma(stack[0]) & lemma(input[0]) */
    *out++ = tw_ask(&p, 0xcd0fa30e2f3cbf78ULL + v16 + tw_turn(v44, 17));
    /* lemma(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x9c2bbb6a9df1afc9ULL + v16 + tw_turn(v2, 17));
    /* p(stack[0]) & lemma(input[0]) */
    *out++ = tw_ask(&p, 0x0bc3d1979f48fc46ULL + v0 + tw_turn(v44, 17));
    const uint64_t v46 = TW_WORD(n6)[2];
    /* lemma(input[0]) & lemma(ld(input[0])) */
    *out++ = tw_ask(&p, 0x8e74a75255b434c1ULL + v44 + tw_turn(v46, 17));
    /* feats(stack[0]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0xbde6a0a25995da01ULL + v18 + tw_turn(v0, 17));
    /* feats(input[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x995cc6f57020a040ULL + v19 + tw_turn(v2, 17));
    /* feats(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xeb6858ba672efee0ULL + v18 + tw_turn(v2, 17));
    /* feats(stack[0]) & lemma(input[0]) */
    *out++ = tw_ask(&p, 0x9ea9bf7a402c511eULL + v18 + tw_turn(v44, 17));
    const uint64_t v47 = TW_WORD(n0)[8];
    /* suffix(w(stack[0]), 3) & p(input[0]) */
    *out++ = tw_ask(&p, 0xf43242410a1a7770ULL + v47 + tw_turn(v2, 17));
    const uint64_t v48 = TW_WORD(n2)[8];
    /* p(stack[0]) & suffix(w(input[0]), 3) */
    *out++ = tw_ask(&p, 0xa571d2eca14987ebULL + v0 + tw_turn(v48, 17));
    /* p(token[stack[0] - 1]) & p(stack[0]) */
    *out++ = tw_ask(&p, 0x66a523c519ca5046ULL + v34 + tw_turn(v0, 17));
    /* w(stack[0]) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xec339f4c43840df8ULL + v35 + tw_turn(v0, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & w(input[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x0fb114798de3e63aULL + v0 + tw_turn(v36, 17) + tw_turn(v2, 31));
    /* p(h(stack[0])) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xe9aad6cd380c0c83ULL + v11 + tw_turn(v0, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & p(ld(stack[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0xa91851a0507f72fcULL + v0 + tw_turn(v38, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & p(rd(stack[0])) & p(input[0]) */
    *out++ = tw_ask(&p, 0x7a2f703f4c88fa77ULL + v0 + tw_turn(v6, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & p(input[0]) & p(ld(input[0])) */
    *out++ = tw_ask(&p, 0xd52ea710664462d2ULL + v0 + tw_turn(v2, 17) + tw_turn(v8, 31));
    const uint64_t v62 = tw_distance_hash(s, n0, n2);
    /* p(stack[0]) & p(input[0]) & distance(stack[0], input[0]) */
    *out++ = tw_ask(&p, 0x55a96524c6f3ee92ULL + v0 + tw_turn(v2, 17) + tw_turn(v62, 31));
    /* p(stack[0]) & p(ld(stack[0])) & p(ld2(stack[0])) */
    *out++ = tw_ask(&p, 0x98e4c710204d9343ULL + v0 + tw_turn(v38, 17) + tw_turn(v40, 31));
    /* p(stack[0]) & p(rd(stack[0])) & p(rd2(stack[0])) */
    *out++ = tw_ask(&p, 0x7fab601ec40c0860ULL + v0 + tw_turn(v6, 17) + tw_turn(v41, 31));
    /* p(stack[1]) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0xd2906869e2203e0bULL + v13 + tw_turn(v0, 17) + tw_turn(v2, 31));
    /* p(stack[0]) & w(input[0]) & p(input[1]) */
    *out++ = tw_ask(&p, 0x2971ae6e293d42ceULL + v0 + tw_turn(v36, 17) + tw_turn(v1, 31));
    /* p(stack[0]) & p(input[0]) & w(input[1]) */
    *out++ = tw_ask(&p, 0xf29988be82429430ULL + v0 + tw_turn(v2, 17) + tw_turn(v37, 31));
    /* x(stack[0]) & x(input[0]) & x(input[1]) */
    *out++ = tw_ask(&p, 0x1cb82b4b491705fcULL + v26 + tw_turn(v27, 17) + tw_turn(v28, 31));
    /* l(stack[0]) & p(stack[0]) & p(input[0]) */
    *out++ = tw_ask(&p, 0x28a8177967b7155bULL + v55 + tw_turn(v0, 17) + tw_turn(v2, 31));
    counts[2] = (int)(out - group), group = out;
    if (!labels) return counts[0] = 0, (int)(out - start);
    counts[0] = (int)(out - group), group = out;
    return (int)(out - start);
}
#undef TW_WORD
#endif
