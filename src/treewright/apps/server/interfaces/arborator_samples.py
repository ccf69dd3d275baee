"""Samples of Arborator-Grew: CoNLL-U by name, parsed with what the annotators want to keep."""

from __future__ import annotations

from treewright.apps.server.analysing import analysed, has_tags
from treewright.apps.server.json_fields import JsonFields
from treewright.errors import TreewrightError
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import check
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence, sentences_in
from treewright.treebank.sentences.token import Token

NONE, EXISTING, ALL = KEEP = ("NONE", "EXISTING", "ALL")
#: a setting of the protocol → the column it is about
COLUMNS = {
    "keep_upos": "UPOS",
    "keep_xpos": "XPOS",
    "keep_feats": "FEATS",
    "keep_lemmas": "LEMMA",
    "keep_heads": "HEAD",
    "keep_deprels": "DEPREL",
}
EMPTY = ("", "_")


def samples_of(value: object, place: str) -> dict[str, str]:
    """Return the samples of a request, each checked to be CoNLL-U."""
    if not isinstance(value, dict) or not value:
        raise TreewrightError(f"{place}: must be an object with CoNLL-U by name, and not empty")
    samples: dict[str, str] = {}
    for name, text in value.items():
        fields = JsonFields({"sample": text}, f"{place} {name[:50]!r} ".encode("utf-8", "replace").decode())
        data = fields.text("sample").strip("\r\n") + "\n\n"
        check(Block(data.encode(), CONLLU, name[:100].encode("utf-8", "replace").decode()))
        samples[name] = data
    return samples


def kept_columns(settings: JsonFields) -> dict[str, str]:
    """Return the columns that are kept: all of them, or where they are filled."""
    keeps = {column: settings.choice(name, KEEP, NONE) for name, column in COLUMNS.items()}
    return {column: keep for column, keep in keeps.items() if keep != NONE}


def parsed_sample(parser: Step, text: str, kept: dict[str, str]) -> str:
    """Return a sample parsed; kept columns are as they were."""
    block = Block(text.encode(), CONLLU, "sample")
    # Tags that annotators keep are those that the parser sees.
    keeps_tags = any(column in kept for column in ("UPOS", "XPOS")) and has_tags(block)
    tag = "tagger" in parser.steps and not keeps_tags
    result = analysed(parser, block, tag, True, {})
    if not kept:
        return result.decode("utf-8", "replace")
    pieces: list[str] = []
    for before, after in zip(sentences_in([block]), sentences_in([Block(result, CONLLU)]), strict=True):
        _restore(before, after, kept)
        pieces.append(after.to_conllu())
    return "".join(pieces)


def _restore(before: Sentence, after: Sentence, kept: dict[str, str]) -> None:
    fixed: set[int] = set()
    for old, new in zip(before.words, after.words, strict=True):
        for column, keep in kept.items():
            value = old[column]
            if keep == ALL or value not in EMPTY:
                new[column] = value
                if column == "HEAD" and value not in EMPTY:
                    fixed.add(int(new.id))
    if fixed:
        _without_cycles(after.words, fixed)


def _without_cycles(words: list[Token], fixed: set[int]) -> None:
    """Attach words that we may move, where kept heads and ours made a cycle, to the root of the sentence."""
    heads = [0, *(word.head or 0 for word in words)]
    root = next((place for place in range(1, len(heads)) if heads[place] == 0), 0)
    safe = {0}
    for start in range(1, len(heads)):
        path: list[int] = []
        place = start
        while place not in safe and place not in path and place < len(heads):
            path.append(place)
            place = heads[place]
        if place in path:
            loose = [each for each in path[path.index(place) :] if each not in fixed]
            if loose:
                heads[loose[0]] = root
                words[loose[0] - 1].head = root
                if not root:
                    root = loose[0]
        safe.update(path)
