/* The arithmetic of the neural kernel: the same bits on every machine.

   Activations are 16-bit numbers in units of 1/TW_ONE. Whatever is not an integer is a float, computed with + - * / and
   comparisons only, in the order written here. IEEE 754 fixes their results, if no compiler joins a product and a sum
   into one instruction: setup.py compiles these modules with -ffp-contract=off. Nothing calls the C library's
   functions, whose last bits differ. All loops can be turned into vectors. */
#ifndef TREEWRIGHT_NEURAL_MATH_H
#define TREEWRIGHT_NEURAL_MATH_H
#include <float.h>
#include <stdint.h>
#include <string.h>
#include "compiler.h"
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#if FLT_EVAL_METHOD == 2 && !defined(_MSC_VER)
#error "floats would be computed with more digits than elsewhere: compile with -msse2 -mfpmath=sse"
#endif

#define TW_ONE 2048.0f          /* the activation 1.0 */
#define TW_MOST_BITS 0x46FFFE00 /* the largest activation, 32767, as the bits of a float; the smallest is -32767 */
#define TW_ROUNDER 12582912.0f  /* 1.5 * 2^23: a float of this size has no fraction */

static TW_ALWAYS_INLINE float tw_float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static TW_ALWAYS_INLINE uint32_t tw_bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* |x|, but at most the float with the bits of limit. The bits of floats above zero have the order of the floats, and
   compilers turn the smaller of two integers into one instruction, that of two floats into several. */
static TW_ALWAYS_INLINE float tw_size(float x, int32_t limit) {
    int32_t bits = (int32_t)(tw_bits_of(x) & 0x7FFFFFFFu);
    return tw_float_of((uint32_t)(bits < limit ? bits : limit));
}

/* A size with the sign of x. */
static TW_ALWAYS_INLINE float tw_signed(float size, float x) {
    return tw_float_of(tw_bits_of(size) | (tw_bits_of(x) & 0x80000000u));
}

/* Round to the nearest whole number, halves to the even one, if |x| < 2^22. */
static TW_ALWAYS_INLINE float tw_round(float x) { return (x + TW_ROUNDER) - TW_ROUNDER; }

static TW_ALWAYS_INLINE int16_t tw_quantise(float x) {
    return (int16_t)(int32_t)tw_round(tw_signed(tw_size(x * TW_ONE, TW_MOST_BITS), x));
}

static TW_ALWAYS_INLINE float tw_clip(float x, float low, float high) {
    x = x > low ? x : low;
    return x < high ? x : high;
}

/* x P(x^2) / Q(x^2), fitted on -8.3 .. 8.3 for the smallest largest error, then made smaller such that it never leaves
   -1 .. 1: it is wrong by less than 1e-6. */
static TW_ALWAYS_INLINE float tw_tanh(float x) {
    float size = tw_size(x, 0x4104CCCD); /* 8.3 */
    float z = size * size;
    float p = ((1.10001319e-05f * z + 0.0029096037f) * z + 0.128861721f) * z + 0.999998666f;
    float q = (((2.3258643e-07f * z + 0.00023293176f) * z + 0.023643563f) * z + 0.46219203f) * z + 1.0f;
    return tw_signed(size * p / q, x);
}

static TW_ALWAYS_INLINE float tw_sigmoid(float x) { return 0.5f * tw_tanh(0.5f * x) + 0.5f; }

/* 2^n e^r with |r| <= ln(2)/2; below -87 it is e^-87, above 88 e^88. */
static TW_ALWAYS_INLINE float tw_exp(float x) {
    x = tw_clip(x, -87.0f, 88.0f);
    float n = tw_round(x * 1.44269504f);
    float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (p * (r * r) + r) + 1.0f;
    return p * tw_float_of((uint32_t)((int32_t)n + 127) << 23);
}

/* The natural logarithm of a positive float that is not subnormal. */
static TW_ALWAYS_INLINE float tw_log(float x) {
    uint32_t bits = tw_bits_of(x) - 0x3F3504F3u; /* the bits of sqrt(1/2): the mantissa is from there to sqrt(2) */
    float n = (float)((int32_t)bits >> 23);
    float m = tw_float_of((bits & 0x007FFFFFu) + 0x3F3504F3u) - 1.0f;
    float z = m * m;
    float p = 7.0376836292e-2f;
    p = p * m + -1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m + -1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m + -1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m + -2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    p = p * m * z;
    p = p + n * -2.12194440e-4f;
    p = p - 0.5f * z;
    return (m + p) + n * 0.693359375f;
}
#endif
