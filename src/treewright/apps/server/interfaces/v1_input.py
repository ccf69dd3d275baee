"""What clients of our own API send: a text in one of several forms, a model, and options of the parse."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.apps.server.analysing import Reading, blocks_of
from treewright.apps.server.documents import Places
from treewright.apps.server.json_fields import JsonFields
from treewright.apps.server.messages import Request
from treewright.apps.server.service import Service
from treewright.errors import CombinationError, TreewrightError
from treewright.steps.call import METHODS, NEWLINES
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.sentences.sentence import Sentence

TEXT_LAYOUTS = ("raw", "presegmented", "horizontal", "vertical")
FORMS = ("text", "words", "conllu")
WIDEST_BEAM = 256
LISTS = 'a list of sentences, each a list of words: [["It", "works"]]'


class RequestText:
    """The text in a request: ``text`` (with its layout), ``words`` (lists of words) or ``conllu``."""

    def __init__(self, fields: JsonFields) -> None:
        given = [name for name in FORMS if name in fields]
        if len(given) != 1:
            raise CombinationError(f"give one of {', '.join(FORMS)}, not {' and '.join(given) or 'none'}")
        self.form = given[0]
        self.words: list[list[str]] = []
        self.text = ""
        layout = fields.choice("layout", TEXT_LAYOUTS, "raw")
        ranges = fields.flag("ranges")
        newlines = fields.choice("newlines", NEWLINES, "auto")
        if self.form != "text" and ("layout" in fields or ranges or "newlines" in fields):
            raise CombinationError(f"layout, ranges and newlines are about `text`: leave them out with `{self.form}`")
        if self.form == "words":
            self.words = fields.values("words", LISTS, lambda words: isinstance(words, list) and words != [])
            if not all(isinstance(word, str) and word.strip() for words in self.words for word in words):
                raise TreewrightError("words: each word must be a string that is not blank")
        else:
            self.text = fields.text(self.form)
        self.reading = Reading(layout if self.form == "text" else "conllu", ranges, newlines)

    @property
    def places(self) -> Places:
        """Where tokens are looked for: in the text, if there is one."""
        return Places(self.text if self.form == "text" else None)

    def blocks(self, service: Service, request: Request, parser: Step) -> Iterator[Block]:
        """Yield the text as blocks of words, within the limits."""
        text = self.text
        if self.form == "words":
            sentences = (Sentence.from_words(words).to_conllu() for words in self.words)
            text = "".join(sentences)
        return blocks_of(service, request, parser, text, self.reading)


def parse_keywords(fields: JsonFields) -> dict[str, object]:
    """Return the options of the parse that a request gives, as keywords of Call."""
    keywords: dict[str, object] = {}
    if "beam" in fields:
        keywords["beam"] = fields.integer("beam", minimum=1, maximum=WIDEST_BEAM)
    for name in ("confidence", "exact"):
        if fields.flag(name):
            keywords[name] = True
    if "method" in fields:
        keywords["method"] = fields.choice("method", METHODS)
    if "constraints" in fields:
        keywords["constraints"] = fields.text("constraints")
    fields.declare("beam", "method", "constraints")
    return keywords


def tags_wanted(fields: JsonFields, parser: Step, block_has_tags: bool) -> bool:
    """Say whether the tagger runs: where words have no tags, or where the request says so."""
    again = fields.flag("tag")
    if again and "tagger" not in parser.steps:
        raise CombinationError("tag: the model has no tagger")
    return again or ("tagger" in parser.steps and not block_has_tags)
