/* What a layer does to each number on its own: activations, the cell of an LSTM, sums of embeddings. */
#ifndef TREEWRIGHT_NEURAL_ELEMENTS_H
#define TREEWRIGHT_NEURAL_ELEMENTS_H
#include "neural_paths.h"

enum { TW_NONE, TW_LEAKY };
enum { TW_SIGMOID_FUNCTION, TW_TANH_FUNCTION, TW_EXP_FUNCTION, TW_LOG_FUNCTION };

/* Apply an activation to n numbers in place. */
static TW_ALWAYS_INLINE void tw_activate_body(float *x, int n, int activation) {
    if (activation == TW_LEAKY)
        for (int j = 0; j < n; j++) x[j] = x[j] > 0.0f ? x[j] : x[j] * 0.1f;
}
TW_COMPILE(tw_activate, (float *x, int n, int activation), (x, n, activation))

static TW_ALWAYS_INLINE void tw_quantise_row_body(const float *__restrict x, int n, int16_t *__restrict out) {
    for (int j = 0; j < n; j++) out[j] = tw_quantise(x[j]);
}
TW_COMPILE(tw_quantise_row, (const float *x, int n, int16_t *out), (x, n, out))

/* One step of 16 units: the gates i, f, g, o (16 of each) and the cells c give new cells and outputs. */
static TW_ALWAYS_INLINE void tw_cell_body(const float *__restrict gates, float *__restrict c, int16_t *__restrict h) {
    for (int j = 0; j < 16; j++) {
        float kept = tw_sigmoid(gates[16 + j]) * c[j];
        float added = tw_sigmoid(gates[j]) * tw_tanh(gates[32 + j]);
        c[j] = kept + added;
        h[j] = (int16_t)(int32_t)tw_round(tw_sigmoid(gates[48 + j]) * tw_tanh(c[j]) * TW_ONE); /* at most 2048 */
    }
}
TW_COMPILE(tw_cell, (const float *gates, float *c, int16_t *h), (gates, c, h))

/* Add a row of 8-bit numbers times its scale. */
static TW_ALWAYS_INLINE void tw_add_row_body(float *__restrict sums, const int8_t *__restrict row, float scale, int n) {
    for (int j = 0; j < n; j++) sums[j] = (float)row[j] * scale + sums[j];
}
TW_COMPILE(tw_add_row, (float *sums, const int8_t *row, float scale, int n), (sums, row, scale, n))

static TW_ALWAYS_INLINE void tw_add_scaled_body(float *__restrict sums, const float *__restrict x, float scale, int n) {
    for (int j = 0; j < n; j++) sums[j] = x[j] * scale + sums[j];
}
TW_COMPILE(tw_add_scaled, (float *sums, const float *x, float scale, int n), (sums, x, scale, n))

/* The products of two rows of activations, as activations. */
static TW_ALWAYS_INLINE void tw_join_rows_body(const int16_t *__restrict a, const int16_t *__restrict b, int n,
                                               int16_t *__restrict out) {
    for (int j = 0; j < n; j++) out[j] = tw_quantise((float)a[j] * (float)b[j] * (1.0f / (TW_ONE * TW_ONE)));
}
TW_COMPILE(tw_join_rows, (const int16_t *a, const int16_t *b, int n, int16_t *out), (a, b, n, out))

static TW_ALWAYS_INLINE void tw_function_body(int which, float *x, int n) {
    if (which == TW_SIGMOID_FUNCTION)
        for (int j = 0; j < n; j++) x[j] = tw_sigmoid(x[j]);
    else if (which == TW_TANH_FUNCTION)
        for (int j = 0; j < n; j++) x[j] = tw_tanh(x[j]);
    else if (which == TW_EXP_FUNCTION)
        for (int j = 0; j < n; j++) x[j] = tw_exp(x[j]);
    else
        for (int j = 0; j < n; j++) x[j] = tw_log(x[j]);
}
TW_COMPILE(tw_function, (int which, float *x, int n), (which, x, n))

/* The place of the largest of n > 0 numbers, the first one if several are equal. */
static inline int tw_best_float(const float *x, int n) {
    int best = 0;
    for (int j = 1; j < n; j++)
        if (x[j] > x[best]) best = j;
    return best;
}
#endif
