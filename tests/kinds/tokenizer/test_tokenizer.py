"""Tokens and sentences: what was learnt from a treebank comes back, and nothing of the text is lost."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.online import matching_spans
from treewright.treebank.blocks.block import Block

from tests.toy import TRAIN
from treewright.errors import TreebankError
from treewright.kinds.tokenizer import tokenizer as module
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken, paragraphs, raw_text, surface_sentences
from treewright.kinds.tokenizer.raw_text import label as raw_text_label
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.restoring import restored_text, unescaped
from treewright.kinds.tokenizer.tokenizer import Tokenizer, given_tokens
from treewright.kinds.tokenizer.training import boundary_scores, strategy, train_tokenizer
from treewright.steps.call import PLAIN
from treewright.steps.text import GivenText
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import TrainingObserver
from treewright.treebank.blocks.normal_text import normal_form
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import open_input
from treewright.treebank.formats.conllu import CONLLU


@cache
def toy_tokenizer() -> Tokenizer:
    return train_tokenizer(read_blocks(TRAIN), TokenizerRecipe(iterations=4))


UNSPACED = (["中文", "好", "。"], ["字", "中文", "，", "好好", "。"], ["文字", "！"], ["好", "文字", "a1", "。"])


@cache
def unspaced_tokenizer() -> Tokenizer:
    """A tokeniser of a language without spaces."""
    lines = []
    for forms in UNSPACED * 5:
        lines.extend(f"{n}\t{form}\t{'_	' * 7}SpaceAfter=No" for n, form in enumerate(forms, 1))
        lines.append("")
    return train_tokenizer([Block(("\n".join(lines) + "\n").encode(), CONLLU, "t")], TokenizerRecipe(iterations=4))


def given_text(text: bytes, layout: str = "raw") -> GivenText:
    return GivenText(open_input(text), layout)


def rows(conllu: bytes) -> list[list[str]]:
    return [line.split("\t") for line in conllu.decode().split("\n") if line[:1].isdigit()]


def test_the_toy_treebank_is_tokenised_as_it_was() -> None:
    texts = list(paragraphs(surface_sentences(read_blocks(TRAIN))))
    tokens, sentences = boundary_scores(toy_tokenizer(), texts)
    assert tokens.f1 > 99.5
    assert sentences.f1 > 95


def test_words_comments_and_spaces() -> None:
    out = toy_tokenizer().tokenize("The girl sang.\n\nThe  baker slept.")
    assert out.decode() == (
        "# newdoc\n# newpar\n# sent_id = 1\n# text = The girl sang.\n"
        "1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tgirl\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tsang\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\t.\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\n\\n\n\n"
        "# newpar\n# sent_id = 2\n# text = The baker slept.\n"
        "1\tThe\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s\n2\tbaker\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tslept\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n4\t.\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n"
    )


def test_given_boundaries_are_kept() -> None:
    tokenizer = toy_tokenizer()
    segmented = tokenizer.tokenize("The girl. Sang the\nbaker\n", "presegmented").decode()
    assert re.findall("# text = (.*)", segmented) == ["The girl. Sang the", "baker"]
    horizontal = tokenizer.tokenize("can't stop. now\nwell\n", "horizontal").decode()
    assert [row[1] for row in rows(horizontal.encode())] == ["can't", "stop.", "now", "well"]
    assert horizontal.count("# sent_id") == 2
    vertical = tokenizer.tokenize("New York\nis\n\nbig.\n", "vertical").decode()
    assert [row[1] for row in rows(vertical.encode())] == ["New York", "is", "big."]
    assert (
        b"".join(block.data for block in given_tokens(given_text(b"a b\nc\n", "horizontal"), PLAIN)).count(b"\n\n") == 2
    )
    with pytest.raises(TreebankError, match="horizontal"):
        tokenizer.tokenize("x", "diagonal")


def test_ranges_are_places_in_the_text() -> None:
    text = "Ä girl sang. The baker slept.\n\nThe girl  sang."
    out = toy_tokenizer().tokenize(text, ranges=True)
    for row in rows(out):
        start, end = map(int, re.search(r"TokenRange=(\d+):(\d+)", row[9]).groups())  # type: ignore[union-attr]
        assert text[start:end] == row[1]


ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from("ab A.!?'\"-\n\r\t (),09\xa0\u3000\u2028\u2029\x85\x0b\x0c\x1f\ufeff中文。|\\_👩‍🚀🇬🇷"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    )
)


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT, st.sampled_from(["auto", "paragraph", "sentence", "ignore"]))
def test_the_text_comes_back_to_the_byte(text: str, newlines: str) -> None:
    check_text_kept(toy_tokenizer(), text, newlines)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("中文字好a1 \n\r。，!\u3000\t"), max_size=60))
def test_text_without_spaces_comes_back_to_the_byte(text: str) -> None:
    check_text_kept(unspaced_tokenizer(), text)
    check_text_kept(unspaced_tokenizer(), text, "paragraph")


def check_text_kept(tokenizer: Tokenizer, text: str, newlines: str = "auto") -> None:
    """Nothing of a text is lost: forms and spaces give it back, and ranges are places in it."""
    out = tokenizer.tokenize(text, ranges=True, newlines=newlines)
    assert not Block(out, CONLLU, "text").problems
    if not out:
        assert not re.sub(r"[\s\x00-\x20\x7f\x85]", "", normal_form(f"-{text}")[1:])
        return
    assert restored_text(out.decode()) == text
    for row in rows(out):
        found = re.search(r"TokenRange=(\d+):(\d+)", row[9])
        if found:
            start, end = map(int, found.groups())
            inside = re.search(r"SpacesInToken=([^|]*)", row[9])
            assert text[start:end] == (unescaped(inside.group(1)) if inside else row[1])


@pytest.mark.parametrize("layout", ["raw", "presegmented", "horizontal", "vertical"])
def test_pieces_change_nothing(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = raw_text(read_blocks(TRAIN))[:20000].replace(". ", ".\n") * 2
    if layout == "raw":
        text = text.replace("\n", " ") + "\n\n" + text
    whole = toy_tokenizer().tokenize(text, layout, ranges=True)
    monkeypatch.setattr(module, "STRETCH", 700)
    pieces = toy_tokenizer().tokenize(text, layout, ranges=True)
    assert rows(pieces) == rows(whole)
    assert pieces == whole


def test_bad_text_is_refused_with_its_line() -> None:
    with pytest.raises(TreebankError, match=r":2: byte 0xff"):
        list(toy_tokenizer().blocks(given_text(b"good\n\xff\n")))
    with pytest.raises(TreebankError, match="NUL"):
        list(toy_tokenizer().blocks(given_text("good text".encode("utf-16-le"))))
    assert list(toy_tokenizer().blocks(given_text(b""))) == []
    assert list(toy_tokenizer().blocks(given_text(b" \n\n "))) == []


def test_lines_are_counted_over_all_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STRETCH", 40)
    text = "The old man sat there.\n\n" * 9 + "\udcff\n"
    with pytest.raises(TreebankError, match=r":19: byte 0xff"):
        list(toy_tokenizer().blocks(given_text(text.encode("utf-8", "surrogateescape"))))


def test_text_in_which_nothing_ends_is_refused_with_its_size_and_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 1 << 20)
    begins = "One.\n\nTwo.\n\n"
    stretches = module._stretches(open_input((begins + "a " * (1 << 20)).encode()), None)
    with pytest.raises(TreebankError, match=r":5: more than 1 MB without the end of a sentence"):  # noqa: PT012
        for number, (characters, _) in enumerate(stretches):
            characters.used = 0 if number else len(begins)


def test_sentences_of_a_text_end_after_their_last_characters() -> None:
    text = "The old man sat there. He saw the dog."
    assert toy_tokenizer().sentence_ends(text) == [text.index(" He") - 1, len(text) - 1]


def test_given_sentences_lack_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a whole text lacks says nothing of each of its lines."""
    seen: list[int] = []
    label = Tokenizer.label

    def spied(self: Tokenizer, text: Characters, whole_lines: bool = False) -> bytearray:
        seen.append(text.lacking)
        return label(self, text, whole_lines)

    monkeypatch.setattr(Tokenizer, "label", spied)
    text = "the old man sat there\nhe saw the dog\n" * 20
    for layout in ("raw", "presegmented"):
        toy_tokenizer().tokenize(text, layout)
    assert seen[0] != 0
    assert seen[-1] == 0


def test_text_that_goes_on_after_the_tokens_is_not_theirs() -> None:
    tokens = [SurfaceToken(form, (form,), True) for form in ("so", "it", "is")]
    assert raw_text_label(SurfaceSentence(tokens, "so  it is")).text == "so  it is"
    assert raw_text_label(SurfaceSentence(tokens, "so  it is not")).text == "so it is"


class Progress(TrainingObserver):
    """Adds up the sentences of all rounds."""

    def __init__(self) -> None:
        self.sentences = 0

    def advanced(self, sentences: int) -> None:
        assert sentences >= 0
        self.sentences += sentences


def test_a_tokeniser_that_goes_on_keeps_what_it_knows() -> None:
    old = toy_tokenizer()
    block = Block(b"1\tXyzzy\t_\t_\t_\t_\t_\t_\t_\t_\n2\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n" * 5, CONLLU, "few")
    progress = Progress()
    prepared = strategy(TokenizerRecipe(iterations=2, seeds=1), old)
    more = Training(prepared, Gathered("few", [block]), observer=progress).run()
    assert isinstance(more, Tokenizer)
    for name in ("alphabet", "words", "longest", "marks"):
        assert more.settings[name] == old.settings[name]
    assert progress.sentences == 5 * 2


def test_a_tokeniser_that_goes_on_splits_the_tokens_that_it_knows() -> None:
    line = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n"
    split = "".join(line.format(*row) for row in (("1-2", "du"), (1, "de"), (2, "le"), (3, "vin")))
    other = "".join(line.format(*row) for row in ((1, "le"), (2, "vin")))
    first, second = (Block(f"{text}\n".encode() * 5, CONLLU, "few") for text in (split, other))
    recipe = TokenizerRecipe(iterations=1, seeds=1)
    old = train_tokenizer([first], recipe)
    assert old.info["recipe"]["iterations"] == 1
    more = Training(strategy(recipe, old), Gathered("few", [second])).run()
    assert isinstance(more, Tokenizer)
    assert [row[1] for row in rows(more.tokenize("du vin"))] == ["du", "de", "le", "vin"]


def test_a_stray_nul_is_a_space() -> None:
    found = rows(toy_tokenizer().tokenize("a\0b\0\0"))
    assert [(row[1], row[9]) for row in found] == [("a", r"SpacesAfter=\u0000"), ("b", r"SpacesAfter=\u0000\u0000")]
    assert toy_tokenizer().tokenize("\0") == b""


def test_text_without_comments_comes_from_space_after() -> None:
    treebank = (
        "1\tYes\t_\tX\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t,\t_\tX\t_\t_\t1\tx\t_\t_\n3\tno\t_\tX\t_\t_\t1\tx\t_\t_\n\n"
        "# newpar\n1\tOh\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    )
    assert raw_text([Block(treebank.encode(), CONLLU, "t")]) == "Yes, no\n\nOh\n"


def spans_by_sets(labels: bytes, least: int) -> set[tuple[int, int]]:
    ends = [place for place, label in enumerate(labels) if label >= least]
    return set(zip([0, *ends], ends, strict=False))


@pytest.mark.parametrize("seed", range(20))
def test_matching_spans_are_those_of_sets(seed: int) -> None:
    chance = random.Random(seed)
    gold = bytes(chance.choice((0, 0, 1, 2)) for _ in range(chance.randrange(30)))
    found = bytes(label if chance.random() < 0.7 else chance.randrange(3) for label in gold)
    for least in (1, 2):
        sets = [spans_by_sets(labels, least) for labels in (gold, found)]
        expected = len(sets[0]), len(sets[1]), len(sets[0] & sets[1])
        assert matching_spans(gold, found, least) == expected
    with pytest.raises(ValueError, match="one label per character"):
        matching_spans(gold, found + b"\0", 1)
