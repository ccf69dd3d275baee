/* Products of rows of activations (16 bits) with weights (8 bits, expanded to 16), summed exactly in 32 bits.

   Weights stand in panels of 16 outputs. For every two inputs, a panel has one cache line: the two weights of output 0,
   of output 1, ... A tile multiplies some rows with a panel (neural_tiles.h). Sums of integers do not depend on their
   order, so all paths give the same result. */
#ifndef TREEWRIGHT_NEURAL_PRODUCT_H
#define TREEWRIGHT_NEURAL_PRODUCT_H
#include "neural_paths.h"

#define TW_PANEL 16     /* outputs of a panel */
#define TW_TILE 12      /* the most rows of a tile, on any path */
#ifdef TW_NEON
#define TW_NARROW_TILE 6 /* of 32 registers, the sums of a row fill four */
#else
#define TW_NARROW_TILE 3 /* of 16 registers */
#endif
#define TW_LARGEST_SUM 65536 /* of the absolute weights of a row: 65536 * 32767 < 2^31, no product overflows */

typedef struct {
    const int16_t *panels;  /* [n_panels][n_pairs][TW_PANEL][2] */
    const float *scales;    /* [n_panels * TW_PANEL], divided by TW_ONE */
    const float *bias;      /* [n_panels * TW_PANEL] */
    int32_t n_panels, n_pairs;
} tw_weights16;

#define TW_PANEL_AT(w, p) ((w)->panels + (size_t)(p) * (size_t)(w)->n_pairs * (2 * TW_PANEL))

/* out[r][j] = sum of inputs[r] times weights j, times scales[j], plus added[r][j]: n rows, one panel. */
typedef void (*tw_tile)(int n, const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,
                        const float *const *added, float *const *out);

/* Rows of a tile such that n rows make tiles of about the same size. */
static inline int tw_rows_per_tile(int path, int n) {
    if (path > TW_PATH_AVX2) return TW_TILE;
    int most = path == TW_PATH_AVX2 ? 6 : TW_NARROW_TILE;
    int n_tiles = (n + most - 1) / most;
    return n_tiles > 0 ? (n + n_tiles - 1) / n_tiles : most;
}

/* Rows whose products are computed before the next panel is looked at: their inputs stay in the second cache. */
#define TW_SLICE 96

/* Multiply n <= TW_SLICE rows with all panels. */
static void tw_multiply(tw_tile tile, int path, const tw_weights16 *w, int n, const int16_t *const *inputs,
                        const float *const *added, float *const *out) {
    int step = tw_rows_per_tile(path, n);
    const float *plus[TW_TILE];
    float *to[TW_TILE];
    for (int p = 0; p < w->n_panels; p++)
        for (int r = 0; r < n; r += step) {
            int size = n - r < step ? n - r : step;
            for (int i = 0; i < size; i++) plus[i] = added[r + i] + p * TW_PANEL, to[i] = out[r + i] + p * TW_PANEL;
            tile(size, inputs + r, TW_PANEL_AT(w, p), w->n_pairs, w->scales + p * TW_PANEL, plus, to);
        }
}
#endif
