/* What decisions between moves are made with (decide.h): most modules need these structures only. */
#ifndef TREEWRIGHT_MOVES_H
#define TREEWRIGHT_MOVES_H
#include "looking.h"
#include "weight_lines.h"

#define TW_MOST_KINDS 8

typedef struct {
    int first, end;
} tw_range;

/* The labelled moves of a parser as ranges of classes, see learner.pyx. */
typedef struct {
    uint32_t labelled;                       /* bit k: moves of kind k carry a relation */
    const int32_t *label;                    /* relation of a class */
    tw_range range[2][TW_MOST_KINDS];        /* classes of a kind: for arcs from words, for arcs from the root */
    tw_range span[1 << TW_MOST_KINDS];       /* by a set of labelled kinds: from their first class to the last */
} tw_moves;

/* The memory of a thread for one decision. */
typedef struct {
    uint64_t *keys;                          /* for both, for moves, for labels, one after the other … */
    int room;                                /* … each with so much room */
    int *counts;                             /* how many keys there are for labels, for both, for moves */
    tw_rows *rows;
    int16_t *sums;                           /* of classes */
    int32_t best;                            /* the score of the move that was chosen last */
} tw_desk;

/* From a configuration to its move, for a table that is not wide, with AVX2. */
typedef int (*tw_decision)(const tw_table *t, const tw_place *place, const tw_moves *m, const tw_configuration *c,
                           const tw_sentence *s, unsigned legal, unsigned from_root, tw_desk *d, int *label);
#endif
