/* The ways to compute the same with different instructions, chosen when the program runs. */
#ifndef TREEWRIGHT_NEURAL_PATHS_H
#define TREEWRIGHT_NEURAL_PATHS_H
#include "neural_math.h"
#include "processor.h"

enum { TW_PLAIN, TW_PATH_NARROW, TW_PATH_AVX2, TW_PATH_AVX512, TW_PATH_VNNI, TW_N_PATHS }; /* from slow to fast */

/* The narrow path: vectors of 16 bytes, which SSE2 and NEON have. */
#if defined(TW_SSE2) || defined(TW_NEON)
#define TW_NARROW
#endif

#ifdef TW_AVX2
#define TW_FOR_AVX2 TW_TARGET_OF("avx2")
#define TW_FOR_AVX512 TW_TARGET_OF("avx512f,avx512bw,avx512vl,avx512dq")
#define TW_FOR_VNNI TW_TARGET_OF("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")
#endif

static inline int tw_has_path(int path) {
#ifdef TW_AVX2
    if (path == TW_PATH_VNNI) return tw_has(TW_HAS_AVX512) && tw_has(TW_HAS_VNNI);
    if (path == TW_PATH_AVX512) return tw_has(TW_HAS_AVX512);
    if (path == TW_PATH_AVX2) return tw_has(TW_HAS_AVX2);
#endif
#ifdef TW_NARROW
    if (path == TW_PATH_NARROW) return 1;
#endif
    return path == TW_PLAIN;
}

/* Compile NAME_body, which is plain C, for each path; NAME takes the path as its first argument. What compilers make of
   plain C has vectors of 16 bytes already, wherever these are in every processor. */
#define TW_BARE(...) __VA_ARGS__
#ifdef TW_AVX2
#define TW_COMPILE(NAME, PARAMETERS, ARGUMENTS)                                   \
    static void NAME##_plain PARAMETERS { NAME##_body ARGUMENTS; }                \
    TW_FOR_AVX2 static void NAME##_avx2 PARAMETERS { NAME##_body ARGUMENTS; }     \
    TW_FOR_AVX512 static void NAME##_avx512 PARAMETERS { NAME##_body ARGUMENTS; } \
    static inline void NAME(int path, TW_BARE PARAMETERS) {                       \
        if (path <= TW_PATH_NARROW)                                               \
            NAME##_plain ARGUMENTS;                                               \
        else if (path == TW_PATH_AVX2)                                            \
            NAME##_avx2 ARGUMENTS;                                                \
        else                                                                      \
            NAME##_avx512 ARGUMENTS;                                              \
    }
#else
#define TW_COMPILE(NAME, PARAMETERS, ARGUMENTS)             \
    static inline void NAME(int path, TW_BARE PARAMETERS) { \
        (void)path;                                         \
        NAME##_body ARGUMENTS;                              \
    }
#endif
#endif
