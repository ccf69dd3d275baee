"""Changes to a tree that leave it a tree: other words, other phrases, other ways to write them."""

from __future__ import annotations

import random
import unicodedata

from treewright.kinds.pipeline.widening.facts import ARGUMENTS, NOUNS, Facts, final_stop, finite_verbs
from treewright.kinds.pipeline.widening.trees import Tree, below

OPEN = frozenset({"NOUN", "VERB", "ADJ", "PROPN", "ADV"})
FEWEST = 20  # words that can stand for each other
REPLACED = 0.7  # of the words, or phrases, that others can stand for
QUOTES = str.maketrans({"'": "’", "’": "'", '"': "“", "“": '"', "”": '"'})


def words(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """Other words of the same tags, with the same kinds of arguments: rare ones stand where frequent ones do."""
    children, layout = tree.children(), tree.layout
    for word in tree.words:
        others = facts.words.get(facts.place_of(tree, word, children), ())
        if tree.upos(word) in OPEN and len(others) >= FEWEST and dice.random() < REPLACED:
            form, lemma = dice.choice(others)
            if word == 0 and tree.form(0)[:1].isupper():
                form = form[:1].upper() + form[1:]
            tree = tree.with_values(word, {layout.form: form, layout.lemma: lemma})
    return tree


def phrases(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """Other noun phrases with the same relation, also for pronouns: "gave me" becomes "gave the children"."""
    arguments = [word for word in tree.words if tree.heads[word] == tree.root and tree.relation(word) in ARGUMENTS]
    for word in reversed(arguments):  # those before it keep their places
        found = facts.phrases.get(tree.rows[word][tree.layout.deprel], ())
        if found and dice.random() < REPLACED and _is_common(tree, word):
            other = dice.choice(found)
            agreeing = _agreeing(tree, word, other, facts)
            if agreeing is not None:
                tree = _with_phrase(agreeing, word, below(word, tree.children()), other)
    return tree


def _is_common(tree: Tree, word: int) -> bool:
    """Is a word a noun, or a pronoun that a noun can stand for?"""
    features = tree.features(word)
    return tree.upos(word) in NOUNS or (
        tree.upos(word) == "PRON" and features.get("PronType") in (None, "Prs", "Dem", "Ind")
    )


def _agreeing(tree: Tree, word: int, other: Tree, facts: Facts) -> Tree | None:
    """Return the tree if a phrase may stand for another: a subject has the verb's person and number, nouns have cases.

    A verb in the first or second person becomes one in the third where its form can be that: "you saw", "the girl saw".
    """
    old, new = tree.features(word), other.features(other.root)
    same = ["Case"] if tree.upos(word) in NOUNS else []
    if tree.relation(word) == "nsubj":
        if old.get("Person", "3") != "3":
            return _in_third_person(tree, new.get("Number", ""), facts)
        same += ["Number", "Gender"]
    agrees = all(old.get(name, new.get(name)) == new.get(name, old.get(name)) for name in same)
    return tree if agrees else None


def _in_third_person(tree: Tree, number: str, facts: Facts) -> Tree | None:
    """Return the tree with finite verbs of the third person, if the treebank has their forms as such."""
    for word in finite_verbs(tree, tree.root, tree.children()):
        tags = facts.third_person.get((*tree.word(word), tree.upos(word), number))
        if tags is None:
            return None
        tree = tree.with_values(word, tags)
    return tree


def _with_phrase(tree: Tree, word: int, old: list[int], other: Tree) -> Tree:
    if old != list(range(old[0], old[-1] + 1)) or old[-1] == len(tree.rows) - 1:
        return tree
    start, longer = old[0], len(other.rows) - len(old)
    moved = {each: each if each < start else each + longer for each in tree.words if each not in old}
    heads = [moved.get(head, head) for head in tree.heads]
    inside = [start + head if head >= 0 else heads[word] for head in other.heads]
    rows = [*tree.rows[:start], *other.rows, *tree.rows[old[-1] + 1 :]]
    made = Tree(tree.layout, rows, [*heads[:start], *inside, *heads[old[-1] + 1 :]])
    return made.begun_large() if start == 0 and tree.form(0)[:1].isupper() else made


def case(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """All in capitals, all small, or with a small letter at the start."""
    way = dice.choice((str.upper, str.lower, None))
    return tree.begun_small() if way is None else tree.with_forms(way)


def stops(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """Without its final stop, or with another that the treebank has."""
    stop = final_stop(tree)
    if stop is None or stop in tree.heads:
        return tree
    if dice.random() < 0.6:
        return Tree(tree.layout, tree.rows[:-1], tree.heads[:-1])
    return tree.with_stop(dice.choice(list(facts.stops.values())))


def typing(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """As people type: other quotes and apostrophes, no accents, or a letter too many."""
    way = dice.randrange(3)
    if way == 0:
        return tree.with_forms(lambda form: form.translate(QUOTES))
    if way == 1:
        return tree.with_forms(_without_accents)
    long = [word for word in tree.words if len(tree.form(word)) > 4 and tree.form(word).isalpha()]
    if not long:
        return tree
    word = dice.choice(long)
    form = tree.form(word)
    place = dice.randrange(1, len(form))
    return tree.with_values(word, {tree.layout.form: form[:place] + form[place - 1] + form[place:]})


def _without_accents(form: str) -> str:
    plain = "".join(letter for letter in unicodedata.normalize("NFD", form) if not unicodedata.combining(letter))
    return plain if plain.isascii() else form
