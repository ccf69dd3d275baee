/* What differs between compilers: hints, inlining, counting bits, and whether AVX2 is compiled beside the portable code. */
#ifndef TREEWRIGHT_COMPILER_H
#define TREEWRIGHT_COMPILER_H
/* TREEWRIGHT_PORTABLE leaves it out, to measure what other processors have. */
#if ((defined(__GNUC__) && defined(__x86_64__)) || (defined(_MSC_VER) && defined(_M_X64) && !defined(__clang__))) && !defined(TREEWRIGHT_PORTABLE)
#define TW_AVX2 /* compiled beside the portable code; used if the processor supports it */
#endif
/* A function for processors with certain instructions. MSVC compiles all intrinsics anywhere. */
#if defined(__GNUC__) || defined(__clang__)
#define TW_TARGET_OF(names) __attribute__((target(names)))
#else
#define TW_TARGET_OF(names)
#endif
#if defined(__GNUC__)
#define TW_UNROLL _Pragma("GCC unroll 16")
#else
#define TW_UNROLL
#endif
#if defined(__SSE2__) || (defined(_M_X64) && defined(_MSC_VER))
#define TW_SSE2 /* every x86-64 has it */
#elif defined(__aarch64__) || defined(_M_ARM64)
#define TW_NEON /* every 64-bit ARM has it */
#endif

#if defined(__GNUC__)
#define TW_PREFETCH(p) __builtin_prefetch(p, 0, 3)
#define TW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TW_ALWAYS_INLINE inline __attribute__((always_inline))
#define TW_NEVER_INLINE __attribute__((noinline, unused))
#else
#define TW_PREFETCH(p) ((void)0)
#define TW_UNLIKELY(x) (x)
#define TW_ALWAYS_INLINE inline
#define TW_NEVER_INLINE
#endif

/* The place of the lowest bit that is set; one is. */
static inline int tw_lowest(unsigned x) {
#if defined(__GNUC__)
    return __builtin_ctz(x);
#else
    int at = 0;
    while (!(x >> at & 1)) at++;
    return at;
#endif
}
#endif
