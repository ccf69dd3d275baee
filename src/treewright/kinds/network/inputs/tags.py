"""The tags that a network predicts: UPOS, XPOS, every attribute of FEATS by itself, and the rule that makes the lemma.

An attribute by itself means that a combination of features can be built that the treebank never shows.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from treewright.kinds.network.inputs.numbering import looked_up, texts_of_rows, with_values, word_numbers
from treewright.kinds.network.inputs.remembered import Remembered
from treewright.kinds.tagger.lemmas.lemma_rules import Affixes, LemmaRule, apply, rule_for
from treewright.treebank.blocks.block import Block

ATTRIBUTE = "FEATS:"  # begins the name of an attribute's output
RULE = "LEMMA"
EMPTY = "_"
LEAST_RULES = 2  # words that must show a rule before it is predicted
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS")

TagValues = dict[str, list[str]]


def tag_values(blocks: Sequence[Block]) -> TagValues:
    """Return what a treebank has in each column (and attribute) that can be predicted, the most frequent first."""
    counts: dict[str, Counter[str]] = {}
    for block in blocks:
        for name, value, _ in _values(block):
            counts.setdefault(name, Counter())[value] += 1
    words = sum(block.n_words for block in blocks)
    values: TagValues = {}
    for name, count in counts.items():
        if name.startswith(ATTRIBUTE):
            count[EMPTY] += words - sum(count.values())
        least = LEAST_RULES if name == RULE else 1
        kept = [value for value, times in count.most_common() if times >= least]
        if len(kept) > 1:
            values[name] = kept
    return values


def tag_numbers(blocks: Sequence[Block], values: TagValues) -> dict[str, array[int]]:
    """Return the number of each word's value in each column; -1 where the value is not known."""
    reader = TagReader(values)
    out: dict[str, array[int]] = {name: array("i") for name in values}
    for block in blocks:
        for name, numbers in reader.numbers(block).items():
            out[name] += numbers
    return out


class TagReader:
    """Reads the tags of blocks as numbers of values that a network predicts; what was seen is looked up once."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self.known = {name: {value: number for number, value in enumerate(listed)} for name, listed in values.items()}
        self.attributes = [name for name in values if name.startswith(ATTRIBUTE)]
        self._single = {name: Remembered(partial(self._number, name)) for name in values}
        self._feats = Remembered(self._numbers_of_feats)
        self._rules = Remembered(self._rule)

    def numbers(self, block: Block) -> dict[str, array[int]]:
        """Return the number of each word's value in each column; -1 where the value is not known."""
        block, layout = block.normal, block.layout
        out = {name: array("i", [-1]) * block.n_words for name in self.known}
        for name, place in (("UPOS", layout.upos), ("XPOS", layout.xpos)):
            if name in out and place >= 0:
                out[name] = word_numbers(block, place, self._single[name])
        if self.attributes and layout.feats >= 0:
            self._read_feats(block, out)
        elif self.attributes:
            out |= {name: array("i", [self.known[name].get(EMPTY, -1)]) * block.n_words for name in self.attributes}
        if RULE in out and layout.lemma >= 0:
            words = range(block.n_words)
            pairs = [(block.value(word, layout.form), block.value(word, layout.lemma)) for word in words]
            out[RULE] = array("i", map(self._rules.__getitem__, pairs))
        return out

    def _read_feats(self, block: Block, out: dict[str, array[int]]) -> None:
        """Number the attributes of each word: those of each combination once."""
        rows: list[tuple[int, ...]] = []

        def new(text: bytes) -> int:
            rows.append(self._feats[text])
            return len(rows) - 1

        combinations = word_numbers(block, block.layout.feats, Remembered(new))
        for place, name in enumerate(self.attributes):
            out[name] = looked_up(combinations, array("i", [row[place] for row in rows]))

    def _number(self, name: str, text: bytes) -> int:
        return self.known[name].get(_decoded(text), -1)

    def _numbers_of_feats(self, text: bytes) -> tuple[int, ...]:
        pairs = (feature.partition("=") for feature in _decoded(text).split("|"))
        given = {ATTRIBUTE + attribute: value for attribute, equals, value in pairs if equals}
        return tuple(self.known[name].get(given.get(name, EMPTY), -1) for name in self.attributes)

    def _rule(self, pair: tuple[bytes, bytes]) -> int:
        return self.known[RULE].get(rule_text(rule_for(_decoded(pair[0]), _decoded(pair[1]))), -1)


def _values(block: Block) -> Iterator[tuple[str, str, int]]:
    """Yield what each word has: output, value, word."""
    layout = block.layout
    for word in range(block.n_words):
        for name, place in (("UPOS", layout.upos), ("XPOS", layout.xpos)):
            if place >= 0:
                yield name, _text(block, word, place), word
        if layout.feats >= 0:
            for feature in _text(block, word, layout.feats).split("|"):
                attribute, equals, value = feature.partition("=")
                if equals:
                    yield ATTRIBUTE + attribute, value, word
        if layout.lemma >= 0:
            yield RULE, rule_text(rule_for(_text(block, word, layout.form), _text(block, word, layout.lemma))), word


def column_of(output: str) -> str:
    """Return the column that an output of the network belongs to."""
    return "FEATS" if output.startswith(ATTRIBUTE) else output


def right_values(blocks: Sequence[Block], gold: Sequence[Block]) -> Counter[str]:
    """Return how many words have the right value in each column of tags and lemmas."""
    right: Counter[str] = Counter()
    for block, wanted in zip(blocks, gold, strict=True):
        for column in COLUMNS:
            own, other = block.layout.index(column), wanted.layout.index(column)
            if own >= 0 and other >= 0:
                right[column] += sum(
                    block.value(word, own) == wanted.value(word, other) for word in range(block.n_words)
                )
    return right


def _text(block: Block, word: int, place: int) -> str:
    return _decoded(block.value(word, place))


def _decoded(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def rule_text(rule: LemmaRule) -> str:
    """Return a rule as one line of text: the name of a class."""
    parts = rule.affixes
    return "\t".join((str(rule.case), str(parts[0]), parts[1], str(parts[2]), parts[3], parts[4]))


def rule_from(text: str) -> LemmaRule:
    """Return the rule that a line of text stands for."""
    case, strip_start, add_start, strip_end, add_end, whole = text.split("\t")
    return LemmaRule(int(case), Affixes(int(strip_start), add_start, int(strip_end), add_end, whole))


class TagWriter:
    """Writes the tags that a network predicts into a block; values seen before are put together once."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self.values = values
        self.attributes = sorted((name for name in values if name.startswith(ATTRIBUTE)), key=str.lower)
        self.rules = [rule_from(text) for text in values.get(RULE, ())]
        self._feats = Remembered(self._feats_of)
        self._lemmas = Remembered(self._lemma_of)

    def written(self, block: Block, tags: Mapping[str, array[int]]) -> Block:
        """Return a block with the values (numbers of ``values``) that each word gets, all else as it was."""
        layout = block.layout
        columns: list[tuple[int, list[bytes]]] = []
        for name in ("UPOS", "XPOS"):
            if name in self.values:
                texts = [value.encode("utf-8", "surrogateescape") for value in self.values[name]]
                columns.append((layout.index(name), [texts[number] for number in tags[name]]))
        if self.attributes:
            numbers = [tags[name] for name in self.attributes]
            columns.append((layout.feats, texts_of_rows(numbers, self._feats)))
        if self.rules:
            forms = (block.normal.value(word, layout.form) for word in range(block.n_words))
            pairs = zip(forms, tags[RULE], strict=True)
            columns.append((layout.lemma, [self._lemmas[pair] for pair in pairs]))
        text = with_values(block, sorted((place, values) for place, values in columns if place >= 0))
        return Block(text, layout, block.source, block.first_line)

    def _feats_of(self, row: bytes) -> bytes:
        numbers = memoryview(row).cast("i")
        named = ((name, self.values[name][number]) for name, number in zip(self.attributes, numbers, strict=True))
        text = "|".join(f"{name[len(ATTRIBUTE) :]}={value}" for name, value in named if value != EMPTY)
        return (text or EMPTY).encode("utf-8", "surrogateescape")

    def _lemma_of(self, pair: tuple[bytes, int]) -> bytes:
        form, rule = pair
        text = apply(self.rules[rule], form.decode("utf-8", "surrogateescape"))
        return text.encode("utf-8", "surrogateescape") or form
