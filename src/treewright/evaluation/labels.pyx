"""Numbers for relations and features, as the official scores compare them.

The official scorer cuts the subtype off every relation and drops every feature outside a fixed list
before it compares. Both are done here once per distinct string, so that the loops compare integers.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr

from treewright.treebank.interner cimport Interner

CONTENT_RELATIONS = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos"
    " nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep".split()
)
FUNCTION_RELATIONS = frozenset("aux cop mark det clf case cc".split())
UNIVERSAL_FEATURES = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood"
    " Tense Aspect Voice Evident Polarity Person Polite".split()
)


def universal_features(str feats):
    """Return FEATS with the universal features only, sorted, as the official scorer compares them."""
    kept = [feature for feature in feats.split("|") if feature.split("=", 1)[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


cdef class Labels:
    """What two treebanks that are scored against each other share: one number per distinct label."""

    def __cinit__(self):
        self.relations = Interner()
        self.raw_features = Interner()
        self.canonical = {}

    def __dealloc__(self):
        free(self.kind)
        free(self.canonical_number)

    cdef int relation(self, const char* text, int length) except -1:
        """Return the number of a relation without its subtype."""
        cdef const char* colon = <const char*>memchr(text, c':', length)
        cdef int number = self.relations.intern(text, length if colon == NULL else <int>(colon - text))
        cdef void* more
        cdef int known
        if number >= self.kind_room:
            known = self.kind_room
            more = realloc(self.kind, 2 * number + 64)
            if more == NULL:
                raise MemoryError
            self.kind = <signed char*>more
            self.kind_room = 2 * number + 64
            while known < self.kind_room:
                self.kind[known] = -1
                known += 1
        if self.kind[number] < 0:
            name = self.relations.strings[number]
            self.kind[number] = (
                CONTENT if name in CONTENT_RELATIONS else FUNCTION if name in FUNCTION_RELATIONS else 0
            )
        return number

    cdef int features(self, const char* text, int length) except -1:
        """Return a number that two FEATS share exactly if their universal features are the same."""
        cdef int raw = self.raw_features.intern(text, length)
        cdef void* more
        cdef int known
        if raw >= self.canonical_room:
            known = self.canonical_room
            more = realloc(self.canonical_number, (2 * raw + 64) * sizeof(int32_t))
            if more == NULL:
                raise MemoryError
            self.canonical_number = <int32_t*>more
            self.canonical_room = 2 * raw + 64
            while known < self.canonical_room:
                self.canonical_number[known] = -1
                known += 1
        if self.canonical_number[raw] < 0:
            key = universal_features(self.raw_features.strings[raw])
            self.canonical_number[raw] = self.canonical.setdefault(key, len(self.canonical))
        return self.canonical_number[raw]
