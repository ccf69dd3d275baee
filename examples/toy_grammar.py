"""A hand-written grammar for small English sentences, with trees in the style of UD.

Every rule returns a ``Phrase``: words in order, one of which heads the others. Rules choose with
the random numbers they are given and with nothing else, so that a seed decides everything. Of
Python's random numbers only ``random()`` is promised to stay the same from version to version; no
other is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import toy_words as lexicon

Thing = TypeVar("Thing")
Verbs = dict[str, tuple[str, str, str]]

PAST = "Mood=Ind|Tense=Past|VerbForm=Fin"
PLURAL = "Mood=Ind|Tense=Pres|VerbForm=Fin"
SINGULAR = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"


@dataclass(eq=False)
class Word:
    """A word that knows its head itself; numbers come when the sentence is complete."""

    form: str
    lemma: str
    upos: str
    feats: str = "_"
    head: Word | None = None
    deprel: str = "root"
    glued: bool = False  # no space after it


@dataclass
class Phrase:
    """Words in order, and the one that heads them."""

    words: list[Word]
    head: Word
    plural: bool = False
    extraposable: list[Word] = field(default_factory=list)  # may move behind the verb

    def attach(self, head: Word, deprel: str) -> Phrase:
        """Hang the phrase on a word."""
        self.head.head, self.head.deprel = head, deprel
        return self


class Grammar:
    """Sentences at random; one object per treebank."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def draw(self) -> float:
        """Return a number from 0 to 100."""
        return 100 * self.random.random()

    def chance(self, percent: int) -> bool:
        """Return true with this probability, in percent."""
        return self.draw() < percent

    def one_of(self, things: Iterable[Thing]) -> Thing:
        """Choose one."""
        listed = list(things)
        return listed[int(self.random.random() * len(listed))]

    # Noun phrases

    def noun_phrase(self, role: str = "subject", depth: int = 0) -> Phrase:
        """Return a noun phrase for a subject or an object."""
        draw = self.draw()
        if draw < 16:
            return self.pronoun(role)
        if draw < 28:
            name = self.one_of(lexicon.NAMES)
            head = Word(name, name, "PROPN", "Number=Sing")
            return Phrase([head], head)
        if draw < 36 and depth == 0:
            return self.coordinated(role)
        return self.common(role, depth)

    def pronoun(self, role: str) -> Phrase:
        """Return he, him, she, …"""
        lemma = self.one_of(lexicon.PRONOUNS)
        accusative, feats = lexicon.PRONOUNS[lemma]
        form, case = (lemma, "Nom") if role == "subject" else (accusative, "Acc")
        head = Word(form, lemma, "PRON", f"Case={case}|{feats}")
        return Phrase([head], head, plural="Plur" in feats)

    def common(self, role: str, depth: int) -> Phrase:
        """Return determiner, adjectives, noun, and perhaps what follows a noun."""
        if role == "object" and self.chance(12):
            mass = self.one_of(lexicon.MASS)
            head = Word(mass, mass, "NOUN", "Number=Sing")
            return Phrase([head], head)
        nouns = self.nouns(role)
        lemma = self.one_of(nouns)
        plural = self.chance(35)
        head = Word(
            nouns[lemma] if plural else lemma,
            lemma,
            "NOUN",
            f"Number={'Plur' if plural else 'Sing'}",
        )
        words: list[Word] = []
        adjectives = self.adjectives(head)
        if plural and self.chance(25):
            number = self.one_of(lexicon.NUMBERS)
            words.append(Word(number, number, "NUM", "NumType=Card", head, "nummod"))
        elif not plural or self.chance(60):
            words.append(self.determiner(head, plural, (adjectives or [head])[0].form))
        words += [*adjectives, head]
        phrase = Phrase(words, head, plural)
        if depth < 2 and self.chance(18):
            phrase.words += self.prepositional(depth + 1).attach(head, "nmod").words
        elif depth == 0 and self.chance(12):
            clause = self.relative_clause(head, plural, nouns is lexicon.THINGS)
            phrase.words += clause
            phrase.extraposable = clause
        return phrase

    def nouns(self, role: str) -> dict[str, str]:
        """Choose a kind of noun: subjects are mostly alive, objects mostly not."""
        if role == "subject":
            return lexicon.PEOPLE if self.chance(65) else lexicon.ANIMALS
        if role == "place":
            return lexicon.PLACES
        return lexicon.THINGS if self.chance(70) else lexicon.ANIMALS

    def determiner(self, head: Word, plural: bool, following: str) -> Word:
        """Return the, this, my, a, …"""
        draw = self.draw()
        if draw < 55:
            return Word("the", "the", "DET", "Definite=Def|PronType=Art", head, "det")
        if draw < 65:
            form = "these" if plural else "this"
            number = "Plur" if plural else "Sing"
            return Word(form, "this", "DET", f"Number={number}|PronType=Dem", head, "det")
        if draw < 75:
            form = self.one_of(("my", "her", "their"))
            lemma = {"my": "I", "her": "she", "their": "they"}[form]
            feats = "Case=Gen|Poss=Yes|PronType=Prs"
            return Word(form, lemma, "PRON", feats, head, "nmod:poss")
        if plural:
            return Word("some", "some", "DET", "PronType=Ind", head, "det")
        form = "an" if following[0] in "aeiou" else "a"
        return Word(form, "a", "DET", "Definite=Ind|PronType=Art", head, "det")

    def adjectives(self, head: Word) -> list[Word]:
        """Return up to two adjectives, the first perhaps with a degree."""
        words: list[Word] = []
        count = 2 if self.chance(8) else 1 if self.chance(35) else 0
        for adjective in sorted({self.one_of(lexicon.ADJECTIVES) for _ in range(count)}):
            word = Word(adjective, adjective, "ADJ", "Degree=Pos", head, "amod")
            if not words and self.chance(20):
                degree = self.one_of(lexicon.DEGREES)
                words.append(Word(degree, degree, "ADV", "_", word, "advmod"))
            words.append(word)
        return words

    def coordinated(self, role: str) -> Phrase:
        """Return two or three noun phrases with and."""
        first = self.common(role, depth=2)
        words = list(first.words)
        others = [self.common(role, depth=2) for _ in range(2 if self.chance(25) else 1)]
        for place, other in enumerate(others):
            other.attach(first.head, "conj")
            if place == len(others) - 1:
                words.append(Word("and", "and", "CCONJ", "_", other.head, "cc"))
            else:
                words[-1].glued = True
                words.append(Word(",", ",", "PUNCT", "_", other.head, "punct"))
            words += other.words
        return Phrase(words, first.head, plural=True)

    def prepositional(self, depth: int = 0) -> Phrase:
        """Return a preposition with its noun phrase, headed by the noun."""
        if depth == 0 and self.chance(25):
            time = self.one_of(lexicon.TIMES)
            head = Word(time, time, "NOUN", "Number=Sing")
            article = Word("the", "the", "DET", "Definite=Def|PronType=Art", head, "det")
            return Phrase([Word("in", "in", "ADP", "_", head, "case"), article, head], head)
        phrase = self.common("place", max(depth, 1))
        preposition = self.one_of(lexicon.PREPOSITIONS)
        case = Word(preposition, preposition, "ADP", "_", phrase.head, "case")
        return Phrase([case, *phrase.words], phrase.head)

    def relative_clause(self, noun: Word, plural: bool, thing: bool) -> list[Word]:
        """Return who laughed, that the girl found, …"""
        pronoun = Word("that" if thing or self.chance(40) else "who", "", "PRON", "PronType=Rel")
        pronoun.lemma = pronoun.form
        if thing or self.chance(40):
            subject = self.noun_phrase("subject", depth=2)
            verb = self.finite(lexicon.TRANSITIVE, subject.plural)
            subject.attach(verb, "nsubj")
            pronoun.head, pronoun.deprel = verb, "obj"
            words = [pronoun, *subject.words, verb]
        else:
            verb = self.finite(lexicon.INTRANSITIVE, plural)
            pronoun.head, pronoun.deprel = verb, "nsubj"
            words = [pronoun, verb]
        verb.head, verb.deprel = noun, "acl:relcl"
        return words

    # Verbs

    def finite(self, verbs: Verbs, plural: bool) -> Word:
        """Return a verb in the past, or in the present that agrees with its subject."""
        lemma = self.one_of(verbs)
        third, past, _ = verbs[lemma]
        if self.chance(70):
            return Word(past, lemma, "VERB", PAST)
        form, feats = (lemma, PLURAL) if plural else (third, SINGULAR)
        return Word(form, lemma, "VERB", feats)

    def verb_group(self, verbs: Verbs, plural: bool) -> tuple[list[Word], Word]:
        """Return a verb with the auxiliaries and the negation before it."""
        draw = self.draw()
        if draw < 70:
            verb = self.finite(verbs, plural)
            return [verb], verb
        lemma = self.one_of(verbs)
        words: list[Word] = []
        if draw < 85:
            verb = Word(lemma, lemma, "VERB", "VerbForm=Inf")
            modal = self.one_of(lexicon.MODALS)
            words.append(Word(modal, modal, "AUX", "VerbForm=Fin", verb, "aux"))
        elif draw < 93:
            verb = Word(verbs[lemma][2], lemma, "VERB", "Tense=Past|VerbForm=Part")
            form, feats = ("have", PLURAL) if plural else ("has", SINGULAR)
            words.append(Word(form, "have", "AUX", feats, verb, "aux"))
        else:
            verb = Word(lemma, lemma, "VERB", "VerbForm=Inf")
            words.append(Word("did", "do", "AUX", PAST, verb, "aux"))
            words.append(Word("not", "not", "PART", "Polarity=Neg", verb, "advmod"))
            return [*words, verb], verb
        if self.chance(15):
            words.append(Word("not", "not", "PART", "Polarity=Neg", verb, "advmod"))
        return [*words, verb], verb

    # Clauses

    def clause(self, depth: int = 0) -> Phrase:
        """Return a clause, headed by its verb or predicate."""
        subject = self.noun_phrase("subject", depth)
        rules = [self.intransitive, self.transitive, self.transitive, self.ditransitive]
        rules += [self.copular, self.passive]
        rules += [self.reporting, self.control] if depth == 0 else []
        predicate = self.one_of(rules)(subject)
        passive = "Voice=Pass" in predicate.head.feats
        subject.attach(predicate.head, "nsubj:pass" if passive else "nsubj")
        words = [*subject.words, *predicate.words]
        return Phrase(words, predicate.head, extraposable=subject.extraposable)

    def intransitive(self, subject: Phrase) -> Phrase:
        """Return laughed quietly in the garden."""
        words, verb = self.verb_group(lexicon.INTRANSITIVE, subject.plural)
        return Phrase([*words, *self.adjuncts(verb, often=60)], verb)

    def transitive(self, subject: Phrase) -> Phrase:
        """Return found the letter."""
        words, verb = self.verb_group(lexicon.TRANSITIVE, subject.plural)
        thing = self.noun_phrase("object", depth=1).attach(verb, "obj")
        return Phrase([*words, *thing.words, *self.adjuncts(verb, often=35)], verb)

    def ditransitive(self, subject: Phrase) -> Phrase:
        """Return gave the girl a book, or gave a book to the girl."""
        words, verb = self.verb_group(lexicon.DITRANSITIVE, subject.plural)
        person = self.common("subject", depth=2) if self.chance(70) else self.pronoun("object")
        thing = self.common("object", depth=2).attach(verb, "obj")
        if self.chance(50):
            person.attach(verb, "iobj")
            return Phrase([*words, *person.words, *thing.words], verb)
        person.attach(verb, "obl")
        to = Word("to", "to", "ADP", "_", person.head, "case")
        return Phrase([*words, *thing.words, to, *person.words], verb)

    def copular(self, subject: Phrase) -> Phrase:
        """Return is very happy, or was a teacher."""
        past = self.chance(60)
        form = ("were" if past else "are") if subject.plural else ("was" if past else "is")
        if subject.plural or self.chance(65):
            adjective = self.one_of(lexicon.ADJECTIVES)
            head = Word(adjective, adjective, "ADJ", "Degree=Pos")
            words = [head]
            if self.chance(35):
                degree = self.one_of(lexicon.DEGREES)
                words.insert(0, Word(degree, degree, "ADV", "_", head, "advmod"))
        else:
            phrase = self.common("subject", depth=2)
            words, head = phrase.words, phrase.head
        feats = PAST if past else PLURAL if subject.plural else SINGULAR
        return Phrase([Word(form, "be", "AUX", feats, head, "cop"), *words], head)

    def passive(self, subject: Phrase) -> Phrase:
        """Return was seen by the farmer."""
        lemma = self.one_of(lexicon.TRANSITIVE)
        participle = lexicon.TRANSITIVE[lemma][2]
        verb = Word(participle, lemma, "VERB", "Tense=Past|VerbForm=Part|Voice=Pass")
        form = "were" if subject.plural else "was"
        words = [Word(form, "be", "AUX", PAST, verb, "aux:pass"), verb]
        if self.chance(55):
            agent = self.common("subject", depth=2).attach(verb, "obl:agent")
            words += [Word("by", "by", "ADP", "_", agent.head, "case"), *agent.words]
        return Phrase(words, verb)

    def reporting(self, subject: Phrase) -> Phrase:
        """Return said that the boat was old."""
        words, verb = self.verb_group(lexicon.REPORTING, subject.plural)
        clause = self.clause(depth=1).attach(verb, "ccomp")
        if self.chance(70):
            words = [*words, Word("that", "that", "SCONJ", "_", clause.head, "mark")]
        return Phrase([*words, *clause.words], verb)

    def control(self, subject: Phrase) -> Phrase:
        """Return wanted to sell the horse."""
        words, verb = self.verb_group(lexicon.CONTROL, subject.plural)
        lemma = self.one_of(lexicon.TRANSITIVE)
        infinitive = Word(lemma, lemma, "VERB", "VerbForm=Inf", verb, "xcomp")
        to = Word("to", "to", "PART", "_", infinitive, "mark")
        thing = self.noun_phrase("object", depth=1).attach(infinitive, "obj")
        return Phrase([*words, to, infinitive, *thing.words], verb)

    def adjuncts(self, verb: Word, often: int) -> list[Word]:
        """Return an adverb or a prepositional phrase, or both, or nothing."""
        words: list[Word] = []
        if self.chance(often // 2):
            manner = self.one_of(lexicon.MANNER)
            words.append(Word(manner, manner, "ADV", "_", verb, "advmod"))
        if self.chance(often):
            words += self.prepositional().attach(verb, "obl").words
        return words

    # Sentences

    def sentence(self) -> list[Word]:
        """Return a whole sentence with its full stop."""
        main = self.clause()
        words = list(main.words)
        if main.extraposable and self.chance(30):
            words = _extraposed(main)
        draw = self.draw()
        if draw < 12:
            words = self.with_adverbial_clause(main.head, words)
        elif draw < 24:
            other = self.clause(depth=1).attach(main.head, "conj")
            words[-1].glued = True
            conjunction = self.one_of(lexicon.CONJUNCTIONS)
            words.append(Word(",", ",", "PUNCT", "_", other.head, "punct"))
            words.append(Word(conjunction, conjunction, "CCONJ", "_", other.head, "cc"))
            words += other.words
        elif draw < 30:
            phrase = self.prepositional().attach(main.head, "obl")
            phrase.words[-1].glued = True
            words = [*phrase.words, Word(",", ",", "PUNCT", "_", main.head, "punct"), *words]
        elif draw < 36:
            words = self.question()
        return self.finished(words)

    def with_adverbial_clause(self, head: Word, words: list[Word]) -> list[Word]:
        """Put a clause with when or because before or behind the main clause."""
        clause = self.clause(depth=1).attach(head, "advcl")
        mark = self.one_of(lexicon.MARKS)
        clause.words.insert(0, Word(mark, mark, "SCONJ", "_", clause.head, "mark"))
        if self.chance(50):
            return [*words, *clause.words]
        clause.words[-1].glued = True
        return [*clause.words, Word(",", ",", "PUNCT", "_", head, "punct"), *words]

    def question(self) -> list[Word]:
        """Return what did the girl say that the baker found: what is far from its verb."""
        subject = self.noun_phrase("subject", depth=2)
        lemma = self.one_of(lexicon.TRANSITIVE)
        verb = Word(lemma, lemma, "VERB", "VerbForm=Inf")
        if self.chance(60):
            report = self.one_of(lexicon.REPORTING)
            main = Word(report, report, "VERB", "VerbForm=Inf")
            inner = self.noun_phrase("subject", depth=2)
            verb = self.finite(lexicon.TRANSITIVE, inner.plural)
            verb.head, verb.deprel = main, "ccomp"
            inner.attach(verb, "nsubj")
            tail = [main, *inner.words, verb]
        else:
            main = verb
            tail = [verb]
        what = Word("what", "what", "PRON", "PronType=Int", verb, "obj")
        did = Word("did", "do", "AUX", PAST, main, "aux")
        subject.attach(main, "nsubj")
        return [what, did, *subject.words, *tail]

    def finished(self, words: list[Word]) -> list[Word]:
        """Add the last mark and the first capital."""
        root = next(word for word in words if word.head is None)
        words[-1].glued = True
        mark = "?" if words[0].form == "what" else "!" if self.chance(6) else "."
        words.append(Word(mark, mark, "PUNCT", "_", root, "punct"))
        words[0].form = words[0].form[0].upper() + words[0].form[1:]
        return words


def _extraposed(clause: Phrase) -> list[Word]:
    """Move what follows the subject's noun to the end: the shepherd was asleep who sang."""
    moved = clause.extraposable
    return [word for word in clause.words if word not in moved] + moved
