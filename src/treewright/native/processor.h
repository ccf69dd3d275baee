/* Instructions that not every processor has: compiled beside portable code, and used where tw_has_avx2 allows it. */
#ifndef TREEWRIGHT_PROCESSOR_H
#define TREEWRIGHT_PROCESSOR_H
#include "compiler.h"

#ifdef TW_AVX2
#ifdef _MSC_VER
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#include <immintrin.h>
#define TW_TARGET TW_TARGET_OF("avx2,bmi,bmi2,lzcnt,popcnt")

enum { TW_HAS_AVX2, TW_HAS_FMA, TW_HAS_AVX512, TW_HAS_VNNI, TW_HAS_BITS };

#ifdef _MSC_VER
/* What the processor has, and what the system keeps of its registers when programs take turns. */
static inline int tw_has(int what) {
    int basic[4], more[4], extended[4];
    __cpuid(basic, 1);
    if ((basic[2] >> 27 & 3) != 3) return 0; /* OSXSAVE and AVX */
    __cpuidex(more, 7, 0);
    __cpuid(extended, 0x80000001);
    unsigned long long kept = _xgetbv(0);
    if ((kept & 6) != 6) return 0;
    switch (what) {
        case TW_HAS_AVX2: return more[1] >> 5 & 1;
        case TW_HAS_FMA: return basic[2] >> 12 & 1;
        case TW_HAS_AVX512: /* F, DQ, BW, VL */
            return (kept & 0xE6) == 0xE6 && (more[1] >> 16 & 3) == 3 && ((unsigned)more[1] >> 30 & 3) == 3;
        case TW_HAS_VNNI: return more[2] >> 11 & 1;
        default: return (more[1] >> 3 & 1) && (more[1] >> 8 & 1) && (extended[2] >> 5 & 1) && (basic[2] >> 23 & 1);
    }
}
#else
static inline int tw_has(int what) {
    unsigned eax, ebx, ecx, edx;
    __builtin_cpu_init();
    switch (what) {
        case TW_HAS_AVX2: return __builtin_cpu_supports("avx2") != 0;
        case TW_HAS_FMA: return __builtin_cpu_supports("fma") != 0;
        case TW_HAS_AVX512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
        case TW_HAS_VNNI: return __builtin_cpu_supports("avx512vnni") != 0;
        default: /* counting bits; not every compiler's __builtin_cpu_supports knows lzcnt */
            return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
                   __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) && (ecx >> 5 & 1);
    }
}
#endif
#endif

static inline int tw_has_avx2(void) {
#ifdef TW_AVX2
    return tw_has(TW_HAS_AVX2) && tw_has(TW_HAS_BITS);
#else
    return 0;
#endif
}
#endif
