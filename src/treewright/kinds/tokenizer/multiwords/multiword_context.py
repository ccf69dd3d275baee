"""Multiword tokens by context: forms that the treebank splits in some places and not in others.

French *des* is *de les* after a verb, and an article before its noun. A linear model for each such form looks at the
tokens before and after.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from treewright.kinds.tokenizer.raw_text import SurfaceSentence

LEAST = 3  # times that a form must occur split, and not split
ROUNDS = 10
SCALE = 100  # weights are whole numbers in the model file
#: the beginning of a feature says which token it looks at: before or after, whole or its last two or three letters
TEMPLATES = ("p", "n", "q", "m", "r", "s")


def features(before: str, after: str) -> list[str]:
    """Return the features of a token between two others, in lower case; no token is an empty text."""
    return ["b", f"p{before}", f"n{after}", f"q{before[-3:]}", f"m{after[-3:]}", f"r{before[-2:]}", f"s{after[-2:]}"]


def context_weights(sentences: Iterable[SurfaceSentence]) -> dict[str, dict[str, int]]:
    """Return the weights of features for each form that is not always split alike; a score above 0 means a split."""
    sentences = list(sentences)
    unsteady = _unsteady_forms(sentences)
    places: dict[str, list[tuple[list[str], bool]]] = {form: [] for form in sorted(unsteady)}
    for form, found, split in _occurrences(sentences, unsteady) if unsteady else ():
        places[form].append((found, split))
    return {form: _learn(seen) for form, seen in places.items()}


def _unsteady_forms(sentences: Iterable[SurfaceSentence]) -> set[str]:
    """Return the forms that are split in some places and not in others."""
    tokens = [token for sentence in sentences for token in sentence.tokens]
    split = Counter(token.form.lower() for token in tokens if len(token.words) > 1)
    whole = Counter(form for token in tokens if len(token.words) < 2 and (form := token.form.lower()) in split)
    return {form for form, times in split.items() if min(times, whole[form]) >= LEAST}


def _occurrences(
    sentences: Iterable[SurfaceSentence], wanted: Collection[str]
) -> Iterator[tuple[str, list[str], bool]]:
    for sentence in sentences:
        forms = ["", *(token.form.lower() for token in sentence.tokens), ""]
        for place, token in enumerate(sentence.tokens, 1):
            if forms[place] in wanted:
                yield forms[place], features(forms[place - 1], forms[place + 1]), len(token.words) > 1


def _learn(places: list[tuple[list[str], bool]]) -> dict[str, int]:
    """Return the weights of an averaged perceptron."""
    now: Counter[str] = Counter()
    late: Counter[str] = Counter()
    places = list(places)
    chance = random.Random(1)
    time = 1
    for _ in range(ROUNDS):
        chance.shuffle(places)
        for found, split in places:
            score = sum(now[feature] for feature in found)
            if (score > 0) != split or abs(score) < 1:
                step = 1 if split else -1
                for feature in found:
                    now[feature] += step
                    late[feature] += step * time
            time += 1
    averaged = {feature: round(SCALE * (now[feature] - late[feature] / time)) for feature in now}
    return {feature: weight for feature, weight in sorted(averaged.items()) if weight}
