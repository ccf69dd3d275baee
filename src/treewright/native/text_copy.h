/* Copies of short texts: a fixed number of bytes, which takes a few instructions, where a call of memcpy takes dozens.
   More bytes than asked for are copied, so both sides must have room for them; what is written next overwrites them. */
#ifndef TREEWRIGHT_TEXT_COPY_H
#define TREEWRIGHT_TEXT_COPY_H
#include <stddef.h>
#include <string.h>

#define TW_SHORT 32 /* bytes of a short text, see tw_copy_padded */

/* Copy n bytes and return where they end. from_end and out_end: where the memory ends. */
static inline char *tw_copy(char *out, const char *from, ptrdiff_t n, const char *from_end, const char *out_end) {
    if (n <= 128 && from_end - from >= 128 && out_end - out >= 128) {
        memcpy(out, from, 64);
        if (n > 64) memcpy(out + 64, from + 64, 64);
    } else {
        memcpy(out, from, (size_t)n);
    }
    return out + n;
}

/* The same for a text that has TW_SHORT bytes of memory if it is not longer. */
static inline char *tw_copy_padded(char *out, const char *from, ptrdiff_t n, const char *out_end) {
    if (n <= TW_SHORT && out_end - out >= TW_SHORT) memcpy(out, from, TW_SHORT);
    else memcpy(out, from, (size_t)n);
    return out + n;
}
#endif
