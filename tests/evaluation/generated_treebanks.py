"""Made-up treebanks for the tests: a text, and any number of analyses of it."""

from __future__ import annotations

from random import Random

LETTERS = "aAbBσΣςİß.!—語"
SPACES = (" ", "\u00a0", "\u2003", "\u202f", "\u3000", "\u1680", "\u205f")
RELATIONS = ["nsubj", "nsubj:pass", "obj", "obl", "obl:arg", "conj", "case", "case:gen", "det"]
RELATIONS += ["aux", "aux:pass", "cc", "mark", "punct", "root", "amod", "foo"]
TAGS = ["NOUN", "VERB", "PUNCT", "ADP", "_"]
FEATURES = ["Case=Nom", "Case=Acc", "Number=Sing", "Gender[psor]=Fem", "Foo=Bar", "Tense=Past"]
FEATURES += ["Polite"]
GRAPH_RELATIONS = ["obj", "nsubj:pass", "nsubj", "conj:en>obl:voor", "conj>obl", "conj:of>obl"]
GRAPH_RELATIONS += ["a>b:c>d"]


def text(random: Random) -> str:
    return "".join(random.choice(LETTERS) for _ in range(random.randint(1, 40)))


def _cut(random: Random, whole: str, chance: float) -> list[str]:
    pieces = [whole[0]]
    for character in whole[1:]:
        if random.random() < chance:
            pieces.append(character)
        else:
            pieces[-1] += character
    return pieces


def sentences(random: Random, whole: str) -> list[list[tuple[str, list[str]]]]:
    """Cut a text into sentences of tokens: a form, and the words of a multiword token."""
    result = []
    multiword = random.choice((0.0, 0.2, 0.6))
    for sentence in _cut(random, whole, random.choice((0.0, 0.1, 0.3))):
        tokens: list[tuple[str, list[str]]] = []
        for form in _cut(random, sentence, random.choice((0.3, 0.7, 1.0))):
            words: list[str] = []
            if random.random() < multiword:
                words = _cut(random, form, 0.7)
                if random.random() < 0.4:
                    words = [_spaced(random, random.choice(LETTERS) + word) for word in words]
            tokens.append((form, words))
        result.append(tokens)
    return result


def _spaced(random: Random, form: str) -> str:
    if random.random() < 0.9:
        return form
    place = random.randint(0, len(form))
    return form[:place] + random.choice(SPACES) + form[place:]


def tree(random: Random, n: int, roots: int = 1) -> list[int]:
    """Return heads of a random tree: words hang from those that are placed already."""
    order = list(range(1, n + 1))
    random.shuffle(order)
    heads = [0] * n
    for position, word in enumerate(order):
        heads[word - 1] = 0 if position < roots else random.choice(order[:position])
    return heads


def _graph(random: Random, n: int) -> str:
    if random.random() < 0.3:
        return "_"
    arcs = [
        f"{random.choice([random.randint(0, n), '1.1'])}:{random.choice(GRAPH_RELATIONS)}"
        for _ in range(random.randint(1, 3))
    ]
    return "|".join(arcs)


def conllu(random: Random, analysis: list[list[tuple[str, list[str]]]], roots: int = 1) -> str:
    """Write an analysis with random trees, tags, features, lemmas and graphs."""
    lines: list[str] = []
    for number, tokens in enumerate(analysis, 1):
        if random.random() < 0.8:
            lines.append(f"# sent_id = s{number}")
        n = sum(max(1, len(words)) for _, words in tokens)
        heads = tree(random, n, min(n, roots))
        word = 0
        for form, words in tokens:
            if words:
                misc = "\t".join("_" * 8)
                lines.append(f"{word + 1}-{word + len(words)}\t{_spaced(random, form)}\t{misc}")
            for inner in words or [_spaced(random, form)]:
                word += 1
                feats = random.sample(FEATURES, random.randint(0, 3))
                columns = (word, inner, random.choice("xyX_"), random.choice(TAGS))
                columns += (random.choice("pq"), "|".join(feats) or "_", heads[word - 1])
                columns += (random.choice(RELATIONS), _graph(random, n), "_")
                lines.append("\t".join(map(str, columns)))
                if random.random() < 0.1:
                    lines.append(f"{word}.1\tgap\t_\t_\t_\t_\t_\t_\t1:obj\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def disturbed(random: Random, treebank: str, chance: float = 0.15) -> str:
    """Return a treebank with some columns and heads changed, as by a fair parser."""
    return "".join(
        "\n".join(_disturb(random, sentence.split("\n"), chance)) + "\n\n" for sentence in treebank.split("\n\n")[:-1]
    )


def _disturb(random: Random, lines: list[str], chance: float) -> list[str]:
    words = [line.split("\t") for line in lines if line.split("\t")[0].isdigit()]
    heads = [int(columns[6]) for columns in words]
    for word in range(1, len(words) + 1):
        if heads[word - 1] and random.random() < chance:
            target = above = random.randint(1, len(words))
            while above not in (0, word):
                above = heads[above - 1]
            heads[word - 1] = heads[word - 1] if above else target
    changed = {}
    for columns, head in zip(words, heads, strict=True):
        choices = ("xyX_", TAGS, "pq", FEATURES)
        new = [
            random.choice(c) if random.random() < chance else old for c, old in zip(choices, columns[2:6], strict=True)
        ]
        relation = random.choice(RELATIONS) if random.random() < chance else columns[7]
        graph = _graph(random, len(words)) if random.random() < chance else columns[8]
        changed[columns[0]] = "\t".join([*columns[:2], *new, str(head), relation, graph, "_"])
    return [changed.get(line.split("\t")[0], line) for line in lines]
