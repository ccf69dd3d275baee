/* What the compiler makes of bundled feature models. Made by tools/bundled_keys.py from features/models/*.features:
   change these instead. A parser of such a model is loaded without reading the text of its features. */
#ifndef TREEWRIGHT_PROGRAMS_H
#define TREEWRIGHT_PROGRAMS_H
#include <stdint.h>
#include "join.h"

/* A program as an extractor has it, see features/extractor.pxd. Nodes are op, argument, parent; scalars op, argument,
   first, second. bases: where addresses begin; attributes: of an encoder, a line each. */
typedef struct {
    const char *bases, *attributes;
    int has_items, n_nodes, n_scalars, n_static, n_templates;
    const int *nodes, *scalars, *runs, *groups;
    const tw_template *templates;
} tw_program;

static const int tw_nodes_fast[] = {
    0, 0, -1, 1, 0, -1, 3, 1, 1, 9, -1, 0, 9, -1, 1, 5, 1, 1, 3, 1, 0, 1, 1, -1, 0, 1, -1, 2, 1, 0, 1, 2, -1, 4, 1,
    0, 9, 1, 0, 6, 1, 0
};
static const int tw_scalars_fast[] = {
    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 1, 1, 0, 0, 1, 4, 0, 0, 3, 1, 0, 0,
    4, 1, 0, 0, 1, 2, 0, 0, 1, 5, 0, 0, 2, 2, 0, 0, 2, 6, 0, 0, 1, 7, 0, 0, 1, 8, 0, 0, 2, 8, 0, 0, 0, 9, 0, 0, 1,
    10, 0, 0, 3, 0, 0, 0, 3, 7, 0, 0, 0, 11, 0, 0, 2, 7, 0, 0, 1, 12, 0, 0, 1, 13, 0, 0, 1, 6, 0, 0, 2, 4, 0, 0, 2,
    3, 0, 1, 0, 2, 0, 1, 0, 11, 0, 3, 0, 0, 0
};
static const int tw_runs_fast[] = {
    28, 30, 31, 31, 31, 31, 31, 31
};
static const int tw_groups_fast[] = {
    0, 5, 7, 8, 8, 8, 8, 8, 16, 19, 20, 20, 22, 14, 22, 24, 30, 34, 36, 36, 14
};
static const tw_template tw_templates_fast[] = {
    {0x30e3223952fabd7dULL, {24, 0, 0, 0}, 1, 0, {0, 0}}, {0x81c7a8ccd35e431bULL, {1, 0, 0, 0}, 1, 0, {0, 0}},
    {0x42b32302eec2b105ULL, {29, 0, 0, 0}, 1, 0, {0, 0}}, {0x3cf7b56562274009ULL, {26, 0, 0, 0}, 1, 0, {0, 0}},
    {0x5dc38082a3624d23ULL, {27, 0, 0, 0}, 1, 0, {0, 0}}, {0xfee051da824bc729ULL, {15, 6, 0, 0}, 2, 0, {0, 0}},
    {0x53600f49db4ebe7bULL, {19, 8, 0, 0}, 2, 0, {0, 0}}, {0xa91851a0507f72fcULL, {4, 25, 6, 0}, 3, 0, {0, 0}},
    {0x93d7249641bd7770ULL, {28, 0, 0, 0}, 1, 0, {0, 0}}, {0x689d51b990790ed4ULL, {0, 0, 0, 0}, 1, 0, {0, 0}},
    {0x6f124bfef2bacff4ULL, {8, 0, 0, 0}, 1, 0, {0, 0}}, {0x964185bc796d2585ULL, {9, 0, 0, 0}, 1, 0, {0, 0}},
    {0x5f86a7cbf0855ff5ULL, {10, 0, 0, 0}, 1, 0, {0, 0}}, {0xaffb1c0569ee180cULL, {11, 0, 0, 0}, 1, 0, {0, 0}},
    {0xee9ae0065244d779ULL, {12, 0, 0, 0}, 1, 0, {0, 0}}, {0xf82730bda7486349ULL, {13, 0, 0, 0}, 1, 0, {0, 0}},
    {0x8e74a75255b434c1ULL, {1, 2, 0, 0}, 2, 0, {0, 0}}, {0x66a523c519ca5046ULL, {3, 4, 0, 0}, 2, 0, {0, 0}},
    {0xcb216e7472ee4bd1ULL, {7, 6, 0, 0}, 2, 0, {0, 0}}, {0x0fb114798de3e63aULL, {4, 5, 6, 0}, 3, 0, {0, 0}},
    {0xe54eb95ac8146fa9ULL, {4, 6, 0, 0}, 2, 1, {1, 0}}, {0x91c882d83f1b769aULL, {0, 0, 0, 0}, 0, 2, {0, 1}},
    {0x8707048c1ac1268dULL, {17, 0, 0, 0}, 1, 0, {0, 0}}, {0xa3f31dda3f7b95e4ULL, {14, 0, 0, 0}, 1, 0, {0, 0}},
    {0xe0d0f76ec459abe1ULL, {4, 30, 0, 0}, 2, 0, {0, 0}}, {0x9dbf5c3f5156aac7ULL, {4, 14, 0, 0}, 2, 0, {0, 0}},
    {0xafdb5faf5f6790b5ULL, {16, 15, 0, 0}, 2, 0, {0, 0}}, {0x4bad49b39c588fdbULL, {0, 21, 0, 0}, 2, 0, {0, 0}},
    {0xce055de6d1cbd80fULL, {6, 14, 0, 0}, 2, 0, {0, 0}}, {0x3c7303e2abd29f87ULL, {22, 14, 0, 0}, 2, 0, {0, 0}},
    {0x80d96f02cc1fb2adULL, {6, 14, 18, 0}, 3, 0, {0, 0}}, {0x1cb82b4b491705fcULL, {19, 8, 20, 0}, 3, 0, {0, 0}},
    {0x2971ae6e293d42ceULL, {4, 5, 14, 0}, 3, 0, {0, 0}}, {0xd0c1756111704a5bULL, {4, 12, 6, 0}, 3, 0, {0, 0}},
    {0x0a32ed059bb4a1a9ULL, {15, 4, 6, 14}, 4, 0, {0, 0}}, {0xd9acf2e97cd30164ULL, {4, 23, 7, 6}, 4, 0, {0, 0}}
};
static const tw_program tw_program_fast = {
    "input stack", "LEMMA\t\nUPOS\t\nFORM\t\nXPOS\t\nFORM\t\tshape:0\n",
    1, 14, 31, 28, 36,
    tw_nodes_fast, tw_scalars_fast, tw_runs_fast, tw_groups_fast, tw_templates_fast,
};

static const int tw_nodes_lean[] = {
    0, 0, -1, 1, 0, -1, 3, 1, 1, 9, -1, 0, 5, 1, 1, 1, 1, -1, 4, 1, 0, 0, 1, -1, 2, 1, 0, 1, 2, -1, 3, 1, 0
};
static const int tw_scalars_lean[] = {
    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1, 4, 0, 0,
    3, 2, 0, 0, 1, 5, 0, 0, 1, 6, 0, 0, 3, 7, 0, 0, 1, 7, 0, 0, 0, 8, 0, 0, 1, 9, 0, 0, 1, 8, 0, 0, 3, 10, 0, 1, 0,
    2, 0, 3, 0, 0, 0, 4, 0, 0, 0
};
static const int tw_runs_lean[] = {
    18, 19, 20, 21, 21, 21, 21, 21
};
static const int tw_groups_lean[] = {
    0, 0, 1, 2, 2, 2, 2, 2, 7, 11, 13, 13, 15, 13, 15, 19, 21, 22, 22, 22, 7
};
static const tw_template tw_templates_lean[] = {
    {0xfee051da824bc729ULL, {13, 6, 0, 0}, 2, 0, {0, 0}}, {0x08a5b6f2d66cec9bULL, {6, 7, 8, 0}, 3, 0, {0, 0}},
    {0x93d7249641bd7770ULL, {18, 0, 0, 0}, 1, 0, {0, 0}}, {0x689d51b990790ed4ULL, {0, 0, 0, 0}, 1, 0, {0, 0}},
    {0x6f124bfef2bacff4ULL, {5, 0, 0, 0}, 1, 0, {0, 0}}, {0x5f86a7cbf0855ff5ULL, {7, 0, 0, 0}, 1, 0, {0, 0}},
    {0xaffb1c0569ee180cULL, {8, 0, 0, 0}, 1, 0, {0, 0}}, {0x8e74a75255b434c1ULL, {1, 2, 0, 0}, 2, 0, {0, 0}},
    {0x66a523c519ca5046ULL, {3, 4, 0, 0}, 2, 0, {0, 0}}, {0xce055de6d1cbd80fULL, {6, 10, 0, 0}, 2, 0, {0, 0}},
    {0xb4ee2c5a5efacad6ULL, {4, 20, 0, 0}, 2, 0, {0, 0}}, {0xd0c1756111704a5bULL, {4, 9, 6, 0}, 3, 0, {0, 0}},
    {0x7a2f703f4c88fa77ULL, {4, 11, 6, 0}, 3, 0, {0, 0}}, {0xe54eb95ac8146fa9ULL, {4, 6, 0, 0}, 2, 1, {1, 0}},
    {0x91c882d83f1b769aULL, {0, 0, 0, 0}, 0, 2, {0, 1}}, {0x8707048c1ac1268dULL, {14, 0, 0, 0}, 1, 0, {0, 0}},
    {0xa3f31dda3f7b95e4ULL, {10, 0, 0, 0}, 1, 0, {0, 0}}, {0xc5543922f415d30dULL, {16, 0, 0, 0}, 1, 0, {0, 0}},
    {0xf82730bda7486349ULL, {17, 0, 0, 0}, 1, 0, {0, 0}}, {0xe0d0f76ec459abe1ULL, {4, 19, 0, 0}, 2, 0, {0, 0}},
    {0xafdb5faf5f6790b5ULL, {12, 13, 0, 0}, 2, 0, {0, 0}}, {0x80d96f02cc1fb2adULL, {6, 10, 15, 0}, 3, 0, {0, 0}}
};
static const tw_program tw_program_lean = {
    "input stack", "LEMMA\t\nUPOS\t\nXPOS\t\nFORM\t\n",
    1, 11, 21, 18, 22,
    tw_nodes_lean, tw_scalars_lean, tw_runs_lean, tw_groups_lean, tw_templates_lean,
};

static const int tw_nodes_rich[] = {
    0, 0, -1, 1, 1, -1, 1, 0, -1, 1, 2, -1, 3, 1, 0, 4, 1, 0, 3, 1, 2, 5, 1, 2, 2, 1, 0, 2, 2, 0, 0, 1, -1, 0, 2,
    -1, 9, 1, 0, 9, -1, 2, 9, -1, 0, 5, 1, 0, 6, 1, 0, 1, 3, -1
};
static const int tw_scalars_rich[] = {
    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, 4, 0, 0, 1, 5, 0, 0, 0, 5, 0, 0, 1, 6, 0, 0, 0, 6, 0, 0,
    1, 7, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0, 11, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 2, 5, 0, 0, 3,
    0, 0, 0, 3, 2, 0, 0, 3, 1, 0, 0, 4, 0, 0, 0, 4, 2, 0, 0, 5, 2, 0, 0, 6, 0, 0, 0, 6, 2, 0, 0, 7, 0, 0, 0, 7, 2,
    0, 0, 7, 1, 0, 0, 7, 10, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 1, 12, 0, 0, 1, 13, 0, 0, 0, 14, 0, 0, 1, 0, 0, 0, 1,
    2, 0, 0, 1, 1, 0, 0, 0, 4, 0, 0, 1, 15, 0, 0, 0, 15, 0, 0, 0, 16, 0, 0, 1, 10, 0, 0, 0, 17, 0, 0, 2, 2, 0, 0, 2,
    8, 0, 0, 2, 6, 0, 0, 8, 0, 0, 0, 8, 2, 0, 0, 5, 0, 0, 0, 1, 14, 0, 1, 0, 4, 0, 1, 0, 6, 0, 1, 0, 7, 0, 1, 0, 5,
    0, 1, 0, 0, 0, 1, 0, 8, 0, 1, 0, 15, 0, 1, 0, 16, 0, 3, 0, 0, 0, 3, 0, 2, 0, 4, 0, 0, 0, 2, 0, 0, 2, 5, 0, 2, 0,
    6, 0, 0, 0
};
static const int tw_runs_rich[] = {
    51, 59, 61, 62, 63, 64, 65, 65
};
static const int tw_groups_rich[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 28, 42, 49, 50, 53, 53, 53, 72, 92, 106, 106, 106, 53
};
static const tw_template tw_templates_rich[] = {
    {0x4d7389dca7c769ceULL, {0, 0, 0, 0}, 1, 0, {0, 0}}, {0xa3f31dda3f7b95e4ULL, {1, 0, 0, 0}, 1, 0, {0, 0}},
    {0xf82730bda7486349ULL, {4, 0, 0, 0}, 1, 0, {0, 0}}, {0x081d8b0e2eef633cULL, {51, 0, 0, 0}, 1, 0, {0, 0}},
    {0x88128b4ab153e996ULL, {5, 0, 0, 0}, 1, 0, {0, 0}}, {0x3091fe7c66a89cefULL, {6, 0, 0, 0}, 1, 0, {0, 0}},
    {0xee9ae0065244d779ULL, {7, 0, 0, 0}, 1, 0, {0, 0}}, {0x5f86a7cbf0855ff5ULL, {8, 0, 0, 0}, 1, 0, {0, 0}},
    {0x93d7249641bd7770ULL, {52, 0, 0, 0}, 1, 0, {0, 0}}, {0x67ca2a2852f768cbULL, {9, 0, 0, 0}, 1, 0, {0, 0}},
    {0xaffb1c0569ee180cULL, {10, 0, 0, 0}, 1, 0, {0, 0}}, {0xd7a85d9b1b404a07ULL, {53, 0, 0, 0}, 1, 0, {0, 0}},
    {0x71670c35211da43eULL, {13, 0, 0, 0}, 1, 0, {0, 0}}, {0x655a908dab681052ULL, {14, 0, 0, 0}, 1, 0, {0, 0}},
    {0x186de4f09634e1adULL, {15, 0, 0, 0}, 1, 0, {0, 0}}, {0xa4b0fdefe87469f3ULL, {18, 0, 0, 0}, 1, 0, {0, 0}},
    {0x337097029bb2b95aULL, {19, 0, 0, 0}, 1, 0, {0, 0}}, {0xf4377843b9497e23ULL, {20, 0, 0, 0}, 1, 0, {0, 0}},
    {0xe617c772e4545d96ULL, {21, 0, 0, 0}, 1, 0, {0, 0}}, {0x190d8cfab21af4a0ULL, {22, 0, 0, 0}, 1, 0, {0, 0}},
    {0xfeade11f49ee4b6fULL, {23, 0, 0, 0}, 1, 0, {0, 0}}, {0x5d670e118ba5bb36ULL, {24, 0, 0, 0}, 1, 0, {0, 0}},
    {0x964185bc796d2585ULL, {25, 0, 0, 0}, 1, 0, {0, 0}}, {0x6f95a6cc9182b4a8ULL, {26, 0, 0, 0}, 1, 0, {0, 0}},
    {0x6f124bfef2bacff4ULL, {27, 0, 0, 0}, 1, 0, {0, 0}}, {0x2f15acc44cba410eULL, {28, 0, 0, 0}, 1, 0, {0, 0}},
    {0xdca148797dea3119ULL, {32, 0, 0, 0}, 1, 0, {0, 0}}, {0x3cf7b56562274009ULL, {33, 0, 0, 0}, 1, 0, {0, 0}},
    {0xce055de6d1cbd80fULL, {2, 1, 0, 0}, 2, 0, {0, 0}}, {0xe0d0f76ec459abe1ULL, {0, 59, 0, 0}, 2, 0, {0, 0}},
    {0x73600c7b29e0511bULL, {2, 60, 0, 0}, 2, 0, {0, 0}}, {0x9cd0062df757aa73ULL, {0, 64, 0, 0}, 2, 0, {0, 0}},
    {0x01795f746092ece0ULL, {2, 63, 0, 0}, 2, 0, {0, 0}}, {0xfee051da824bc729ULL, {13, 2, 0, 0}, 2, 0, {0, 0}},
    {0x9dbf5c3f5156aac7ULL, {0, 1, 0, 0}, 2, 0, {0, 0}}, {0x4bad49b39c588fdbULL, {16, 17, 0, 0}, 2, 0, {0, 0}},
    {0x2df4d6fb7b220eb1ULL, {18, 19, 0, 0}, 2, 0, {0, 0}}, {0xf8e33b0f57445a73ULL, {0, 19, 0, 0}, 2, 0, {0, 0}},
    {0x53600f49db4ebe7bULL, {26, 27, 0, 0}, 2, 0, {0, 0}}, {0x7f7ef9eeb7ca97ecULL, {0, 30, 0, 0}, 2, 0, {0, 0}},
    {0xcb216e7472ee4bd1ULL, {31, 2, 0, 0}, 2, 0, {0, 0}}, {0x6b485a83eb6743a9ULL, {54, 55, 0, 0}, 2, 0, {0, 0}},
    {0x80d96f02cc1fb2adULL, {2, 1, 3, 0}, 3, 0, {0, 0}}, {0x45b3caddd6209faeULL, {0, 2, 1, 0}, 3, 0, {0, 0}},
    {0x54419b947984a617ULL, {0, 11, 12, 0}, 3, 0, {0, 0}}, {0x08a5b6f2d66cec9bULL, {2, 8, 10, 0}, 3, 0, {0, 0}},
    {0xf29f4beebe7168a4ULL, {29, 26, 27, 0}, 3, 0, {0, 0}}, {0x3a6b8ca2784f1340ULL, {34, 0, 2, 0}, 3, 0, {0, 0}},
    {0x3fb6e4a97b4866adULL, {52, 0, 2, 0}, 3, 0, {0, 0}}, {0x4da912b0c8faa9b0ULL, {0, 2, 1, 3}, 4, 0, {0, 0}},
    {0xb7e8983f9b040944ULL, {0, 2, 0, 0}, 2, 1, {0, 0}}, {0xe54eb95ac8146fa9ULL, {0, 2, 0, 0}, 2, 1, {2, 0}},
    {0x91c882d83f1b769aULL, {0, 0, 0, 0}, 0, 2, {0, 2}}, {0x82c1e34c061b9f1fULL, {2, 0, 0, 0}, 1, 0, {0, 0}},
    {0xc1245e20745ba045ULL, {3, 0, 0, 0}, 1, 0, {0, 0}}, {0xc5543922f415d30dULL, {11, 0, 0, 0}, 1, 0, {0, 0}},
    {0xe0cfde2dbe7f61edULL, {55, 0, 0, 0}, 1, 0, {0, 0}}, {0xef17c46b2e27b77eULL, {38, 0, 0, 0}, 1, 0, {0, 0}},
    {0x42b32302eec2b105ULL, {54, 0, 0, 0}, 1, 0, {0, 0}}, {0xb71de0167ceb7296ULL, {12, 0, 0, 0}, 1, 0, {0, 0}},
    {0x327b50da276456f1ULL, {56, 0, 0, 0}, 1, 0, {0, 0}}, {0xcd09a0accbe2e9a3ULL, {39, 0, 0, 0}, 1, 0, {0, 0}},
    {0xa809ee08ef106541ULL, {40, 0, 0, 0}, 1, 0, {0, 0}}, {0x10dc62e4ea3d5ed5ULL, {57, 0, 0, 0}, 1, 0, {0, 0}},
    {0x30e3223952fabd7dULL, {41, 0, 0, 0}, 1, 0, {0, 0}}, {0xfb2030e2598bbb8bULL, {58, 0, 0, 0}, 1, 0, {0, 0}},
    {0xee5598afacbbbe1eULL, {43, 0, 0, 0}, 1, 0, {0, 0}}, {0x689d51b990790ed4ULL, {16, 0, 0, 0}, 1, 0, {0, 0}},
    {0x81c7a8ccd35e431bULL, {44, 0, 0, 0}, 1, 0, {0, 0}}, {0x8707048c1ac1268dULL, {45, 0, 0, 0}, 1, 0, {0, 0}},
    {0xa30050a95271ab3cULL, {49, 0, 0, 0}, 1, 0, {0, 0}}, {0x5dc38082a3624d23ULL, {50, 0, 0, 0}, 1, 0, {0, 0}},
    {0x6fed29e1c25c42feULL, {35, 0, 0, 0}, 2, 0, {0, 0}}, {0x294e7784b76c0a52ULL, {36, 2, 0, 0}, 2, 0, {0, 0}},
    {0x3c7303e2abd29f87ULL, {37, 1, 0, 0}, 2, 0, {0, 0}}, {0xa68d7097b20726d7ULL, {35, 36, 0, 0}, 2, 0, {0, 0}},
    {0xd62d22857a04afcbULL, {35, 61, 0, 0}, 2, 0, {0, 0}}, {0xb4ee2c5a5efacad6ULL, {0, 61, 0, 0}, 2, 0, {0, 0}},
    {0xb70112d3758a48e8ULL, {35, 64, 0, 0}, 2, 0, {0, 0}}, {0xce48b469bb025a88ULL, {36, 63, 0, 0}, 2, 0, {0, 0}},
    {0xafdb5faf5f6790b5ULL, {42, 13, 0, 0}, 2, 0, {0, 0}}, {0xcd0fa30e2f3cbf78ULL, {16, 44, 0, 0}, 2, 0, {0, 0}},
    {0x9c2bbb6a9df1afc9ULL, {16, 2, 0, 0}, 2, 0, {0, 0}}, {0x0bc3d1979f48fc46ULL, {0, 44, 0, 0}, 2, 0, {0, 0}},
    {0x8e74a75255b434c1ULL, {44, 46, 0, 0}, 2, 0, {0, 0}}, {0xbde6a0a25995da01ULL, {18, 0, 0, 0}, 2, 0, {0, 0}},
    {0x995cc6f57020a040ULL, {19, 2, 0, 0}, 2, 0, {0, 0}}, {0xeb6858ba672efee0ULL, {18, 2, 0, 0}, 2, 0, {0, 0}},
    {0x9ea9bf7a402c511eULL, {18, 44, 0, 0}, 2, 0, {0, 0}}, {0xf43242410a1a7770ULL, {47, 2, 0, 0}, 2, 0, {0, 0}},
    {0xa571d2eca14987ebULL, {0, 48, 0, 0}, 2, 0, {0, 0}}, {0x66a523c519ca5046ULL, {34, 0, 0, 0}, 2, 0, {0, 0}},
    {0xec339f4c43840df8ULL, {35, 0, 2, 0}, 3, 0, {0, 0}}, {0x0fb114798de3e63aULL, {0, 36, 2, 0}, 3, 0, {0, 0}},
    {0xe9aad6cd380c0c83ULL, {11, 0, 2, 0}, 3, 0, {0, 0}}, {0xa91851a0507f72fcULL, {0, 38, 2, 0}, 3, 0, {0, 0}},
    {0x7a2f703f4c88fa77ULL, {0, 6, 2, 0}, 3, 0, {0, 0}}, {0xd52ea710664462d2ULL, {0, 2, 8, 0}, 3, 0, {0, 0}},
    {0x55a96524c6f3ee92ULL, {0, 2, 62, 0}, 3, 0, {0, 0}}, {0x98e4c710204d9343ULL, {0, 38, 40, 0}, 3, 0, {0, 0}},
    {0x7fab601ec40c0860ULL, {0, 6, 41, 0}, 3, 0, {0, 0}}, {0xd2906869e2203e0bULL, {13, 0, 2, 0}, 3, 0, {0, 0}},
    {0x2971ae6e293d42ceULL, {0, 36, 1, 0}, 3, 0, {0, 0}}, {0xf29988be82429430ULL, {0, 2, 37, 0}, 3, 0, {0, 0}},
    {0x1cb82b4b491705fcULL, {26, 27, 28, 0}, 3, 0, {0, 0}}, {0x28a8177967b7155bULL, {55, 0, 2, 0}, 3, 0, {0, 0}}
};
static const tw_program tw_program_rich = {
    "stack input", "UPOS\t\nFORM\t\nLEMMA\t\nFEATS\t\nFORM\t\tsuffix:2\nFORM\t\tprefix:3\nFORM\t\tshape:0\nXPOS\t\nFORM\t\tsuffix:3\n",
    1, 18, 65, 51, 106,
    tw_nodes_rich, tw_scalars_rich, tw_runs_rich, tw_groups_rich, tw_templates_rich,
};

static const int tw_nodes_tiny[] = {
    1, 0, -1, 3, 1, 0, 5, 1, 0, 0, 0, -1, 0, 1, -1, 1, 1, -1, 9, -1, 3, 3, 1, 3, 4, 1, 3
};
static const int tw_scalars_tiny[] = {
    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0,
    1, 0, 0, 0, 2, 3, 0, 0, 0, 7, 0, 0, 2, 0, 0, 1, 0, 8, 0
};
static const int tw_runs_tiny[] = {
    13, 14, 14, 14, 14, 14, 14, 14
};
static const int tw_groups_tiny[] = {
    0, 2, 2, 3, 3, 3, 3, 3, 5, 5, 7, 7, 7, 4, 7, 8, 10, 11, 11, 11, 4
};
static const tw_template tw_templates_tiny[] = {
    {0x689d51b990790ed4ULL, {10, 0, 0, 0}, 1, 0, {0, 0}}, {0x81c7a8ccd35e431bULL, {12, 0, 0, 0}, 1, 0, {0, 0}},
    {0xa91851a0507f72fcULL, {4, 11, 0, 0}, 3, 0, {0, 0}}, {0x42b32302eec2b105ULL, {13, 0, 0, 0}, 1, 0, {0, 0}},
    {0xa4b0fdefe87469f3ULL, {3, 0, 0, 0}, 1, 0, {0, 0}}, {0x08a5b6f2d66cec9bULL, {0, 1, 2, 0}, 3, 0, {0, 0}},
    {0x1aa14982a698b214ULL, {4, 5, 0, 0}, 3, 0, {0, 0}}, {0x71670c35211da43eULL, {6, 0, 0, 0}, 1, 0, {0, 0}},
    {0xce055de6d1cbd80fULL, {0, 7, 0, 0}, 2, 0, {0, 0}}, {0x66a523c519ca5046ULL, {8, 4, 0, 0}, 2, 0, {0, 0}},
    {0xd050273bf1890c22ULL, {4, 9, 0, 0}, 3, 0, {0, 0}}
};
static const tw_program tw_program_tiny = {
    "input stack", "UPOS\t\nFEATS\t\nLEMMA\t\n",
    0, 9, 14, 13, 11,
    tw_nodes_tiny, tw_scalars_tiny, tw_runs_tiny, tw_groups_tiny, tw_templates_tiny,
};

/* Return the program of a text, known by its hash; NULL: it must be compiled. */
static inline const tw_program *tw_program_of(uint64_t text) {
    switch (text) {
        case 0x23c527a525f3b7d7ULL: return &tw_program_fast;
        case 0xf7f88369f9dafac8ULL: return &tw_program_lean;
        case 0x7a3dd49fc5a14403ULL: return &tw_program_rich;
        case 0x8f960512e63bd222ULL: return &tw_program_tiny;
    }
    return 0;
}
#endif
