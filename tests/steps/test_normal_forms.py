"""The same trees however text was written: every kind of step, and pipelines of several scripts."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from unicodedata import combining, normalize

import pytest
from treewright.treebank.blocks.block import Block

import treewright as tw
from tests.every_kind import NAMES, NOUNS, VERBS, available, save_all, treebank
from treewright.kinds.tokenizer.restoring import restored_text
from treewright.steps.step import Step
from treewright.treebank.formats.conllu import CONLLU

#: words of several scripts, in place of those of the treebank
SCRIPTS = {
    "Latin": "Zoë Łódź Émile Ürün sèes līķes ķņows fīgš cāts ţéă",
    "Vietnamese": "Nguyễn Trần Đặng Lữ thấy thích biết trái mèo trà",
    "Greek": "Ἄννα Μυρτώ Εὕα Ζωή βλέπει ἀγαπᾷ ᾔδει σῦκα γάτες τσάϊ",
    "Hangul": "안나 보람 이브 김 봅니다 좋습니다 압니다 무화과 고양이 차",
    "Hebrew": "אַנָּה בּוֹב אִיב קִים רוֹאָה אוֹהֶבֶת יוֹדַעַת שְׁקֵדִים חָתוּל תֵּה",
    "Arabic": "آنّة أُبَيّ إيفُ كِمّ يَرَى يُحِبُّ يَعْلَمُ تُفَّاحًا قِطَّةً شَايًا",
    "Devanagari": "ज़ोया क़मर ख़ान हीरा पढ़ता ड़रता फ़ेंकता फ़ल बिल्ली चाय",
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return save_all(tmp_path_factory.mktemp("models"))


def with_hidden_hyphens(conllu: str) -> str:
    """Return a treebank with a character that nobody sees in the middle of every word."""
    lines = []
    for line in conllu.split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit() and len(columns[1]) > 1:
            columns[1] = f"{columns[1][:1]}\u00ad{columns[1][1:]}"
        lines.append("\t".join(columns))
    return "\n".join(lines)


@pytest.mark.parametrize("kind", available())
def test_every_kind_looks_at_words_in_normal_form(kind: str, models: dict[str, Path]) -> None:
    """Words would be unknown otherwise. They come back as they were."""
    step = tw.load(models[kind])
    given = treebank().decode()
    options = {"tag": True} if "TAGS" in {name.upper() for name in step.capabilities} else {}
    plain, hidden = (
        step.parse_block(Block(text.encode(), CONLLU), **options).data.decode()
        for text in (given, with_hidden_hyphens(given))
    )
    assert hidden == with_hidden_hyphens(plain)


@cache
def pipeline(script: str) -> Step:
    """Return a small pipeline that learnt a language of the script."""
    return tw.train(
        in_script(treebank().decode(), script).encode(),
        pipeline=True,
        jackknife=0,
        iterations=2,
        tagger_iterations=2,
        tokenizer_iterations=2,
        tagger_cutoff=1,
    )


def in_script(text: str, script: str) -> str:
    """Return a text with the words of a script."""
    for word, other in zip((*NAMES, *VERBS, *NOUNS), SCRIPTS[script].split(), strict=True):
        text = text.replace(word, other)
    return text


def texts(script: str) -> list[str]:
    """Return texts of the words of a script: as the treebank has them, and at random."""
    chance = random.Random(3)
    words = [*SCRIPTS[script].split(), "and", "tea'll", "\u200b", "12"]
    made = (" ".join(chance.choices(words, k=chance.randint(1, 9))) + chance.choice((".", "!", "")) for _ in range(30))
    return [in_script("Ann sees figs. Bob likes and knows tea'll.\n\nKim knows cats.", script), "\n".join(made)]


def otherwise(text: str) -> str:
    """Return a text decomposed; where that changes nothing, with letters that Unicode never composes."""
    apart = normalize("NFD", text)
    if apart == normalize("NFC", text):
        for code in (*range(0xFB1D, 0xFB4F), *range(0x958, 0x960)):
            apart = apart.replace(normalize("NFD", chr(code)), chr(code))
    return apart


@pytest.mark.parametrize("script", SCRIPTS)
def test_composed_and_decomposed_text_have_the_same_trees(script: str) -> None:
    model = pipeline(script)
    for text in texts(script):
        composed, apart = normalize("NFC", text), otherwise(text)
        assert composed != apart
        found = ["".join(each.to_conllu() for each in model.parse_text(one)) for one in (composed, apart)]
        assert normalize("NFC", found[1]) == normalize("NFC", found[0])
        assert [restored_text(one) for one in found] == [composed, apart]
        assert not any(combining(row[1][0]) for row in rows(found[1]))


@pytest.mark.parametrize("script", SCRIPTS)
def test_offsets_count_the_characters_of_the_text(script: str) -> None:
    for text in texts(script):
        apart = otherwise(text)
        conllu = "".join(each.to_conllu() for each in pipeline(script).parse_text(apart, ranges=True))
        for _, form, *_, misc in rows(conllu):
            if "TokenRange" in misc:
                start, end = misc.partition("TokenRange=")[2].split(":")
                assert apart[int(start) : int(end)] == form


def test_trained_on_decomposed_text_it_is_the_same() -> None:
    """Forms, lemmas and text are learnt in normal form, whatever the treebank has."""
    given = in_script(treebank().decode(), "Latin")
    options = {"pipeline": True, "jackknife": 0, "iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1}
    first, second = (tw.train(normalize(form, given).encode(), **options).to_file() for form in ("NFC", "NFD"))
    assert first[1].keys() == second[1].keys()
    assert all(first[1][name] == second[1][name] for name in first[1])


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Ann\u200b sees\u200bfigs.", ["Ann", "sees", "figs", "."]),
        ("Ann se\u00ades \ufefffigs\ufeff.", ["Ann", "se\u00ades", "figs\ufeff", "."]),
        ("\u200eAnn sees figs.\u200f", ["Ann", "sees", "figs", "."]),
        ("Ann\u200d sees fi\u200cgs.", ["Ann", "sees", "fi\u200cgs", "."]),
        ("\u202aAnn\u202c sees figs .", ["Ann", "sees", "figs", "."]),
        ("Ann sees figs\u0308\u0301.", ["Ann", "sees", "figs\u0308\u0301", "."]),
    ],
)
def test_what_nobody_sees_belongs_to_spaces_or_stays_in_its_word(text: str, forms: list[str]) -> None:
    model = pipeline("Hangul")  # knows ".", and none of these words
    conllu = "".join(each.to_conllu() for each in model.parse_text(text))
    assert [row[1] for row in rows(conllu)] == forms
    assert restored_text(conllu) == text


def rows(conllu: str) -> list[list[str]]:
    return [line.split("\t") for line in conllu.split("\n") if line[:1].isdigit()]
