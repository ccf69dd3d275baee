"""Parts of a tree that are sentences themselves.

What people write to be read has few sentences of two or three words: a model trained on it takes "Dogs bark." for a
noun phrase. Clauses without most of their modifiers make sentences by themselves (Şahin & Steedman 2018 call it
cropping).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from treewright.kinds.pipeline.widening.facts import NOUNS, Facts, Row, final_stop, first_auxiliary, is_asking
from treewright.kinds.pipeline.widening.trees import Tree, below

KEPT = frozenset(
    {"nsubj", "csubj", "obj", "iobj", "xcomp", "expl", "aux", "cop", "det", "case", "clf", "nummod", "compound", "flat"}
    | {"fixed", "goeswith"}
)
SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
LINKS = frozenset({"mark", "cc"})  # that bind a clause to another
CLAUSES = frozenset({"conj", "ccomp", "advcl", "parataxis"})
ASKERS = ("Int", "Rel")  # PronType of what asks, and of what relates
FEWEST, MOST = 2, 11  # words of a part
ASKING = 0.5  # of questions, without a word that asks
#: how often other dependents stay, by the number of their words
STAYS = (0.0, 0.25, 0.25, 0.25, 0.1, 0.1)


def whole(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """The sentence itself, to be changed."""
    if len(tree.rows) <= 2 * MOST:
        yield tree


def pruned(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """The sentence with its subject, objects and few modifiers: statements, questions, commands."""
    for part in _shortened(tree, dice):
        if len(part.rows) < len(tree.rows):
            yield part


def clauses(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Clauses within the sentence that have a subject and a finite verb, as sentences: pruned in the same way."""
    stop = final_stop(tree)
    if stop is None or tree.form(stop) != facts.stop:
        return
    children = tree.children()
    for word in tree.words:
        if tree.relation(word) in CLAUSES and _has_subject(tree, word, children) and _is_finite(tree, word, children):
            words = _pruned(tree, word, children, dice)
            if FEWEST <= len(words) < MOST:
                yield _sentence(tree, words, word, stop)


def bare(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Clauses whose finite verb has no auxiliary, as sentences of the verb, its subject and its objects alone."""
    children, stop = tree.children(), final_stop(tree)
    for word in tree.words:
        if stop is not None and tree.upos(word) == "VERB" and _stands_alone(tree, word, children):
            words = _pruned(tree, word, children, dice, bare=True)
            if FEWEST <= len(words) < MOST and not any(tree.relation(each) in ("aux", "cop") for each in words):
                yield _sentence(tree, words, word, stop)


def questions(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Questions, pruned, and statements made questions as the treebank does it: the auxiliary before the subject."""
    if facts.inverts and facts.question is not None:
        stop = final_stop(tree)
        if stop is not None and tree.form(stop) == "?":
            yield from _shortened(tree, dice)
        for part in (*_shortened(tree, dice), *clauses(tree, facts, dice)):
            asked = _inverted(part, facts)
            if asked is not None:
                yield _with_asking(asked, facts, dice)
                yield from _asked_of_predicate(part, facts, dice)
    yield from _asked_for_predicate(tree, facts, dice)


def fragments(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Noun phrases by themselves, as in headings and lists."""
    children = tree.children()
    for word in tree.words:
        if tree.upos(word) in NOUNS and tree.relation(word) in ("nsubj", "obj"):
            adpositions = [each for each in children.get(word, ()) if tree.relation(each) == "case"]
            words = [each for each in _pruned(tree, word, children, dice) if each not in adpositions]
            if FEWEST <= len(words) < MOST:
                yield _sentence(tree, words, word, final_stop(tree) if dice.random() < 0.5 else None)


def _shortened(tree: Tree, dice: random.Random) -> Iterator[Tree]:
    words = _pruned(tree, tree.root, tree.children(), dice)
    if FEWEST <= len(words) < MOST:
        yield _sentence(tree, words, tree.root, final_stop(tree))


def _pruned(
    tree: Tree, word: int, children: dict[int, list[int]], dice: random.Random, bare: bool = False
) -> list[int]:
    """Return a word with what it cannot do without, and with some of its modifiers; of a bare verb none stays."""
    kept = [word]
    for head in kept:
        for each in children.get(head, ()):
            needed = tree.relation(each) in KEPT or not bare or head != word
            if needed and _stays(tree, each, head == word, children, dice):
                kept.append(each)
    return sorted(kept)


def _stays(tree: Tree, word: int, is_top: bool, children: dict[int, list[int]], dice: random.Random) -> bool:
    relation, features = tree.relation(word), tree.features(word)
    if relation == "punct":  # commas of a coordination
        return not is_top and tree.relation(tree.heads[word]) == "conj" and word < tree.heads[word]
    if relation in LINKS:
        return not is_top
    if relation in KEPT or tree.rows[word][tree.layout.deprel] == "nmod:poss" or features.get("Polarity") == "Neg":
        return True
    size = len(below(word, children))
    return features.get("PronType") == "Int" or (size < len(STAYS) and dice.random() < STAYS[size])


def _has_subject(tree: Tree, word: int, children: dict[int, list[int]]) -> bool:
    found = [each for each in children.get(word, ()) if tree.relation(each) in SUBJECTS]
    return bool(found) and all(tree.features(each).get("PronType") not in ASKERS for each in found)


def _stands_alone(tree: Tree, word: int, children: dict[int, list[int]]) -> bool:
    """Is a verb finite, and has it a subject, or can it do without one, as the root of a command?"""
    features = tree.features(word)
    if features.get("VerbForm", "Fin") != "Fin":
        return False
    if tree.relation(word) == "root" and features.get("Mood") == "Imp":
        return True
    return tree.relation(word) in CLAUSES | {"root"} and _has_subject(tree, word, children)


def _is_finite(tree: Tree, word: int, children: dict[int, list[int]]) -> bool:
    """Is a clause's verb finite? Where nothing is said of verbs, it is."""
    verbs = [word, *(each for each in children.get(word, ()) if tree.relation(each) in ("aux", "cop"))]
    forms = {tree.features(verb).get("VerbForm") for verb in verbs} - {None}
    return not forms or "Fin" in forms


def _sentence(tree: Tree, words: list[int], root: int, stop: int | None) -> Tree:
    """Return words as a sentence, which begins large if the one that it is from does."""
    order = words if stop is None or stop in words else [*words, stop]
    part = tree.in_order(order, root)
    return part.begun_large() if tree.form(0)[:1].isupper() else part


def _inverted(tree: Tree, facts: Facts) -> Tree | None:
    """Return a statement as a question, if its subject stands first and an auxiliary that can go before it follows."""
    children, root, stop = tree.children(), tree.root, final_stop(tree)
    auxiliary = first_auxiliary(tree, children)
    subject = next((word for word in children.get(root, ()) if tree.relation(word) == "nsubj"), None)
    if stop is None or facts.question is None or auxiliary is None or subject is None or auxiliary < subject:
        return None
    follows = auxiliary + 1
    if below(subject, children)[0] != 0 or not tree.form(auxiliary).isalpha():
        return None
    if follows in tree.words and tree.features(follows).get("Polarity") == "Neg":
        return None
    large = tree.form(0)[:1].isupper()
    order = [auxiliary, *(word for word in tree.words if word not in (auxiliary, stop)), stop]
    asked = tree.begun_small().in_order(order, root).with_stop(facts.question)
    return asked.begun_large() if large else asked


def _with_asking(tree: Tree, facts: Facts, dice: random.Random) -> Tree:
    """Return a question, or one with a word that asks: "Will he come?", "When will he come?", "What will he do?"."""
    if tree.upos(tree.root) != "VERB" or dice.random() < ASKING or any(is_asking(tree, word) for word in tree.words):
        return tree
    children = tree.children()
    objects = [word for word in children.get(tree.root, ()) if tree.relation(word) == "obj"]
    asking = facts.asking
    if objects and facts.objects and dice.random() < ASKING:
        without = {*below(objects[0], children)}
        tree = tree.in_order([word for word in tree.words if word not in without], tree.root)
        asking = facts.objects
    return _begun_with(dice.choice(asking), tree, tree.root) if asking else tree


def _begun_with(row: Row, tree: Tree, head: int) -> Tree:
    """Return a tree behind a word that hangs on one of its words."""
    heads = [each + 1 if each >= 0 else each for each in tree.heads]
    begun = Tree(tree.layout, [row, *tree.begun_small().rows], [head + 1, *heads])
    return begun.begun_large() if tree.form(0)[:1].isupper() else begun.begun_small()


def _asked_of_predicate(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Return a statement with a copula as a question of its predicate: "How hot is it?", "Which coat is this?"."""
    root, stop, children = tree.root, final_stop(tree), tree.children()
    asking, kept = facts.of_predicates.get(tree.upos(root), ()), ("nsubj", "cop", "punct")
    before = [word for word in children.get(root, ()) if word < root and tree.relation(word) not in kept]
    copula = [word for word in children.get(root, ()) if tree.relation(word) == "cop"]
    if not asking or stop is None or facts.question is None or len(copula) != 1:
        return
    if not all(tree.relation(word) in ("det", "advmod", "nmod") and len(below(word, children)) == 1 for word in before):
        return
    rest = [word for word in tree.words if word not in (root, copula[0], *before)]
    asked = tree.begun_small().in_order([root, copula[0], *rest], root).with_stop(facts.question)
    yield _begun_with(dice.choice(asking), asked.begun_large() if tree.form(0)[:1].isupper() else asked, 0)


def _asked_for_predicate(tree: Tree, facts: Facts, dice: random.Random) -> Iterator[Tree]:
    """Return the question that a statement with a copula is the answer to: "Where is my bag?", "What is this?"."""
    children, root, stop = tree.children(), tree.root, final_stop(tree)
    found = [word for word in children.get(root, ()) if tree.relation(word) in ("nsubj", "cop")]
    if stop is None or facts.question is None or not facts.asked:
        return
    if sorted(tree.relation(word) for word in found) != ["cop", "nsubj"]:
        return
    subject, copula = sorted(found, key=lambda word: tree.relation(word) == "cop")
    words = _pruned(tree, subject, children, dice)
    if len(words) < MOST and tree.form(copula).isalpha() and tree.features(subject).get("PronType") not in ASKERS:
        asked = tree.begun_small().in_order([root, copula, *words, stop], root).with_stop(facts.question)
        yield Tree(tree.layout, [dice.choice(facts.asked), *asked.rows[1:]], asked.heads)
