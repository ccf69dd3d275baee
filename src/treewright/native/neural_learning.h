/* What learning does to single numbers, in 32-bit floats: one step of an LSTM, forwards and backwards, without its
   products of matrices (neural_recurrence.h); and AdamW for a row of a table. */
#ifndef TREEWRIGHT_NEURAL_LEARNING_H
#define TREEWRIGHT_NEURAL_LEARNING_H
#include <math.h>
#include "neural_paths.h"

/* Forwards, for one sentence and n units. gates: i, f, g, o (n of each) before their functions, which replace them;
   the cells before give those after, their tanh (squashed) and the outputs. */
static TW_ALWAYS_INLINE void tw_learnt_step_body(float *__restrict gates, const float *__restrict before,
                                                 float *__restrict after, float *__restrict squashed,
                                                 float *__restrict outputs, int n) {
    float *__restrict forget = gates + n, *__restrict news = gates + 2 * n, *__restrict out = gates + 3 * n;
    for (int j = 0; j < n; j++) {
        float i = tw_sigmoid(gates[j]), f = tw_sigmoid(forget[j]), g = tw_tanh(news[j]), o = tw_sigmoid(out[j]);
        float cell = f * before[j] + i * g;
        float size = tw_tanh(cell);
        gates[j] = i, forget[j] = f, news[j] = g, out[j] = o;
        after[j] = cell, squashed[j] = size, outputs[j] = o * size;
    }
}
TW_COMPILE(tw_learnt_step, (float *gates, const float *before, float *after, float *squashed, float *outputs, int n),
           (gates, before, after, squashed, outputs, n))

/* Backwards. gates: after their functions. wanted: the gradient of the outputs that layers above ask for; later: what
   the next step asks for. kept: the gradient of the cells, which goes on to the step before. slopes: the gradient of
   the gates before their functions. */
static TW_ALWAYS_INLINE void tw_learnt_step_back_body(const float *__restrict gates, const float *__restrict before,
                                                      const float *__restrict squashed, const float *__restrict wanted,
                                                      const float *__restrict later, float *__restrict kept,
                                                      float *__restrict slopes, int n) {
    const float *__restrict forget = gates + n, *__restrict news = gates + 2 * n, *__restrict out = gates + 3 * n;
    for (int j = 0; j < n; j++) {
        float i = gates[j], f = forget[j], g = news[j], o = out[j], size = squashed[j];
        float output = wanted[j] + later[j];
        float cell = kept[j] + output * o * (1.0f - size * size);
        slopes[j] = cell * g * (i - i * i);
        slopes[n + j] = cell * before[j] * (f - f * f);
        slopes[2 * n + j] = cell * i * (1.0f - g * g);
        slopes[3 * n + j] = output * size * (o - o * o);
        kept[j] = cell * f;
    }
}
TW_COMPILE(tw_learnt_step_back,
           (const float *gates, const float *before, const float *squashed, const float *wanted, const float *later,
            float *kept, float *slopes, int n),
           (gates, before, squashed, wanted, later, kept, slopes, n))

/* A row of a table: its weights, their averages, and the running means of their gradients and of the squares of these. */
typedef struct {
    float *weights, *averages, *means, *squares;
} tw_row;

/* How AdamW changes a row at one step. */
typedef struct {
    float rate, shrink;         /* the learning rate; what weight decay leaves of a weight */
    float beta1, beta2;         /* how much of the means and of the squares stays */
    float unbias1, unbias2;     /* what undoes that both began at 0 */
    float epsilon, keep;        /* keep: how much of the averages stays */
} tw_adamw;

static TW_ALWAYS_INLINE void tw_learn_row_body(tw_row row, const float *__restrict gradient, tw_adamw how, int n) {
    float *__restrict w = row.weights, *__restrict average = row.averages;
    float *__restrict mean = row.means, *__restrict square = row.squares;
    for (int j = 0; j < n; j++) {
        mean[j] = how.beta1 * mean[j] + (1.0f - how.beta1) * gradient[j];
        square[j] = how.beta2 * square[j] + (1.0f - how.beta2) * gradient[j] * gradient[j];
        float step = mean[j] * how.unbias1 / (sqrtf(square[j] * how.unbias2) + how.epsilon);
        w[j] = w[j] * how.shrink - how.rate * step;
        average[j] = how.keep * average[j] + (1.0f - how.keep) * w[j];
    }
}
TW_COMPILE(tw_learn_row, (tw_row row, const float *gradient, tw_adamw how, int n), (row, gradient, how, n))

/* What steps without a gradient do to a row, all at once. Each goes as far as the one before times beta1 / sqrt(beta2),
   so that a weight approaches a limit. */
typedef struct {
    float rate, unbias1, unbias2, epsilon;
    float reach;            /* from the weight to its limit, in units of the last step */
    float left;             /* the share of that way which is still left afterwards */
    float beta1, beta2;     /* what stays of the means and of the squares */
    float keep, pull;       /* what stays of an average; how much of the way to the limit it lags behind */
} tw_pause;

static TW_ALWAYS_INLINE void tw_catch_up_body(tw_row row, tw_pause pause, int n) {
    float *__restrict w = row.weights, *__restrict average = row.averages;
    float *__restrict mean = row.means, *__restrict square = row.squares;
    for (int j = 0; j < n; j++) {
        float step = mean[j] * pause.unbias1 / (sqrtf(square[j] * pause.unbias2) + pause.epsilon);
        float way = pause.rate * step * pause.reach, limit = w[j] - way;
        w[j] = limit + way * pause.left;
        average[j] = pause.keep * average[j] + (1.0f - pause.keep) * limit + pause.pull * way;
        mean[j] *= pause.beta1;
        square[j] *= pause.beta2;
    }
}
TW_COMPILE(tw_catch_up, (tw_row row, tw_pause pause, int n), (row, pause, n))
#endif
