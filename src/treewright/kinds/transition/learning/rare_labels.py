"""Labels of lifted words that are too rare to be learnt.

Each encoded label is a further class for every move that adds an arc, and costs time at every decision. A label met a
few times only is never predicted well: its words keep their plain relation instead, as in the baseline scheme.
"""

from __future__ import annotations

from array import array
from collections import Counter

from treewright.treebank.lifting.lifted_labels import LiftedLabel, decode, encode

FEWEST = 5  # times that an encoded label must occur


def merge_rare_labels(labels: array[int], relations: list[str], scheme: str, kept: int) -> tuple[array[int], list[str]]:
    """Return labels and relations without encoded ones that are rare.

    The first ``kept`` relations stay where they are: a model to go on from has them.
    """
    counts = Counter(labels)
    numbers = {relation: number for number, relation in enumerate(relations[:kept])}
    names = list(relations[:kept])
    new = array("i", range(len(relations)))
    for number in range(kept, len(relations)):
        text = relations[number]
        meaning = decode(text, scheme)
        if (meaning.lifted or meaning.on_path) and counts[number] < FEWEST:
            text = encode(LiftedLabel(meaning.base, False, None, False))
        if text not in numbers:
            numbers[text] = len(names)
            names.append(text)
        new[number] = numbers[text]
    return array("i", [new[label] for label in labels]), names
