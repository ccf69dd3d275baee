"""What a treebank says that changes to its trees need: words by their tags, phrases by their relation, final stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from treewright.kinds.pipeline.widening.trees import Tree, Word, below

FRAME = frozenset({"obj", "iobj", "xcomp", "ccomp", "csubj", "expl", "compound"})  # of a word, which another must share
ARGUMENTS = frozenset({"nsubj", "obj", "iobj"})
NOUNS = frozenset({"NOUN", "PROPN"})
VERBS = frozenset({"VERB", "AUX"})
ASKING_OF = {"ADJ": ("advmod",), "NOUN": ("det", "nmod")}  # how words ask of others
RARE_STOP = 0.005  # of all sentences
LONGEST_PHRASE = 4
INVERSIONS = 10  # that a treebank must have to be one that inverts

Row = Sequence[str]


class Facts:
    """What trees of a treebank have in common."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        words: dict[tuple[object, ...], dict[Word, None]] = {}
        self.phrases: dict[str, list[Tree]] = {}
        #: tags of verbs in the third person, by form, lemma, UPOS and number: the columns to set
        self.third_person: dict[tuple[str, str, str, str], dict[int, str]] = {}
        stops: dict[str, Sequence[str]] = {}
        #: words that begin questions: predicates before a copula, adverbs and objects before an auxiliary
        self.asked, self.asking, self.objects = list[Row](), list[Row](), list[Row]()
        #: words that ask of the word behind them, by its part of speech: "how old", "which coat"
        self.of_predicates: dict[str, list[Row]] = {}
        counts: Counter[str] = Counter()
        asked: Counter[bool] = Counter()
        stated: Counter[bool] = Counter()
        for tree in trees:
            children = tree.children()
            for word in tree.words:
                form = tree.form(word)
                if word or not form[:1].isupper():
                    words.setdefault(self.place_of(tree, word, children), {})[tree.word(word)] = None
                self._add_verb(tree, word, children)
                after = tree.heads[word]
                if (
                    after == word + 1
                    and is_asking(tree, word)
                    and tree.relation(word) in ASKING_OF.get(tree.upos(after), ())
                ):
                    self.of_predicates.setdefault(tree.upos(after), []).append(tree.rows[word])
                if tree.relation(word) in ARGUMENTS and tree.upos(word) in NOUNS:
                    self._add_phrase(tree, below(word, children))
            stop = final_stop(tree)
            if stop is not None:
                form = tree.form(stop)
                counts[form] += 1
                stops.setdefault(form, tree.rows[stop])
                first = first_auxiliary(tree, children)
                if first == 1 and form == "?" and is_asking(tree, 0):
                    self._add_asking(tree)
                subjects = [word for word in children.get(tree.root, ()) if tree.relation(word) == "nsubj"]
                if first is not None and subjects:
                    (asked if form == "?" else stated)[first < subjects[0]] += 1
        self.words = {place: list(found) for place, found in words.items()}
        #: are relations those of Universal Dependencies, so that it is known which words a part needs?
        self.is_universal = bool(self.phrases)
        least = RARE_STOP * sum(counts.values())
        self.stops = {form: stops[form] for form, count in counts.most_common() if count >= least}
        self.stop = next(iter(self.stops), "")
        self.question = stops.get("?")
        #: do auxiliaries stand before the subject in questions, and after it elsewhere?
        self.inverts = asked[True] >= max(INVERSIONS, asked[False]) and stated[False] > 4 * stated[True]

    @staticmethod
    def place_of(tree: Tree, word: int, children: dict[int, list[int]]) -> tuple[object, ...]:
        """Return what words must share to stand for each other: tags, and which arguments they have."""
        return *tree.tags(word), frozenset(tree.relation(each) for each in children.get(word, ())) & FRAME

    def _add_asking(self, tree: Tree) -> None:
        """Note the word that begins a question."""
        kinds = {"advmod": self.asking, "obj": self.objects}
        found = self.asked if tree.root == 0 else kinds.get(tree.relation(0))
        if found is not None:
            found.append(tree.rows[0])

    def _add_verb(self, tree: Tree, word: int, children: dict[int, list[int]]) -> None:
        """Note a verb that says that it is in the third person, and verbs whose subject is a noun."""
        if tree.upos(word) in VERBS and tree.features(word).get("Person") == "3":
            self._add_third_person(tree, word, tree.features(word).get("Number", ""))
        if tree.relation(word) == "nsubj" and tree.upos(word) in NOUNS:
            for verb in finite_verbs(tree, tree.heads[word], children):
                self._add_third_person(tree, verb, tree.features(word).get("Number", ""))

    def _add_third_person(self, tree: Tree, verb: int, number: str) -> None:
        row, layout = tree.rows[verb], tree.layout
        tags = {place: row[place] for place in (layout.xpos, layout.feats) if place >= 0}
        self.third_person.setdefault((*tree.word(verb), tree.upos(verb), number), tags)

    def _add_phrase(self, tree: Tree, words: Sequence[int]) -> None:
        head = next(word for word in words if tree.heads[word] not in words)
        if len(words) <= LONGEST_PHRASE and all(tree.upos(word) != "PUNCT" for word in words):
            relation = tree.rows[head][tree.layout.deprel]
            phrase = tree.in_order(words, head).with_values(words.index(head), {tree.layout.deprel: relation})
            self.phrases.setdefault(relation, []).append(phrase if words[0] else phrase.begun_small())


def final_stop(tree: Tree) -> int | None:
    """Return the punctuation at the end of a tree, if there is some."""
    last = len(tree.rows) - 1
    return last if last > 0 and tree.relation(last) == "punct" else None


def first_auxiliary(tree: Tree, children: dict[int, list[int]]) -> int | None:
    """Return the first auxiliary or copula of the root."""
    return next((word for word in children.get(tree.root, ()) if tree.relation(word) in ("aux", "cop")), None)


def finite_verbs(tree: Tree, word: int, children: dict[int, list[int]]) -> list[int]:
    """Return the verbs of a clause that may be finite: the word that it hangs on, its auxiliaries and copula."""
    beside = [each for each in children.get(word, ()) if tree.relation(each) in ("aux", "cop")]
    verbs = [each for each in (word, *beside) if tree.upos(each) in VERBS]
    return [each for each in verbs if tree.features(each).get("VerbForm", "Fin") == "Fin"]


def is_asking(tree: Tree, word: int) -> bool:
    """Is a word one of those that ask?"""
    return tree.features(word).get("PronType") == "Int"
