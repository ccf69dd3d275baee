/* Products of rows of 32-bit floats with the weights between the steps of an LSTM, while it learns.

   A library for matrices rearranges its weights for each product. These products are small, and all steps of a batch
   have the same weights: they are rearranged once, into panels of 16 outputs, which have one cache line for each input. */
#ifndef TREEWRIGHT_NEURAL_RECURRENCE_H
#define TREEWRIGHT_NEURAL_RECURRENCE_H
#include <stddef.h>
#include <string.h>
#include "processor.h"

#define TW_FLOAT_PANEL 16 /* outputs of a panel */
#define TW_FLOAT_TILE 6   /* the most rows of a tile: their sums fill twelve of sixteen registers */

typedef struct {
    float *panels; /* [panels][n_in][TW_FLOAT_PANEL], aligned to cache lines; outputs that do not exist have zeros */
    int n_in, n_out;
} tw_float_weights;

static inline int tw_float_panels(int n_out) { return (n_out + TW_FLOAT_PANEL - 1) / TW_FLOAT_PANEL; }

/* Rearrange weights: that of input i and output o is w[i * in_step + o * out_step]. */
static void tw_float_pack(const float *w, size_t in_step, size_t out_step, tw_float_weights *packed) {
    float *to = packed->panels;
    for (int first = 0; first < packed->n_out; first += TW_FLOAT_PANEL) {
        int n = packed->n_out - first < TW_FLOAT_PANEL ? packed->n_out - first : TW_FLOAT_PANEL;
        for (int i = 0; i < packed->n_in; i++, to += TW_FLOAT_PANEL) {
            const float *from = w + (size_t)i * in_step + (size_t)first * out_step;
            for (int o = 0; o < n; o++) to[o] = from[(size_t)o * out_step];
            for (int o = n; o < TW_FLOAT_PANEL; o++) to[o] = 0.0f;
        }
    }
}

/* sums[r][o] = inputs[r] times the weights of output o: n rows of a matrix, one panel. */
typedef void (*tw_float_tile)(int n, const float *inputs, size_t stride, const float *panel, int n_in,
                              float sums[TW_FLOAT_TILE][TW_FLOAT_PANEL]);

static void tw_float_tile_plain(int n, const float *inputs, size_t stride, const float *panel, int n_in,
                                float sums[TW_FLOAT_TILE][TW_FLOAT_PANEL]) {
    for (int r = 0; r < n; r++) {
        float own[TW_FLOAT_PANEL] = {0};
        for (int i = 0; i < n_in; i++)
            for (int o = 0; o < TW_FLOAT_PANEL; o++)
                own[o] += inputs[(size_t)r * stride + (size_t)i] * panel[(size_t)i * TW_FLOAT_PANEL + (size_t)o];
        memcpy(sums[r], own, sizeof own);
    }
}

#ifdef TW_AVX2
#define TW_FOR_FMA TW_TARGET_OF("avx2,fma")

#define TW_FLOAT_TILE_FMA(N)                                                                                        \
    TW_FOR_FMA static void tw_float_tile_fma_##N(const float *inputs, size_t stride, const float *panel, int n_in,  \
                                                 float sums[TW_FLOAT_TILE][TW_FLOAT_PANEL]) {                       \
        __m256 own[N][2];                                                                                           \
        TW_UNROLL for (int r = 0; r < N; r++) own[r][0] = own[r][1] = _mm256_setzero_ps();            \
        for (int i = 0; i < n_in; i++, panel += TW_FLOAT_PANEL) {                                                   \
            __m256 low = _mm256_load_ps(panel), high = _mm256_load_ps(panel + 8);                                   \
            TW_UNROLL for (int r = 0; r < N; r++) {                                                   \
                __m256 input = _mm256_broadcast_ss(inputs + (size_t)r * stride + (size_t)i);                        \
                own[r][0] = _mm256_fmadd_ps(input, low, own[r][0]);                                                 \
                own[r][1] = _mm256_fmadd_ps(input, high, own[r][1]);                                                \
            }                                                                                                       \
        }                                                                                                           \
        TW_UNROLL for (int r = 0; r < N; r++) {                                                       \
            _mm256_storeu_ps(sums[r], own[r][0]);                                                                   \
            _mm256_storeu_ps(sums[r] + 8, own[r][1]);                                                               \
        }                                                                                                           \
    }
TW_FLOAT_TILE_FMA(1)
TW_FLOAT_TILE_FMA(2)
TW_FLOAT_TILE_FMA(3)
TW_FLOAT_TILE_FMA(4)
TW_FLOAT_TILE_FMA(5)
TW_FLOAT_TILE_FMA(6)

static void tw_float_tile_fma(int n, const float *inputs, size_t stride, const float *panel, int n_in,
                              float sums[TW_FLOAT_TILE][TW_FLOAT_PANEL]) {
    switch (n) {
        case 6: tw_float_tile_fma_6(inputs, stride, panel, n_in, sums); break;
        case 5: tw_float_tile_fma_5(inputs, stride, panel, n_in, sums); break;
        case 4: tw_float_tile_fma_4(inputs, stride, panel, n_in, sums); break;
        case 3: tw_float_tile_fma_3(inputs, stride, panel, n_in, sums); break;
        case 2: tw_float_tile_fma_2(inputs, stride, panel, n_in, sums); break;
        case 1: tw_float_tile_fma_1(inputs, stride, panel, n_in, sums); break;
    }
}
#endif

static inline tw_float_tile tw_float_tile_of(int is_plain) {
#ifdef TW_AVX2
    if (!is_plain && tw_has(TW_HAS_AVX2) && tw_has(TW_HAS_FMA)) return tw_float_tile_fma;
#endif
    (void)is_plain;
    return tw_float_tile_plain;
}

/* Add the products of n rows of inputs to as many rows of out; rows follow each other, n_in and n_out numbers long. */
static void tw_float_multiply(tw_float_tile tile, const tw_float_weights *w, int n, const float *inputs, float *out) {
    float sums[TW_FLOAT_TILE][TW_FLOAT_PANEL];
    int n_tiles = (n + TW_FLOAT_TILE - 1) / TW_FLOAT_TILE, rows = n_tiles > 0 ? (n + n_tiles - 1) / n_tiles : 1;
    for (int p = 0; p < tw_float_panels(w->n_out); p++) {
        const float *panel = w->panels + (size_t)p * (size_t)w->n_in * TW_FLOAT_PANEL;
        int first = p * TW_FLOAT_PANEL, n_out = w->n_out - first;
        if (n_out > TW_FLOAT_PANEL) n_out = TW_FLOAT_PANEL;
        for (int r = 0; r < n; r += rows) {
            int size = n - r < rows ? n - r : rows;
            tile(size, inputs + (size_t)r * (size_t)w->n_in, (size_t)w->n_in, panel, w->n_in, sums);
            for (int i = 0; i < size; i++) {
                float *to = out + (size_t)(r + i) * (size_t)w->n_out + first;
                if (n_out == TW_FLOAT_PANEL)
                    for (int o = 0; o < TW_FLOAT_PANEL; o++) to[o] += sums[i][o];
                else
                    for (int o = 0; o < n_out; o++) to[o] += sums[i][o];
            }
        }
    }
}
#endif
