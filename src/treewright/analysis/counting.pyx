"""Counts over the words of a gold treebank and one or two parses of it, without a Python object per word.

``flags`` are the bytes of ``evaluation.comparison``; a word is *right* if it has all of ``right_flags``, and is not
looked at if it has one of ``ignored_flags`` (punctuation, where that is not scored).
"""
from array import array

from libc.stdint cimport int32_t, int64_t

from treewright.evaluation.comparison cimport HEAD, Comparison
from treewright.treebank.lifting.projectivity cimport (
    TreeWorkspace,
    count_nonprojective_arcs,
    require_tree,
    spans_descendants,
)

#: what is counted for every key, in this order
COUNTS = ("words", "first_heads", "first_right", "second_heads", "second_right", "only_first", "only_second")

cdef enum:
    N_COUNTS = 7


def count_right(const unsigned char[::1] first, const unsigned char[::1] second, const int[::1] key, int n_keys,
                int ignored_flags, int head_flags, int right_flags):
    """Count words by key: COUNTS for every key. Without a second parse, give the first twice."""
    counts = array("q", bytes(8 * N_COUNTS * max(1, n_keys)))
    cdef int64_t[::1] count = counts
    cdef int64_t* c
    cdef int word
    cdef bint a, b
    with nogil:
        for word in range(first.shape[0]):
            if first[word] & ignored_flags:
                continue
            c = &count[N_COUNTS * key[word]]
            a = (first[word] & right_flags) == right_flags
            b = (second[word] & right_flags) == right_flags
            c[0] += 1
            c[1] += (first[word] & head_flags) == head_flags
            c[2] += a
            c[3] += (second[word] & head_flags) == head_flags
            c[4] += b
            c[5] += a and not b
            c[6] += b and not a
    return counts


def shapes(Comparison pair):
    """Return, for every word, whether its gold arc is not projective, and its depth: 1 for a word under the root."""
    cdef int sentence, start, n, i, word
    cdef int base = pair.gold.sentence_word[pair.gold_from]
    cdef const int32_t* heads
    cdef TreeWorkspace w = TreeWorkspace()
    crossing, depths = array("i", bytes(4 * pair.n_words)), array("i", bytes(4 * pair.n_words))
    cdef int[::1] crosses = crossing
    cdef int[::1] depth = depths
    for sentence in range(pair.n_sentences):
        start, n = pair.first[sentence], pair.first[sentence + 1] - pair.first[sentence]
        heads = pair.gold.head + base + start
        require_tree(count_nonprojective_arcs(heads, n, w), pair.gold_from + sentence)
        # In the order of the depth-first walk a head comes before its dependents.
        for word in range(1, n + 1):
            w.queue[w.enter[word]] = word
        for i in range(1, n + 1):
            word = w.queue[i]
            crosses[start + word - 1] = not spans_descendants(heads[word - 1], word, w)
            depth[start + word - 1] = depth[start + heads[word - 1] - 1] + 1 if heads[word - 1] else 1
    return crossing, depths


def confused(const unsigned char[::1] flags, const int[::1] gold, const int[::1] system, int ignored_flags,
             int label_flags):
    """Return a number for every word with another relation than gold: gold << 32 | system << 1 | right head."""
    found = array("q", bytes(8 * flags.shape[0]))
    cdef int64_t[::1] place = found
    cdef int word, n = 0
    for word in range(flags.shape[0]):
        if not flags[word] & ignored_flags and not flags[word] & label_flags:
            place[n] = <int64_t>gold[word] << 32 | <int64_t>system[word] << 1 | (flags[word] & HEAD != 0)
            n += 1
    return found[:n]


def count_after_first(const unsigned char[::1] flags, const int[::1] first_word, int ignored_flags, int right_flags,
                      const int[::1] bounds, int64_t[::1] words, int64_t[::1] errors, double[::1] expected):
    """Add up what follows the first error of every sentence, by its distance in scored words.

    ``bounds`` are the lower bounds of the buckets of distances. If a sentence has m errors, the first of them at its
    f-th of n scored words, the other m - 1 would stand anywhere behind it with the same probability if errors did not
    attract each other: each of the n - f words would be one with probability (m - 1) / (n - f). ``expected`` adds up
    that. It depends on the sentence: that hard sentences have more errors does not count as attraction.
    Return the numbers of scored words, of errors, and of sentences with an error.
    """
    cdef int sentence, word, n, m, f, distance, bucket
    cdef int64_t all_words = 0, all_errors = 0, sentences = 0
    cdef double rate
    for sentence in range(first_word.shape[0] - 1):
        n = m = f = 0
        for word in range(first_word[sentence], first_word[sentence + 1]):
            if flags[word] & ignored_flags:
                continue
            n += 1
            if flags[word] & right_flags != right_flags:
                m += 1
                if m == 1:
                    f = n
        all_words += n
        all_errors += m
        if m == 0:
            continue
        sentences += 1
        if n == f:
            continue
        rate = <double>(m - 1) / (n - f)
        distance, bucket = -f, 0
        for word in range(first_word[sentence], first_word[sentence + 1]):
            if flags[word] & ignored_flags:
                continue
            distance += 1
            if distance < 1:
                continue
            while bucket + 1 < bounds.shape[0] and bounds[bucket + 1] <= distance:
                bucket += 1
            words[bucket] += 1
            errors[bucket] += flags[word] & right_flags != right_flags
            expected[bucket] += rate
    return all_words, all_errors, sentences


def count_by_history(const unsigned char[::1] first, const unsigned char[::1] second, const int[::1] first_word,
                     int ignored_flags, int right_flags, int64_t[::1] counts):
    """Add up words, errors of the first and of the second parse, by which parse erred earlier in the sentence.

    The four histories: neither, only the first, only the second, both; three counts each.
    """
    cdef int sentence, word, history
    cdef bint a, b
    for sentence in range(first_word.shape[0] - 1):
        history = 0
        for word in range(first_word[sentence], first_word[sentence + 1]):
            if first[word] & ignored_flags:
                continue
            a = first[word] & right_flags != right_flags
            b = second[word] & right_flags != right_flags
            counts[3 * history] += 1
            counts[3 * history + 1] += a
            counts[3 * history + 2] += b
            history |= a | b << 1
