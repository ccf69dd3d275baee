/* A fast hash of short byte strings (after wyhash by Wang Yi, public domain): the only "vocabulary" that a parser
   needs. Models store the result, so it depends only on the bytes and the seed, on every machine. */
#ifndef TREEWRIGHT_TEXT_HASH_H
#define TREEWRIGHT_TEXT_HASH_H
#include <stdint.h>
#include <string.h>

static inline uint64_t tw_mix(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __uint128_t r = (__uint128_t)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
#else
    uint64_t ha = a >> 32, hb = b >> 32, la = (uint32_t)a, lb = (uint32_t)b;
    uint64_t hh = ha * hb, hl = ha * lb, lh = la * hb, ll = la * lb;
    uint64_t t = ll + (hl << 32), c = t < ll, lo = t + (lh << 32);
    c += lo < t;
    return lo ^ (hh + (hl >> 32) + (lh >> 32) + c);
#endif
}

static inline uint64_t tw_load(const uint8_t *p, int n) { /* up to 8 bytes, little endian */
    uint64_t v = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < n; i++) v |= (uint64_t)p[i] << (8 * i);
#else
    if (n == 8) memcpy(&v, p, 8);
    else if (n >= 4) {
        uint32_t a, b;
        memcpy(&a, p, 4);
        memcpy(&b, p + n - 4, 4);
        v = (uint64_t)a | ((uint64_t)b << (8 * (n - 4)));
    } else {
        for (int i = 0; i < n; i++) v |= (uint64_t)p[i] << (8 * i);
    }
#endif
    return v;
}

static inline uint64_t tw_hash(const char *text, int n, uint64_t seed) {
    const uint8_t *p = (const uint8_t *)text;
    uint64_t h = seed ^ 0xa0761d6478bd642fULL ^ (uint64_t)n * 0xe7037ed1a0b428dbULL;
    while (n > 8) {
        h = tw_mix(tw_load(p, 8) ^ 0x8ebc6af09c88c6e3ULL, h ^ 0x589965cc75374cc3ULL);
        p += 8;
        n -= 8;
    }
    return tw_mix(tw_load(p, n) ^ 0x1d8e4e27c47d124fULL, h ^ 0xeb44accab455d165ULL);
}
#endif
