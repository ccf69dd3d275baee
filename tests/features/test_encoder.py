"""What stands for an attribute of a word: the text that is hashed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.features.encoder import Encoder
from treewright.treebank.blocks.block import Block, Layout

from tests.systems.cases import CONLLU, block_of
from treewright.treebank.blocks.normal_text import normal_form

Mappings = tuple[tuple[str, int], ...]
LOWER = ("lower", 0)
SHAPE = (("shape", 0),)
LONGEST = 256  # bytes that lower and shape look at


def text_of(block: Block, column: str, argument: str = "", mappings: Mappings = (), word: int = 0) -> str:
    return Encoder([(column, argument, mappings)], False).text(block, word, 0).decode()


def mapped(form: str, *mappings: tuple[str, int]) -> str:
    return text_of(block_of([(form,)]), "FORM", "", mappings)


class TestColumns:
    block = block_of(
        [("Dogs", "dog", "NOUN", "NNS", "Case=Nom|Number=Plur", "0", "root", "_", "Gloss=x")],
        [("bark", "_", "_", "VBP")],
    )

    @pytest.mark.parametrize(
        ("column", "value"),
        [
            ("FORM", "Dogs"),
            ("LEMMA", "dog"),
            ("UPOS", "NOUN"),
            ("XPOS", "NNS"),
            ("FEATS", "Case=Nom|Number=Plur"),
            ("MISC", "Gloss=x"),
            ("NOWHERE", "_"),
        ],
    )
    def test_as_they_are(self, column, value):
        assert text_of(self.block, column) == value

    def test_words_of_the_second_sentence(self):
        assert text_of(self.block, "FORM", word=1) == "bark"
        assert text_of(self.block, "LEMMA", word=1) == "_"

    def test_a_missing_upos_falls_back_to_xpos(self):
        assert text_of(self.block, "UPOS", word=1) == "VBP"

    def test_upos_and_xpos_missing(self):
        assert text_of(block_of([("a",)]), "UPOS") == "_"

    def test_a_layout_without_upos(self):
        layout = Layout("malt", ["FORM", "XPOS"])
        assert text_of(Block(b"dog\tNN\n\n", layout), "UPOS") == "NN"

    def test_a_layout_without_tags(self):
        block = Block(b"dog\n\n", Layout("words", ["FORM"]))
        assert text_of(block, "UPOS") == "_"
        assert text_of(block, "UPOS", "", (("suffix", 2),)) == "_"
        assert text_of(block, "LEMMA", "", SHAPE) == "_"
        assert text_of(block, "FEATS", "Case") == "_"

    def test_out_of_range(self):
        encoder = Encoder([("FORM", "", ())], False)
        for word, attribute in ((2, 0), (-1, 0), (0, 1), (0, -1)):
            with pytest.raises(IndexError):
                encoder.text(self.block, word, attribute)


class TestFeatures:
    @pytest.mark.parametrize(
        ("feats", "values"),
        [
            ("Case=Nom|Number=Plur", {"Case": "Nom", "Number": "Plur", "Num": "_", "Gender": "_"}),
            ("Number[psor]=Sing|Number=Plur", {"Number": "Plur", "Number[psor]": "Sing"}),
            ("Case=Acc,Nom", {"Case": "Acc,Nom"}),
            ("Case=", {"Case": ""}),
            ("Case", {"Case": "_"}),
            ("XCase=Nom", {"Case": "_"}),
            ("|Case=Nom|", {"Case": "Nom"}),
            ("Case=A|Case=B", {"Case": "A"}),
            ("A=b=c", {"A": "b=c"}),
            ("_", {"Case": "_"}),
        ],
    )
    def test_by_name(self, feats, values):
        block = block_of([("a", "_", "_", "_", feats)])
        assert {name: text_of(block, "FEATS", name) for name in values} == values

    def test_by_name_and_mapped(self):
        block = block_of([("a", "_", "_", "_", "Case=Nom")])
        assert text_of(block, "FEATS", "Case", (LOWER,)) == "nom"
        assert text_of(block, "FEATS", "Case", (("suffix", 2),)) == "om"


class TestAffixes:
    @pytest.mark.parametrize(
        ("form", "size", "suffix", "prefix"),
        [
            ("running", 3, "ing", "run"),
            ("running", 15, "running", "running"),
            ("run", 3, "run", "run"),
            ("ab", 3, "ab", "ab"),
            ("größte", 3, "ßte", "grö"),
            ("λόγος", 2, "ος", "λό"),
            ("слово", 1, "о", "с"),
            ("日本語", 2, "本語", "日本"),
            ("a😀b", 2, "😀b", "a😀"),
            ("e\u0301te\u0301", 2, "té", "ét"),  # as in normal form
            ("x\u0301q\u0301", 2, "q\u0301", "x\u0301"),  # marks that compose with nothing count as characters
            ("", 3, "", ""),
        ],
    )
    def test_characters_not_bytes(self, form, size, suffix, prefix):
        assert mapped(form, ("suffix", size)) == suffix
        assert mapped(form, ("prefix", size)) == prefix

    def test_of_the_lower_case(self):
        assert mapped("ÉCOLE", LOWER, ("prefix", 2)) == "éc"
        assert mapped("STRASSE", LOWER, ("suffix", 3)) == "sse"


class TestLower:
    @pytest.mark.parametrize(
        ("form", "lower"),
        [
            ("Hello-World1", "hello-world1"),
            ("ÀÉÎÕÜŠŽ", "àéîõüšž"),
            ("ΛΌΓΟΣ", "λόγοσ"),  # character by character: no final sigma
            ("СЛОВО", "слово"),
            ("ԱՐԵՎ", "արեվ"),
            ("ẞ", "ß"),
            ("Ⱥ", "ⱥ"),  # two bytes become three
            ("İ", "İ"),  # its lower case is two characters: left alone
            ("日本語", "日本語"),
            ("😀A", "😀a"),
            ("𐐀", "𐐀"),  # beyond the table: left alone
            ("_", "_"),
        ],
    )
    def test_of_scripts(self, form, lower):
        assert mapped(form, LOWER) == lower

    @given(st.text(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cc", "Cs", "Zl", "Zp"])))
    def test_character_by_character_as_python_has_it(self, form):
        form = normal_form(form)
        expected = "".join(c.lower() if len(c.lower()) == 1 else c for c in form)
        if len(form.encode()) <= LONGEST:
            assert mapped(form, LOWER) == expected
        else:
            assert expected.startswith(mapped(form, LOWER))


class TestShape:
    @pytest.mark.parametrize(
        ("form", "shape"),
        [
            ("hello", "xx"),
            ("Hello", "Xxx"),
            ("HELLO", "XX"),
            ("McDonald", "XxXxx"),
            ("1984", "dd"),
            ("B-52s", "X-ddx"),
            ("...", "..."),
            ("a.b", "x.x"),
            ("Ärger", "Xxx"),
            ("Ελλάδα", "Xxx"),
            ("Россия", "Xxx"),
            ("٣٤٥", "dd"),
            ("日本語", "xx"),
            ("שלום", "xx"),
            ("3,5%", "d,d%"),
            ("–", "–"),
            ("😀", "x"),  # beyond the table, all is taken for letters
            ("", ""),
        ],
    )
    def test_of_scripts(self, form, shape):
        assert mapped(form, *SHAPE) == shape


@pytest.mark.parametrize("mappings", [(LOWER,), SHAPE, (LOWER, ("suffix", 3))])
@pytest.mark.parametrize("form", ["Ä" * 5000, "ⱥ" * 5000, "A1" * 5000, "." * 5000, "Ⱥ" * 5000])
def test_long_words_are_cut(form, mappings):
    assert len(mapped(form, *mappings).encode()) <= 2 * LONGEST


ANY_BYTES = st.binary(max_size=600).filter(lambda raw: not set(raw) & set(b"\t\r\n"))


@pytest.mark.parametrize("mappings", [(), (LOWER,), SHAPE, (("suffix", 3),), (("prefix", 3),), (LOWER, ("suffix", 2))])
@given(ANY_BYTES)
def test_bytes_that_are_no_utf8_do_no_harm(mappings, raw):
    block = Block(b"1\t" + raw + b"\t_" * 8 + b"\n\n", CONLLU)
    encoder = Encoder([("FORM", "", mappings)], False)
    assert block.n_words == 1
    assert isinstance(encoder.text(block, 0, 0), bytes)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), st.integers(1, 15))
def test_affixes_as_python_cuts_them(form, size):
    normal = normal_form(form)
    assert mapped(form, ("suffix", size)) == normal[-size:]
    assert mapped(form, ("prefix", size)) == normal[:size]
