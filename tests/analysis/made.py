"""Made-up treebanks: random trees over numbered words, and copies with errors."""

from __future__ import annotations

from random import Random

RELATIONS = ("nsubj", "obj", "obl", "obl:arg", "punct", "root")
TAGS = ("NOUN", "VERB", "PUNCT")

Sentence = tuple[list[int], list[str], list[str]]  # heads, relations, tags


def heads_of(random: Random, n: int) -> list[int]:
    """Return a random tree: words hang from those that are placed already, the first from the root."""
    order = random.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = random.choice(order[:place])
    return heads


def treebank(random: Random, n_sentences: int = 8, longest: int = 9) -> list[Sentence]:
    sentences = []
    for _ in range(n_sentences):
        n = random.randint(1, longest)
        relations = [random.choice(RELATIONS) for _ in range(n)]
        sentences.append((heads_of(random, n), relations, [random.choice(TAGS) for _ in range(n)]))
    return sentences


def parse_of(random: Random, gold: list[Sentence], errors: float) -> list[Sentence]:
    """Return a copy in which some trees are others, and some relations."""
    parsed = []
    for heads, relations, tags in gold:
        heads = heads_of(random, len(heads)) if random.random() < errors else heads
        changed = [random.choice(RELATIONS) if random.random() < errors else relation for relation in relations]
        parsed.append((heads, changed, tags))
    return parsed


def conllu(sentences: list[Sentence]) -> bytes:
    lines = []
    for number, (heads, relations, tags) in enumerate(sentences, 1):
        lines.append(f"# sent_id = s{number}")
        for word, (head, relation, tag) in enumerate(zip(heads, relations, tags, strict=True), 1):
            form = "." if tag == "PUNCT" else f"w{word}"
            lines.append(f"{word}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join([*lines, ""]).encode()
