"""Fill in parts of relations that are copied from other words: ``obl:in`` for a word with a case marker *in*.

Enhanced UD writes prepositions, conjunctions and cases into relations. A parser that treats each as a separate relation
has hundreds to learn, many of them rare. Here such a relation becomes a pattern, ``obl:⟨case⟩``, that is filled in when
the graph is written: with the lemma of the word's first dependent with the relation ``case``. ``⟨…case⟩`` is the last
such dependent, ``⟨=Case⟩`` the case in FEATS; if the part before it is a marker that does not take that case, the case
that it takes most often. A marker of several words (*because of*) is written as its forms, joined
by ``_``. A conjunct without a marker takes the marker of its head conjunct; without a conjunction, that of the next
conjunct. If nothing is found, or what no relation may contain, the part is left out.
"""
from array import array
from unicodedata import category

from treewright.treebank.graphs.graph_signs import FILLED, FILLED_END, PATH

SIGNS_OF_WORDS = frozenset(("Ll", "Lm", "Lo", "Mn", "Mc", "Me"))
CASE = f"{FILLED}=Case{FILLED_END}"

cdef enum:
    MOST_STEPS = 8           # from conjunct to conjunct


cdef class RelationFillers:
    """Finds the text for parts of relations, one sentence at a time."""

    def __init__(self, names, cases=None):
        """``cases``: marker → the cases that it takes, the usual one first."""
        self.names = list(names)
        self.cases = {key.encode(): [case.encode() for case in found] for key, found in (cases or {}).items()}
        self.fitting = {}
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.is_conjunct = array("i", [*(name.split(":")[0] == "conj" for name in self.names), 0])
        self.is_fixed = array("i", [*(name.split(":")[0] == "fixed" for name in self.names), 0])

    def patterns_of(self, Block block, int sentence, graph):
        """Return the patterns of the relations of each word's arcs; a relation without a pattern stays as it is."""
        cdef SentenceArcs arcs = SentenceArcs()
        cdef int word
        arcs.begin(len(graph))
        for number, of_word in enumerate(graph, 1):
            for head, relation in of_word:
                arcs.add(head, number, self.numbers[relation])
        arcs.index()
        self.block, self.first_word, self.arcs = block, block.sentence_word[sentence], arcs
        found = []
        for word, of_word in enumerate(graph, 1):
            found.append([self._pattern(word, relation) if ":" in relation else relation for _, relation in of_word])
        return found

    def _pattern(self, int word, relation):
        before, path, last = relation.rpartition(PATH)
        base, *parts = last.split(":")
        candidates = None
        marker = b""
        for i, part in enumerate(parts):
            if candidates is None:
                candidates = self._candidates(word)
            text = part.encode("utf-8", "surrogateescape")
            if text in candidates:
                parts[i] = candidates[text]
            elif text == self.case_of(word, marker):
                parts[i] = CASE
            marker = text
        return before + path + ":".join([base, *parts])

    def _candidates(self, int word):
        """Return {text: placeholder} for everything that a part of a relation may be copied from."""
        cdef int at
        found = {}
        relations = [self.arcs.label[self.arcs.leaving[at]]
                     for at in range(self.arcs.first_out[word], self.arcs.first_out[word + 1])]
        relations += [self.numbers[name] for name in ("case", "mark", "cc") if name in self.numbers]
        for last in (False, True):
            for relation in dict.fromkeys(relations):
                text = self.of_dependent(word, relation, last)
                if text is not None:
                    found.setdefault(text, f"{FILLED}{'…' if last else ''}{self.names[relation]}{FILLED_END}")
        return found

    cdef bytes of_dependent(self, int word, int relation, bint last):
        """Return the text of a word's dependent with a relation, its own or shared with other conjuncts, or None."""
        cdef int at, i, child = self.dependent_by(word, relation, last), steps = 0, node = word, up
        while child == 0 and steps < MOST_STEPS:
            up = 0
            for at in range(self.arcs.first_in[node], self.arcs.first_in[node + 1]):
                i = self.arcs.arriving[at]
                if self.is_conjunct[self.arcs.label[i]] and up == 0:
                    up = self.arcs.head[i]
            if up == 0:
                break
            if steps == 0:
                for at in range(self.arcs.first_out[up], self.arcs.first_out[up + 1]):
                    i = self.arcs.leaving[at]
                    if child == 0 and self.arcs.dependent[i] > word and self.is_conjunct[self.arcs.label[i]]:
                        child = self.dependent_by(self.arcs.dependent[i], relation, last)
            if child == 0:
                child = self.dependent_by(up, relation, last)
            node = up
            steps += 1
        text = self.text_of(child) if child else None
        return text if text is None or self.fits(text) else None

    cdef int dependent_by(self, int word, int relation, bint last) noexcept:
        cdef int at, i, found = 0
        for at in range(self.arcs.first_out[word], self.arcs.first_out[word + 1]):
            i = self.arcs.leaving[at]
            if self.arcs.label[i] == relation and (found == 0 or last):
                found = self.arcs.dependent[i]
        return found

    cdef bytes text_of(self, int word):
        """Return the lemma of a word, or its form and those of the words attached to it as ``fixed``."""
        cdef int at, i, column = self.block.layout.form
        texts = []
        for at in range(self.arcs.first_out[word], self.arcs.first_out[word + 1]):
            i = self.arcs.leaving[at]
            if self.is_fixed[self.arcs.label[i]] and column >= 0:
                texts.append(self.block.value(self.first_word + self.arcs.dependent[i] - 1, column))
        if not texts and self.block.layout.lemma >= 0:
            column = self.block.layout.lemma
        if column < 0:
            return b""
        return b"_".join([self.block.value(self.first_word + word - 1, column), *texts]).lower()

    cdef bint fits(self, bytes text) except -1:
        """May a text be part of a relation, as UD has it: small letters with their marks, words joined by `_`?"""
        known = self.fitting.get(text)
        if known is None:
            parts = text.decode("utf-8", "replace").split("_")
            known = all(part and all(category(sign) in SIGNS_OF_WORDS for sign in part) for part in parts)
            self.fitting[text] = known
        return known

    cdef bytes case_of(self, int word, bytes marker):
        """Return the case in FEATS in lower case, or the usual one of a marker that does not take it; or None."""
        cdef bytes text, found = None
        if self.block.layout.feats >= 0:
            text = self.block.value(self.first_word + word - 1, self.block.layout.feats)
            for item in text.split(b"|"):
                key, _, value = item.partition(b"=")
                if key == b"Case":
                    found = value.lower()
                    break
        taken = self.cases.get(marker)
        return taken[0] if taken is not None and found not in taken else found
