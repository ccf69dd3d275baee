"""Tags and what they are made of.

A tag combines UPOS, XPOS and FEATS as seen in training, so the three always fit each other. Its score is the sum of the
scores of its components: its UPOS, its XPOS, its FEATS as a whole, and each single feature of FEATS. So weights for
``Number=Plur`` serve all tags that have it, however rare.

Tags and components are numbered in the order in which tags are given: further tags at the end change no number, and
training can go on from the weights of a trained tagger.

Some treebanks repeat FEATS in XPOS (the positional tags of Czech). Such XPOS are left out of what should be coarse, and
are a component only where UPOS and FEATS do not tell them.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

cdef enum:
    MOST_COMPONENTS = 64     # of one tag; further single features of FEATS are left out

MOST_COARSE = 100            # different XPOS up to which they count as coarse
NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
VERBAL = frozenset(("VERB", "AUX"))


def components_of(tag):
    """Return the components of a tag (UPOS, XPOS, FEATS)."""
    upos, xpos, feats = tag
    parts = [f"UPOS={upos}", f"XPOS={xpos}", f"FEATS={feats}"]
    if feats.count("|") > 0:
        parts.extend(dict.fromkeys(feats.split("|")))
    return parts[:MOST_COMPONENTS]


def coarse_columns(tags):
    """Return how many columns of a tag are coarse: UPOS, and XPOS unless they are many."""
    return 2 if len({tag[1] for tag in tags}) <= MOST_COARSE else 1


cdef class TagSet:
    """All tags of a tagger, as numbers."""

    def __cinit__(self):
        self.start = self.parts = NULL
        self.codes = NULL

    def __init__(self, tags, composed=()):
        """``composed``: tags that training never saw. Their FEATS as a whole could only lose weight and is left out."""
        cdef int i, k = 0
        composed = frozenset(composed)
        self.tags = [tuple(tag) for tag in tags]
        self.n_tags = len(self.tags)
        made = [components_of(tag) for tag in self.tags]
        varying = [len({tag[column] for tag in self.tags}) > 1 for column in range(3)]
        numbers, parts_of_speech = {}, {}
        n_coarse = coarse_columns(self.tags)
        xpos_of = {}
        for upos, xpos, feats in self.tags:
            xpos_of.setdefault((upos, feats), set()).add(xpos)
        for i, parts in enumerate(made):
            for part in parts:
                if i not in composed or part != parts[2]:
                    numbers.setdefault(part, len(numbers))
        self.components = list(numbers)
        self.n_components = len(numbers)
        self.start = <int32_t*>allocate_zeroed(self.n_tags + 2, sizeof(int32_t))
        self.parts = <int32_t*>allocate_zeroed(sum(map(len, made)) + 1, sizeof(int32_t))
        self.codes = <TagCodes*>allocate_zeroed(self.n_tags + 1, sizeof(TagCodes))
        for i, parts in enumerate(made):
            # A column with one value only carries no information.
            informs = [*varying]
            informs[1] = informs[1] and (n_coarse == 2 or len(xpos_of[self.tags[i][0], self.tags[i][2]]) > 1)
            informs[2] = informs[2] and i not in composed
            parts = [p for place, p in enumerate(parts) if place > 2 or informs[place]] or parts[:1]
            for part in sorted(numbers[part] for part in parts):
                self.parts[k] = part
                k += 1
            self.start[i + 1] = k
            upos, xpos, feats = self.tags[i]
            self.codes[i].whole = code(f"{upos}\t{xpos}\t{feats}")
            self.codes[i].coarse = code("\t".join(self.tags[i][:n_coarse]))
            self.codes[i].upos = code(upos)
            self.codes[i].pos = parts_of_speech.setdefault(upos, len(parts_of_speech))
            self.codes[i].nominal = upos in NOMINAL
            self.codes[i].verbal = upos in VERBAL
        self.codes[self.n_tags].whole = self.codes[self.n_tags].coarse = code("")

    def __dealloc__(self):
        free(self.start)
        free(self.parts)
        free(self.codes)

    def __len__(self):
        return self.n_tags

    def pos_of(self, int tag):
        """Return the number of a tag's UPOS."""
        return self.codes[tag].pos if 0 <= tag < self.n_tags else -1

    cdef int differences(self, int gold, int predicted, int32_t* plus, int32_t* minus) noexcept nogil:
        """Write the components that only one of two tags has, each list ended by -1."""
        cdef int a = self.start[gold], b = self.start[predicted], n = 0, m = 0
        while a < self.start[gold + 1] or b < self.start[predicted + 1]:
            if b == self.start[predicted + 1] or (a < self.start[gold + 1] and self.parts[a] < self.parts[b]):
                plus[n] = self.parts[a]
                n += 1
                a += 1
            elif a == self.start[gold + 1] or self.parts[b] < self.parts[a]:
                minus[m] = self.parts[b]
                m += 1
                b += 1
            else:
                a += 1
                b += 1
        plus[n] = minus[m] = -1
        return 0


cdef uint64_t code(str text):
    cdef bytes raw = text.encode("utf-8", "surrogateescape")
    return tw_hash(raw, len(raw), 0x7461677301ULL)


def code_of(str text):
    """Return a 64-bit number for a text, the same on every machine."""
    return code(text)
