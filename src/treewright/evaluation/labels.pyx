"""Number relations and features as the official scores compare them.

The official scorer removes the subtype of every relation and every feature outside a fixed list before it compares.
This module does both once per distinct string, so the loops compare integers.
"""
from libc.stdlib cimport free
from libc.string cimport memchr, memset

from treewright.treebank.memory cimport resize

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
    """One number per distinct label, shared by the two treebanks of an evaluation."""

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
        if number >= self.kind_room:
            self.kind = <signed char*>resize(self.kind, 2 * number + 64, 1)
            memset(self.kind + self.kind_room, -1, 2 * number + 64 - self.kind_room)
            self.kind_room = 2 * number + 64
        if self.kind[number] < 0:
            name = self.relations.strings[number]
            self.kind[number] = (
                CONTENT if name in CONTENT_RELATIONS else FUNCTION if name in FUNCTION_RELATIONS else 0
            )
        return number

    cdef int features(self, const char* text, int length) except -1:
        """Return a number that is equal for two FEATS if and only if their universal features are equal."""
        cdef int raw = self.raw_features.intern(text, length)
        cdef int known = self.canonical_room
        if raw >= known:
            self.canonical_number = <int32_t*>resize(self.canonical_number, 2 * raw + 64, sizeof(int32_t))
            self.canonical_room = 2 * raw + 64
            memset(self.canonical_number + known, -1, (self.canonical_room - known) * sizeof(int32_t))
        if self.canonical_number[raw] < 0:
            key = universal_features(self.raw_features.strings[raw])
            self.canonical_number[raw] = self.canonical.setdefault(key, len(self.canonical))
        return self.canonical_number[raw]
