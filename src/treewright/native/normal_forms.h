/* The characters that text in normal form may lack, and combining marks. For each run of characters of a class: how many
   are between the run before and this one, how many it has, their class. tools/normal_forms.py writes the numbers. */
#ifndef TREEWRIGHT_NORMAL_FORMS_H
#define TREEWRIGHT_NORMAL_FORMS_H
#include <stdint.h>

static const uint16_t tw_normal_runs[][3] = {
#include "normal_forms.inc"
};
#define TW_NORMAL_RUNS ((int)(sizeof(tw_normal_runs) / sizeof(tw_normal_runs[0])))
#endif
