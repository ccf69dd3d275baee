"""Tags and lemmas as text: a block with LEMMA, UPOS, XPOS and FEATS replaced and everything else unchanged."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.learners.learner cimport MAX_CLASSES
from treewright.kinds.tagger.lemmas.lemmatizer cimport Lemmatizer
from treewright.kinds.tagger.tags cimport TagSet
from treewright.kinds.tagger.words cimport WordCodes, encode_word
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed

cdef enum:
    LEMMA = -1               # what to write to a column; 0, 1, 2: that part of the tag


cdef struct TagColumns:
    int n_columns
    int column[4]            # in the order of the line
    int what[4]
    const char** texts       # [3 * n_tags]
    int* lengths


def with_tags(Block block not None, const int32_t[::1] tags, TagSet tag_set not None, Lemmatizer lemmatizer, columns):
    """Return the text of a block with tags, and with lemmas if there is a lemmatizer.

    ``columns``: which of LEMMA, UPOS, XPOS, FEATS to write, where the layout has them.
    """
    cdef TagColumns job
    cdef int i, k, word
    cdef bytes text, result
    cdef Block normal = block.normal     # lemmas are made of forms as the tagger sees them
    cdef list kept = []
    cdef Py_ssize_t length
    cdef char* out
    cdef const char* end
    layout = block.layout
    places = {
        "LEMMA": (layout.lemma if lemmatizer is not None else -1, LEMMA), "UPOS": (layout.upos, 0),
        "XPOS": (layout.xpos, 1), "FEATS": (layout.feats, 2),
    }
    wanted = sorted(places[name] for name in columns if places[name][0] >= 0)
    if tags.shape[0] < block.n_words:
        raise ValueError("there must be one tag per word")
    for i in range(block.n_words):
        if not 0 <= tags[i] < tag_set.n_tags:
            raise ValueError("a tag number is out of range")
    if len(wanted) > 4 or len(set(wanted)) != len(wanted):
        raise ValueError("a column is to be written twice")
    job.n_columns = len(wanted)
    for i, (column, what) in enumerate(wanted):
        job.column[i], job.what[i] = column, what
    job.texts, job.lengths = NULL, NULL
    try:
        job.texts = <const char**>allocate_zeroed(3 * tag_set.n_tags + 1, sizeof(char*))
        job.lengths = <int*>allocate(3 * tag_set.n_tags + 1, sizeof(int))
        for word in range(block.n_words):  # a short text has few of the tags: the rest would cost more than the text
            i = tags[word]
            if job.texts[3 * i] != NULL:
                continue
            for k in range(3):
                text = tag_set.tags[i][k].encode("utf-8", "surrogateescape")
                kept.append(text)
                job.texts[3 * i + k] = PyBytes_AS_STRING(text)
                job.lengths[3 * i + k] = PyBytes_GET_SIZE(text)
        length = PyBytes_GET_SIZE(block.data) + room_for(normal, tags, &job, lemmatizer)
        result = PyBytes_FromStringAndSize(NULL, length)
        out = PyBytes_AS_STRING(result)
        end = block.text + PyBytes_GET_SIZE(block.data)
        with nogil:
            length = fill(block, normal, tags, tag_set, lemmatizer, &job, end, out)
        return result[:length]
    finally:
        free(job.texts)
        free(job.lengths)


cdef Py_ssize_t room_for(Block block, const int32_t[::1] tags, const TagColumns* job, Lemmatizer lemmatizer):
    """By how many bytes the text may grow."""
    cdef Py_ssize_t room = 16
    cdef int word, i, longest = 0 if lemmatizer is None else lemmatizer.longest
    for word in range(block.n_words):
        for i in range(job.n_columns):
            if job.what[i] == LEMMA:
                room += 2 * block.field_length(word, block.layout.form) + longest + 8
            else:
                room += job.lengths[3 * tags[word] + job.what[i]]
    return room


cdef Py_ssize_t fill(
    Block block, Block normal, const int32_t[::1] tags, TagSet tag_set, Lemmatizer lemmatizer, const TagColumns* job,
    const char* end, char* out
) noexcept nogil:
    """Copy the text with new values in the columns of the job; return its length."""
    cdef const char* copied = block.text
    cdef char* start = out
    cdef const char* field
    cdef int sentence, word, i, which, form = block.layout.form
    cdef Py_ssize_t length
    cdef float scores[MAX_CLASSES + 64]
    for sentence in range(block.n_sentences):
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            for i in range(job.n_columns):
                field = block.field_start(word, job.column[i])
                length = field - copied
                memcpy(out, copied, length)
                out += length
                if job.what[i] == LEMMA:
                    out += put_lemma(normal, word, form, word == block.sentence_word[sentence], tags[word], tag_set,
                                     lemmatizer, scores, out)
                else:
                    which = 3 * tags[word] + job.what[i]
                    memcpy(out, job.texts[which], job.lengths[which])
                    out += job.lengths[which]
                copied = field + block.field_length(word, job.column[i])
    memcpy(out, copied, end - copied)
    return out + (end - copied) - start


cdef int put_lemma(
    Block block, int word, int form, bint first, int tag, TagSet tag_set, Lemmatizer lemmatizer, float* scores,
    char* out
) noexcept nogil:
    cdef WordCodes codes
    cdef const char* text = block.field_start(word, form)
    cdef int length = block.field_length(word, form), rule, n
    rule = lemmatizer.remembered(text, length, &tag_set.codes[tag])
    if rule < 0:
        encode_word(text, length, lemmatizer.known is not None, &codes)
        rule = lemmatizer.guess(text, length, &codes, &tag_set.codes[tag], first, scores)
    n = lemmatizer.write(text, length, rule, out)
    if n == 0:
        out[0] = c'_'
        n = 1
    return n
