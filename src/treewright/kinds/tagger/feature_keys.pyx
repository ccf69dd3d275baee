"""What the features of tagger and lemmatiser look at, by the names in their lists (text/features/)."""
from libc.stdint cimport uint64_t

from treewright.features.feature_table cimport count_up, load_section, places_in
from treewright.kinds.tagger.words cimport PADDING, PREFIXES, SUFFIXES

cdef uint64_t SEED = 0x9E3779B97F4A7C15ULL


cdef int load(Section* out, str name, tuple sections, bint mixed) except -1:
    """Make the table of sections of a list, whose features look at ``mixed`` values or only at those of words."""
    cdef Values numbered
    count_up(<uint64_t*>&numbered, sizeof(Values) // sizeof(uint64_t))
    return load_section(out, name, sections, places_in(numbered) if mixed else {}, values_of_words(), SEED)


cdef dict values_of_words():
    """Return where the values of a word and its neighbours are, counted in numbers from its own row."""
    cdef WordCodes row
    cdef const uint64_t* start = <const uint64_t*>&row
    cdef int k
    fields = {
        "form(%)": &row.form - start,
        "lower(%)": &row.lower - start,
        "shape(%)": &row.shape - start,
        "initial_shape(%)": &row.initial_shape - start,
        "lexicon(%)": &row.ambiguity - start,
        "stem(%)": &row.stem - start,
        "rest(%)": &row.rest - start,
    }
    for k, size in enumerate((", 4", ", 8", "")):
        fields[f"cluster(%{size})"] = &row.cluster[k] - start
    for k in range(PREFIXES):
        fields[f"prefix(%, {k + 1})"] = &row.prefix[k] - start
    for k in range(SUFFIXES):
        fields[f"suffix(%, {k + 1})"] = &row.suffix[k] - start
    length = sizeof(WordCodes) // sizeof(uint64_t)
    beside = range(-PADDING, PADDING + 1)
    around = {name.replace("%", f"word[{k}]"): place + k * length for name, place in fields.items() for k in beside}
    return {**around, "last": &row.last - start}
