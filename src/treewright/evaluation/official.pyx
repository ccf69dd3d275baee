"""Count for the scores of the CoNLL 2018 shared task (and ELAS, EULAS of IWPT 2020).

Counts are summed over stretches of text, so files of any size can be scored: no token and no sentence spans a position
where a sentence ends in both files.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from treewright.evaluation.alignment cimport Alignment
from treewright.evaluation.arcs cimport Arcs, arc_key, equal_pairs
from treewright.evaluation.side cimport CONTENT, NOT_ALIGNED, ROOT, Side
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate

METRICS = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
    "UAS", "LAS", "CLAS", "MLAS", "BLEX", "ELAS", "EULAS",
)

cdef enum:
    TOKENS, SENTENCES, WORDS, UPOS, XPOS, UFEATS, ALLTAGS, LEMMAS
    UAS, LAS, CLAS, MLAS, BLEX, ELAS, EULAS
    N_METRICS


cdef struct Count:
    int64_t gold, system, correct, aligned


cdef class OfficialCounts:
    """Counts of the official metrics over the stretches added."""

    cdef Count counts[N_METRICS]

    def __cinit__(self):
        memset(self.counts, 0, sizeof(self.counts))

    def counts_of(self, str metric):
        """Return the gold total, system total, correct and aligned counts of a metric."""
        cdef Count* count = &self.counts[METRICS.index(metric)]
        return count.gold, count.system, count.correct, count.aligned

    def add(self, Side gold, int gold_from, int gold_to, Side system, int system_from, int system_to):
        """Score sentences that cover the same text in both files; range ends are exclusive."""
        cdef Alignment alignment = Alignment(gold, gold_from, gold_to, system, system_from, system_to)
        with nogil:
            self._count_spans(
                TOKENS, gold.token_start + first_token(gold, gold_from), tokens_in(gold, gold_from, gold_to),
                system.token_start + first_token(system, system_from), tokens_in(system, system_from, system_to),
            )
            self._count_spans(
                SENTENCES, gold.sentence_start + gold_from, gold_to - gold_from,
                system.sentence_start + system_from, system_to - system_from,
            )
            self._count_totals(alignment)
            self._count_words(alignment, gold, system)
        if gold.arcs.n_arcs > 0 or system.arcs.n_arcs > 0:
            self._count_arcs(alignment)

    cdef void _count_spans(self, int metric, const int32_t* gold, int n_gold,
                           const int32_t* system, int n_system) noexcept nogil:
        """Count equal spans. Each span ends where the next one starts."""
        cdef int g = 0, s = 0
        cdef int g_base = gold[0], s_base = system[0]
        cdef Count* count = &self.counts[metric]
        count.gold += n_gold
        count.system += n_system
        while g < n_gold and s < n_system:
            if system[s] - s_base < gold[g] - g_base:
                s += 1
            elif gold[g] - g_base < system[s] - s_base:
                g += 1
            else:
                count.correct += gold[g + 1] - g_base == system[s + 1] - s_base
                g += 1
                s += 1

    cdef void _count_totals(self, Alignment alignment) noexcept nogil:
        cdef int metric, word
        cdef int64_t n_gold = alignment.gold_end - alignment.gold_first
        cdef int64_t n_system = alignment.system_end - alignment.system_first
        cdef int64_t gold_content = 0, system_content = 0, aligned_content = 0
        cdef const signed char* kind = alignment.gold.labels.kind
        for word in range(alignment.gold_first, alignment.gold_end):
            if kind[alignment.gold.relation[word]] == CONTENT:
                gold_content += 1
                aligned_content += alignment.system_of[word - alignment.gold_first] != NOT_ALIGNED
        for word in range(alignment.system_first, alignment.system_end):
            system_content += kind[alignment.system.relation[word]] == CONTENT
        for metric in range(WORDS, ELAS):
            if metric == CLAS or metric == MLAS or metric == BLEX:
                self.counts[metric].gold += gold_content
                self.counts[metric].system += system_content
                self.counts[metric].aligned += aligned_content
            else:
                self.counts[metric].gold += n_gold
                self.counts[metric].system += n_system
                self.counts[metric].aligned += alignment.n_aligned
        self.counts[WORDS].correct += alignment.n_aligned

    cdef void _count_words(self, Alignment alignment, Side gold, Side system) noexcept nogil:
        cdef int g, s
        cdef bint upos, xpos, feats, lemma, head, labelled
        cdef Count* counts = self.counts
        for g in range(alignment.gold_first, alignment.gold_end):
            s = alignment.system_of[g - alignment.gold_first]
            if s == NOT_ALIGNED:
                continue
            upos = same(gold.block, g, gold.block.layout.upos, system.block, s, system.block.layout.upos)
            xpos = same(gold.block, g, gold.block.layout.xpos, system.block, s, system.block.layout.xpos)
            feats = gold.features[g] == system.features[s]
            lemma = no_value(gold.block, g, gold.block.layout.lemma) or same(
                gold.block, g, gold.block.layout.lemma, system.block, s, system.block.layout.lemma
            )
            head = gold.parent[g] == gold_word(alignment, system.parent[s])
            labelled = head and gold.relation[g] == system.relation[s]
            counts[UPOS].correct += upos
            counts[XPOS].correct += xpos
            counts[UFEATS].correct += feats
            counts[ALLTAGS].correct += upos and xpos and feats
            counts[LEMMAS].correct += lemma
            counts[UAS].correct += head
            counts[LAS].correct += labelled
            if labelled and gold.labels.kind[gold.relation[g]] == CONTENT:
                counts[CLAS].correct += 1
                counts[BLEX].correct += lemma
                counts[MLAS].correct += upos and feats and same_function_words(alignment, gold, g, system, s)

    def _count_arcs(self, Alignment alignment):
        cdef Arcs gold = alignment.gold.arcs
        cdef Arcs system = alignment.system.arcs
        cdef uint64_t* gold_keys = <uint64_t*>allocate(gold.most + system.most, sizeof(uint64_t))
        cdef uint64_t* system_keys = gold_keys + gold.most
        with nogil:
            self._count_graph(ELAS, alignment, gold, gold.path, gold_keys, system, system.path, system_keys)
            self._count_graph(EULAS, alignment, gold, gold.bare, gold_keys, system, system.bare, system_keys)
        free(gold_keys)

    cdef void _count_graph(self, int metric, Alignment alignment,
                           Arcs gold, const uint64_t* gold_path, uint64_t* gold_keys,
                           Arcs system, const uint64_t* system_path, uint64_t* system_keys) noexcept nogil:
        cdef int g, s, arc, n_gold, n_system
        cdef Count* count = &self.counts[metric]
        count.gold += gold.first[alignment.gold_end] - gold.first[alignment.gold_first]
        count.system += system.first[alignment.system_end] - system.first[alignment.system_first]
        for g in range(alignment.gold_first, alignment.gold_end):
            s = alignment.system_of[g - alignment.gold_first]
            if s == NOT_ALIGNED:
                continue
            n_gold = gold.first[g + 1] - gold.first[g]
            n_system = system.first[s + 1] - system.first[s]
            for arc in range(n_gold):
                gold_keys[arc] = arc_key(gold.head[gold.first[g] + arc], gold_path[gold.first[g] + arc])
            for arc in range(n_system):
                system_keys[arc] = arc_key(
                    gold_word(alignment, system.head[system.first[s] + arc]), system_path[system.first[s] + arc]
                )
            count.correct += equal_pairs(gold_keys, n_gold, system_keys, n_system)


cdef inline int first_token(Side side, int sentence) noexcept nogil:
    cdef int word = side.block.sentence_word[sentence]
    return side.word_token[word] if word < side.block.n_words else side.n_tokens


cdef inline int tokens_in(Side side, int sentence, int end) noexcept nogil:
    return first_token(side, end) - first_token(side, sentence)


cdef inline int gold_word(Alignment alignment, int system_word) noexcept nogil:
    """Return the gold word aligned with a system word; the root is aligned with the root."""
    return ROOT if system_word == ROOT else alignment.gold_of[system_word - alignment.system_first]


cdef inline bint same(Block gold, int g, int gold_column, Block system, int s, int system_column) noexcept nogil:
    """Return whether two words have the same value in a column; a missing column counts as '_'."""
    cdef int length
    if gold_column < 0 or system_column < 0:
        return no_value(gold, g, gold_column) and no_value(system, s, system_column)
    length = gold.field_length(g, gold_column)
    return length == system.field_length(s, system_column) and memcmp(
        gold.field_start(g, gold_column), system.field_start(s, system_column), length) == 0


cdef inline bint no_value(Block block, int word, int column) noexcept nogil:
    return column < 0 or (block.field_length(word, column) == 1 and block.field_start(word, column)[0] == c'_')


cdef bint same_function_words(Alignment alignment, Side gold, int g, Side system, int s) noexcept nogil:
    """Return whether two words have the same function words, with the same relations, tags and features."""
    g = gold.first_function_word[g]
    s = system.first_function_word[s]
    while g >= 0 and s >= 0:
        if (gold_word(alignment, s) != g or gold.relation[g] != system.relation[s]
                or gold.features[g] != system.features[s]
                or not same(gold.block, g, gold.block.layout.upos, system.block, s, system.block.layout.upos)):
            return False
        g = gold.next_function_word[g]
        s = system.next_function_word[s]
    return g < 0 and s < 0


def common_text(Side gold, int gold_from, Side system, int system_from):
    """Return the length of the common prefix of the texts that start at two sentences."""
    cdef const char* g = gold.text + gold.sentence_start[gold_from]
    cdef const char* s = system.text + system.sentence_start[system_from]
    cdef int length = min(gold.text_from(gold_from), system.text_from(system_from))
    cdef int same_bytes = 0
    if memcmp(g, s, length) == 0:
        return length
    while g[same_bytes] == s[same_bytes]:
        same_bytes += 1
    return same_bytes


def last_common_border(Side gold, int gold_from, Side system, int system_from):
    """Return the last two sentences of the blocks before which both texts can be cut, or the given starts.

    Both sentences must start at the same position, and so must the tokens before them. Otherwise the official alignment
    may match left-over words of one side with later words of the other: odd, but part of the score.
    """
    cdef int g = gold.block.n_sentences, s = system.block.n_sentences
    cdef int g_base = gold.sentence_start[gold_from], s_base = system.sentence_start[system_from]
    while g > gold_from and s > system_from:
        if gold.sentence_start[g] - g_base == system.sentence_start[s] - s_base:
            if (gold.token_start[first_token(gold, g) - 1] - g_base
                    == system.token_start[first_token(system, s) - 1] - s_base):
                return g, s
            g -= 1
            s -= 1
        elif gold.sentence_start[g] - g_base > system.sentence_start[s] - s_base:
            g -= 1
        else:
            s -= 1
    return gold_from, system_from
