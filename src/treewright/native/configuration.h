/* The state of a parse: stack, buffer, arcs so far. systems/configuration.pyx starts and changes it; all others read. */
#ifndef TREEWRIGHT_CONFIGURATION_H
#define TREEWRIGHT_CONFIGURATION_H
#include <stdint.h>

#define TW_NO_NODE (-1)

/* Which arcs may not be, see systems/rules/table.pyx. Sets of relations that are alike are bits. */
typedef struct {
    uint64_t mark;              /* the set that a relation belongs to */
    uint64_t apart;             /* the sets that may not stand beside it, at the same head */
    uint64_t below;             /* the sets that may not hang from a word with it */
    uint64_t shape;             /* bits: on which sides of its head it may not stand, whether its arcs are projective */
} tw_rule;

typedef struct {
    int n_labels;
    const tw_rule *of;          /* by relation */
    const unsigned char *tagged; /* [tag * n_labels + relation]: 1 for a tag that words with it may not have */
} tw_rules;

typedef struct {
    int n;                      /* words are 1 .. n */
    int root;                   /* the node that stands for the root: 0 (before the words) or n + 1 (behind them) */
    int stack_size;
    int32_t *stack;             /* stack[stack_size - 1] is the top */
    int buffer;                 /* first node of the buffer */
    int buffer_end;             /* one past its last node: n + 1, or n + 2 where the root stands last */
    int context_size;           /* words between stack and buffer */
    int32_t *context;           /* context[context_size - 1] is next to the top of the stack */
    int context_use;            /* one of ContextUse, see configuration.pxd */
    int focus;                  /* easy-first: the left word of the pair that is looked at */
    int32_t *previous;          /* easy-first: the list of words, linked both ways; TW_NO_NODE at its ends */
    int32_t *next;
    int roots;                  /* words attached to the root so far */
    const unsigned char *leaf;  /* by node: 1 for words that may not govern others; NULL: all may */
    const tw_rules *rules;      /* which arcs may not be; NULL: all may */
    const unsigned char *tag;   /* by node: its tag, as the rules number it */
    float tag_price;            /* how much better a relation must score to be kept in spite of a tag; given tags: infinite */
    int moves;                  /* moves made so far */
    int last_kind[2];           /* the previous two moves */
    /* By node, 0 .. n + 1; TW_NO_NODE where there is none. Of the node TW_NO_NODE, everything is TW_NO_NODE, 0 or
       NO_COUNT, too. */
    int32_t *head;              /* of a word with several heads, the latest */
    int32_t *label;             /* relation to that head */
    int32_t *head_count;        /* number of heads so far */
    int32_t *earlier_heads;     /* the head before the latest and the one before that, two to a node */
    int32_t *leftmost;          /* outermost dependent on the left, on the right */
    int32_t *rightmost;
    int32_t *left_sibling;      /* next dependent of the same head, same side */
    int32_t *right_sibling;
    int32_t *left_count;        /* number of dependents on the left, on the right */
    int32_t *right_count;
    int32_t *on_stack;          /* 1 while on the stack, or in the list; 0 for TW_NO_NODE */
    uint64_t *left_labels;      /* set of relations of the dependents, as bits */
    uint64_t *right_labels;
    uint64_t *head_labels;      /* set of relations to the heads */
    uint64_t *marks;            /* of the dependents, as the rules have them */
} tw_configuration;
#endif
