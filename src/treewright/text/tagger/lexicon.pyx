"""The lexicon: which tags each known word may have.

Words with the same tags share a *class* (the "ambiguity class" of the tagging literature): its code is a feature of the
word and of its neighbours. A class is *closed* if its words were seen so often that no other tags need to be tried.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.text.key_numbers cimport add_number, make_room, number_of


cdef class Lexicon:
    """Classes of words, by the hash of their lower-cased form.

    Invariants, checked by ``_check``: ``class_start`` rises from 0 to the number of ``class_tags``, so that no class is
    empty; classes of words and tags of classes exist.
    """

    def __init__(self, keys, classes, class_start, class_tags, class_codes, closed, int n_tags):
        self.keys, self.classes, self.class_start = keys, classes, class_start
        self.class_tags, self.class_codes, self.closed = class_tags, class_codes, closed
        self._check(n_tags)
        self.start_view, self.tag_view = class_start, class_tags
        self.code_view, self.closed_view = class_codes, closed
        make_room(&self.class_of, len(keys))
        for key, number in zip(keys, classes):
            add_number(&self.class_of, key, number)

    def _check(self, int n_tags):
        """Reject inconsistent arrays: a model file may be damaged."""
        n_classes = len(self.class_codes)
        starts = list(self.class_start)
        if not (
            len(self.keys) == len(self.classes) and 0 not in set(self.keys)
            and len(starts) == n_classes + 1 and len(self.closed) == n_classes
            and starts[0] == 0 and starts[n_classes] == len(self.class_tags)
            and all(a < b for a, b in zip(starts, starts[1:]))
            and max(self.classes, default=0) < max(n_classes, 1)
            and min(self.class_tags, default=0) >= 0 and max(self.class_tags, default=0) < max(n_tags, 1)
        ):
            raise ModelFileError("the model is damaged: the tagger's lexicon is inconsistent")

    def __dealloc__(self):
        free(self.class_of.slots)

    def __len__(self):
        return len(self.keys)

    cdef void look_up(self, uint64_t key, int32_t* entry, uint64_t* ambiguity) noexcept nogil:
        """Find the class of a form; leave both values alone if it is unknown."""
        cdef int32_t found = number_of(&self.class_of, key)
        if found >= 0:
            entry[0], ambiguity[0] = found, self.code_view[found]
