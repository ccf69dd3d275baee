"""Every cell of every breakdown, on a few treebanks in several blocks, against plain counting."""

from __future__ import annotations

from dataclasses import astuple
from random import Random

import pytest
from treewright.treebank.blocks.block import Block

from treewright.errors import TreewrightError
from treewright.evaluation import breakdown, breakdown_lines, sentence_scores
from treewright.evaluation.tables import table_lines
from treewright.treebank.formats.conllu import CONLLU

RELATIONS = ("nsubj", "nsubj:pass", "obj", "obl", "punct")
LENGTHS = {"1-5": 5, "6-10": 10, "11-15": 15, "16-20": 20, "21-30": 30}
DISTANCES = {"root": 0, "1": 1, "2": 2, "3": 3, "4-5": 5, "6-10": 10, "11-20": 20, "21+": 10**9}


def tree(random, n):
    order = random.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = random.choice(order[:place])
    return heads


def made(seed):
    """Return gold and system sentences of (head, relation, tag)."""
    random = Random(seed)
    gold, system = [], []
    for _ in range(9):
        n = random.choice((1, 4, 5, 6, 11, 25))
        tags = random.choices(("NOUN", "VERB", "PUNCT"), (3, 2, 1), k=n)
        gold.append([*zip(tree(random, n), random.choices(RELATIONS, k=n), tags, strict=True)])
        heads = tree(random, n) if random.random() < 0.6 else [head for head, *_ in gold[-1]]
        labels = [random.choice((*RELATIONS, "dep")) if random.random() < 0.4 else label for _, label, _ in gold[-1]]
        system.append([*zip(heads, labels, tags, strict=True)])
    return gold, system


def blocks(sentences, size):
    """Return a treebank in blocks of so many sentences."""
    texts = [
        f"# sent_id = s{number}\n"
        + "".join(f"{i}\tw\t_\t{tag}\t_\t_\t{head}\t{rel}\t_\t_\n" for i, (head, rel, tag) in enumerate(words, 1))
        + "\n"
        for number, words in enumerate(sentences, 1)
    ]
    lines = [sum(text.count("\n") for text in texts[:at]) for at in range(0, len(texts), size)]
    joined = ["".join(texts[at : at + size]).encode() for at in range(0, len(texts), size)]
    return [Block(text, CONLLU, "made", 1 + line) for text, line in zip(joined, lines, strict=True)]


class Counted:
    """The words of a pair of treebanks under a convention: (gold word, system word, right head, right label)."""

    def __init__(self, gold, system, punctuation, relation):
        def cut(name):
            return name.split(":")[0] if relation == "universal" else name

        self.sentences = []
        for words, others in zip(gold, system, strict=True):
            rows = []
            for place, (wanted, found) in enumerate(zip(words, others, strict=True), 1):
                if punctuation == "all" or wanted[2] != "PUNCT":
                    head, label = wanted[0] == found[0], cut(wanted[1]) == cut(found[1])
                    rows.append((place, (wanted[0], cut(wanted[1]), wanted[2]), (found[0], cut(found[1])), head, label))
            self.sentences.append((len(words), rows))

    def words(self):
        return [row for _, rows in self.sentences for row in rows]


def share(part, whole):
    return 100 * part / whole if whole else 0.0


def scores(gold, system, right):
    return share(right, system), share(right, gold), share(2 * right, gold + system)


def by_relation(counted):
    rows = []
    words = counted.words()
    for name in {row[1][1] for row in words} | {row[2][1] for row in words}:
        ours, theirs = [w for w in words if w[1][1] == name], [w for w in words if w[2][1] == name]
        right = sum(w[3] and w[4] for w in ours)
        figures = scores(len(ours), len(theirs), right)
        rows.append((name, len(ours), len(theirs), right, *figures, share(sum(w[3] for w in ours), len(ours))))
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def by_tag(counted):
    rows = []
    for tag in {row[1][2] for row in counted.words()}:
        words = [w for w in counted.words() if w[1][2] == tag]
        heads, both, labels = (
            sum(map(right, words)) for right in (lambda w: w[3], lambda w: w[3] and w[4], lambda w: w[4])
        )
        rows.append((tag, len(words), *(share(part, len(words)) for part in (heads, both, labels))))
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def by_length(counted):
    rows = []
    for name, top in LENGTHS.items():
        low = int(name.split("-")[0])
        found = [words for n, words in counted.sentences if low <= n <= top and words]
        words = [w for rows in found for w in rows]
        exact = sum(all(w[3] and w[4] for w in rows) for rows in found)
        uas, las = share(sum(w[3] for w in words), len(words)), share(sum(w[3] and w[4] for w in words), len(words))
        if found:
            rows.append((name, len(found), len(words), uas, las, share(exact, len(found))))
    return rows


def distance(place, head, signed):
    far = abs(head - place) if head else 0
    name = next(name for name, top in DISTANCES.items() if far <= top)
    return name if not signed or not far else f"{'right' if head > place else 'left'} {name}"


def by_distance(counted, signed):
    names = list(DISTANCES)
    if signed:
        names = [*(f"left {n}" for n in reversed(names[1:])), "root", *(f"right {n}" for n in names[1:])]
    rows = []
    for name in names:
        ours = [w for w in counted.words() if distance(w[0], w[1][0], signed) == name]
        theirs = [w for w in counted.words() if distance(w[0], w[2][0], signed) == name]
        both, heads = sum(w[3] and w[4] for w in ours), sum(w[3] for w in ours)
        if ours or theirs:
            sizes = len(ours), len(theirs)
            rows.append((name, *sizes, *scores(*sizes, both), *scores(*sizes, heads)))
    return rows


def by_sentence(counted):
    rows, line = [], 1
    for number, (n, words) in enumerate(counted.sentences, 1):
        heads, both = sum(w[3] for w in words), sum(w[3] and w[4] for w in words)
        rows.append((line, len(words), share(heads, len(words)), share(both, len(words)), f"s{number}"))
        line += n + 2
    return rows


TABLES = {
    "deprel": by_relation,
    "upos": by_tag,
    "length": by_length,
    "distance": lambda counted: by_distance(counted, False),
    "signed-distance": lambda counted: by_distance(counted, True),
    "sentence": by_sentence,
}


@pytest.mark.parametrize("by", TABLES)
@pytest.mark.parametrize(("punctuation", "relation"), [("all", "full"), ("upos", "universal")])
@pytest.mark.parametrize("seed", range(3))
def test_every_cell(by, punctuation, relation, seed):
    gold, system = made(seed)
    found = breakdown(blocks(gold, 4), blocks(system, 5), by, punctuation=punctuation, relation=relation)
    wanted = TABLES[by](Counted(gold, system, punctuation, relation))
    assert [astuple(row) for row in found] == [tuple(map(close, row)) for row in wanted]


def test_a_sentence_without_scored_words_is_no_sentence_of_its_length():
    """It is neither right nor wrong. Among the sentences it is shown, with nothing scored."""
    gold = [[(0, "root", "PUNCT")], [(0, "root", "VERB"), (1, "punct", "PUNCT")], [(0, "root", "VERB")]]
    system = [[(0, "dep", "PUNCT")], [(0, "root", "VERB"), (1, "dep", "PUNCT")], [(0, "dep", "VERB")]]
    pair = blocks(gold, 2), blocks(system, 3)
    assert [astuple(row) for row in breakdown(*pair, "length", punctuation="upos")] == [
        ("1-5", 2, 2, 100.0, 50.0, 50.0)
    ]
    assert [row.words for row in breakdown(*pair, "sentence", punctuation="upos")] == [0, 1, 1]
    only = [blocks(trees[:1], 1) for trees in (gold, system)]
    assert breakdown(*only, "length", punctuation="upos") == []


def close(value):
    return pytest.approx(value) if isinstance(value, float) else value


@pytest.mark.parametrize("choice", [{"punctuation": "none"}, {"relation": "half"}])
def test_unknown_conventions_are_rejected(choice):
    for by in ("upos", "sentence"):
        with pytest.raises(TreewrightError, match=next(iter(choice.values()))):
            breakdown(b"", b"", by, **choice)
    with pytest.raises(TreewrightError, match=next(iter(choice.values()))):
        next(sentence_scores(b"", b"", **choice))


# Tables as text


def test_a_table_as_text():
    rows = [("a", 1, 2.5, None, "-3.25"), ("long", 1000, -10.0, "12", "")]
    assert list(table_lines(("name", "n", "score", "x", "text"), rows)) == [
        "name     n   score   x   text",
        "----  ----  ------  --  -----",
        "a        1    2.50      -3.25",
        "long  1000  -10.00  12",
    ]


def test_a_column_with_one_word_is_a_column_of_words():
    assert list(table_lines(("a", "b"), [("1", "1.5"), ("x", "1.2.3")])) == ["a  b", "-  -----", "1  1.5", "x  1.2.3"]
    assert list(table_lines(("n",), [("X1",), ("100",)]))[2:] == ["X1", "100"]
    assert list(table_lines(("n",), [("-1",), ("100",)]))[2:] == [" -1", "100"]


def test_the_first_thousand_rows_decide_the_widths():
    rows = [("1",)] * 1000 + [("12345",), ("x",)]
    lines = list(table_lines(("n",), iter(rows)))
    assert lines == ["n", "-", *["1"] * 1000, "12345", "x"]
    assert list(table_lines(("n",), [("1",)] * 999 + [("12345",)]))[2] == "    1"


def test_rows_are_written_as_they_come():
    taken = []

    def stream():
        for number in range(5000):
            taken.append(number)
            yield (number,)

    lines = table_lines(("n",), stream())
    next(lines)
    assert len(taken) == 1000


def test_a_breakdown_has_the_names_of_its_columns():
    gold = blocks(made(1)[0], 9)
    lines = list(breakdown_lines("length", breakdown(gold, gold, "length")))
    assert lines[0].split() == ["length", "sentences", "words", "uas", "las", "exact_match"]
    lines = list(breakdown_lines("sentence", breakdown(gold, gold, "sentence")))
    assert lines[0].split() == ["line", "words", "uas", "las", "sent_id"]
