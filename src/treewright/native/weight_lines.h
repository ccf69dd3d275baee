/* The table of weights in memory: 64-byte lines, one cache line each, and rows of weights for labelled moves. score.h
   looks features up; this header stands apart because most modules only need the layout, and the vector instructions
   behind score.h take the compiler half a second. */
#ifndef TREEWRIGHT_WEIGHT_LINES_H
#define TREEWRIGHT_WEIGHT_LINES_H
#include <stdint.h>

#define TW_SLOTS 6
#define TW_KINDS 4     /* kinds of move that a line has weights for */
#define TW_AT_ONCE 256 /* features summed at once: the sums of their 8-bit weights fit 16 bits */

/* The upper bits of a reference: the type of row that it refers to; 0: no row. */
#define TW_DENSE 0x80000000u  /* an 8-bit weight for each class */
#define TW_SPARSE 0x40000000u /* pairs of 16-bit numbers (class, weight), in fours; lowest 4 bits: how many, minus one */
#define TW_FOURS(ref) (((ref) & 15) + 1)
#define TW_PLACE 0x3FFFFFF0u  /* the bits between: where the row begins, a multiple of 16 bytes */

typedef struct {
    uint16_t tag[TW_SLOTS];     /* odd; 0: empty */
    uint32_t row[TW_SLOTS];
    int8_t move[TW_SLOTS][TW_KINDS];
    uint32_t zero;              /* stands behind the last slot: the weights that a look-up reads if it finds nothing */
} tw_line;

typedef struct {                /* rows found: dense ones, and references to sparse ones */
    const int8_t *dense[TW_AT_ONCE + 1];
    uint32_t sparse[TW_AT_ONCE + 1];
    int32_t n_dense, n_sparse;
} tw_rows;

typedef struct {
    const tw_line *lines;
    const uint8_t *rows;
    uint32_t n_lines;
    int32_t n_classes;          /* of labelled moves, padded to a multiple of 16 */
    int32_t has_avx2;
    int32_t wide;               /* whether there are 2 * n_lines lines, for up to 2 * TW_KINDS kinds */
} tw_table;

static inline uint16_t tw_tag(uint64_t key) { return (uint16_t)key | 1; } /* odd: never 0, which is an empty slot */

static inline uint32_t tw_line_of(uint64_t key, uint32_t n_lines) {
    return (uint32_t)(((key >> 32) * (uint64_t)n_lines) >> 32);
}
#endif
