"""Scoring of a corpus with first-order decoding, for a look at dev during training."""
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from treewright.graphbased.parts cimport PartProgram, PartScratch
from treewright.graphbased.scorer cimport GraphScorer
from treewright.graphbased.search cimport TreeSearch
from treewright.graphbased.sources cimport ModelParts
from treewright.graphbased.spanning cimport SpanningScratch
from treewright.training.corpus cimport Corpus


def accuracy(GraphScorer scorer, Corpus corpus, bint single_root, bint projective=False, bint second=False):
    """Return right heads, right heads with relations, and words."""
    cdef int s, n, c, width, h
    cdef long right = 0, labelled = 0
    cdef PartScratch parts = PartScratch(scorer.program)
    cdef SpanningScratch spanning = SpanningScratch()
    cdef ModelParts source = ModelParts(scorer, parts)
    cdef TreeSearch search = TreeSearch(source)
    cdef long certified = 0, scored = 0, added = 0, total = 0, its = 0, sents = 0
    cdef int longest = corpus.longest
    cdef double* scores = <double*>malloc(<int64_t>(longest + 1) * (longest + 1) * sizeof(double))
    cdef int32_t* labels = <int32_t*>malloc(<int64_t>(longest + 1) * (longest + 1) * sizeof(int32_t))
    cdef int32_t* heads = <int32_t*>malloc((longest + 1) * sizeof(int32_t))
    cdef float row[512]
    cdef int32_t* gold
    cdef int32_t* gold_labels
    try:
        with nogil:
            for s in range(corpus.n_sentences):
                n = <int>(corpus.word_start[s + 1] - corpus.word_start[s])
                if n == 0:
                    continue
                width = n + 1
                parts.load(corpus.encoded, corpus.row_start[s], n)
                scorer.score_arcs(parts, False, NULL, scores, labels, row)
                if second:
                    source.n = n
                    search.best(scores, single_root, 100, heads)
                    certified += search.certified
                    scored += search.scored
                    added += search.added
                    its += search.iterations
                    sents += 1
                    total += <long>n * (n - 1) * (n - 1)
                elif projective:
                    spanning.best_projective(scores, n, single_root, heads)
                else:
                    spanning.best_tree(scores, n, single_root, heads)
                gold = &corpus.heads[corpus.word_start[s]] - 1
                gold_labels = &corpus.labels[corpus.word_start[s]] - 1
                for c in range(1, width):
                    if gold[c] == heads[c]:
                        right += 1
                        labelled += labels[heads[c] * width + c] == gold_labels[c]
    finally:
        free(scores)
        free(labels)
        free(heads)
    if second:
        print(f'   certified {100.0*certified/sents:.2f} scored {100.0*scored/total:.2f} added {100.0*added/total:.3f} iterations {1.0*its/sents:.1f}')
    return right, labelled, corpus.n_words
