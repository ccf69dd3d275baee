"""What a tokeniser learns from: the text of a treebank in many variants, and rules that split tokens into words.

`expected/prepared-text.txt` shows all of it for a page of English, the same without capitals, and a little Chinese:
every line of text with "|" after a token and "¶" after a sentence; rules as JSON. After a change on purpose, run this,
and look at the difference before you commit it:

    TREEWRIGHT_UPDATE=1 pytest tests/kinds/pipeline/test_prepared_text.py
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from treewright.treebank.blocks.block import Block, Layout

from treewright.kinds.tokenizer.augmentation import (
    begins_with_capitals,
    cut,
    glued,
    initialled,
    is_unspaced,
    lowered,
    merged,
    unpunctuated,
    variants,
)
from treewright.kinds.tokenizer.multiwords.multiword_candidates import with_guesses
from treewright.kinds.tokenizer.multiwords.multiword_context import context_weights
from treewright.kinds.tokenizer.multiwords.multiword_rules import multiword_settings
from treewright.kinds.tokenizer.raw_text import (
    INSIDE,
    SENTENCE_END,
    LabelledText,
    SurfaceSentence,
    SurfaceToken,
    label,
    paragraphs,
    raw_text,
    surface_sentences,
)
from treewright.kinds.tokenizer.restoring import restored_text
from treewright.kinds.tokenizer.unusual_tokens import KINDS, kinds_kept_whole, with_unusual_tokens
from treewright.treebank.formats.conllu import CONLLU

PAGE = Path(__file__).parents[2] / "data" / "page.txt"
EXPECTED = Path(__file__).parent / "expected" / "prepared-text.txt"
MARKS = ("", "|", "¶")
CHINESE = "今天天气很好。我们去公园，你们呢？孩子们都来了。“好！”他说。明天也去。"
SPLIT = re.compile(r"(?=n't$|'(?:ll|ve|s|d|re)$)")


def english() -> list[SurfaceSentence]:
    """Cut the page of English as a treebank might."""
    found = []
    for paragraph in PAGE.read_text(encoding="utf-8").split("\n\n"):
        for number, text in enumerate(re.split(r"(?<=[.!?]) (?=[A-Z])", " ".join(paragraph.split()))):
            tokens = []
            for piece in re.finditer(r"[\w.@/?=:-]+\w(?:'\w+)?|\w|[^\w\s]", text):
                space = text[piece.end() : piece.end() + 1] in (" ", "")
                tokens.append(SurfaceToken(piece[0], tuple(SPLIT.split(piece[0])), space))
            found.append(SurfaceSentence(tokens, "", number == 0))
    return found


def chinese() -> list[SurfaceSentence]:
    """Cut the Chinese text into tokens of one or two characters."""
    found = []
    for number, text in enumerate(re.findall(r"[^。？]+[。？]", CHINESE * 8)):
        forms = re.findall(r"\w\w?|\W", text)
        found.append(SurfaceSentence([SurfaceToken(form, (form,), False) for form in forms], "", number % 7 == 0))
    return found


def shown(part: LabelledText) -> str:
    """Return a text with marks where tokens and sentences end."""
    pairs = zip(part.text, part.labels, strict=True)
    return "".join(character + MARKS[value] for character, value in pairs)


def shown_variants(sentences: list[SurfaceSentence]) -> Iterator[str]:
    for part, lacking, held_out in variants(sentences, seed=3):
        yield f"lacking {lacking}{', held out' * held_out}: {shown(part)}"


def prepared() -> Iterator[tuple[str, str]]:
    """Yield the names of all that is shown, and lines."""
    whole = english()
    few = {"english": whole * 3, "small letters": list(map(lowered, whole)), "chinese": chinese()}
    for name, sentences in few.items():
        for line in shown_variants(sentences):
            yield name, line
    for name, sentences in {"english": whole, "french": french(), "clitics": clitics()}.items():
        yield from shown_tables(f"{name}, rules", settings := multiword_settings(sentences))
        yield from shown_tables(f"{name}, guesses", guesses := with_guesses(settings, sentences))
        for other, more in {"french": french(), "clitics": clitics(), "none": []}.items():
            yield from shown_tables(f"{name}, then {other}", again := multiword_settings(more, guesses))
            yield from shown_tables(f"{name}, then {other}, guesses", with_guesses(again, more, guesses))
    yield "french contexts", json.dumps(context_weights(french()), ensure_ascii=False)


def shown_tables(name: str, settings: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for table, value in settings.items():
        yield name, f"{table}: {json.dumps(value, ensure_ascii=False)}"


#: words of a language like Spanish or Catalan; "+" cuts a token, "=" says what its words are, "*2": it occurs twice
CLITICS = """ver+lo dar+lo*2 Comer+lo hacer+lo ser+lo da+me+lo di+me+lo diga+me+lo Solo*3 cielo*2 malo polo*2 hilo
tela*2 vámonos=vamos,nos sentémonos=sentemos,nos pongámonos=pongamos,nos monos*2 al=a,el del=de,el Al=a,el cal*2
l'+ami l'+eau L'+homme l'+an lune*2 l'est*2 d'+abord d'+eau d'accord*2 d'+un c'+est qu'+il jusqu'+ici
anarsen=anar,se,ne tornarsen=tornar,se,ne jo*4 a+b a+c ab*2 x+y extraordinariamente+lo z=z,lo qq=q,q"""


def clitics() -> list[SurfaceSentence]:
    tokens = []
    for entry in CLITICS.split():
        word, _, times = entry.partition("*")
        form, _, words = word.partition("=")
        split = tuple(words.split(",")) if words else tuple(form.split("+"))
        tokens += [SurfaceToken(form.replace("+", ""), split, True)] * int(times or 1)
    return [SurfaceSentence(tokens[at : at + 9]) for at in range(0, len(tokens), 9)]


def french() -> list[SurfaceSentence]:
    """Sentences in which `des` and `du` are split after a verb and whole elsewhere, with other joined words."""
    words = {"vas-tu": ("vas", "-tu"), "dis-moi": ("dis", "-moi"), "donne-moi": ("donne", "-moi"), "au": ("à", "le")}
    words |= {"auquel": ("à", "lequel"), "duquel": ("de", "lequel"), "jusqu'au": ("jusqu'à", "le"), "Au": ("à", "le")}
    texts = (
        "il parle des chats . elle parle du chien . il vient des champs . elle vient du parc . Au revoir dis-moi",
        "des chats noirs . du pain frais . des chiens . du vin . où vas-tu au bois donne-moi le livre auquel il pense",
        "tu viens du lac . on parle des rois . des mots . du sel . le roi duquel il vient jusqu'au soir et le moi",
    )
    found = []
    for text in " . ".join(texts * 2).split(" . "):
        forms = text.split()
        tokens = []
        for before, form in zip(["", *forms], forms, strict=False):
            joined = form in ("des", "du") and before in ("parle", "vient", "viens")
            split = ("de", "les" if form == "des" else "le") if joined else words.get(form, (form,))
            tokens.append(SurfaceToken(form, split, True))
        found.append(SurfaceSentence(tokens))
    return found


def test_prepared_text_is_what_it_was() -> None:
    found = [f"{name}: {line}" for name, line in prepared()]
    if os.environ.get("TREEWRIGHT_UPDATE"):
        EXPECTED.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    before = EXPECTED.read_text(encoding="utf-8").splitlines()
    for number, (new, old) in enumerate(zip(found, before, strict=False), 1):
        assert new == old, f"line {number} is the first that differs"
    assert len(found) == len(before)


# Reading the text of a treebank

TREEBANK = """\
# newdoc id = a
# text = Don't go,  Zoë .
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tGloss=x|SpaceAfter=No
1\tDo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tn't\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_
4\t,\t_\t_\t_\t_\t_\t_\t_\t_
5-x\tZoë\t_\t_\t_\t_\t_\t_\t_\t_
6\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Nowhere

# newpar
#text=other text
# texts = no
1\t#\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tb\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No

"""


def test_the_tokens_of_a_treebank() -> None:
    for ends in ("\n", "\r\n"):
        block = Block(TREEBANK.replace("\n", ends).encode(), CONLLU, "made")
        first, second = surface_sentences([block])
        assert first.tokens == [
            SurfaceToken("Don't", ("Do", "n't"), False),
            SurfaceToken("go", ("go",), False),
            SurfaceToken(",", (",",), True),
            SurfaceToken("Zoë", (), True),
            SurfaceToken(".", (".",), True),
        ]
        assert (first.text, first.starts_paragraph) == ("Don't go,  Zoë .", True)
        assert second.tokens == [SurfaceToken("#", ("#",), False), SurfaceToken("b", ("b",), False)]
        assert (second.text, second.starts_paragraph) == ("other text", True)
        assert raw_text([block]) in ("Don'tgo, Zoë .\n\n#b\n", "Don't go,  Zoë .\n\n#b\n")


def test_a_treebank_whose_first_column_is_the_form() -> None:
    """Blank lines are no words. Such a treebank has no numbers and says nothing of spaces."""
    bare = Block(b"\xef\xbb\xbfa\t2\n1-2\t0\n\nc\t0\n\n", Layout("bare", ("FORM", "HEAD")), "bare")
    forms = [[token.form for token in sentence.tokens] for sentence in surface_sentences([bare])]
    assert forms == [["a", "1-2"], ["c"]]
    assert raw_text([bare]) == "a 1-2 c\n"


def sentence(*forms: str, text: str = "", starts: bool = False) -> SurfaceSentence:
    """Return a sentence; a form that ends with "_" has no space behind it."""
    tokens = [SurfaceToken(form.rstrip("_"), (form.rstrip("_"),), not form.endswith("_")) for form in forms]
    return SurfaceSentence(tokens, text, starts)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (sentence("a", "b_", "."), "a| b|.¶"),
        (sentence("a", "b_", ".", text="a b."), "a| b|.¶"),
        (sentence("a", "b_", ".", text=" a   b ."), " a|   b| .¶"),
        (sentence("a", "b_", ".", text="a b. "), "a| b|.¶"),
        (sentence("a", "b_", ".", text="other"), "a| b|.¶"),
        (sentence("a", "b_", ".", text="a b. c"), "a| b|.¶"),
        (sentence("a b", "c"), "a b| c¶"),
        (sentence("a", " b"), ""),
        (sentence("a", "_"), ""),
        (sentence("_"), ""),
    ],
)
def test_labels_of_a_sentence(made: SurfaceSentence, expected: str) -> None:
    assert shown(label(made)) == expected


def test_sentences_are_joined_to_paragraphs() -> None:
    given = [sentence("a_"), sentence("b"), sentence("c_", starts=True), sentence("d", starts=True), sentence("e")]
    assert [shown(part) for part in paragraphs(given)] == ["a¶b¶ ", "c¶", "d¶ e¶ "]
    assert [part.labels[-1] for part in paragraphs(given)] == [INSIDE, SENTENCE_END, INSIDE]
    assert list(paragraphs([])) == []


# Tokens that a treebank may lack


def names_of(makers) -> set[str]:
    return {maker.__name__ for maker in makers}


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("No.", {"numbered", "shortened"}),
        ("J.-P.", {"initials"}),
        ("e.g.", {"dotted", "capitals"}),
        ("main.py", {"file_name"}),
        (".NET", {"ending"}),
        ("2.0.1", {"version"}),
        ("2024-01-05", {"date"}),
    ],
)
def test_kinds_that_the_treebank_cuts_are_not_made_up(form: str, kinds: set[str]) -> None:
    cut = [f"{character}_" for character in form[:-1]] + [form[-1]]
    assert names_of(kinds_kept_whole([sentence("x", form, "y"), sentence("x", *cut, "y")])) == names_of(KINDS)
    two = [sentence("x", form, "y"), sentence("x", *cut, "y"), sentence("x", *cut, "y")]
    assert names_of(kinds_kept_whole(two)) == names_of(KINDS) - kinds
    assert names_of(kinds_kept_whole([sentence("x", *cut)])) == names_of(KINDS)  # the last one may have its full stop


def test_made_up_tokens_stand_in_the_second_of_three_sentences() -> None:
    many = [sentence("Alpha", "beta", "gamma_", ".", starts=number % 3 == 0) for number in range(400)]
    found = list(with_unusual_tokens(many, random.Random(5)))
    assert len(found) % 3 == 0
    assert 20 < len(found) < 120
    for before, middle, after in zip(found[::3], found[1::3], found[2::3], strict=True):
        assert before == replace(many[0], starts_paragraph=True)
        assert after == replace(many[1], starts_paragraph=False)
        assert middle.tokens != many[0].tokens
        assert not middle.starts_paragraph
        assert middle.tokens[-1].form == "."
        assert not middle.tokens[-2].space_after or middle.tokens[-3].form != "beta"
    assert list(with_unusual_tokens([sentence("a", "bcd", ".")] * 300, random.Random(5))) == []


# Variants, one by one


class Always(random.Random):
    """Chance that always says yes, and takes the first."""

    def random(self) -> float:
        return 0.0


def marked(sentences) -> list[int]:
    """Return which sentences begin a paragraph."""
    return [number for number, one in enumerate(sentences) if one.starts_paragraph]


def test_text_is_unspaced_where_most_sentences_follow_each_other_without_spaces() -> None:
    spaced, unspaced = sentence("a", "b"), sentence("a", "b_")
    assert not is_unspaced([spaced, unspaced])
    assert is_unspaced([spaced, spaced, unspaced, unspaced, unspaced])
    assert not is_unspaced([spaced, spaced, spaced, unspaced, unspaced])


def test_sentences_begin_with_capitals_where_more_than_three_of_ten_do() -> None:
    large, small = sentence("A"), sentence("a")
    assert [begins_with_capitals([large] * k + [small] * (10 - k)) for k in (1, 3, 4)] == [False, False, True]


def test_sentences_are_glued_where_a_stop_meets_a_capital() -> None:
    def glue(*sentences: SurfaceSentence) -> list[str]:
        return [shown(part) for part in glued(sentences, Always(1))]

    assert glue(sentence("Hi_", "."), sentence("Then_", ".")) == ["Hi|.¶Then|.¶"]
    assert glue(sentence("H_", "."), sentence("Then_", ".")) == []
    assert glue(sentence("Hi_", "."), sentence("then_", ".")) == []
    assert glue(sentence("BOX"), sentence("Then_", ".")) == []
    assert glue(sentence("Hi_", "!"), sentence("_"), sentence("Then_", "?"), sentence("So")) == ["Then|?¶So¶"]


def test_initials_stand_for_a_name_or_before_it() -> None:
    first, after = sentence("x", "Mary_", ",", "y"), sentence("z", starts=True)
    made, follows = initialled([first, after], Always(1))
    assert made.tokens[1].words == (made.tokens[1].form,)
    assert re.fullmatch(r"(?:M\.){2,4}", made.tokens[1].form)
    assert [token.space_after for token in made.tokens] == [True, False, True, True]
    assert (made.text, made.starts_paragraph, follows.starts_paragraph) == ("", True, False)
    for other in ("XYz", "Ma", "mary", "M4ry", "MARY"):
        assert list(initialled([sentence("x", other, "y"), after], Always(1))) == []
    assert list(initialled([sentence("Mary", "x", "Mary"), after], Always(1))) == []
    alone = {made.tokens[1] for made in initialled([first, after] * 2000, random.Random(2)) if len(made.tokens) == 5}
    assert alone == {SurfaceToken("M.", ("M.",), True)}


def test_long_stretches_are_cut_and_paragraphs_merged() -> None:
    assert marked(cut([sentence("a")] * 45)) == [19, 39]
    starts = [sentence("a", starts=number == 5) for number in range(45)]
    assert marked(cut(starts)) == [5, 25]
    assert marked(merged(starts, Always(1), 0.5)) == []
    assert marked(merged(starts, Always(1), 0.0)) == [5]


def test_a_sentence_without_capitals() -> None:
    small = lowered(SurfaceSentence([SurfaceToken("İÇ", ("İ", "Ç"), False)], "İÇ A", True))
    assert small == SurfaceSentence([SurfaceToken("İç", ("İ", "ç"), False)], "İç a", True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a_", ","], ["a"]),
        (["a", "b_", ",", "c_", "."], ["a", "b", "c"]),
        (["a_", "-_", "b_", "."], ["a_", "b"]),
        (["a", "-_", "b"], ["a", "b"]),
        (["a_", "-", "b"], ["a", "b"]),
        (["x", "a_", "-_", "b"], ["x", "a_", "b"]),
        (["“_", "a_", "”"], ["a"]),
        (["..."], []),
        (["$", "5"], ["5"]),
    ],
)
def test_a_sentence_without_punctuation(given: list[str], expected: list[str]) -> None:
    bare = unpunctuated(sentence(*given, text="any", starts=True))
    assert bare == sentence(*expected, starts=True)
    if expected:
        assert unpunctuated(sentence(*given), False).tokens[-1] == SurfaceToken(expected[-1], (expected[-1],), False)


def test_the_text_that_conllu_was_made_from() -> None:
    rows = [
        ("1-2", "du", r"SpacesBefore=\t|SpaceAfter=No|Odd=a=b"),
        ("1", "de", "_"),
        ("2", "le", "SpaceAfter=No"),
        ("2.1", "empty", "_"),
        ("3", "A|B", r"SpacesInToken=A\p\s\\=\u2028B|SpacesAfter=\n\r\x"),
        ("4-5", "x", "_"),
        ("4", "y", "_"),
        ("5", "z", "_"),
    ]
    lines = ["\t".join([number, form, *["_"] * 7, misc]) for number, form, misc in rows]
    again = "\t".join(["1", "end", *["_"] * 7, "SpaceAfter=No"])
    text = "\n".join(["# text = x", *lines, "", again, "", ""])
    assert restored_text(text) == "\tduA| \\=\u2028B\n\r\\xx end"
