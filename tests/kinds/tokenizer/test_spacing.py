"""Spacing, lines, unknown characters and missing punctuation: what a text looks like must not break its tokens."""

from __future__ import annotations

import textwrap
from functools import cache

import pytest
from treewright.kinds.tokenizer.boundaries.alphabet import Alphabet
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.boundaries.lines import LineStyle, lacking_marks, line_style
from treewright.kinds.tokenizer.boundaries.spans import spans_of
from treewright.treebank.blocks.block import Block

from tests.kinds.tokenizer.test_tokenizer import check_text_kept, given_text, rows, toy_tokenizer, unspaced_tokenizer
from tests.toy import TEST, TRAIN
from treewright.errors import CombinationError, ModelFileError
from treewright.kinds.tokenizer import tokenizer as module
from treewright.kinds.tokenizer.augmentation import unpunctuated, variants
from treewright.kinds.tokenizer.multiwords.multiword_context import context_weights
from treewright.kinds.tokenizer.raw_text import SurfaceSentence, SurfaceToken, label, surface_sentences
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.tokenizer import Tokenizer
from treewright.kinds.tokenizer.training import train_tokenizer
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


@cache
def toy_sentences() -> list[str]:
    return [label(sentence).text for sentence in surface_sentences(read_blocks(TEST))][:60]


def tokens(tokenizer: Tokenizer, text: str, newlines: str = "auto") -> list[list[str]]:
    """The forms of each sentence."""
    found = tokenizer.tokenize(text, newlines=newlines)
    return [[row[1] for row in rows(part)] for part in found.split(b"\n\n") if part]


def spacings() -> dict[str, str]:
    text = " ".join(toy_sentences())
    wrapped = textwrap.fill(text, 80)
    return {
        "lines": "\n".join(toy_sentences()) + "\n",
        "blank lines": "\n\n".join(toy_sentences()),
        "double": text.replace(" ", "  "),
        "tabs": text.replace(" ", "\t"),
        "no-break": text.replace(" ", "\xa0"),
        "ideographic": text.replace(" ", "\u3000"),
        "wrapped": wrapped,
        "wrapped, CRLF": wrapped.replace("\n", "\r\n"),
        "lines, CRLF": "\r\n".join(toy_sentences()),
        "lines, CR": "\r".join(toy_sentences()),
        "separators": "\u2028".join(toy_sentences()),
    }


@pytest.mark.parametrize("name", list(spacings()))
def test_spacing_changes_nothing(name: str) -> None:
    plain = tokens(toy_tokenizer(), " ".join(toy_sentences()))
    assert len(plain) == len(toy_sentences())
    assert tokens(toy_tokenizer(), spacings()[name]) == plain


def test_text_without_spaces_may_have_some() -> None:
    texts = ["中文好。", "字中文，好好。", "文字！"] * 4
    plain = tokens(unspaced_tokenizer(), "".join(texts))
    assert plain[0] == ["中文", "好", "。"]
    assert len(plain) == len(texts)
    for between in (" ", "\n", "\r\n", "\u3000", "  ", "\n\n"):
        assert tokens(unspaced_tokenizer(), between.join(texts)) == plain
    joined = "".join(texts) * 10
    wrapped = "\n".join(joined[at : at + 40] for at in range(0, len(joined), 40))
    assert tokens(unspaced_tokenizer(), wrapped) == tokens(unspaced_tokenizer(), joined)
    check_text_kept(unspaced_tokenizer(), wrapped)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_cut_after_so_many_characters_may_cut_numbers(end: str) -> None:
    """Nothing stands between two lines of such text, also where a number is cut; English words are never joined."""
    joined = "".join(f"中文1{number:03}字，文字！" for number in range(90))
    wrapped = end.join(joined[at : at + 40] for at in range(0, len(joined), 40))
    assert tokens(unspaced_tokenizer(), wrapped) == tokens(unspaced_tokenizer(), joined)
    check_text_kept(unspaced_tokenizer(), wrapped)
    english = textwrap.fill("abcd efghi klmn opqrs " * 60, 40)
    assert "".join(tokens(toy_tokenizer(), english)[0]).startswith("abcdefghi")
    assert {len(form) for sentence in tokens(toy_tokenizer(), english) for form in sentence} == {4, 5}


def test_lines_mean_what_one_says() -> None:
    text = "The girl sang\nthe song.\n\nThe baker slept"
    counts = {mode: len(tokens(toy_tokenizer(), text, mode)) for mode in ("paragraph", "sentence", "ignore")}
    assert counts["sentence"] == 3
    assert counts["paragraph"] == 2
    assert counts["ignore"] <= 2
    assert b"# newpar" in toy_tokenizer().tokenize(text)
    assert toy_tokenizer().tokenize(text, newlines="ignore").count(b"# newpar") == 1
    with pytest.raises(CombinationError, match="paragraph"):
        toy_tokenizer().tokenize(text, newlines="sometimes")


def test_the_width_of_wrapped_text_is_found() -> None:
    words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt " * 8
    wrapped = line_style(Characters(textwrap.fill(words, 72).encode()))
    assert 65 <= wrapped.width <= 72
    assert line_style(Characters(b"Short.\nLines.\nEach one a sentence.\n")).width == 0
    assert line_style(Characters(b"a title\n" + words.encode())).width == 0
    assert repr(LineStyle("ignore")) == "<LineStyle: ignore, width 0>"


def test_characters_that_belong_together() -> None:
    together = ["https://example.org/a?b=c", "www.example.org", "me.you@example.org", "#word", "@name_1", "1,5"]
    together += ["...", "!!!", "👩‍🚀", "👍🏽", "🇬🇷", "e\u0301"]
    for text in together:
        assert all(spans_of(Characters(text.encode()))[:-1]), text
    assert spans_of(Characters("🇬🇷🇫🇷".encode()))[1] == 0
    assert spans_of(Characters(b"https://example.org."))[-2] == 0
    assert not any(spans_of(Characters(b"a@b a:b 1 , 2 # x ://y")))


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("see http://a.org/(b)) now", "http://a.org/(b)"),
        ("to a.b@c.org- and", "a.b@c.org"),
        ("at http://a.org/1,234#x", "http://a.org/1,234#x"),
    ],
)
def test_where_addresses_end(text: str, together: str) -> None:
    """All of their characters but the last are held to the next one, for one and the same reason."""
    start = text.index(together)
    expected = [start <= at < start + len(together) - 1 for at in range(len(text))]
    found = spans_of(Characters(text.encode()))
    assert [span > 0 for span in found] == expected
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    "text", ["👩‍🚀", "👍🏽", "🇬🇷", "e\u0301", "https://example.org/a?b=c", "me@example.org", "…", "שלום", "добро"]
)
def test_what_was_never_seen_is_one_token(text: str) -> None:
    assert tokens(toy_tokenizer(), f"The girl saw {text} there.")[0][3] == text


def test_unknown_characters_are_read_as_similar_ones() -> None:
    alphabet = Alphabet("abc\"'-.,()")
    assert [alphabet.reads_as(character) for character in "«“’–。（ａa"] == ['"', '"', "'", "-", ".", "(", "a", "a"]
    assert alphabet.reads_as("z") is None


def test_quotes_never_seen_are_cut_off() -> None:
    assert tokens(toy_tokenizer(), "«The girl sang.»")[0][0] == "«"
    assert tokens(toy_tokenizer(), "Hi.")[0] == ["Hi", "."]


def test_marks_that_a_text_lacks() -> None:
    text = "The girl sang. The baker slept. " * 20
    assert lacking_marks(Characters(text.encode())) == 0
    assert lacking_marks(Characters(text.lower().encode())) == 1
    assert lacking_marks(Characters(text.replace(".", "").encode())) == 2
    assert lacking_marks(Characters(text.lower().replace(".", "").encode())) == 3
    assert lacking_marks(Characters(b"hello")) == 0
    assert lacking_marks(Characters(b"The Baker came on the 15. of May " * 20)) == 2


def test_text_without_punctuation_is_split() -> None:
    sentences = list(surface_sentences(read_blocks(TRAIN)))[:80]
    bare = [label(unpunctuated(sentence)).text.lower() for sentence in sentences]
    found = toy_tokenizer().tokenize(" ".join(bare)).decode()
    texts = [line.removeprefix("# text = ") for line in found.split("\n") if line.startswith("# text")]
    assert len(set(texts) & set(bare)) > len(set(bare)) / 2


def test_copies_to_learn_from_keep_their_labels() -> None:
    sentences = list(surface_sentences(read_blocks(TRAIN)))[:40]
    found = list(variants(sentences, 1))
    assert {variant.lacking for variant in found} == {0, 1, 2, 3}
    for variant in found:
        assert len(variant.part.text) == len(variant.part.labels)
        assert not variant.lacking & 1 or variant.part.text == variant.part.text.lower()


def test_no_sentence_is_longer_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = toy_tokenizer().settings["longest"]
    text = "and the girl saw the baker " * 600 + "x" * 50000
    found = tokens(toy_tokenizer(), text)
    assert max(map(len, found)) <= limit
    assert "".join("".join(forms) for forms in found) == text.replace(" ", "")
    monkeypatch.setattr(module, "STRETCH", 3000)
    assert tokens(toy_tokenizer(), text) == found


def test_memory_stays_flat_without_any_border(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 0

    class Watched(Characters):
        def __init__(self, text: bytes) -> None:
            nonlocal longest
            longest = max(longest, len(text))
            super().__init__(text)

    monkeypatch.setattr(module, "Characters", Watched)
    monkeypatch.setattr(module, "STRETCH", 1 << 17)
    for unit in (b"and so on ", b"x", "中".encode()):
        longest = 0
        sizes = [len(block.data) for block in toy_tokenizer().blocks(given_text(unit * (1_000_000 // len(unit))))]
        assert len(sizes) > 3
        assert longest < 3 << 17


def treebank(*sentences: str) -> list[Block]:
    """Sentences with spaces between tokens; ``a+b`` is a multiword token ``ab``, ``_`` a space inside."""
    lines: list[str] = []
    for sentence in sentences:
        number = 1
        for token in sentence.split():
            words = token.replace("_", " ").split("+")
            if len(words) > 1:
                lines.append(f"{number}-{number + len(words) - 1}\t{''.join(words)}" + "\t_" * 8)
            for word in words:
                lines.append(f"{number}\t{word}" + "\t_" * 8)
                number += 1
        lines.append("")
    return [Block(("\n".join(lines) + "\n").encode(), CONLLU, "t")]


def test_multiword_tokens_are_split_by_context() -> None:
    blocks = treebank(
        *["il vient de+s bois .", "il mange des pommes .", "elle sort de+s villes .", "elle voit des gens ."] * 5
    )
    weights = context_weights(surface_sentences(blocks))
    assert list(weights) == ["des"]
    tokenizer = train_tokenizer(blocks, TokenizerRecipe(iterations=3))
    assert tokens(tokenizer, "il vient des bois .")[0] == ["il", "vient", "des", "de", "s", "bois", "."]
    assert tokens(tokenizer, "elle voit des pommes .")[0] == ["elle", "voit", "des", "pommes", "."]


def test_words_with_spaces_inside_are_learnt() -> None:
    blocks = treebank(*["toi la sinh_vien .", "sinh_vien hoc tieng_anh .", "toi hoc .", "tieng_anh kho ."] * 6)
    tokenizer = train_tokenizer(blocks, TokenizerRecipe(iterations=5))
    assert tokens(tokenizer, "toi la sinh vien .")[0] == ["toi", "la", "sinh vien", "."]
    text = "toi la sinh\n  vien ."
    check_text_kept(tokenizer, text, "paragraph")
    assert b"SpacesInToken=sinh\\n\\s\\svien" in tokenizer.tokenize(text, newlines="paragraph")


def test_damaged_settings_are_refused() -> None:
    for broken in (
        {"usual": toy_tokenizer().settings["usual"][1:]},
        {"usual": [255] * 768},
        {"eager": [1.0]},
        {"words": {"a": 99}},
    ):
        with pytest.raises(ModelFileError):
            Tokenizer({**toy_tokenizer().settings, **broken}, toy_tokenizer().weights)


def test_a_form_that_is_always_split_needs_no_context() -> None:
    sentence = SurfaceSentence([SurfaceToken("du", ("de", "le"), True), SurfaceToken("vin", ("vin",), True)])
    assert context_weights([sentence] * 9) == {}
