/* One direction of an LSTM over a group of sentences, all of them one word further at each step.

   The products with the inputs do not wait for each other: they are computed for all words first, and once for words
   with the same inputs: in the first layer, every comma of a batch is one product. What differs from word to word
   nevertheless (the states of a language model) comes beside these inputs, and its products are added. Then the sentences,
   longest first, go on in lock step, so that one pass over the recurrent weights serves all of them. The output of the
   previous word is read where it was written. */
#ifndef TREEWRIGHT_NEURAL_LSTM_H
#define TREEWRIGHT_NEURAL_LSTM_H
#include "neural_elements.h"
#include "neural_product.h"
#include "text_hash.h"

#define TW_GATES (4 * TW_PANEL) /* numbers of a block: the gates i, f, g, o of 16 units */

typedef struct {
    tw_weights16 input, beside, recurrent; /* panels: blocks of 16 units, in each i, f, g, o */
    int32_t hidden, n_blocks;
    int32_t backward;
} tw_direction;

typedef struct {
    const int16_t *inputs;  /* of the whole batch */
    size_t input_stride;
    int16_t *outputs;       /* already moved to the columns of this direction */
    size_t output_stride;
} tw_words;

typedef struct {            /* at most TW_SLICE sentences */
    int32_t n;
    const int64_t *starts;  /* the first row of each sentence, the longest sentence first */
    const int32_t *lengths;
    float *gates;           /* [different words][n_blocks * TW_GATES] */
    const int32_t *places;  /* the row of gates of each word of the group */
    float *cells;           /* [n][n_blocks * TW_PANEL] */
    const int16_t *zeros;   /* as wide as an output */
} tw_group;

/* Number the different words of sentences: those with other inputs. table: room for n_slots numbers, a power of two and
   larger than the number of words. Returns how many there are. */
static int32_t tw_number_words(const tw_words *words, size_t width, int64_t n_sentences, const int64_t *starts,
                               const int32_t *lengths, int32_t *table, int32_t n_slots, int32_t *places,
                               int64_t *different) {
    int32_t n = 0;
    for (int32_t i = 0; i < n_slots; i++) table[i] = -1;
    for (int64_t s = 0; s < n_sentences; s++)
        for (int i = 0; i < lengths[s]; i++) {
            const int16_t *own = words->inputs + (size_t)(starts[s] + i) * words->input_stride;
            uint64_t slot = tw_hash((const char *)own, (int)(width * sizeof(int16_t)), 0) & (uint64_t)(n_slots - 1);
            while (table[slot] >= 0 && memcmp(words->inputs + (size_t)different[table[slot]] * words->input_stride, own,
                                              width * sizeof(int16_t)) != 0)
                slot = (slot + 1) & (uint64_t)(n_slots - 1);
            if (table[slot] < 0) {
                different[n] = starts[s] + i;
                table[slot] = n++;
            }
            *places++ = table[slot];
        }
    return n;
}

/* Write the products of n rows of inputs to as many rows of gates, with what is added: the bias, which is the same for
   all; or, where there are places, the rows of gates that these name. */
static void tw_input_gates(tw_tile tile, int path, const tw_weights16 *w, const int16_t *from, size_t stride,
                           const int64_t *rows, int64_t n_rows, const float *plus, const int32_t *places,
                           float *gates) {
    const int16_t *inputs[TW_SLICE];
    const float *added[TW_SLICE];
    float *out[TW_SLICE];
    size_t width = (size_t)w->n_panels * TW_PANEL;
    int n = 0;
    for (int64_t i = 0; i < n_rows; i++) {
        inputs[n] = from + (size_t)rows[i] * stride;
        added[n] = places ? plus + (size_t)places[i] * width : plus;
        out[n++] = gates + (size_t)i * width;
        if (n == TW_SLICE) tw_multiply(tile, path, w, n, inputs, added, out), n = 0;
    }
    tw_multiply(tile, path, w, n, inputs, added, out);
}

/* Let n sentences, whose gates so far and previous outputs are given, go one word further. */
static void tw_step(tw_tile tile, int path, const tw_direction *d, int n, const int16_t *const *previous,
                    const float *const *gates, float *cells, int16_t *const *outputs) {
    int rows = tw_rows_per_tile(path, n);
    float sums[TW_SLICE][TW_GATES];
    const float *added[TW_TILE];
    float *out[TW_TILE];
    for (int b = 0; b < d->n_blocks; b++) {
        /* the gates of the next block: too far apart in memory for the processor to see a pattern */
        for (int r = 0; r < n; r++)
            for (int g = 0; g < 4; g++) TW_PREFETCH(gates[r] + (b + 1) * TW_GATES + g * TW_PANEL);
        for (int g = 0; g < 4; g++)
            for (int r = 0; r < n; r += rows) {
                int size = n - r < rows ? n - r : rows;
                for (int i = 0; i < size; i++) {
                    added[i] = gates[r + i] + b * TW_GATES + g * TW_PANEL;
                    out[i] = sums[r + i] + g * TW_PANEL;
                }
                tile(size, previous + r, TW_PANEL_AT(&d->recurrent, 4 * b + g), d->recurrent.n_pairs,
                     d->recurrent.scales + (4 * b + g) * TW_PANEL, added, out);
            }
        int units = d->hidden - b * TW_PANEL < TW_PANEL ? d->hidden - b * TW_PANEL : TW_PANEL;
        for (int r = 0; r < n; r++) {
            int16_t h[TW_PANEL];
            tw_cell(path, sums[r], cells + ((size_t)r * (size_t)d->n_blocks + (size_t)b) * TW_PANEL, h);
            memcpy(outputs[r] + b * TW_PANEL, h, (size_t)units * sizeof(int16_t));
        }
    }
}

/* Run the direction over a group whose gates are known. */
static void tw_run_direction(tw_tile tile, int path, const tw_direction *d, const tw_words *words,
                             const tw_group *group) {
    const int16_t *previous[TW_SLICE];
    const float *gates[TW_SLICE];
    int16_t *outputs[TW_SLICE];
    size_t width = (size_t)d->n_blocks * TW_GATES;
    int n = group->n, longest = n > 0 ? group->lengths[0] : 0;
    memset(group->cells, 0, (size_t)n * (size_t)d->n_blocks * TW_PANEL * sizeof(float));
    for (int t = 0; t < longest; t++) {
        const int32_t *first = group->places;
        while (group->lengths[n - 1] <= t) n--;
        for (int s = 0; s < n; s++) {
            int i = d->backward ? group->lengths[s] - 1 - t : t;
            previous[s] = t == 0 ? group->zeros : outputs[s];
            outputs[s] = words->outputs + (size_t)(group->starts[s] + i) * words->output_stride;
            gates[s] = group->gates + (size_t)first[i] * width;
            first += group->lengths[s];
        }
        tw_step(tile, path, d, n, previous, gates, group->cells, outputs);
    }
}
#endif
