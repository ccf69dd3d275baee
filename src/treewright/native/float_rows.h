/* Training's innermost loop: add a row of weights to the sums of classes. Rows and sums are padded to multiples of
   eight floats. Each class is summed on its own, so both versions give the same sums to the last bit. */
#ifndef TREEWRIGHT_FLOAT_ROWS_H
#define TREEWRIGHT_FLOAT_ROWS_H
#include "processor.h"

static void tw_add_floats_plain(float *__restrict sums, const float *__restrict row, int n) {
    for (int k = 0; k < n; k++) sums[k] += row[k];
}

#ifdef TW_AVX2
TW_TARGET_OF("avx2") static void tw_add_floats_avx2(float *sums, const float *row, int n) {
    for (int k = 0; k < n; k += 8)
        _mm256_storeu_ps(sums + k, _mm256_add_ps(_mm256_loadu_ps(sums + k), _mm256_loadu_ps(row + k)));
}
#endif

static inline void tw_add_floats(int has_avx2, float *sums, const float *row, int n) {
#ifdef TW_AVX2
    if (has_avx2) {
        tw_add_floats_avx2(sums, row, n);
        return;
    }
#endif
    tw_add_floats_plain(sums, row, n);
}
#endif
