/* Instructions that not every processor has: compiled beside portable code, and used where tw_has_avx2 allows it. */
#ifndef TREEWRIGHT_PROCESSOR_H
#define TREEWRIGHT_PROCESSOR_H
#include "compiler.h"

#ifdef TW_AVX2
#include <cpuid.h>
#include <immintrin.h>
#define TW_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif

#ifdef TW_AVX2
/* Not every compiler's __builtin_cpu_supports knows this one. */
static inline int tw_has_lzcnt(void) {
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) && (ecx >> 5 & 1);
}
#endif

static inline int tw_has_avx2(void) {
#ifdef TW_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           tw_has_lzcnt() && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}
#endif
