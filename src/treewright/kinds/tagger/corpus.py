"""What a treebank says about tags: the words and tags of its sentences as numbers, counted."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from treewright.kinds.tagger.lexicon import Lexicon
from treewright.kinds.tagger.tags import coarse_columns, code_of
from treewright.kinds.tagger.words import lower_key
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

Tag = tuple[str, str, str]

LEAST_SEEN = 2  # times a word must have a tag for the lexicon to list it: a single occurrence says little
CLOSED_FROM = 30  # occurrences of a word from which on no other tags are tried


@dataclass
class TaggedWords:
    """Forms and tags of all words of blocks, as numbers."""

    blocks: list[Block]
    forms: list[str]
    form_of: array[int]
    tags: list[Tag]
    tag_of: array[int]


def read_words(blocks: Iterable[Block], tags: Sequence[Tag] = ()) -> TaggedWords:
    """Number forms and tags; ``tags`` have their numbers already, as those of a trained tagger that goes on."""
    blocks = list(blocks)
    forms, columns = Interner(), [Interner("_") for _ in range(3)]
    form_of, tag_of = array("i"), array("i")
    numbers = {tag: number for number, tag in enumerate(tags)}
    seen: dict[tuple[int, int, int], int] = {}
    for block in blocks:
        form_of.extend(_column(block, block.layout.form, forms))
        layout = block.layout
        places = (layout.upos, layout.xpos, layout.feats)
        values = [_column(block, place, interner) for place, interner in zip(places, columns, strict=True)]
        for triple in zip(*values, strict=True):
            number = seen.get(triple)
            if number is None:
                tag = tuple(interner.strings[value] for interner, value in zip(columns, triple, strict=True))
                number = seen[triple] = numbers.setdefault(tag, len(numbers))
            tag_of.append(number)
    return TaggedWords(blocks, forms.strings, form_of, list(numbers), tag_of)


def _column(block: Block, place: int, interner: Interner) -> array[int]:
    """Return the numbers of a column's values; 0 is ``_``, which also stands for a missing column."""
    out = array("i", bytes(4 * block.n_words))
    if place >= 0:
        interner.column(block, place, out)
    return out


def build_lexicon(words: TaggedWords, old: Lexicon | None = None, closed_from: int = CLOSED_FROM) -> Lexicon:
    """Count which tags every word has, in lower case; no others are tried for a word of so many (0: never).

    A word that ``old`` knows keeps its tags there, and further ones follow them. The tags of ``old`` must have the same
    numbers in ``words``.
    """
    counts: dict[int, Counter[int]] = {}
    keys = [lower_key(form.encode("utf-8", "surrogateescape")) for form in words.forms]
    for (form, tag), count in Counter(zip(words.form_of, words.tag_of, strict=True)).items():
        counts.setdefault(keys[form], Counter())[tag] += count
    before = _tags_by_key(old) if old is not None else {}
    classes: dict[tuple[bool, tuple[int, ...]], int] = {}
    known, of_key = array("Q"), array("H")
    for key in sorted({*counts, *before}):
        seen = counts.get(key, Counter())
        closed, tags = before.get(key, (False, ()))
        closed |= 0 < closed_from <= sum(seen.values())
        ranked = sorted(seen, key=lambda tag: (-seen[tag], tag))
        tags = tuple(dict.fromkeys([*tags, *(tag for tag in ranked if closed or seen[tag] >= LEAST_SEEN)]))
        if not tags or not key:
            continue
        number = classes.setdefault((closed, tags), len(classes))
        if number > 0xFFFF:
            break
        known.append(key)
        of_key.append(number)
    starts, members, codes = array("i", [0]), array("i"), array("Q")
    n_coarse = coarse_columns(words.tags)
    for _, tags in classes:
        members.extend(tags)
        starts.append(len(members))
        coarse = dict.fromkeys("\t".join(words.tags[tag][:n_coarse]) for tag in tags)
        codes.append(code_of("\n".join(sorted(coarse))))
    closed_flags = bytes(closed for closed, _ in classes)
    return Lexicon(known, of_key, starts, members, codes, closed_flags)


def _tags_by_key(lexicon: Lexicon) -> dict[int, tuple[bool, tuple[int, ...]]]:
    """Return for every key of a lexicon whether its class is closed, and its tags."""
    tags = [tuple(lexicon.class_tags[start:end]) for start, end in pairwise(lexicon.class_start)]
    pairs = zip(lexicon.keys, lexicon.classes, strict=True)
    return {key: (bool(lexicon.closed[number]), tags[number]) for key, number in pairs}


def open_tags(words: TaggedWords, old: Iterable[int] = ()) -> array[int]:
    """Return the tags to try for words that the lexicon does not close: all that were seen, and those of ``old``.

    A tag of one form only is tried too, else a known word that is not frequent could never have it.
    """
    return array("i", sorted({*old, *words.tag_of}))


def form_counts(words: TaggedWords, own: TaggedWords) -> array[int]:
    """Return for every word how often its form occurs in the treebank itself, in any case."""
    lower = [form.lower() for form in own.forms]
    counts = Counter(lower[form] for form in own.form_of)
    lower = [form.lower() for form in words.forms]
    return array("i", [counts[lower[form]] for form in words.form_of])


def sentence_starts(blocks: Iterable[Block]) -> array[int]:
    """Return where each sentence begins among all words; one more entry for the end."""
    starts, before = array("i", [0]), 0
    for block in blocks:
        for number in range(block.n_sentences):
            starts.append(before + block.words_of(number).stop)
        before += block.n_words
    return starts
