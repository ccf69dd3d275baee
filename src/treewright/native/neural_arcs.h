/* Scores of all arcs of a sentence: the products of all its dependents with all its heads; and their softmax. */
#ifndef TREEWRIGHT_NEURAL_ARCS_H
#define TREEWRIGHT_NEURAL_ARCS_H
#include "neural_elements.h"
#include "neural_product.h"

/* Write up to 16 rows of activations as a panel; missing ones are zero. */
static void tw_pack_rows(const int16_t *rows, size_t stride, int n, int n_pairs, int16_t *panel) {
    for (int k = 0; k < n_pairs; k++)
        for (int j = 0; j < TW_PANEL; j++) {
            int16_t *pair = panel + (size_t)k * (2 * TW_PANEL) + 2 * j;
            if (j < n)
                memcpy(pair, rows + (size_t)j * stride + 2 * k, 2 * sizeof(int16_t));
            else
                pair[0] = pair[1] = 0;
        }
}

/* The largest sum of squares of a row. */
static uint64_t tw_largest_square(const int16_t *rows, size_t stride, int n, int width) {
    uint64_t most = 0;
    for (int r = 0; r < n; r++) {
        uint64_t sum = 0;
        for (int k = 0; k < width; k++) {
            int32_t x = rows[(size_t)r * stride + k];
            sum += (uint64_t)(x * x);
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* Whether no product of two rows leaves 32 bits: it is at most the product of their lengths. */
static int tw_products_fit(uint64_t square, uint64_t other) {
    return other == 0 || square <= (UINT64_C(1) << 61) / other;
}

/* scores[d][h] for n rows; panel: room for a panel, aligned. Sums that 32 bits hold may wrap on the way. */
static void tw_arcs_32(tw_tile tile, int path, const int16_t *head, size_t head_stride, const int16_t *dep,
                       size_t dep_stride, int n, int n_pairs, int16_t *panel, float *scores) {
    float scales[TW_PANEL], zeros[TW_PANEL] = {0}, sums[TW_TILE][TW_PANEL];
    const int16_t *inputs[TW_TILE];
    const float *added[TW_TILE];
    float *out[TW_TILE];
    int rows = tw_rows_per_tile(path, n);
    for (int j = 0; j < TW_PANEL; j++) scales[j] = 1.0f / (TW_ONE * TW_ONE);
    for (int h = 0; h < n; h += TW_PANEL) {
        int heads = n - h < TW_PANEL ? n - h : TW_PANEL;
        tw_pack_rows(head + (size_t)h * head_stride, head_stride, heads, n_pairs, panel);
        for (int d = 0; d < n; d += rows) {
            int size = n - d < rows ? n - d : rows;
            for (int i = 0; i < size; i++)
                inputs[i] = dep + (size_t)(d + i) * dep_stride, added[i] = zeros, out[i] = sums[i];
            tile(size, inputs, panel, n_pairs, scales, added, out);
            for (int i = 0; i < size; i++)
                memcpy(scores + (size_t)(d + i) * (size_t)n + h, sums[i], (size_t)heads * sizeof(float));
        }
    }
}

/* The same for large activations, summed in 64 bits. */
static void tw_arcs_64(const int16_t *head, size_t head_stride, const int16_t *dep, size_t dep_stride, int n,
                       int n_pairs, float *scores) {
    for (int d = 0; d < n; d++)
        for (int h = 0; h < n; h++) {
            int64_t sum = 0;
            for (int k = 0; k < 2 * n_pairs; k++)
                sum += (int32_t)dep[d * dep_stride + k] * (int32_t)head[h * head_stride + k];
            scores[(size_t)d * (size_t)n + h] = (float)sum * (1.0f / (TW_ONE * TW_ONE));
        }
}

static void tw_arcs(tw_tile tile, int path, const int16_t *head, size_t head_stride, const int16_t *dep,
                    size_t dep_stride, int n, int n_pairs, int16_t *panel, float *scores) {
    if (tw_products_fit(tw_largest_square(head, head_stride, n, 2 * n_pairs),
                        tw_largest_square(dep, dep_stride, n, 2 * n_pairs)))
        tw_arcs_32(tile, path, head, head_stride, dep, dep_stride, n, n_pairs, panel, scores);
    else
        tw_arcs_64(head, head_stride, dep, dep_stride, n, n_pairs, scores);
}

/* Turn the scores of a dependent's n heads, itself left out, into logarithms of probabilities. The sum has 16 parts,
   which are added in pairs: an order that vectors of any size can keep. room: n rounded up to 16 numbers. */
static TW_ALWAYS_INLINE void tw_log_softmax_body(float *__restrict scores, int n, int itself, float *__restrict room) {
    float most = -FLT_MAX, parts[TW_PANEL] = {0};
    int padded = (n + TW_PANEL - 1) / TW_PANEL * TW_PANEL;
    for (int h = 0; h < n; h++)
        if (h != itself) most = scores[h] > most ? scores[h] : most;
    for (int h = 0; h < n; h++) room[h] = tw_exp(scores[h] - most);
    for (int h = n; h < padded; h++) room[h] = 0.0f;
    room[itself] = 0.0f;
    for (int h = 0; h < padded; h += TW_PANEL)
        for (int j = 0; j < TW_PANEL; j++) parts[j] += room[h + j];
    for (int half = TW_PANEL / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++) parts[j] += parts[j + half];
    float log_sum = tw_log(n > 1 ? parts[0] : 1.0f);
    for (int h = 0; h < n; h++) scores[h] = (scores[h] - most) - log_sum;
    scores[itself] = tw_float_of(0xFF800000u); /* minus infinity */
}
TW_COMPILE(tw_log_softmax, (float *scores, int n, int itself, float *room), (scores, n, itself, room))
#endif
