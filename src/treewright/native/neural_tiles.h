/* Tiles of products: up to six or twelve rows times a panel (neural_product.h), with all sums in registers.

   An instruction multiplies four (SSE2, NEON), eight (AVX2) or sixteen (AVX-512) pairs of weights with the same two
   activations and adds the two products. Only kernel/packed.pyx includes this; the other modules get a tile from it. */
#ifndef TREEWRIGHT_NEURAL_TILES_H
#define TREEWRIGHT_NEURAL_TILES_H
#include "neural_product.h"
#include "processor.h"
#if defined(TW_SSE2)
#include <emmintrin.h>
#elif defined(TW_NEON)
#include <arm_neon.h>
#endif

static void tw_tile_plain(int n, const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,
                          const float *const *added, float *const *out) {
    for (int r = 0; r < n; r++) {
        uint32_t sums[2 * TW_PANEL] = {0}; /* unsigned: those of arc scores may wrap on the way */
        for (int k = 0; k < n_pairs; k++) {
            const int16_t *w = panel + (size_t)k * (2 * TW_PANEL);
            int16_t pairs[2 * TW_PANEL];
            for (int j = 0; j < TW_PANEL; j++) memcpy(pairs + 2 * j, inputs[r] + 2 * k, 2 * sizeof(int16_t));
            for (int j = 0; j < 2 * TW_PANEL; j++) sums[j] += (uint32_t)((int32_t)pairs[j] * (int32_t)w[j]);
        }
        for (int j = 0; j < TW_PANEL; j++)
            out[r][j] = (float)(int32_t)(sums[2 * j] + sums[2 * j + 1]) * scales[j] + added[r][j];
    }
}

/* Two activations, read at once. */
static TW_ALWAYS_INLINE int32_t tw_pair(const int16_t *input, int k) {
    int32_t pair;
    memcpy(&pair, input + 2 * k, sizeof pair);
    return pair;
}

#if defined(TW_SSE2)
typedef __m128i tw_four; /* four sums, or four pairs */
#define TW_FOUR_ZEROS() _mm_setzero_si128()
#define TW_FOUR_LOAD(from) _mm_loadu_si128((const __m128i *)(from))
#define TW_FOUR_SAME(pair) _mm_set1_epi32(pair)
#define TW_FOUR_ADD(sum, w, pair) _mm_add_epi32(sum, _mm_madd_epi16(w, pair))
#define TW_FOUR_STORE(to, sum, scale, added) \
    _mm_storeu_ps(to, _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(sum), _mm_loadu_ps(scale)), _mm_loadu_ps(added)))
#elif defined(TW_NEON)
typedef int32x4_t tw_four;
#define TW_FOUR_ZEROS() vdupq_n_s32(0)
#define TW_FOUR_LOAD(from) vreinterpretq_s32_s16(vld1q_s16(from))
#define TW_FOUR_SAME(pair) vdupq_n_s32(pair)
#define TW_FOUR_ADD(sum, w, pair) tw_add_products(sum, vreinterpretq_s16_s32(w), vreinterpretq_s16_s32(pair))
#define TW_FOUR_STORE(to, sum, scale, added) \
    vst1q_f32(to, vaddq_f32(vmulq_f32(vcvtq_f32_s32(sum), vld1q_f32(scale)), vld1q_f32(added)))

static TW_ALWAYS_INLINE int32x4_t tw_add_products(int32x4_t sum, int16x8_t w, int16x8_t pair) {
    int32x4_t low = vmull_s16(vget_low_s16(w), vget_low_s16(pair)), high = vmull_high_s16(w, pair);
    return vaddq_s32(sum, vpaddq_s32(low, high));
}
#endif

#ifdef TW_NARROW
#define TW_FOURS_OF_PANEL (TW_PANEL / 4)
#define TW_TILE_NARROW(N)                                                                                             \
    static void tw_tile_narrow_##N(const int16_t *const *inputs, const int16_t *panel, int n_pairs,                   \
                                   const float *scales, const float *const *added, float *const *out) {               \
        tw_four sums[N][TW_FOURS_OF_PANEL];                                                                           \
        TW_UNROLL for (int r = 0; r < N; r++)                                                                         \
            TW_UNROLL for (int h = 0; h < TW_FOURS_OF_PANEL; h++) sums[r][h] = TW_FOUR_ZEROS();                       \
        for (int k = 0; k < n_pairs; k++, panel += 2 * TW_PANEL)                                                      \
            TW_UNROLL for (int r = 0; r < N; r++) {                                                                   \
                tw_four pair = TW_FOUR_SAME(tw_pair(inputs[r], k));                                                   \
                TW_UNROLL for (int h = 0; h < TW_FOURS_OF_PANEL; h++)                                                 \
                    sums[r][h] = TW_FOUR_ADD(sums[r][h], TW_FOUR_LOAD(panel + 8 * h), pair);                          \
            }                                                                                                         \
        TW_UNROLL for (int r = 0; r < N; r++)                                                                         \
            TW_UNROLL for (int h = 0; h < TW_FOURS_OF_PANEL; h++)                                                     \
                TW_FOUR_STORE(out[r] + 4 * h, sums[r][h], scales + 4 * h, added[r] + 4 * h);                          \
    }
TW_TILE_NARROW(1)
TW_TILE_NARROW(2)
TW_TILE_NARROW(3)
#if TW_NARROW_TILE == 6
TW_TILE_NARROW(4)
TW_TILE_NARROW(5)
TW_TILE_NARROW(6)
#endif

static void tw_tile_narrow(int n, const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,
                           const float *const *added, float *const *out) {
    switch (n) {
#if TW_NARROW_TILE == 6
        case 6: tw_tile_narrow_6(inputs, panel, n_pairs, scales, added, out); break;
        case 5: tw_tile_narrow_5(inputs, panel, n_pairs, scales, added, out); break;
        case 4: tw_tile_narrow_4(inputs, panel, n_pairs, scales, added, out); break;
#endif
        case 3: tw_tile_narrow_3(inputs, panel, n_pairs, scales, added, out); break;
        case 2: tw_tile_narrow_2(inputs, panel, n_pairs, scales, added, out); break;
        case 1: tw_tile_narrow_1(inputs, panel, n_pairs, scales, added, out); break;
    }
}
#endif

#ifdef TW_AVX2

/* Finish a row before the next one begins; mixed, the sums would not fit into the registers. */
#if defined(__GNUC__)
#define TW_KEEP(a, b) __asm__ volatile("" : "+x"(a), "+x"(b))
#else
#define TW_KEEP(a, b)
#endif

#define TW_TILE_AVX2(N)                                                                                               \
    TW_FOR_AVX2 static void tw_tile_avx2_##N(const int16_t *const *inputs, const int16_t *panel, int n_pairs,         \
                                             const float *scales, const float *const *added, float *const *out) {     \
        __m256i sums[N][2];                                                                                           \
        const int16_t *input[N];                                                                                      \
        TW_UNROLL for (int r = 0; r < N; r++) {                                                                       \
            sums[r][0] = sums[r][1] = _mm256_setzero_si256();                                                         \
            input[r] = inputs[r];                                                                                     \
        }                                                                                                             \
        for (int k = 0; k < n_pairs; k++, panel += 2 * TW_PANEL) {                                                    \
            __m256i low = _mm256_load_si256((const __m256i *)panel);                                                  \
            __m256i high = _mm256_load_si256((const __m256i *)(panel + TW_PANEL));                                    \
            TW_UNROLL for (int r = 0; r < N; r++) {                                                                   \
                __m256i pair = _mm256_set1_epi32(tw_pair(input[r], k));                                               \
                sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(low, pair));                              \
                sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(high, pair));                             \
                TW_KEEP(sums[r][0], sums[r][1]);                                                                      \
            }                                                                                                         \
        }                                                                                                             \
        TW_UNROLL for (int h = 0; h < 2; h++) {                                                                       \
            __m256 scale = _mm256_loadu_ps(scales + 8 * h);                                                           \
            TW_UNROLL for (int r = 0; r < N; r++) {                                                                   \
                __m256 y = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][h]), scale);                                      \
                _mm256_storeu_ps(out[r] + 8 * h, _mm256_add_ps(y, _mm256_loadu_ps(added[r] + 8 * h)));                \
            }                                                                                                         \
        }                                                                                                             \
    }
TW_TILE_AVX2(1)
TW_TILE_AVX2(2)
TW_TILE_AVX2(3)
TW_TILE_AVX2(4)
TW_TILE_AVX2(5)
TW_TILE_AVX2(6)

static void tw_tile_avx2(int n, const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,
                         const float *const *added, float *const *out) {
    switch (n) {
        case 6: tw_tile_avx2_6(inputs, panel, n_pairs, scales, added, out); break;
        case 5: tw_tile_avx2_5(inputs, panel, n_pairs, scales, added, out); break;
        case 4: tw_tile_avx2_4(inputs, panel, n_pairs, scales, added, out); break;
        case 3: tw_tile_avx2_3(inputs, panel, n_pairs, scales, added, out); break;
        case 2: tw_tile_avx2_2(inputs, panel, n_pairs, scales, added, out); break;
        case 1: tw_tile_avx2_1(inputs, panel, n_pairs, scales, added, out); break;
    }
}

#define TW_ADD_MADD(sum, w, pair) _mm512_add_epi32(sum, _mm512_madd_epi16(w, pair))
#define TW_ADD_DOT(sum, w, pair) _mm512_dpwssd_epi32(sum, w, pair)

#define TW_TILE_512(NAME, TARGET, N, ADD)                                                                             \
    TARGET static void NAME##N(const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,  \
                               const float *const *added, float *const *out) {                                        \
        __m512i sums[N];                                                                                              \
        const int16_t *input[N];                                                                                      \
        TW_UNROLL for (int r = 0; r < N; r++) {                                                                       \
            sums[r] = _mm512_setzero_si512();                                                                         \
            input[r] = inputs[r];                                                                                     \
        }                                                                                                             \
        for (int k = 0; k < n_pairs; k++, panel += 2 * TW_PANEL) {                                                    \
            __m512i w = _mm512_load_si512((const void *)panel);                                                       \
            TW_UNROLL for (int r = 0; r < N; r++) sums[r] = ADD(sums[r], w, _mm512_set1_epi32(tw_pair(input[r], k))); \
        }                                                                                                             \
        __m512 scale = _mm512_loadu_ps(scales);                                                                       \
        TW_UNROLL for (int r = 0; r < N; r++) {                                                                       \
            __m512 y = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[r]), scale);                                             \
            _mm512_storeu_ps(out[r], _mm512_add_ps(y, _mm512_loadu_ps(added[r])));                                    \
        }                                                                                                             \
    }

#define TW_TILES_512(NAME, TARGET, ADD)                                                                               \
    TW_TILE_512(NAME, TARGET, 1, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 2, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 3, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 4, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 6, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 8, ADD)                                                                                 \
    TW_TILE_512(NAME, TARGET, 12, ADD)                                                                                \
    static void NAME(int n, const int16_t *const *inputs, const int16_t *panel, int n_pairs, const float *scales,     \
                     const float *const *added, float *const *out) {                                                  \
        while (n > 0) {                                                                                               \
            int done = n >= 12 ? 12 : n >= 8 ? 8 : n >= 6 ? 6 : n >= 4 ? 4 : n;                                       \
            switch (done) {                                                                                           \
                case 12: NAME##12(inputs, panel, n_pairs, scales, added, out); break;                                 \
                case 8: NAME##8(inputs, panel, n_pairs, scales, added, out); break;                                   \
                case 6: NAME##6(inputs, panel, n_pairs, scales, added, out); break;                                   \
                case 4: NAME##4(inputs, panel, n_pairs, scales, added, out); break;                                   \
                case 3: NAME##3(inputs, panel, n_pairs, scales, added, out); break;                                   \
                case 2: NAME##2(inputs, panel, n_pairs, scales, added, out); break;                                   \
                case 1: NAME##1(inputs, panel, n_pairs, scales, added, out); break;                                   \
            }                                                                                                         \
            n -= done, inputs += done, added += done, out += done;                                                    \
        }                                                                                                             \
    }
TW_TILES_512(tw_tile_avx512_, TW_FOR_AVX512, TW_ADD_MADD)
TW_TILES_512(tw_tile_vnni_, TW_FOR_VNNI, TW_ADD_DOT)
#endif

static inline tw_tile tw_tile_of(int path) {
#ifdef TW_AVX2
    if (path == TW_PATH_VNNI) return tw_tile_vnni_;
    if (path == TW_PATH_AVX512) return tw_tile_avx512_;
    if (path == TW_PATH_AVX2) return tw_tile_avx2;
#endif
#ifdef TW_NARROW
    if (path == TW_PATH_NARROW) return tw_tile_narrow;
#endif
    (void)path;
    return tw_tile_plain;
}
#endif
