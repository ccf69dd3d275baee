"""How multiword tokens are split: known forms first, then rules by ending or beginning.

``settings`` is plain data, made by multiword_rules.py: ``splits``, each a list of words [start, end, text] (the
characters start .. end of the token, then the text), and the number of the split of known ``forms``, ``suffixes`` and
``prefixes``; split 0 is none. The longest ending or beginning decides, unless there is a model that judges which
endings and beginnings to split: see multiword_guesses.pyx.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tokenizer.boundaries.boundaries cimport BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters cimport Characters, add, hash_of
from treewright.kinds.tokenizer.multiwords.multiword_guesses cimport LONGEST_AFFIX, Neighbours, SplitGuesser
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef enum:
    END = 0x7FFFFFFF         # of a piece: the end of the token
    CONTEXT = 0x110000       # after the hash of a form: it is not always split alike
    WEIGHT_ZERO = 1 << 24    # weights are kept as numbers above 0

cdef uint64_t FORM = 0x666F726D00000001ULL
cdef uint64_t SUFFIX = 0x7375666600000001ULL
cdef uint64_t PREFIX = 0x7072656600000001ULL


cdef inline uint64_t hash_end(
    uint64_t key, Characters text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t longest
) noexcept nogil:
    """Add the last characters of a token to a hash."""
    return hash_of(key, text, max(start, end - longest), end)


cdef class MultiwordTable:
    """Splits by the hash of lower-cased forms, endings and beginnings."""

    def __init__(self, settings, BoundaryModel model=None):
        """``model``: the tokeniser's, whose weights say which rules to follow, if the settings have ``guesses``."""
        self.settings = settings
        self.kept = []
        numbers = {}
        try:
            self._take_splits([[]] + [list(split) for split in settings["splits"][1:]])
            self._take(settings["forms"], FORM, False, numbers)
            self._take(settings["suffixes"], SUFFIX, True, numbers)
            self._take(settings["prefixes"], PREFIX, False, numbers)
            self._take_contexts(settings.get("contexts", {}))
            if "guesses" in settings and model is not None:
                self.guesser = SplitGuesser(settings["guesses"], settings["splits"], model)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelFileError(f"the model is damaged: its multiword tokens are invalid ({error})") from None
        make_room(&self.split_of, len(numbers))
        for key, number in numbers.items():
            add_number(&self.split_of, key, number)

    def __dealloc__(self):
        free(self.pieces)
        free(self.first)
        free(self.split_of.slots)
        free(self.weight_of.slots)

    def _take_splits(self, splits):
        cdef int n = 0, k, variant
        cdef bytes raw
        self.n_splits = len(splits)
        self.pieces = <Piece*>allocate_zeroed(sum(map(len, splits)) + 1, sizeof(Piece))
        self.first = <int32_t*>allocate_zeroed(self.n_splits + 1, sizeof(int32_t))
        for k, split in enumerate(splits):
            if k and len(split) < 2:
                raise ValueError("a split needs at least two words")
            for place, (start, end, text) in enumerate(split):
                self.pieces[n].start = start
                self.pieces[n].end = END if end is None else end
                capital = text[:1].upper() + text[1:] if place == 0 and start == end else text
                for variant, shown in enumerate((text, capital, text.upper())):
                    raw = shown.encode()
                    if b"\t" in raw or b"\n" in raw:
                        raise ValueError("a word contains a tab or the end of a line")
                    self.kept.append(raw)
                    self.pieces[n].text[variant] = raw
                    self.pieces[n].length[variant] = len(raw)
                    self.longest = max(self.longest, len(raw))
                n += 1
            self.first[k + 1] = n

    def _take(self, table, uint64_t seed, bint backwards, dict numbers):
        """Note the split of every text of a table, by its hash."""
        cdef Characters text
        cdef Py_ssize_t k
        cdef uint64_t key
        for form, number in table.items():
            if not 0 <= number < self.n_splits:
                raise ValueError("the number of a split is out of range")
            text = Characters(form.encode())
            key = seed
            for k in range(text.n):
                key = add(key, text.code[text.n - 1 - k if backwards else k])
            numbers[key or 1] = number

    def _take_contexts(self, contexts):
        """Note the weight of every feature of the context of a form."""
        cdef Characters text
        cdef uint64_t form_key
        weights = {}
        for form, features in contexts.items():
            text = Characters(form.encode())
            form_key = hash_of(FORM, text, 0, text.n)
            for feature, weight in features.items():
                if type(weight) is not int or not -WEIGHT_ZERO < weight < WEIGHT_ZERO:
                    raise ValueError("a weight is out of range")
                text = Characters(feature.encode())
                weights[hash_of(form_key, text, 0, text.n) or 1] = WEIGHT_ZERO + weight
            weights[add(form_key, CONTEXT) or 1] = WEIGHT_ZERO
        self.has_contexts = len(weights) > 0
        make_room(&self.weight_of, len(weights))
        for key, weight in weights.items():
            add_number(&self.weight_of, key, weight)

    cdef bint splits_here(self, uint64_t form, Characters text, const Neighbours* beside) noexcept nogil:
        """Say whether a form is split in its context; yes for forms that are always split alike."""
        cdef long score = 0
        if number_of(&self.weight_of, add(form, CONTEXT) or 1) < 0:
            return True
        score += self.weight(add(form, c'b'))
        score += self.weight(hash_end(add(form, c'p'), text, beside.before_start, beside.before_end, 1 << 30))
        score += self.weight(hash_end(add(form, c'n'), text, beside.after_start, beside.after_end, 1 << 30))
        score += self.weight(hash_end(add(form, c'q'), text, beside.before_start, beside.before_end, 3))
        score += self.weight(hash_end(add(form, c'm'), text, beside.after_start, beside.after_end, 3))
        score += self.weight(hash_end(add(form, c'r'), text, beside.before_start, beside.before_end, 2))
        score += self.weight(hash_end(add(form, c's'), text, beside.after_start, beside.after_end, 2))
        return score > 0

    cdef long weight(self, uint64_t key) noexcept nogil:
        cdef int found = number_of(&self.weight_of, key or 1)
        return found - WEIGHT_ZERO if found >= 0 else 0

    cdef int find(self, Characters text, Py_ssize_t start, Py_ssize_t end, const Neighbours* beside) noexcept nogil:
        """Return the split of a token; 0 where it is one word."""
        cdef uint64_t key = FORM
        cdef Py_ssize_t k, n = end - start
        cdef int split = 0, found
        if self.n_splits <= 1:
            return 0
        for k in range(n):
            key = add(key, text.code[start + k])
        found = number_of(&self.split_of, key)
        if found >= 0:
            if self.has_contexts and not self.splits_here(key, text, beside):
                return 0
            return found
        if self.guesser is not None:
            return self.guesser.guess(text, start, end, beside)
        # A rule looks at all but one character of the token at most.
        key = SUFFIX
        for k in range(min(n - 1, LONGEST_AFFIX)):
            key = add(key, text.code[end - 1 - k])
            found = number_of(&self.split_of, key)
            if found >= 0:
                split = found
        if split > 0:
            return split
        key = PREFIX
        for k in range(min(n - 1, LONGEST_AFFIX)):
            key = add(key, text.code[start + k])
            found = number_of(&self.split_of, key)
            if found >= 0:
                split = found
        return split
