"""From words with lemmas to a lemmatizer."""

from __future__ import annotations

import random
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence

from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.corpus import TaggedWords, sentence_starts
from treewright.kinds.tagger.lemmas.lemma_rules import Affixes, LemmaRule, apply, rule_for
from treewright.kinds.tagger.lemmas.lemmatizer import (
    Lemmatizer,
    ending_keys,
    guesses,
    learn,
    like_keys,
    memory_keys,
    remembered,
)
from treewright.kinds.tagger.lexicon import ONE_FORM, KnownLemmas, Lexicon, lemma_key, pos_bit
from treewright.kinds.tagger.tags import TagSet
from treewright.learners.frozen import FrozenWeights, freeze, thaw
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable
from treewright.treebank.blocks.interner import Interner

ROUNDS = 6
CUTOFF = 1
LEAST_FORMS = 3  # different words an affix rule must serve before it is guessed for others
N_CASES = 4
MOST_AFFIXES = 8000
N_KNOWN = 3  # classes for lemmas that are known: with the tag's part of speech, with any, as words
Example = tuple[bytes, int, int, bool, int, int]  # form, own lemma, tag, first in its sentence, case, affixes
AffixRule = tuple[int, str, int, str, str, bool]  # Affixes, and whether they may be guessed


def train_lemmatizer(
    words: TaggedWords,
    tags: TagSet,
    known: KnownLemmas,
    seed: int = 1,
    old: tuple[Lemmatizer, FrozenWeights] | None = None,
    lexicon: Lexicon | None = None,
    clusters: WordClusters | None = None,
) -> tuple[Lemmatizer, FrozenWeights]:
    """Train a lemmatizer; return it with its weights.

    ``old``: a lemmatizer to go on from. Its rules and weights stay, and so does its memory of all words with tags that
    the treebank lacks.
    """
    rules, firsts = _rules_by_word(words)
    affixes, numbers = _number_affixes(rules, old[0].affixes if old is not None else ())
    examples: list[Example] = []
    for (form, tag), seen in rules.items():
        rule, _ = max(seen.items(), key=lambda item: (item[1], str(item[0])))
        text = words.forms[form]
        raw = text.encode("utf-8", "surrogateescape")
        lemma = apply(rule, text)
        own = lemma_key(lemma) if known.mask(lemma) & ONE_FORM else 0
        examples.append((raw, own, tag, firsts[form, tag], rule.case, numbers[rule.affixes]))
    learner = _learner(sum(change[5] for change in affixes), old)
    nothing = array("Q"), array("H")
    plain = Lemmatizer(affixes, *nothing, learner, known)
    endings, counts = _endings(plain, tags, examples, old[0] if old is not None else None)
    empty = Lemmatizer(affixes, *nothing, learner, known, endings, counts, lexicon, clusters)
    regular = [example for example in examples if affixes[example[5]][5]]
    order = random.Random(seed)
    for _ in range(ROUNDS):
        order.shuffle(regular)
        learn(empty, learner, tags, regular)
    weights = freeze(learner)
    table = LinearTable(weights)

    def with_memory(memory: dict[int, int]) -> Lemmatizer:
        kept = array("Q", memory), array("H", memory.values())
        return Lemmatizer(affixes, *kept, table, known, endings, counts, lexicon, clusters)

    memory = _old_memory(old[0], affixes) if old is not None else {}
    guessed = guesses(with_memory({}), tags, examples)
    keys, keys_with_upos = memory_keys(words.forms, tags, rules)
    own_rules = [example[4] + N_CASES * example[5] for example in examples]
    times = [sum(seen.values()) for seen in rules.values()]
    wider: dict[int, Counter[int]] = defaultdict(Counter)
    rows = list(zip(keys, keys_with_upos, own_rules, guessed, times, strict=True))
    for key, key_with_upos, rule_number, guess, seen_times in rows:
        memory.pop(key, None)
        memory.pop(key_with_upos, None)
        # What is rare and guessed right need not be remembered.
        if seen_times > 2 or guess != rule_number:
            wider[key_with_upos][rule_number] += seen_times
    memory |= {key: counts.most_common(1)[0][0] for key, counts in wider.items()}
    # Words with their UPOS tell what they can, and words with their tags the rest.
    recalled = remembered(with_memory(memory), tags, examples)
    for (key, _, rule_number, guess, seen_times), found in zip(rows, recalled, strict=True):
        if found != rule_number and (found >= 0 or seen_times > 2 or guess != rule_number):
            memory[key] = rule_number
    return with_memory(memory), weights


def _endings(
    lemmatizer: Lemmatizer, tags: TagSet, examples: Sequence[Example], old: Lemmatizer | None
) -> tuple[array[int], array[int]] | tuple[None, None]:
    """Return the keys of what rules strip and of how words end, and of how many words each was seen.

    Those of an old lemmatizer are added; None if it has none: what its rules stripped is not known.
    """
    found: Counter[int] = Counter()
    if old is not None:
        if old.endings is None or old.times is None:
            return None, None
        found.update(dict(zip(old.endings, old.times, strict=True)))
    found.update(ending_keys(lemmatizer, examples))
    found.update(_alike(lemmatizer, tags, examples))
    del found[0]
    return array("Q", sorted(found)), array("H", (min(found[key], 0xFFFF) for key in sorted(found)))


def _alike(lemmatizer: Lemmatizer, tags: TagSet, examples: Sequence[Example]) -> Counter[int]:
    """Count the endings that several words have, alone and with their rules; not those within one that has one rule."""
    words = {(form, tags.tags[tag][0], rule): example for example in examples for form, _, tag, _, _, rule in [example]}
    keys = like_keys(lemmatizer, tags, list(words.values()))
    seen = Counter(key for endings in keys for pair in endings for key in pair)
    found: Counter[int] = Counter()
    for endings in keys:
        for ending, with_rule in endings:
            if seen[ending] > 1:
                found[ending] += 1
                found[with_rule] += 1
            if seen[ending] == seen[with_rule]:
                break
    return found


def _learner(n_guessed: int, old: tuple[Lemmatizer, FrozenWeights] | None) -> Perceptron:
    """Return a learner with the weights to start from: the classes of an old lemmatizer, at their places here."""
    n_classes = N_CASES + n_guessed + N_KNOWN
    if old is None:
        return Perceptron(1, n_classes, CUTOFF)
    lemmatizer, weights = old
    learner = Perceptron(1, n_classes, CUTOFF, weights.n_lines)
    before = N_CASES + lemmatizer.n_guessed
    thaw(
        weights,
        learner,
        array("i", [*range(before), *range(n_classes - N_KNOWN, n_classes - N_KNOWN + lemmatizer.n_known)]),
    )
    return learner


def known_lemmas(words: TaggedWords, tags: TagSet, old: KnownLemmas | None = None) -> KnownLemmas:
    """Return the lemmas of a treebank with their parts of speech; those of ``old`` stay."""
    masks: dict[int, int] = dict(zip(old.keys, old.masks, strict=True)) if old is not None else {}
    forms: dict[int, set[int]] = defaultdict(set)
    lemmas, numbers = _lemmas(words)
    keys = [lemma_key(lemma) for lemma in lemmas]
    for form, tag, lemma in {*zip(words.form_of, words.tag_of, numbers, strict=True)}:
        if lemmas[lemma] != "_":
            key = keys[lemma]
            forms[key].add(form)
            masks[key] = masks.get(key, ONE_FORM) | pos_bit(tags.pos_of(tag))
    for key, seen in forms.items():
        if len(seen) > 1:
            masks[key] &= ~ONE_FORM
    return KnownLemmas(array("Q", masks), array("I", masks.values()))


def _lemmas(words: TaggedWords) -> tuple[list[str], array[int]]:
    """Number the lemmas of all words; a layout without lemmas has none."""
    lemmas = Interner()
    numbers = array("i")
    for block in words.blocks:
        out = array("i", bytes(4 * block.n_words))
        if block.layout.lemma >= 0:
            lemmas.column(block, block.layout.lemma, out)
        numbers.extend(out)
    return lemmas.strings or ["_"], numbers


def _old_memory(old: Lemmatizer, affixes: Sequence[AffixRule]) -> dict[int, int]:
    """Return the rules that a lemmatizer remembers, with the numbers that their affixes have here."""
    numbers = {change[:5]: number for number, change in enumerate(affixes)}
    places = [numbers.get(tuple(change[:5])) for change in old.affixes]
    return {
        key: rule % N_CASES + N_CASES * place
        for key, rule in zip(old.keys, old.rules, strict=True)
        if (place := places[rule // N_CASES]) is not None
    }


def _rules_by_word(words: TaggedWords) -> tuple[dict[tuple[int, int], Counter[LemmaRule]], dict[tuple[int, int], bool]]:
    """Count the rules of every form with its tag, and say whether its first occurrence began a sentence."""
    lemmas, numbers = _lemmas(words)
    starts = set(sentence_starts(words.blocks))
    rules: dict[tuple[int, int], Counter[LemmaRule]] = {}
    firsts: dict[tuple[int, int], bool] = {}
    counts: Counter[tuple[int, int, int]] = Counter()
    for place, word in enumerate(zip(words.form_of, words.tag_of, numbers, strict=True)):
        firsts.setdefault(word[:2], place in starts)
        counts[word] += 1
    for (form, tag, lemma), times in counts.items():
        rules.setdefault((form, tag), Counter())[rule_for(words.forms[form], lemmas[lemma])] += times
    return rules, firsts


def _number_affixes(
    rules: dict[tuple[int, int], Counter[LemmaRule]], old: Sequence[AffixRule]
) -> tuple[list[AffixRule], dict[Affixes, int]]:
    """Number the changes of affixes, those that may be guessed first; among them, old ones keep their numbers."""
    forms: defaultdict[Affixes, set[int]] = defaultdict(set)
    for (form, _), seen in rules.items():
        for rule in seen:
            forms[rule.affixes].add(form)
    nothing = Affixes(0, "", 0, "", "")
    before = {Affixes(*change[:5]): number for number, change in enumerate(old)}
    guessed = {nothing, *(Affixes(*change[:5]) for change in old if change[5])}

    def guessable(change: Affixes) -> bool:
        return change in guessed or (len(forms[change]) >= LEAST_FORMS and change.whole in ("", "_"))

    def rank(change: Affixes) -> tuple[bool, int, int, Affixes]:
        return not guessable(change), before.get(change, len(before)), -len(forms[change]), change

    ordered = sorted({*forms, *before, nothing}, key=rank)
    del ordered[MOST_AFFIXES:]
    numbers = {change: number for number, change in enumerate(ordered)}
    for change in forms:
        numbers.setdefault(change, numbers[nothing])
    return [(*change, guessable(change)) for change in ordered], numbers
