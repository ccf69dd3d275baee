/* The class of every Unicode character. For each run of characters of a class, from 0 on: how many they are, times 32,
   plus their class; 31: UPPER, LOWER by turns. tools/unicode_kinds.py writes the numbers. */
#ifndef TREEWRIGHT_UNICODE_KINDS_H
#define TREEWRIGHT_UNICODE_KINDS_H
#include <stdint.h>

static const uint32_t tw_kind_ranges[] = {
#include "unicode_kinds.inc"
};
#define TW_KIND_RANGES (sizeof(tw_kind_ranges) / sizeof(tw_kind_ranges[0]))
#endif
