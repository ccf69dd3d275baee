"""From words with lemmas to a lemmatizer."""

from __future__ import annotations

import random
from array import array
from collections import Counter, defaultdict

from treewright.learners.frozen import FrozenWeights, freeze
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable
from treewright.text.tagger.corpus import TaggedWords, sentence_starts
from treewright.text.tagger.lemma_rules import Affixes, LemmaRule, rule_for
from treewright.text.tagger.lemmatizer import Lemmatizer, guesses, learn, memory_keys
from treewright.text.tagger.tags import TagSet
from treewright.treebank.interner import Interner

ROUNDS = 6
CUTOFF = 1
LEAST_FORMS = 3  # different words an affix rule must serve before it is guessed for others
N_CASES = 4
MOST_AFFIXES = 8000
Example = tuple[bytes, int, int, bool, int, int]


def train_lemmatizer(words: TaggedWords, tags: TagSet, seed: int = 1) -> tuple[Lemmatizer, FrozenWeights]:
    """Train a lemmatizer; return it with its weights."""
    rules, firsts = _rules_by_word(words)
    affixes, numbers = _number_affixes(rules)
    examples: list[Example] = []
    pairs: list[tuple[int, int]] = []
    counts: list[int] = []
    for (form, tag), seen in rules.items():
        rule, _ = max(seen.items(), key=lambda item: (item[1], str(item[0])))
        text = words.forms[form]
        examples.append(
            (
                text.encode("utf-8", "surrogateescape"),
                len(text),
                tag,
                firsts[form, tag],
                rule.case,
                numbers[rule.affixes],
            )
        )
        pairs.append((form, tag))
        counts.append(sum(seen.values()))
    learner = Perceptron(1, N_CASES + sum(change[5] for change in affixes), CUTOFF)
    empty = Lemmatizer(affixes, array("Q"), array("H"), learner)
    regular = [example for example in examples if affixes[example[5]][5]]
    order = random.Random(seed)
    for _ in range(ROUNDS):
        order.shuffle(regular)
        learn(empty, learner, tags, regular)
    weights = freeze(learner)
    table = LinearTable(weights)
    guessed = guesses(Lemmatizer(affixes, array("Q"), array("H"), table), tags, examples)
    # What is rare and guessed right need not be remembered.
    kept = [
        place
        for place, example in enumerate(examples)
        if counts[place] > 2 or guessed[place] != example[4] + N_CASES * example[5]
    ]
    keys = memory_keys(words.forms, tags, [pairs[place] for place in kept])
    chosen = array("H", [examples[place][4] + N_CASES * examples[place][5] for place in kept])
    return Lemmatizer(affixes, keys, chosen, table), weights


def _rules_by_word(
    words: TaggedWords,
) -> tuple[dict[tuple[int, int], Counter[LemmaRule]], dict[tuple[int, int], bool]]:
    """Count the rules of every form with its tag, and say whether it was first in a sentence when first met."""
    lemmas = Interner()
    numbers = array("i")
    for block in words.blocks:
        out = array("i", bytes(4 * block.n_words))
        lemmas.column(block, block.layout.lemma, out)
        numbers.extend(out)
    starts = set(sentence_starts(words.blocks))
    rules: dict[tuple[int, int], Counter[LemmaRule]] = {}
    firsts: dict[tuple[int, int], bool] = {}
    for place, (form, tag, lemma) in enumerate(zip(words.form_of, words.tag_of, numbers, strict=True)):
        rule = rule_for(words.forms[form], lemmas.strings[lemma])
        if (form, tag) not in rules:
            rules[form, tag] = Counter()
            firsts[form, tag] = place in starts
        rules[form, tag][rule] += 1
    return rules, firsts


def _number_affixes(
    rules: dict[tuple[int, int], Counter[LemmaRule]],
) -> tuple[list[tuple[int, str, int, str, str, bool]], dict[Affixes, int]]:
    """Number the changes of affixes; the last value says whether one may be guessed."""
    forms: defaultdict[Affixes, set[int]] = defaultdict(set)
    for (form, _), seen in rules.items():
        for rule in seen:
            forms[rule.affixes].add(form)
    nothing = Affixes(0, "", 0, "", "")

    def guessable(change: Affixes) -> bool:
        return change == nothing or (len(forms[change]) >= LEAST_FORMS and change.whole in ("", "_"))

    ordered = sorted({*forms, nothing}, key=lambda change: (not guessable(change), -len(forms[change]), change))
    del ordered[MOST_AFFIXES:]
    numbers = {change: number for number, change in enumerate(ordered)}
    for change in forms:
        numbers.setdefault(change, numbers[nothing])
    return [(*change, guessable(change)) for change in ordered], numbers
