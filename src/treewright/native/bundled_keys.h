/* The keys of bundled feature models, as C: where an extractor's program is one of these, it need not be interpreted.
   tools/bundled_keys.py writes keys_*.h when the package is built. */
#ifndef TREEWRIGHT_BUNDLED_KEYS_H
#define TREEWRIGHT_BUNDLED_KEYS_H
#include "keys_fast.h"
#include "keys_lean.h"
#include "keys_rich.h"
#include "keys_rich_clusters.h"
#include "keys_tiny.h"

/* Return the C code of a program, known by its hash; NULL: it must be interpreted. What the code reads of a word must
   be there, so this is asked, too: a model file that was made to have the same hash reads nothing else. */
static inline tw_keys tw_bundled_keys(uint64_t program, int n_attributes, int has_items) {
#define TW_CODE_OF(NAME, keys)                                                                                   \
    case TW_PROGRAM_##NAME:                                                                                      \
        return n_attributes == TW_ATTRIBUTES_##NAME && has_items >= TW_ITEMS_##NAME ? keys : 0
    switch (program) {
        TW_CODE_OF(FAST, tw_keys_fast);
        TW_CODE_OF(LEAN, tw_keys_lean);
        TW_CODE_OF(RICH, tw_keys_rich);
        TW_CODE_OF(RICH_CLUSTERS, tw_keys_rich_clusters);
        TW_CODE_OF(TINY, tw_keys_tiny);
    }
#undef TW_CODE_OF
    return 0;
}
#endif
