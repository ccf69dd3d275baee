"""Count over words compared one to one: the totals of all conventions, and counts by any key."""
from array import array

from libc.stdint cimport int64_t
from libc.string cimport memset

from treewright.evaluation.comparison cimport (
    GOLD_ROOT, HEAD, LABEL, PUNCT_FORM, PUNCT_UPOS, UNIVERSAL_LABEL, Comparison,
)

PUNCTUATION = ("all", "upos", "form")        # the scored words: all, without UPOS PUNCT, without punctuation by form
RELATION = ("full", "universal")


cdef struct Totals:
    int64_t words, sentences, roots, roots_right, heads
    int64_t heads_complete
    double heads_mean                        # sum over sentences of the share of words
    # by relation convention: full, universal
    int64_t labels[2]
    int64_t both[2]
    int64_t complete[2]
    double labels_mean[2]
    double both_mean[2]


cdef class AttachmentTotals:
    """Counts of correct heads and relations under all conventions at once."""

    cdef Totals totals[3]

    def __cinit__(self):
        memset(self.totals, 0, sizeof(self.totals))

    def add(self, Comparison comparison):
        """Count the sentences of a comparison."""
        cdef int sentence, convention
        cdef unsigned char[::1] flag = comparison.flag
        cdef int[::1] first = comparison.first
        cdef unsigned char ignored_flags
        with nogil:
            for convention in range(3):
                ignored_flags = 0 if convention == 0 else PUNCT_UPOS if convention == 1 else PUNCT_FORM
                for sentence in range(first.shape[0] - 1):
                    count_sentence(&self.totals[convention], flag, first[sentence], first[sentence + 1], ignored_flags)

    def totals_of(self, str punctuation, str relation):
        """Return the totals of one convention by name."""
        cdef Totals* totals = &self.totals[PUNCTUATION.index(punctuation)]
        cdef int r = RELATION.index(relation)
        return {
            "words": totals.words, "sentences": totals.sentences,
            "roots": totals.roots, "roots_right": totals.roots_right,
            "heads": totals.heads, "labels": totals.labels[r], "both": totals.both[r],
            "heads_complete": totals.heads_complete, "complete": totals.complete[r],
            "heads_mean": totals.heads_mean, "labels_mean": totals.labels_mean[r], "both_mean": totals.both_mean[r],
        }


cdef void count_sentence(
    Totals* totals, unsigned char[::1] flags, int start, int end, unsigned char ignored_flags
) noexcept nogil:
    cdef int word, words = 0, heads = 0, r
    cdef int labels[2]
    cdef int both[2]
    cdef unsigned char flag
    labels[0] = labels[1] = both[0] = both[1] = 0
    for word in range(start, end):
        flag = flags[word]
        if flag & ignored_flags:
            continue
        words += 1
        heads += (flag & HEAD) != 0
        labels[0] += (flag & LABEL) != 0
        labels[1] += (flag & UNIVERSAL_LABEL) != 0
        both[0] += (flag & (HEAD | LABEL)) == (HEAD | LABEL)
        both[1] += (flag & (HEAD | UNIVERSAL_LABEL)) == (HEAD | UNIVERSAL_LABEL)
        if flag & GOLD_ROOT:
            totals.roots += 1
            totals.roots_right += (flag & HEAD) != 0
    if words == 0:
        return
    totals.sentences += 1
    totals.words += words
    totals.heads += heads
    totals.heads_complete += heads == words
    totals.heads_mean += <double>heads / words
    for r in range(2):
        totals.labels[r] += labels[r]
        totals.both[r] += both[r]
        totals.complete[r] += both[r] == words
        totals.labels_mean[r] += <double>labels[r] / words
        totals.both_mean[r] += <double>both[r] / words


def left_out_flag(str punctuation):
    """Return the flag of the words that a punctuation convention leaves out; 0 for none."""
    return (0, PUNCT_UPOS, PUNCT_FORM)[PUNCTUATION.index(punctuation)]


def right_flags(str relation):
    """Return the flags of a word with the correct head and relation."""
    return HEAD | (LABEL if relation == "full" else UNIVERSAL_LABEL)


def count_by_key(Comparison comparison, const int[::1] gold_key, const int[::1] system_key,
                 int n_keys, int ignored_flags, int wanted_flags):
    """Count words by key; return for each key: gold, system, correct head, correct relation, both correct.

    ``gold_key`` and ``system_key`` are the word's keys on the two sides, such as its relation. Correct words are
    counted under the gold key; this serves precision too, because a correct word has the same key on both sides.
    """
    cdef unsigned char[::1] flag = comparison.flag
    counts = array("q", bytes(8 * 5 * n_keys))
    cdef long long[::1] count = counts
    cdef int word, g, s
    cdef int label = wanted_flags & ~HEAD
    with nogil:
        for word in range(flag.shape[0]):
            if flag[word] & ignored_flags:
                continue
            g = gold_key[word]
            s = system_key[word]
            count[5 * g] += 1
            count[5 * s + 1] += 1
            count[5 * g + 2] += (flag[word] & HEAD) != 0
            count[5 * g + 3] += (flag[word] & label) != 0
            count[5 * g + 4] += (flag[word] & wanted_flags) == wanted_flags
    return counts


def bucket_numbers(const int[::1] values, const int[::1] lower_bounds):
    """Return, for every value, the last bucket whose lower bound it reaches."""
    numbers = array("i", bytes(4 * values.shape[0]))
    cdef int[::1] number = numbers
    cdef int i, bucket, n = lower_bounds.shape[0]
    for i in range(values.shape[0]):
        bucket = 0
        while bucket + 1 < n and lower_bounds[bucket + 1] <= values[i]:
            bucket += 1
        number[i] = bucket
    return numbers


def right_per_sentence(Comparison comparison, int ignored_flags, int wanted_flags):
    """Return, per sentence, the number of scored words and of those that have all of the flags ``wanted_flags``."""
    cdef unsigned char[::1] flag = comparison.flag
    cdef int[::1] first = comparison.first
    cdef int sentence, word
    words = array("i", bytes(4 * comparison.n_sentences))
    rights = array("i", bytes(4 * comparison.n_sentences))
    cdef int[::1] n_words = words
    cdef int[::1] n_right = rights
    for sentence in range(first.shape[0] - 1):
        for word in range(first[sentence], first[sentence + 1]):
            if flag[word] & ignored_flags:
                continue
            n_words[sentence] += 1
            n_right[sentence] += (flag[word] & wanted_flags) == wanted_flags
    return words, rights
